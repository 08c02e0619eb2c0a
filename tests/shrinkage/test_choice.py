"""How far scatters are shrunk is for rows to say that were left out of the fit."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from peculiar import OutlierDetector, RobustMixture
from peculiar.backends import MemoryBackend
from peculiar.fitting.shrink import LeftOut, choose_shrinkage, has_plenty
from peculiar.fitting.start import kmeans_start, robust_scaling
from peculiar.model.params import MixtureParams
from peculiar.model.scatter import AutoScatter, ShrunkScatter
from peculiar.observations import DiagonalNoise, Observations
from peculiar.settings import choose_model


def independent(n=30, d=4, seed=0):
    rng = np.random.default_rng(seed)
    errors = rng.uniform(0.1, 0.3, (n, d))
    return rng.standard_normal((n, d)) + errors * rng.standard_normal((n, d)), errors


def correlated(n, d=4, seed=0):
    """One thing, measured d times."""
    X, errors = independent(n, d, seed)
    return 0.2 * X + 2.0 * np.random.default_rng(seed + 1).standard_normal((n, 1)), errors


def fitted(X, errors, scatter="auto", n_components=1):
    model = RobustMixture(n_components, scatter=scatter, dof=np.inf, random_state=0)
    return model.fit(X, X_std=errors)


def test_chance_correlations_are_shrunk():
    X, errors = independent()
    shrunk, full = fitted(X, errors), fitted(X, errors, "full")
    assert shrunk.pseudo_rows_ >= 4.0
    new, errors_of_new = independent(2000, seed=5)
    assert shrunk.score(new, X_std=errors_of_new) > full.score(new, X_std=errors_of_new) + 0.05


def test_true_correlations_are_not():
    X, errors = correlated(150)
    model = fitted(X, errors)
    assert model.pseudo_rows_ == 0.0
    assert_array_equal(model.scatters_, fitted(X, errors, "full").scatters_)


def test_the_amount_is_the_best_of_those_tried():
    tried = fitted(*independent()).shrinkage_
    assert tried.dtype.names == ("pseudo_rows", "log_likelihood")
    assert (np.diff(tried["pseudo_rows"]) > 0).all()
    best = tried["pseudo_rows"][np.argmax(tried["log_likelihood"])]
    assert best == fitted(*independent()).pseudo_rows_


def test_with_plenty_of_rows_nothing_is_tried():
    X, errors = independent(20 * 3 + 1, d=2)
    model = fitted(X, errors)
    assert model.pseudo_rows_ == 0.0
    assert not hasattr(model, "shrinkage_")
    assert hasattr(fitted(X[:-1], errors[:-1]), "shrinkage_")


def test_the_smallest_component_counts():
    two = MixtureParams(np.log([0.9, 0.1]), np.zeros((2, 2)), np.array([np.eye(2)] * 2), np.ones(2))
    assert has_plenty(two, 601.0)
    assert not has_plenty(two, 599.0)


def rows_of(X, errors):
    noise = DiagonalNoise(errors)
    return Observations.of(X, noise, robust_scaling(X, noise))


def test_every_row_is_left_out_once():
    """The mean log-likelihood of rows left out, against fits by the estimator."""
    X, errors = independent(40)
    obs, model = rows_of(X, errors), choose_model("exact", "full", np.inf, 1)
    start = kmeans_start(obs, 1, model.scatter, model.prior, np.random.default_rng(0))
    left_out = LeftOut(MemoryBackend(obs), model, start, (1.0, 1.0, 1.0, 1.0))
    values = [some.obs.values for _, some in left_out.folds]
    assert_array_equal(np.sort(np.concatenate(values), axis=0), np.sort(X, axis=0))
    total = 0.0
    for rest, some in left_out.folds:
        assert len(rest.obs.values) + len(some.obs.values) == 40
        weights = np.array([1.0])
        mean, scatter = rest.obs.values.mean(axis=0), np.cov(rest.obs.values.T)
        for _ in range(300):  # EM for one Gaussian with known errors, in units of the spread
            mean, scatter = _em_step(rest.obs, mean, scatter, 8.0)
        known = RobustMixture.from_parameters(weights, [mean], [scatter], np.inf)
        total += known.score_samples(some.obs.values, X_std=some.obs.noise.std).sum()
    assert_allclose(left_out.mean_log_likelihood(8.0), total / 40, atol=2e-3)


def _em_step(obs, mean, scatter, pseudo_rows):
    posterior = []
    for x, std in zip(obs.values, obs.noise.std):
        gain = scatter @ np.linalg.inv(scatter + np.diag(std**2))
        posterior.append((mean + gain @ (x - mean), scatter - gain @ scatter))
    n, new = len(posterior), np.mean([w for w, _ in posterior], axis=0)
    moment = np.mean([np.outer(w - new, w - new) + v for w, v in posterior], axis=0)
    target = np.diag(obs.scaling.scale**2)  # 1 in scaled units
    return new, (n * moment + pseudo_rows * target) / (n + pseudo_rows)


def test_components_of_all_sizes_are_pulled_to_the_typical_one():
    rng = np.random.default_rng(0)
    X = np.concatenate([rng.standard_normal((30, 2)), 20.0 + 5.0 * rng.standard_normal((30, 2))])
    obs, model = rows_of(X, np.full(X.shape, 1e-3)), choose_model("exact", "full", np.inf, 2)
    backend = MemoryBackend(obs)
    start = kmeans_start(obs, 2, model.scatter, model.prior, np.random.default_rng(0))
    choice = choose_shrinkage(backend, model, start, 10.0)
    assert isinstance(choice.scatter, ShrunkScatter)
    assert len(choice.tried) == 0  # the amount was given
    variances = np.diagonal(choice.start.scatters, axis1=1, axis2=2)
    assert_allclose(choice.scatter.target, np.sqrt(variances[0] * variances[1]), rtol=1e-3)


def test_the_detector_shrinks_and_the_mixture_does_not():
    X, errors = independent()
    assert OutlierDetector(1, random_state=0).fit(X, X_std=errors).mixture_.pseudo_rows_ > 0.0
    assert RobustMixture(random_state=0).fit(X, X_std=errors).pseudo_rows_ == 0.0


@pytest.mark.parametrize("scatter", ["auto", AutoScatter(5.0)], ids=str)
def test_a_model_file_keeps_it(scatter, tmp_path):
    model = fitted(*independent(), scatter)
    model.save(tmp_path / "model.peculiar")
    again = RobustMixture.load(tmp_path / "model.peculiar")
    assert again.scatter == scatter
    assert again.pseudo_rows_ == model.pseudo_rows_ > 0.0
    assert hasattr(again, "shrinkage_") == hasattr(model, "shrinkage_") == (scatter == "auto")
    if scatter == "auto":
        assert_array_equal(again.shrinkage_, model.shrinkage_)


def test_an_earlier_table_leaves_nothing():
    model = fitted(*independent())
    model.set_params(scatter="full").fit(*independent()[:1])
    assert model.pseudo_rows_ == 0.0
    assert not hasattr(model, "shrinkage_")
