"""Blocks of rows at once give what the careful kernels give row by row."""

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from peculiar.engines import ENGINES, Exact
from peculiar.engines.base import RowMoments
from peculiar.engines.lanewise import LaneEngine
from peculiar.engines.rowwise import RowEngine
from peculiar.kernels.lanes.code import UNROLLED
from peculiar.model.params import MixtureParams
from peculiar.model.stats import empty_sums
from peculiar.observations import DiagonalNoise, FullNoise, NoNoise, Observations, Scaling
from tests.grid import everyday


def problem(seed, d, dofs, kind="std", n=200):
    """Rows from near to far, measured well and badly, with zeros and gaps."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) * 10 ** rng.uniform(-1, 3.5, (n, 1))
    std = 10 ** rng.uniform(-3, 1.9, (n, 1)) * 10 ** rng.uniform(-1, 0, (n, d))
    std[rng.random((n, d)) < 0.1] = 0.0
    X[rng.random((n, d)) < 0.05] = np.nan
    root = rng.standard_normal((n, d, d)) * std[:, :, None]
    noise = {
        "none": NoNoise(n),
        "std": DiagonalNoise(std),
        "cov": FullNoise(root @ np.swapaxes(root, 1, 2)),
    }[kind]
    scatter_root = rng.standard_normal((len(dofs), d, d + 2))
    params = MixtureParams(
        np.log(rng.dirichlet(np.full(len(dofs), 3.0))),
        rng.standard_normal((len(dofs), d)),
        scatter_root @ np.swapaxes(scatter_root, 1, 2) / (d + 2),
        np.array(dofs, dtype=float),
    )
    return Observations.of(X, noise, Scaling(np.zeros(d), np.ones(d))), params


def with_care(engine):
    """The same engine, but that every row is left to the careful kernels."""
    blocks = {name: getattr(RowEngine, name) for name in ("sum_blocks", "describe_blocks")}
    return type(f"Careful{type(engine).__name__}", (type(engine),), blocks)(
        **{field.name: getattr(engine, field.name) for field in dataclasses.fields(engine)}
    )


def describe(engine, obs, params):
    out = RowMoments.empty(obs, params.n_components, latent=False)
    engine.describe(obs, params, out)
    return out


def assert_same(engine, obs, params, careful_engine):
    careful_engine = with_care(careful_engine)
    ours, theirs = describe(engine, obs, params), describe(careful_engine, obs, params)
    assert_allclose(ours.log_prob, theirs.log_prob, rtol=1e-12, atol=1e-9)
    assert_allclose(np.exp(ours.log_resp), np.exp(theirs.log_resp), rtol=0, atol=1e-9)
    assert_allclose(ours.u, theirs.u, rtol=1e-9)
    assert_allclose(ours.wild, theirs.wild, rtol=1e-8, atol=1e-15)
    sums, their_sums = engine.summarise(obs, params), careful_engine.summarise(obs, params)
    for name in ("n", "sum_u", "sum_log_u", "sum_ud", "sum_udd", "n_wild", "sum_u_wild", "bound"):
        value = np.asarray(getattr(their_sums, name))
        size = np.abs(value).max() if name in ("sum_ud", "sum_udd") else len(obs.values)
        assert_allclose(
            np.asarray(getattr(sums, name)), value, rtol=1e-9, atol=1e-9 * size, err_msg=name
        )


WITH_LANES = [name for name, engine in ENGINES.items() if isinstance(engine, LaneEngine)]


@pytest.mark.parametrize("kind", ["none", "std", "cov"])
@pytest.mark.parametrize("name", WITH_LANES)
@pytest.mark.parametrize("d", everyday(1, 3, slow=[2, 4, UNROLLED, UNROLLED + 1]))
def test_lanes_agree_with_careful_rows(name, kind, d):
    compare_with_careful_rows(name, kind, d)


def test_lanes_of_many_features_agree_with_careful_rows():
    """Loops over features, which are not unrolled; and a small dof with many features, for which nodes are sparse."""
    compare_with_careful_rows("exact", "cov", UNROLLED + 1)
    compare_with_careful_rows("exact", "std", 18)


def compare_with_careful_rows(name, kind, d):
    rng = np.random.default_rng(99 + d)
    dofs = [10 ** rng.uniform(-0.3, 5), 10 ** rng.uniform(-0.3, 1.5), np.inf]
    obs, params = problem(d - 1, d, dofs, kind)
    assert_same(ENGINES[name], obs, params, ENGINES[name])


@pytest.mark.parametrize("name", WITH_LANES)
@pytest.mark.parametrize("d", everyday(3, slow=[1, UNROLLED + 2]))
def test_diagonals_alone(name, d):
    """With diagonal scatters and errors nothing but diagonals is computed."""
    obs, params = problem(d, d, [4.0, 80.0, np.inf])
    params = dataclasses.replace(params, scatters=params.scatters * np.eye(d))
    whole = ENGINES[name].summarise(obs, params)
    aligned = dataclasses.replace(params, aligned=True)
    part = ENGINES[name].summarise(obs, aligned)
    for sums in ("n", "sum_u", "sum_log_u", "sum_ud", "bound"):
        value = np.asarray(getattr(whole, sums))
        assert_allclose(
            np.asarray(getattr(part, sums)), value, rtol=1e-9, atol=1e-9 * np.abs(value).max()
        )
    diagonals = [np.diagonal(stats.sum_udd, axis1=1, axis2=2) for stats in (part, whole)]
    assert_allclose(*diagonals, rtol=1e-9)
    assert_allclose(
        describe(ENGINES[name], obs, aligned).log_prob,
        describe(ENGINES[name], obs, params).log_prob,
        rtol=1e-9,
    )


@pytest.mark.parametrize("dof", [0.5, 1, 2, 3.9, 4, 5, 6, 8, 12, 20, 30, 100, 1e4, 1e6])
@pytest.mark.parametrize("d", everyday(1, 3, slow=[2, 4]))
def test_nodes_are_close_enough_for_every_dof(dof, d):
    """Crowded nodes have no proof; they have this."""
    obs, params = problem(17, d, [dof])
    assert_same(Exact(), obs, params, Exact(rtol=1e-13))


@pytest.mark.parametrize("name", everyday("exact", slow=["structured", "map"]))
def test_products_of_minors_that_overflow_are_done_with_care(name):
    rng = np.random.default_rng(0)
    d = 18  # of the lymphography table: the code that its experiment needs serves here too
    noise = DiagonalNoise(np.full((15, d), 200.0))
    obs = Observations.of(rng.standard_normal((15, d)), noise, Scaling(np.zeros(d), np.ones(d)))
    params = MixtureParams(
        np.zeros(1), np.full((1, d), 0.1), 1e-9 * np.eye(d)[None] + 1e-8, np.array([3.0])
    )
    assert_same(ENGINES[name], obs, params, ENGINES[name])


# ------------------------------------------------------------------------------------------ no cliffs


def test_singular_scatters_have_no_precision():
    """Then the lanes are told to expect noise of any size."""
    _, params = problem(0, 3, [4.0, 5.0])
    expected = [np.diag(np.linalg.inv(scatter)) for scatter in params.scatters]
    assert_allclose(params.precisions, expected, rtol=1e-12)
    singular = dataclasses.replace(params, scatters=np.ones((2, 3, 3)))
    assert np.isinf(singular.precisions).all()


def share_left(engine, obs, params):
    """Share of the rows that the lanes leave to the careful kernels."""
    sums = empty_sums(params.n_components, params.n_features)
    return engine.sum_blocks(obs, params, sums).sum() / obs.n_rows


def plain_problem(d=4, n=640, dofs=(5.0, 8.0), std=0.3):
    """Ordinary rows, and a few outliers."""
    rng = np.random.default_rng(0)
    errors = std * 10 ** rng.uniform(-0.5, 0.5, (n, d))
    X = rng.standard_t(5, (n, d)) + errors * rng.standard_normal((n, d))
    root = rng.standard_normal((len(dofs), d, d)) * 0.3 + np.eye(d)
    params = MixtureParams(
        np.log(np.full(len(dofs), 1 / len(dofs))),
        0.5 * rng.standard_normal((len(dofs), d)),
        root @ np.swapaxes(root, 1, 2),
        np.array(dofs),
    )
    return X, errors, params


@pytest.mark.parametrize("name", ["exact", "structured"])
@pytest.mark.parametrize("case", ["collapsed", "large dof", "large errors"])
def test_hard_fits_stay_in_the_lanes(name, case):
    """One collapsed direction, a dof of 1e8, an error of 1e4 scales: once they cost forty times as much."""
    X, errors, params = plain_problem()
    if case == "collapsed":
        values, axes = np.linalg.eigh(params.scatters)
        values[:, 0] = 1e-9
        params = dataclasses.replace(
            params, scatters=axes * values[:, None, :] @ np.swapaxes(axes, 1, 2)
        )
    elif case == "large dof":
        params = dataclasses.replace(params, dofs=np.array([1e8, 1e12]))
    else:
        errors[::3, 1] = 1e4
    obs = Observations.of(X, DiagonalNoise(errors), Scaling(np.zeros(4), np.ones(4)))
    engine = ENGINES[name]
    assert share_left(engine, obs, params) < 0.06
    careful = with_care(engine)
    # careful kernels work in units of the scatter, and have some 1e-16 / 1e-9 of an error themselves
    ours, theirs = (describe(e, obs, params) for e in (engine, careful))
    assert_allclose(ours.log_prob, theirs.log_prob, rtol=0, atol=2e-7)
    sums, their_sums = (e.summarise(obs, params) for e in (engine, careful))
    assert_allclose(sums.sum_udd, their_sums.sum_udd, rtol=0, atol=1e-7 * obs.n_rows)


@pytest.mark.parametrize("kind", ["none", "std", "cov"])
def test_kernels_see_one_type_of_array(kind):
    """Another layout, or a read-only array, would be compiled once more; and old Numba mixes such types up."""
    obs, _ = problem(0, 3, [4.0], kind)
    strange = []
    for array in (obs.values, *(n for n in obs.noise if kind != "none")):
        room = np.zeros((2 * len(array), *array.shape[1:]), order="F")
        room[::2] = array
        room.flags.writeable = False
        strange.append(room[::2])
    noise = NoNoise(obs.n_rows) if kind == "none" else type(obs.noise)(strange[1])
    rows = Observations.of(strange[0], noise, obs.scaling).rows
    for array in (rows.values, rows.std, rows.cov, rows.weights, *rows.layout, *rows.units):
        assert array.flags.carray
    assert_array_equal(rows.values, obs.values)
    assert_array_equal(
        rows.cov if kind == "cov" else rows.std,
        getattr(obs.rows, "cov" if kind == "cov" else "std"),
    )
