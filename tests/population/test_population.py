"""A population: a value that is asked with rows, whatever units they are in and wherever it is copied to."""

import copy
import dataclasses
import pickle

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from peculiar import OutlierDetector, RobustMixture
from peculiar.observations import DiagonalNoise, FullNoise, NoNoise, Observations, Scaling
from peculiar.population.explain import explain, sides, surprises
from tests.estimators.helpers import as_cov, measured, published

X, X_STD = measured(40)
X[5, 1] = np.nan
X[6] = np.nan
NOISES = {
    "none": NoNoise(len(X)),
    "diagonal": DiagonalNoise(X_STD),
    "full": FullNoise(as_cov(X_STD) + 0.01),
}


@pytest.fixture(scope="module")
def population():
    return published(wild_fraction=0.02).population_


@pytest.fixture(scope="module")
def obs(population):
    return Observations.of(X, DiagonalNoise(X_STD), population.scaling)


def assert_same_moments(one, other, **tolerances):
    for field in dataclasses.fields(one):
        ours, theirs = (getattr(moments, field.name) for moments in (one, other))
        assert_allclose(ours, theirs, err_msg=field.name, **tolerances)


@pytest.mark.parametrize(
    "carry", [copy.copy, copy.deepcopy, lambda p: pickle.loads(pickle.dumps(p))]
)
def test_a_copy_answers_the_same(population, obs, carry):
    copied = carry(population)
    assert_same_moments(copied.moments(obs), population.moments(obs), rtol=0)
    assert_array_equal(copied.tail(obs).log_p, population.tail(obs).log_p)


def test_never_changes(population):
    with pytest.raises(dataclasses.FrozenInstanceError):
        population.seed = 1


def test_units_of_the_question_do_not_matter(population, obs):
    other = Scaling(population.scaling.shift + 3.0, population.scaling.scale * [0.1, 7.0])
    moved = Observations.of(X, DiagonalNoise(X_STD), other)
    clean, same = (population.moments(rows, with_clean=True) for rows in (obs, moved))
    assert_same_moments(clean, same, rtol=1e-8, atol=1e-10)
    assert_allclose(population.tail(moved).log_p, population.tail(obs).log_p, rtol=1e-6)
    ours, theirs = population.explain(obs), population.explain(moved)
    assert_allclose(ours.surprise, theirs.surprise, rtol=1e-8, atol=1e-8)
    assert_array_equal(ours.sign, theirs.sign)


def test_ordinary_objects_have_no_wild_tail(population, obs):
    ordinary = population.ordinary()
    assert not ordinary.model.prior.has_wild
    assert not ordinary.moments(obs).wild.any()
    assert_array_equal(ordinary.tail(obs).log_p, population.tail(obs).log_p)
    assert_array_equal(ordinary.explain(obs).surprise, population.explain(obs).surprise)
    assert ordinary.ordinary().params.wild_fraction == 0.0


def test_components_make_up_the_population(population, obs):
    ordinary = population.ordinary()
    parts = [ordinary.component(k).moments(obs).log_density for k in range(2)]
    whole = np.logaddexp.reduce(np.array(parts) + ordinary.params.log_weights[:, None], axis=0)
    assert_allclose(whole, ordinary.moments(obs).log_density, rtol=1e-12, atol=1e-12)


def test_p_values_that_are_known_are_not_computed_again(population, obs, monkeypatch):
    expected = population.tolerance(obs, 0.3)
    log_p = population.tail(obs).log_p
    asked = []
    tail = type(population).tail
    monkeypatch.setattr(
        type(population), "tail", lambda self, rows: asked.append(rows.n_rows) or tail(self, rows)
    )
    assert_array_equal(population.tolerance(obs, 0.3, log_p), expected)
    assert max(asked) == np.count_nonzero(log_p < np.log(0.3)) < obs.n_rows


def test_the_side_of_one_feature_is_that_of_the_whole_explanation(population, obs):
    ordinary = population.ordinary()
    whole, (surprise, component) = explain(ordinary, obs), surprises(ordinary, obs)
    assert_array_equal(surprise, whole.surprise)
    rows = np.arange(obs.n_rows)
    chosen = sides(ordinary, obs, whole.main_feature, component[rows, whole.main_feature])
    assert_array_equal(chosen, whole.sign[rows, whole.main_feature])


@pytest.mark.parametrize("noise", NOISES.values(), ids=NOISES.keys())
@pytest.mark.parametrize("rows", [np.array([3, 1, 20]), slice(4, 9)], ids=["numbers", "slice"])
def test_some_rows_as_a_table_of_their_own(population, noise, rows):
    whole = Observations.of(X, noise, population.scaling, np.arange(40.0))
    part = whole.take(rows)
    assert_array_equal(part.values, X[rows])
    assert_array_equal(part.weights, np.arange(40.0)[rows])
    expected = population.moments(whole).log_density[rows]
    assert_allclose(population.moments(part).log_density, expected, rtol=1e-12)


@pytest.mark.parametrize("noise", NOISES.values(), ids=NOISES.keys())
def test_larger_errors(population, noise):
    factors = np.linspace(1.0, 30.0, 40)
    obs = Observations.of(X, noise, population.scaling)
    larger = obs.with_errors_times(factors)
    if isinstance(noise, NoNoise):
        assert isinstance(larger.noise, NoNoise)
    else:
        power = 1 if isinstance(noise, DiagonalNoise) else 2
        assert_allclose(larger.noise[0][7], noise[0][7] * factors[7] ** power)
    assert obs.noise is not larger.noise or isinstance(noise, NoNoise)
    assert_array_equal(larger.values, X)


def test_random_rows_are_missing_where_the_error_is_infinite(population):
    std = X_STD.copy()
    std[4, 1] = np.inf
    values, labels = population.sample(40, np.random.default_rng(0), DiagonalNoise(std))
    assert np.argwhere(np.isnan(values)).tolist() == [[4, 1]]
    assert set(labels) == {0, 1}


def test_a_missing_feature_is_as_if_there_were_none():
    """P-values and explanations of rows that miss a feature are those of a population without it."""
    rng = np.random.default_rng(3)
    factors = rng.normal(size=(3, 4, 4)) + np.eye(4)
    scatters, locations = factors @ factors.transpose(0, 2, 1), 3.0 * rng.normal(size=(3, 4))
    dofs, weights = [5.0, 20.0, np.inf], [0.2, 0.3, 0.5]
    values, std = 4.0 * rng.normal(size=(70, 4)), rng.uniform(0.1, 1.0, (70, 4))
    kept = [0, 1, 3]
    values[:, 2] = np.nan
    whole = RobustMixture.from_parameters(weights, locations, scatters, dofs)
    part = RobustMixture.from_parameters(
        weights, locations[:, kept], scatters[:, kept][:, :, kept], dofs
    )
    ours = whole.tail_probabilities(values, X_std=std)
    theirs = part.tail_probabilities(values[:, kept], X_std=std[:, kept])
    assert_allclose(ours.log_p, theirs.log_p, rtol=1e-6, atol=1e-6)
    explained = [
        OutlierDetector.from_mixture(mixture).explain(values[:, columns], X_std=std[:, columns])
        for mixture, columns in ((whole, [0, 1, 2, 3]), (part, kept))
    ]
    assert_allclose(explained[0].surprise[:, kept], explained[1].surprise, rtol=1e-9, atol=1e-9)
