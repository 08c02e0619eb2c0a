"""Parameters as a flat vector and back; where the ends of the coordinates are."""

from functools import cache

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from peculiar.fitting.accelerate.coordinates import Coordinates
from peculiar.fitting.accelerate.extrapolation import LARGEST_FACTOR, restrain
from peculiar.fitting.accelerate.information import Information
from peculiar.model.maximise import maximise
from peculiar.model.params import MixtureParams
from peculiar.model.prior import EstimatedDofs, FixedDofs, SharedDof
from peculiar.model.scatter import SCATTERS, ShrunkScatter
from peculiar.model.scatter.base import FLOOR
from tests.acceleration.problems import overlapping, prepare


def some_params(seed=0, *, n=3, d=4, dofs=(0.5, 8.0, 3e4), scatter="full"):
    rng = np.random.default_rng(seed)
    roots = rng.standard_normal((n, d, d + 2)) * 10.0 ** rng.uniform(-1, 1, (n, d, 1))
    weights = rng.dirichlet(np.ones(n))
    return MixtureParams(
        np.log(weights),
        rng.standard_normal((n, d)),
        SCATTERS[scatter].nearest(roots @ np.swapaxes(roots, 1, 2)),
        np.array(dofs),
    )


def assert_same(one, other, rtol=1e-9):
    assert_allclose(one.log_weights, other.log_weights, rtol=rtol, atol=1e-13)
    assert_allclose(one.locations, other.locations, rtol=rtol)
    size = np.sqrt(np.diagonal(other.scatters, axis1=1, axis2=2))
    assert_allclose(
        one.scatters / size[:, :, None] / size[:, None, :],
        other.scatters / size[:, :, None] / size[:, None, :],
        rtol=0,
        atol=rtol,
    )
    assert_allclose(one.dofs, other.dofs, rtol=rtol)


@pytest.mark.parametrize("scatter", SCATTERS)
@pytest.mark.parametrize("seed", range(3))
def test_round_trip(scatter, seed):
    here = some_params(seed, scatter=scatter)
    near = some_params(seed + 100, scatter=scatter)
    coordinates = Coordinates.about(here, EstimatedDofs())
    for params in (here, near):
        assert_same(coordinates.params(coordinates.of(params)), params, rtol=1e-7)
    if scatter == "diag":
        back = coordinates.params(coordinates.of(near)).scatters
        assert_array_equal(back * (1 - np.eye(4)), 0.0)


def test_any_vector_has_parameters():
    here = some_params()
    coordinates = Coordinates.about(here, EstimatedDofs())
    rng = np.random.default_rng(3)
    for size in (1.0, 10.0, 100.0):
        vector = coordinates.of(here) + size * rng.standard_normal(coordinates.of(here).size)
        params = restrain(coordinates.params(vector), here, SCATTERS["full"])
        assert_allclose(np.exp(params.log_weights).sum(), 1.0)
        assert np.linalg.eigvalsh(params.scatters).min() >= 0.999 * FLOOR
        assert ((params.dofs >= 0.1) & (params.dofs <= 1e6)).all()


def test_tiny_weights_survive():
    params = some_params()
    tiny = MixtureParams(
        np.log([1e-300, 0.5, 0.5 - 1e-300]), params.locations, params.scatters, params.dofs
    )
    coordinates = Coordinates.about(tiny, EstimatedDofs())
    assert_allclose(coordinates.params(coordinates.of(tiny)).log_weights, tiny.log_weights)


@pytest.mark.parametrize(
    ("prior", "dofs", "n_dofs"),
    [
        (EstimatedDofs(), (2.0, 5.0, 9.0), 3),
        (SharedDof(), (5.0, 5.0, 5.0), 1),
        (FixedDofs((2.0, np.inf, 0.3)), (2.0, np.inf, 0.3), 0),
    ],
    ids=lambda x: getattr(x, "name", None),
)
def test_only_free_dofs_have_coordinates(prior, dofs, n_dofs):
    params = some_params(dofs=dofs)
    coordinates = Coordinates.about(params, prior)
    bent = coordinates.split(coordinates.of(params))[3]
    assert len(bent) == n_dofs
    moved = coordinates.params(coordinates.of(params) + 0.1)
    if n_dofs == 0:
        assert_array_equal(moved.dofs, dofs)
    else:
        assert (moved.dofs > dofs).all()
    if n_dofs == 1:
        assert len(set(moved.dofs)) == 1


def test_infinite_dofs_are_at_the_end_and_stay():
    params = some_params(dofs=(3.0, np.inf, 1e6))
    coordinates = Coordinates.about(params, EstimatedDofs())
    bent = coordinates.split(coordinates.of(params))[3]
    assert bent[1] == 0.0
    assert_array_equal(coordinates.params(coordinates.of(params)).dofs[1], np.inf)
    for shift in (-0.5, 0.5):
        moved = coordinates.params(coordinates.of(params) + shift)
        assert restrain(moved, params, SCATTERS["full"]).dofs[1] == np.inf


