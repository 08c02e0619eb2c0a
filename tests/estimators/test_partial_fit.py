"""Rows that come once, in pieces: close to what a fit finds, and the same sums wherever they are taken about."""

import numpy as np
import pytest
from numpy.testing import assert_allclose
from sklearn.base import clone

from peculiar import RobustMixture, scan
from peculiar.backends import MemoryBackend
from peculiar.catalogue import write
from peculiar.datasets import make_colours
from peculiar.engines import MonteCarlo
from peculiar.errors import InputError, SettingError
from peculiar.fitting.online import Online
from peculiar.fitting.recent import Block, Means, Recent, about, mixed
from peculiar.model.params import MixtureParams
from peculiar.observations import DiagonalNoise, Observations, Scaling
from peculiar.settings import choose_model
from tests.estimators.helpers import measured


@pytest.mark.parametrize(("seed", "n_rows"), [(0, 3000), (0, 500), (1, 3000), (1, 500)])
def test_two_passes_over_the_demo_come_close_to_the_optimum(seed, n_rows):
    """Within 1e-3 per row, in two orders: with more weight for later steps it was 1.4e-3."""
    sky = make_colours(3000, n_peculiar=30, random_state=seed)
    given, settings = {"X_cov": sky.X_cov}, {"wild_fraction": "estimate", "random_state": 1}
    best = RobustMixture(3, tol=1e-8, **settings).fit(sky.X, **given)
    assert best.converged_
    best = best.score(sky.X, **given)
    for order in (np.arange(3000), np.random.default_rng(101).permutation(3000)):
        model, losses = RobustMixture(3, **settings), []
        for _ in range(4):
            for rows in np.array_split(order, 3000 // n_rows):
                model.partial_fit(sky.X[rows], X_cov=sky.X_cov[rows])
            losses.append(best - model.score(sky.X, **given))
        assert losses[1] < 1e-3
        assert losses[3] < 0.6e-3
        assert model.n_iter_ == 600


def test_averages_are_those_of_the_recent_half():
    """However many steps there were, in few blocks; by explicit sums over all steps."""
    stats, *_ = rows_about(np.zeros((1, 2)))
    recent, steps, rng = None, [], np.random.default_rng(0)
    for time in range(1, 601):
        params = MixtureParams(
            np.zeros(1), rng.normal(size=(1, 2)), np.eye(2)[None], np.array([5.0])
        )
        here = about(stats, params.locations)
        means = Means.of(params, 1.0 / params.dofs, here, params.locations)
        steps.append(params.locations)
        recent = recent.plus(1.0, means) if recent else Recent((Block(0.0, 1.0, means),))
        assert len(recent.blocks) <= 40
        first = round(recent.blocks[0].start)
        assert abs(first - 0.5 * time) <= 0.02 * time + 0.5
        assert_allclose(
            recent.means.locations, np.mean(steps[first:], axis=0), rtol=1e-9, atol=1e-12
        )
    assert_allclose(recent.means.sums_about(np.zeros((1, 2))).sum_udd, stats.sum_udd, rtol=1e-9)


def rows_about(locations, seed=0):
    """Sums of the same rows, with the same memberships: all far inside one component, Gaussian."""
    rng = np.random.default_rng(seed)
    X, std = rng.normal(size=(50, 2)), rng.uniform(0.1, 1.0, (50, 2))
    obs = Observations.of(X, DiagonalNoise(std), Scaling(np.zeros(2), np.ones(2)))
    params = MixtureParams(np.zeros(1), locations, np.eye(2)[None], np.array([np.inf]))
    model = choose_model("exact", "full", np.inf, 1)
    return MemoryBackend(obs).summarise(model.engine, params), obs, model, params


def test_sums_about_other_locations():
    """With w = mu + delta, the sums of u delta and u delta delta' about mu + shift, by explicit loops."""
    rng = np.random.default_rng(0)
    u, w = rng.gamma(3.0, size=20), rng.normal(size=(20, 3))
    here, shift = rng.normal(size=3), rng.normal(size=3)

    def sums(location):
        first = sum(u[i] * (w[i] - location) for i in range(20))
        return first, sum(u[i] * np.outer(w[i] - location, w[i] - location) for i in range(20))

    stats, *_ = rows_about(np.zeros((1, 2)))
    first, second = sums(here)
    own = {"sum_u": np.array([u.sum()]), "sum_ud": first[None], "sum_udd": second[None]}
    moved = about(type(stats)(**{**vars(stats), **own}), shift[None])
    first, second = sums(here + shift)
    assert_allclose(moved.sum_ud[0], first, rtol=1e-12)
    assert_allclose(moved.sum_udd[0], second, rtol=1e-12)


def test_far_from_the_origin_no_digits_are_lost():
    """Julian dates: locations near 2.46e6, spread over 1e-3."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(600, 2))
    near, far = (RobustMixture(1, random_state=0, dof=np.inf) for _ in range(2))
    for piece in np.array_split(X, 3):
        near.partial_fit(piece)
        far.partial_fit(2.46e6 + 1e-3 * piece)
    assert_allclose(far.scatters_, 1e-6 * near.scatters_, rtol=1e-4)


def test_a_step_with_the_sums_of_all_rows_stays_at_the_optimum():
    X, X_std = measured()
    population = RobustMixture(2, random_state=0, tol=1e-10).fit(X, X_std=X_std).population_
    obs = Observations.of(X, DiagonalNoise(X_std), population.scaling)
    model, backend = choose_model("exact", "full", "estimate", 2), MemoryBackend(obs)
    best = population.params_in(obs.scaling)
    online = Online.begin(best, backend.summarise(model.engine, best))
    for _ in range(3):
        online = online.after(backend.summarise(model.engine, online.params), model)
    for params in (online.params, online.result(model)):
        assert_allclose(params.locations, best.locations, atol=1e-3)
        assert_allclose(params.scatters, best.scatters, rtol=1e-2, atol=1e-3)


def test_averages_are_averages():
    one, *_ = rows_about(np.zeros((1, 2)), seed=0)
    other, *_ = rows_about(np.zeros((1, 2)), seed=1)
    assert_allclose(mixed(one, other, 0.25).sum_udd, 0.75 * one.sum_udd + 0.25 * other.sum_udd)
    assert mixed(one, other, 1.0).bound == other.bound


@pytest.mark.parametrize("dof", ["estimate", "shared", 4.0, np.inf, [3.0, np.inf]], ids=str)
@pytest.mark.parametrize("scatter", ["full", "diag"])
def test_kinds_of_models(dof, scatter):
    X, X_std = measured()
    model = RobustMixture(2, dof=dof, scatter=scatter, random_state=0)
    for rows in np.array_split(np.arange(len(X)), 3):
        model.partial_fit(X[rows], X_std=X_std[rows])
    assert np.isfinite(model.score_samples(X, X_std=X_std)).all()
    if not isinstance(dof, str):
        np.testing.assert_array_equal(model.dofs_, np.broadcast_to(dof, 2))
    if dof == "shared":
        assert len(set(model.dofs_)) == 1
    if scatter == "diag":
        np.testing.assert_array_equal(model.scatters_ * (1 - np.eye(X.shape[1])), 0.0)


def test_a_scan_is_read_once(tmp_path):
    rng = np.random.default_rng(0)
    table = {"x_err": rng.uniform(0.1, 0.5, 600), "x": rng.normal(size=600)}
    write(table, tmp_path / "stars.parquet")
    stars = scan(tmp_path / "stars.parquet", "x", rows_at_a_time=600)
    ours = RobustMixture(1, random_state=0).partial_fit(stars)
    theirs = RobustMixture(1, random_state=0)
    theirs.partial_fit(table["x"][:, None], X_std=table["x_err"][:, None])
    assert_allclose(ours.scatters_, theirs.scatters_, rtol=1e-9)
    assert ours.recipe_.names == ("x",)
    with pytest.raises(InputError, match="beside a scan"):
        ours.partial_fit(stars, sample_weight=np.ones(600))


def test_rows_without_values_teach_nothing():
    X, X_std = measured()
    model = RobustMixture(2, random_state=0).partial_fit(X, X_std=X_std)
    before = model.locations_
    model.partial_fit(np.full((5, X.shape[1]), np.nan))
    np.testing.assert_array_equal(model.locations_, before)


def test_it_goes_on_from_a_fit_and_a_fit_begins_anew():
    X, X_std = measured()
    fitted = RobustMixture(2, random_state=0).fit(X, X_std=X_std)
    whole, again = fitted.score(X, X_std=X_std), clone(fitted)
    fitted.partial_fit(X, X_std=X_std)
    assert abs(fitted.score(X, X_std=X_std) - whole) < 0.01
    fitted.fit(X, X_std=X_std)
    np.testing.assert_array_equal(fitted.scatters_, again.fit(X, X_std=X_std).scatters_)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_components": "mml"}, "n_components='mml' asks for all rows"),
        ({"scatter": "auto"}, "scatter='auto' asks for the number of all rows"),
        ({"engine": MonteCarlo()}, "engine='monte_carlo' draws its random numbers for all rows"),
    ],
)
def test_what_does_not_go_is_refused(settings, message):
    """As scikit-learn has it, such a mixture has no method of this name; the reason is the cause of the error."""
    X, _ = measured()
    assert not hasattr(RobustMixture(**settings), "partial_fit")
    with pytest.raises(AttributeError) as caught:
        RobustMixture(**settings).partial_fit(X)
    cause = caught.value.__cause__
    assert isinstance(cause, SettingError)
    assert str(cause).startswith(message)
    assert "use fit, which reads larger tables in parts" in str(cause)


def test_other_features_are_refused():
    X, _ = measured()
    model = RobustMixture(2, random_state=0).partial_fit(X)
    with pytest.raises(ValueError, match="features"):
        model.partial_fit(X[:, :-1])
