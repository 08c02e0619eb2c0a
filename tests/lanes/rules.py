"""Rows for the rules for u, a rule run on them compiled or interpreted, and what its results are held to."""

from typing import NamedTuple

import mpmath
import numpy as np
from numpy.testing import assert_allclose

from peculiar.engines import Exact, Structured
from peculiar.engines.constants import gaussian_constants, student_constants
from peculiar.kernels.lanes.exact import MAX_NODES
from peculiar.kernels.lanes.expect import FIRST_LOCATION, MOMENTS, expect_rows
from peculiar.kernels.lanes.frames import triangle
from peculiar.kernels.lanes.kernels import n_constants
from peculiar.model.prior import Scale
from tests.lanes.compiled import interpreted
from tests.reference.scale import scale_moments
from tests.reference.structured import structured_scale_moments

ENGINES = {"exact": Exact(), "steady": Exact(), "peak": Structured()}
TWINS = {"exact": scale_moments, "steady": scale_moments, "peak": structured_scale_moments}


class Rows(NamedTuple):
    """Rows and the component they are seen under."""

    x: np.ndarray  # (n, p)
    noise: np.ndarray  # (n, p, p)
    location: np.ndarray  # (p,)
    factor: np.ndarray  # (p, p), lower: that of the scatter
    dof: float

    @property
    def white(self):
        """Residuals and noise in units of the scatter."""
        inverse = np.linalg.inv(self.factor)
        return (self.x - self.location) @ inverse.T, inverse @ self.noise @ inverse.T


class Results(NamedTuple):
    """What ``expect_rows`` gives, rows along the first axis."""

    log_prob: np.ndarray
    u: np.ndarray
    log_u: np.ndarray
    mean: np.ndarray  # (n, p)
    second: np.ndarray  # (n, p, p), or (n, p) if aligned
    fine: np.ndarray


def random_rows(kind, dof, n, seed=0):
    """Near and far, measured well, badly and exactly; noise as the kind has it."""
    rng = np.random.default_rng([seed, kind.n_features])
    p = kind.n_features
    factor = np.tril(rng.standard_normal((p, p)) * 0.4) + np.eye(p)
    root = rng.standard_normal((n, p, p)) * 10 ** rng.uniform(-2, 1.5, (n, 1, 1))
    root[::5, :, 0] = 0.0
    root[::7] = 0.0
    noise = root @ np.swapaxes(root, 1, 2)
    if kind.noise == "diagonal":
        noise *= np.eye(p)
    if kind.aligned:
        factor *= np.eye(p)
    location = rng.standard_normal(p)
    wide = 10 ** rng.uniform(-1, 2, (n, 1)) * rng.standard_normal((n, p))
    wide[1::3] = (root @ rng.standard_normal((n, p, 1)))[
        1::3, :, 0
    ]  # what their noise makes ordinary
    wide[2] = 0.0
    return Rows(location + wide @ factor.T, noise, location, factor, dof)


def rows_in_frame(e, b, dof):
    """Rows with these residuals and variances under a unit scatter."""
    e, b = np.asarray(e, dtype=float), np.asarray(b, dtype=float)
    p = e.shape[1]
    return Rows(e, b[:, :, None] * np.eye(p), np.zeros(p), np.eye(p), dof)


# ------------------------------------------------------------------------------------ running a rule


def formula_of(kind):
    d = kind.n_features

    def formula(code, given, numbers, out):
        constants = numbers.part(0, n_constants(d))
        nodes = numbers.part(n_constants(d), MAX_NODES, 4)
        expect_rows(code, kind, constants, nodes, given, given.part(d, 1), out)

    return formula


def numbers_of(kind, rows):
    """Constants and nodes, as the entry points pack them for rows that observe the first p of d features."""
    d, p = kind.n_features, rows.x.shape[1]
    constants, nodes = np.zeros(n_constants(d)), np.zeros((MAX_NODES, 4))
    if kind.noise == "none":
        own = student_constants((rows.dof,), d)[0, p]
    elif kind.rule == "gaussian":
        own = np.array(gaussian_constants(p))
    else:
        rule = ENGINES[kind.rule].lane_rule(Scale(np.array([rows.dof])), d)
        own = rule.constants[0, p]
        nodes = rule.nodes[0, min(p, rule.nodes.shape[1] - 1)]
    constants[: len(own)] = own
    constants[FIRST_LOCATION : FIRST_LOCATION + p] = rows.location
    inverse, factor, scatter = constants[FIRST_LOCATION + d :].reshape(3, d, d)
    factor[:], scatter[:] = np.eye(d), np.eye(d)
    inverse[:p, :p] = np.tril(np.linalg.inv(rows.factor))
    factor[:p, :p], scatter[:p, :p] = rows.factor, rows.factor @ rows.factor.T
    return np.concatenate([constants, nodes.ravel()])