def test_dofs_keep_their_range_and_their_pace():
    old = some_params(dofs=(0.15, 30.0, 8e5))
    for dofs in ((1e-9, 1e-9, 1e-9), (np.inf, np.inf, np.inf)):
        new = MixtureParams(old.log_weights, old.locations, old.scatters, np.array(dofs))
        held = restrain(new, old, SCATTERS["full"]).dofs
        assert ((held >= 0.1) & (held <= 1e6)).all()
        assert held[1] in (30.0 / LARGEST_FACTOR, 30.0 * LARGEST_FACTOR)


def test_fixed_dofs_out_of_the_estimated_range_are_kept():
    old = some_params(dofs=(0.01, 1e9, 5.0))
    assert_array_equal(restrain(old, old, SCATTERS["full"]).dofs, old.dofs)


def test_collapsed_scatters_are_held_at_the_floor():
    old = some_params()
    flat = old.scatters.copy()
    flat[0] = np.diag([1.0, 1.0, 1.0, 0.0])
    new = MixtureParams(old.log_weights, old.locations, flat, old.dofs)
    held = restrain(new, old, SCATTERS["full"]).scatters
    assert_allclose(np.linalg.eigvalsh(held[0])[0], FLOOR, rtol=1e-5)
    assert_array_equal(held[1:], SCATTERS["full"].nearest(old.scatters)[1:])


def test_a_flat_component_stays_above_the_least_size():
    here = some_params()
    coordinates = Coordinates.about(here, EstimatedDofs())
    vector = coordinates.of(here)
    parts = coordinates.split(vector)
    vector = np.concatenate([parts[0], parts[1].ravel(), 0.0 * parts[2].ravel(), parts[3]])
    sizes, _ = coordinates.sizes(coordinates.params(vector, least=1e-3))
    assert_allclose(sizes, 1e-3, rtol=1e-6)


@cache
def at_the_maximum(*settings):
    """A problem and its best parameters."""
    task = prepare(*overlapping(1000), **dict(settings))
    return task, task.fit(tol=1e-9, max_iter=500)[0].params


@pytest.mark.parametrize("block", range(5), ids=["weights", "locations", "roots", "dofs", "wild"])
@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"dof": "shared"},
        {"scatter": "diag"},
        {"scatter": ShrunkScatter(200.0, (0.5, 0.5, 1.0)), "dof": 5.0},
        {"dof": np.inf, "wild_fraction": "estimate"},
    ],
    ids=str,
)
def test_the_gradient_is_that_of_the_bound(settings, block):
    """Information times an EM step, against differences of the bound; near the maximum, where EM's steps are short."""
    task, best = at_the_maximum(*settings.items())
    model = task.model
    # At the end of the range there is no gradient.
    assert best.dofs.max() < 100 or not model.prior.n_dofs(3)
    coordinates = Coordinates.about(best, model.prior)
    rng = np.random.default_rng(0)
    params = coordinates.params(coordinates.of(best) + 1e-3 * direction(coordinates, rng, settings))
    stats = task.backend.summarise(model.engine, params)
    vector = coordinates.of(params)
    step = coordinates.of(maximise(stats, params, model.scatter, model.prior)) - vector
    information = Information(
        coordinates, stats, *coordinates.sizes(params), params.scale, model.scatter.prior_rows
    )
    gradient = information.times(step)
    assert_allclose(information.divide(gradient), step, rtol=1e-9, atol=1e-15)
    for _ in range(3):
        way = direction(coordinates, rng, settings, block)
        there = [coordinates.params(vector + h * way) for h in (1e-4, -1e-4)]
        ends = [
            task.backend.summarise(model.engine, end).bound + model.scatter.log_prior(end.scatters)
            for end in there
        ]
        slope = (ends[0] - ends[1]) / 2e-4 / stats.n.sum()
        assert_allclose(slope, gradient @ way, rtol=0.02, atol=3e-6)


def direction(coordinates, rng, settings, block=None):
    """Random numbers in all coordinates, or in those of one block."""
    n, d = coordinates.origin.shape
    size = n * (1 + d + d * d) + coordinates.n_dofs + coordinates.n_wild
    weights, shifts, roots, dofs, angle = coordinates.split(rng.standard_normal(size))
    roots = 0.5 * (roots + np.swapaxes(roots, 1, 2))
    if settings.get("scatter") == "diag":
        roots = roots * np.eye(roots.shape[1])
    parts = [weights - weights.mean(), shifts, roots, dofs, angle]
    return np.concatenate(
        [part.ravel() * (block is None or block == i) for i, part in enumerate(parts)]
    )
