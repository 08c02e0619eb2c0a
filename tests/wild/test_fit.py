"""Fits with a wild tail: what is found, what is refused, what is kept."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from peculiar import RobustMixture
from peculiar.engines import ENGINES
from peculiar.errors import SettingError

CENTRES = np.array([[0.0, 0.0], [12.0, 0.0], [6.0, 10.0]])


def clusters(seed, n_wild, n=300, variance=1.0):
    """Three Gaussian clusters, uniform outliers at the end, and errors with variances up to ``variance``."""
    rng = np.random.default_rng(seed)
    clean = CENTRES[rng.integers(0, 3, n)] + rng.standard_normal((n, 2)) * [1.4, 1.0]
    clean = np.concatenate([clean, rng.uniform(-12, 24, (n_wild, 2))])
    std = np.sqrt(rng.uniform(0, variance, clean.shape))
    return clean + std * rng.standard_normal(clean.shape), std


def fitted(X, std, **settings):
    return RobustMixture(3, random_state=0, **settings).fit(X, X_std=std)


def test_finds_the_fraction_and_the_objects():
    X, std = clusters(0, 30)
    model = fitted(X, std, wild_fraction="estimate")
    assert model.wild_fraction_ == pytest.approx(30 / 330, rel=0.3)
    wild = model.outlier_probability(X, X_std=std)
    assert wild.mean() == pytest.approx(model.wild_fraction_, rel=1e-3)  # EM has come to rest
    assert wild[300:].mean() > 0.6
    assert wild[:300].mean() < 0.03


def test_finds_none_where_there_are_none():
    X, std = clusters(1, 0)
    model = fitted(X, std, wild_fraction="estimate")
    assert model.wild_fraction_ < 1e-3
    assert model.outlier_probability(X, X_std=std).max() < 0.5


def test_the_plain_model_is_the_default():
    X, std = clusters(2, 9)
    model = fitted(X, std)
    assert model.wild_fraction_ == 0.0
    with pytest.raises(SettingError, match=r"no wild tail.*wild_fraction='estimate'"):
        model.outlier_probability(X, X_std=std)


def test_a_known_fraction_is_kept():
    X, std = clusters(2, 9)
    assert fitted(X, std, wild_fraction=0.07).wild_fraction_ == 0.07


@pytest.mark.parametrize("dof", ["estimate", "shared", np.inf, 5.0])
@pytest.mark.parametrize("accelerate", [True, False])
@pytest.mark.filterwarnings("ignore:EM did not converge")  # plain EM may take its time
def test_the_likelihood_never_falls(dof, accelerate):
    X, std = clusters(3, 20)
    settings = {"dof": dof, "accelerate": accelerate, "tol": 1e-6}
    model = fitted(X, std, wild_fraction="estimate", **settings)
    assert np.diff(model.lower_bounds_).min() > -1e-10
    assert model.converged_ or not accelerate


def test_longer_steps_lead_to_the_same_fraction():
    X, std = clusters(4, 25)
    settings = {"dof": np.inf, "tol": 1e-9, "max_iter": 5000}
    plain, long = (
        fitted(X, std, wild_fraction="estimate", accelerate=a, **settings) for a in (False, True)
    )
    assert long.n_iter_ < plain.n_iter_
    assert long.wild_fraction_ == pytest.approx(plain.wild_fraction_, rel=1e-3)


def test_a_heavy_tail_of_the_components_does_not_take_the_outliers():
    """Without a least dof the t's would bend until the outliers are theirs."""
    X, std = clusters(5, 30, variance=10.0)
    assert fitted(X, std).dofs_.min() < 5.0
    model = fitted(X, std, wild_fraction="estimate")
    assert model.dofs_.min() >= 15.0
    assert model.wild_fraction_ > 0.04


@pytest.mark.parametrize("name", [name for name, one in ENGINES.items() if not one.takes_wild])
@pytest.mark.parametrize("wild_fraction", ["estimate", 0.1])
def test_other_engines_refuse(name, wild_fraction):
    X, std = clusters(6, 3, n=60)
    message = f"engine='{name}' cannot integrate over a wild tail.*choose engine='exact'"
    with pytest.raises(SettingError, match=message):
        fitted(X, std, engine=name, wild_fraction=wild_fraction)


def test_the_exact_engine_takes_it():
    assert [name for name, one in ENGINES.items() if one.takes_wild] == ["exact"]


@pytest.mark.parametrize("given", [-0.1, 1.0, 2, np.nan, "some", None, True, [0.1]])
def test_fractions_that_cannot_be(given):
    X, std = clusters(6, 3, n=60)
    with pytest.raises(SettingError, match="wild_fraction must be 'estimate' or a number"):
        fitted(X, std, wild_fraction=given)


def test_ready_models_need_a_number():
    with pytest.raises(SettingError, match="must be a number among known parameters"):
        RobustMixture.from_parameters([1.0], [[0.0]], [[[1.0]]], 5.0, wild_fraction="estimate")


@pytest.mark.parametrize("wild_fraction", ["estimate", 0.05, 0.0])
def test_is_kept_in_a_file(tmp_path, wild_fraction):
    X, std = clusters(7, 20)
    model = fitted(X, std, wild_fraction=wild_fraction)
    model.save(tmp_path / "model.peculiar")
    again = RobustMixture.load(tmp_path / "model.peculiar")
    assert again.wild_fraction == wild_fraction
    assert again.wild_fraction_ == model.wild_fraction_
    assert_array_equal(again.score_samples(X, X_std=std), model.score_samples(X, X_std=std))


def test_samples_have_wild_objects():
    model = RobustMixture.from_parameters([1.0], [[0.0]], [[[1.0]]], np.inf, wild_fraction=0.2)
    X, _ = model.sample(5000, random_state=0)
    assert 0.12 < (np.abs(X) > 5).mean() < 0.2


@pytest.mark.parametrize("n_components", ["mml", "bic"])
def test_the_number_of_components_is_found(n_components):
    """A handful of outliers all over the place no longer costs a component."""
    X, std = clusters(8, 20)
    model = RobustMixture(
        n_components, max_components=5, wild_fraction="estimate", random_state=0
    ).fit(X, X_std=std)
    assert model.n_components_ == 3
    assert model.wild_fraction_ == pytest.approx(20 / 320, rel=0.4)


def test_the_fraction_counts_as_a_parameter():
    X, std = clusters(9, 20)
    free = fitted(X, std, wild_fraction="estimate")
    known = RobustMixture.from_parameters(
        free.weights_, free.locations_, free.scatters_, free.dofs_, free.wild_fraction_
    )
    gap = free.bic(X, X_std=std) - known.bic(X, X_std=std)
    assert gap == pytest.approx(np.log(len(X)))


def test_results_do_not_depend_on_threads_or_units():
    X, std = clusters(10, 20)
    one = fitted(X, std, wild_fraction="estimate")
    two = fitted(X, std, wild_fraction="estimate", n_jobs=2)
    assert_array_equal(one.outlier_probability(X, X_std=std), two.outlier_probability(X, X_std=std))
    unit = np.array([1e-3, 250.0])
    scaled = fitted(X * unit, std * unit, wild_fraction="estimate")
    assert_allclose(
        scaled.outlier_probability(X * unit, X_std=std * unit),
        one.outlier_probability(X, X_std=std),
        atol=1e-3,
    )