def given_of(kind, rows):
    (n, p), d = rows.x.shape, kind.n_features
    x, noise = np.zeros((n, d)), np.zeros((n, d, d))
    x[:, :p], noise[:, :p, :p] = rows.x, rows.noise
    if kind.noise == "diagonal":
        return np.concatenate([x, np.einsum("njj->nj", noise)], axis=1).T
    places = np.tril_indices(d)  # row by row
    return np.concatenate([x, noise[:, *places]], axis=1).T


def run(kind, rows, runner=None):
    """Results of a rule; ``runner`` is the compiled formula, or None for the interpreter."""
    d, p = kind.n_features, rows.x.shape[1]
    arguments = given_of(kind, rows), numbers_of(kind, rows), kind.n_results + 1
    out = runner(*arguments) if runner else interpreted(formula_of(kind), *arguments)
    mean = second = None
    if kind.with_moments:
        mean = out[MOMENTS : MOMENTS + p].T
        second = in_full(out[MOMENTS + d : -1].T, kind)[:, :p, :p]
    assert np.isin(out[-1], [0.0, 1.0]).all()
    return Results(*out[:MOMENTS], mean, second, out[-1] == 0)


def in_full(second, kind):
    d = kind.n_features
    full = np.zeros((len(second), d, d))
    for i in range(d):
        for j in range(i + 1):
            if not kind.aligned:
                full[:, i, j] = full[:, j, i] = second[:, triangle(i, j)]
        if kind.aligned:
            full[:, i, i] = second[:, i]
    return full


# --------------------------------------------------------------------------------------- comparing


def twin(kind, rows):
    """The same by a slow reference, in the axes of the noise of each row."""
    columns = [], [], [], [], []
    for e, b, axes in in_own_axes(kind, rows):
        moments = TWINS[kind.rule](e, b, rows.dof)
        second = moments.utt * np.outer(e, e) + np.diag(1.0 - moments.t)
        mean = axes @ (moments.ut * e)
        values = moments.log_prob, moments.u, moments.log_u, mean, axes @ second @ axes.T
        for column, value in zip(columns, values):
            column.append(value)
    return Results(*map(np.array, columns), np.ones(len(rows.x), dtype=bool))


def in_own_axes(kind, rows):
    """Residual, variances and axes of each row. In 40 digits: in doubles large variances would drown small ones."""
    with mpmath.mp.workdps(40):
        inverse = mpmath.matrix(rows.factor.tolist()) ** -1
        for x, noise in zip(rows.x, rows.noise):
            y = inverse * (mpmath.matrix(x.tolist()) - mpmath.matrix(rows.location.tolist()))
            b = inverse * mpmath.matrix(noise.tolist()) * inverse.T
            if kind.aligned:  # in the order of the features
                variances, axes = [b[j, j] for j in range(len(x))], mpmath.eye(len(x))
            else:  # products of roots, rounded, may have variances a little below zero
                variances, axes = mpmath.eigsy(b)
                variances = [v if v > 1e-15 * max(variances) else 0.0 for v in variances]
            b = np.array(list(variances), dtype=float)
            e = np.array((axes.T * y).tolist(), dtype=float)[:, 0]
            yield e, b, np.array(axes.tolist(), dtype=float)


def assert_right_where_fine(kind, ours, theirs, rtol=1e-9):
    """Lanes that are not marked are right."""
    fine = ours.fine
    assert_allclose(ours.log_prob[fine], theirs.log_prob[fine], rtol=1e-12, atol=rtol)
    assert_allclose(ours.u[fine], theirs.u[fine], rtol=rtol)
    assert_allclose(ours.log_u[fine], theirs.log_u[fine], rtol=rtol, atol=rtol)
    if not kind.with_moments:
        return
    second = theirs.second * np.eye(kind.n_features) if kind.aligned else theirs.second
    for mine, other in ((ours.mean, theirs.mean), (ours.second, second)):
        flat = other[fine].reshape(fine.sum(), -1)
        size = np.maximum(np.abs(flat).max(axis=1, keepdims=True, initial=0.0), 1.0)
        assert_allclose(mine[fine].reshape(flat.shape) / size, flat / size, rtol=0, atol=rtol)
