"""The rules for u, from measured values to moments: against twins, and compiled against interpreted.

A lane that is not marked must be right, and ordinary rows must not be marked.
"""

from typing import NamedTuple

import mpmath
import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import digamma
from scipy.stats import multivariate_normal, multivariate_t, norm

from peculiar.engines import Exact, Structured
from peculiar.engines.constants import gaussian_constants, student_constants
from peculiar.kernels.lanes.exact import MAX_NODES
from peculiar.kernels.lanes.expect import FIRST_LOCATION, MOMENTS, Kind, expect_rows
from peculiar.kernels.lanes.frames import triangle
from peculiar.kernels.lanes.kernels import n_constants
from tests.lanes.compiled import CompiledFormula, interpreted
from tests.reference.cases import HARD
from tests.reference.scale import scale_moments
from tests.reference.structured import fixed_points, structured_scale_moments

ENGINES = {"exact": Exact(), "peak": Structured()}
TWINS = {"exact": scale_moments, "peak": structured_scale_moments}


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
        rule = ENGINES[kind.rule].lane_rule(np.array([rows.dof]), d)
        own = rule.constants[0, p]
        nodes = rule.nodes[0, min(p, rule.nodes.shape[1] - 1)]
    constants[: len(own)] = own
    constants[FIRST_LOCATION : FIRST_LOCATION + p] = rows.location
    inverse = constants[FIRST_LOCATION + d :].reshape(d, d)
    inverse[:p, :p] = np.tril(np.linalg.inv(rows.factor))
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


# ---------------------------------------------------------------------------------- exact, peak


@pytest.mark.parametrize("dof", [1.0, 2.5, 6.0, 15.0, 1e3])
@pytest.mark.parametrize(
    "kind",
    [
        Kind("exact", "full", 2, aligned=False, with_moments=True),
        Kind("exact", "diagonal", 2, aligned=False, with_moments=True),
        Kind("exact", "diagonal", 1, aligned=True, with_moments=True),
    ],
)
def test_exact_is_the_integral(kind, dof):
    rows = random_rows(kind, dof, n=4, seed=int(dof))
    ours = run(kind, rows)
    assert ours.fine.all()
    assert_right_where_fine(kind, ours, twin(kind, rows))


@pytest.mark.parametrize("dof", [1.0, 2.5, 6.0, 15.0, 1e3, 1e6])
@pytest.mark.parametrize(
    "kind",
    [
        Kind("peak", "full", 3, aligned=False, with_moments=True),
        Kind("peak", "diagonal", 2, aligned=False, with_moments=True),
        Kind("peak", "diagonal", 3, aligned=True, with_moments=True),
    ],
)
def test_structured_is_the_best_fixed_point(kind, dof):
    rows = random_rows(kind, dof, n=20, seed=int(dof))
    ours = run(kind, rows)
    square = np.sum(rows.white[0] ** 2, axis=1)
    assert ours.fine[square < 27 * dof].all()
    assert ours.fine.sum() > 5
    assert_right_where_fine(kind, ours, twin(kind, rows))


@pytest.mark.parametrize("rule", ["exact", "peak"])
@pytest.mark.parametrize("p", [1, 2, 3])
def test_hard_rows_are_right_or_marked(rule, p):
    """In their own axes; those of a lane that is not aligned would mix what is far apart."""
    kind = Kind(rule, "diagonal", p, aligned=True, with_moments=True)
    cases = [c for c in HARD.values() if len(c.e) == p and np.isfinite(c.dof)]
    fine = []
    for e, b, dof in cases:
        rows = rows_in_frame([e], [b], dof)
        ours = run(kind, rows)
        fine.append(ours.fine[0])
        if ours.fine[0]:
            assert_right_where_fine(kind, ours, twin(kind, rows))
    assert any(fine)


@pytest.mark.parametrize("unroll", [True, False])
def test_structured_does_not_claim_a_lower_maximum(unroll):
    """Where there are several fixed points, the highest is found, or none is claimed."""
    kind = Kind("peak", "diagonal", 1, aligned=True, with_moments=False)
    compiled = CompiledFormula(formula_of(kind), unroll=unroll)
    seen, claimed = 0, 0
    for dof in (1.0, 3.0):
        ratio, log_b = np.meshgrid(np.linspace(2, 40, 12), np.linspace(0.5, 5, 8))
        b = 10 ** log_b.reshape(-1, 1)
        rows = rows_in_frame(np.sqrt(ratio.reshape(-1, 1) * b), b, dof)
        expected = twin(kind, rows)
        zero, one = np.zeros(1), np.eye(1)
        several = np.array(
            [
                len(fixed_points(x, noise, zero, one, dof)) > 1
                for x, noise in zip(rows.x, rows.noise)
            ]
        )
        for ours in (run(kind, rows), run(kind, rows, compiled)):
            assert ours.fine[~several].mean() > 0.9
            assert_right_where_fine(kind, ours, expected)
        seen, claimed = seen + several.sum(), claimed + ours.fine[several].sum()
    assert seen > 10
    assert claimed < seen


@pytest.mark.parametrize("rule", ["exact", "peak"])
def test_features_that_are_missing_change_nothing(rule):
    """Code for five features gives rows that observe two what code for two gives."""
    small, large = (Kind(rule, "full", d, aligned=False, with_moments=True) for d in (2, 5))
    rows = random_rows(small, 4.0, n=30)
    ours, theirs = run(large, rows), run(small, rows)
    assert_array_equal(ours.fine, theirs.fine)
    assert_right_where_fine(small, ours, theirs, rtol=1e-10)


# --------------------------------------------------------------------------------------- closed forms


def gaussian_twin(rows):
    """Extreme deconvolution's posterior of the clean value, in units of the scatter."""
    inverse, scatter = np.linalg.inv(rows.factor), rows.factor @ rows.factor.T
    log_prob, mean, second = [], [], []
    for x, noise in zip(rows.x, rows.noise):
        total = scatter + noise
        gain = scatter @ np.linalg.inv(total)
        delta = gain @ (x - rows.location)
        log_det = np.linalg.slogdet(rows.factor)[1]
        log_prob.append(multivariate_normal(rows.location, total).logpdf(x) + log_det)
        mean.append(inverse @ delta)
        second.append(inverse @ (np.outer(delta, delta) + scatter - gain @ scatter) @ inverse.T)
    n = len(rows.x)
    moments = np.array(mean), np.array(second)
    return Results(np.array(log_prob), np.ones(n), np.zeros(n), *moments, np.ones(n, dtype=bool))


@pytest.mark.parametrize(
    "kind",
    [
        Kind("gaussian", "full", 3, aligned=False, with_moments=True),
        Kind("gaussian", "diagonal", 4, aligned=False, with_moments=True),
        Kind("gaussian", "diagonal", 2, aligned=True, with_moments=True),
        Kind("gaussian", "full", 2, aligned=False, with_moments=False),
    ],
)
def test_gaussian_is_extreme_deconvolution(kind):
    rows = random_rows(kind, np.inf, n=40)
    for ours in (run(kind, rows), run(kind, rows, CompiledFormula(formula_of(kind)))):
        assert ours.fine.all()
        assert_right_where_fine(kind, ours, gaussian_twin(rows))


@pytest.mark.parametrize("dof", [0.7, 3.0, 40.0, 1e6, np.inf])
@pytest.mark.parametrize("p", [1, 3])
def test_without_noise_it_is_the_t_distribution(dof, p):
    kind = Kind("student", "none", p, aligned=False, with_moments=True)
    rows = random_rows(kind, dof, n=40)
    y = rows.white[0]
    square = np.sum(y**2, axis=1)
    law = multivariate_t if np.isfinite(dof) else multivariate_normal
    shape = {"df": dof} if np.isfinite(dof) else {}
    u = (dof + p) / (dof + square) if np.isfinite(dof) else np.ones(40)
    log_u = (
        digamma((dof + p) / 2) - np.log((dof + square) / 2) if np.isfinite(dof) else np.zeros(40)
    )
    log_prob = np.array([law(np.zeros(p), np.eye(p), **shape).logpdf(y_n) for y_n in y])
    second = u[:, None, None] * y[:, :, None] * y[:, None, :]
    expected = Results(log_prob, u, log_u, u[:, None] * y, second, np.ones(40, dtype=bool))
    for ours in (run(kind, rows), run(kind, rows, CompiledFormula(formula_of(kind)))):
        assert ours.fine.all()
        assert_right_where_fine(kind, ours, expected)


# ------------------------------------------------------------------------------------------- marks


@pytest.mark.parametrize("compiled", [True, False])
@pytest.mark.parametrize(
    ("rule", "noise"),
    [("exact", "full"), ("peak", "full"), ("gaussian", "full"), ("student", "none")],
)
def test_rows_that_cannot_be_done_are_marked_and_their_neighbours_are_not(rule, noise, compiled):
    kind = Kind(rule, noise, 2, aligned=False, with_moments=True)
    rows = random_rows(kind, np.inf if rule == "gaussian" else 5.0, n=16)
    x, spread = rows.x.copy(), rows.noise.copy()
    x[3] = np.nan
    x[10, 1] = 1e170
    x[12] = np.inf
    spread[5] = 1e200 * np.eye(2)
    spoiled = np.isin(np.arange(16), [3, 10, 12] if noise == "none" else [3, 5, 10, 12])
    runner = CompiledFormula(formula_of(kind)) if compiled else None
    ours = run(kind, rows._replace(x=x, noise=spread), runner)
    whole = run(kind, rows, runner)
    assert not ours.fine[spoiled].any()
    assert ours.fine[~spoiled].mean() > 0.8  # a neighbour may be left too, if it is done with care
    for mine, theirs in zip(ours[:5], whole[:5]):
        assert np.isfinite(mine).all()  # what nobody may use must still not spoil a sum
        assert_allclose(mine[ours.fine], theirs[ours.fine], rtol=1e-12)


def test_a_lane_that_is_done_stays_as_it_is():
    """Noise in one direction, beside a row that never ends: it is neither lost nor, which also happens, wrong."""
    kind = Kind("exact", "full", 4, aligned=False, with_moments=True)
    compiled = CompiledFormula(formula_of(kind))
    rng = np.random.default_rng(0)
    n, spoiled = 2000, np.arange(2000) % 8 == 0
    root = rng.standard_normal((n, 4, 1)) * 10 ** rng.uniform(-2, 2, (n, 1, 1))
    rows = Rows(
        3 * rng.standard_normal((n, 4)), root @ np.swapaxes(root, 1, 2), np.zeros(4), np.eye(4), 5.0
    )
    alone = run(kind, rows, compiled)
    assert alone.fine.all()
    x = np.where(spoiled[:, None], np.nan, rows.x)
    ours = run(kind, rows._replace(x=x), compiled)
    assert_array_equal(ours.fine, ~spoiled)
    assert_allclose(ours.log_prob[ours.fine], alone.log_prob[ours.fine], rtol=1e-12)


@pytest.mark.parametrize("rule", ["exact", "peak"])
def test_large_errors_in_one_direction_are_right_or_marked(rule):
    """A component a thousandth as wide as the data, an error a hundred times as large: B is 1e10."""
    kind = Kind(rule, "diagonal", 2, aligned=False, with_moments=False)
    rng = np.random.default_rng(0)
    factor = np.linalg.cholesky(1e-6 * np.array([[1.0, 0.6], [0.6, 1.0]]))
    std = np.array([99.0, 1e-3])
    x = rng.standard_normal((4, 2)) @ factor.T + std * rng.standard_normal((4, 2))
    rows = Rows(x, np.tile(np.diag(std**2), (4, 1, 1)), np.zeros(2), factor, 5.0)
    ours = run(kind, rows)
    assert_right_where_fine(kind, ours, twin(kind, rows))


@pytest.mark.parametrize("compiled", [True, False])
def test_exact_marks_what_it_cannot_finish(compiled):
    """So many degrees of freedom that a far row's peak lies more than all nodes away."""
    kind = Kind("exact", "diagonal", 1, aligned=True, with_moments=True)
    runner = CompiledFormula(formula_of(kind)) if compiled else None
    e = np.array([0.5, 1.0, 2.0, 1e4])[:, None]
    ours = run(kind, rows_in_frame(e, np.full((4, 1), 1e8), 1e4), runner)
    assert_array_equal(ours.fine, [True, True, True, False])


def test_exact_marks_peaks_too_high_for_a_double():
    """Where a large error explains a large residual, the peak may lie e^1000 above the noise-free mode."""
    kind = Kind("exact", "diagonal", 1, aligned=True, with_moments=False)
    compiled = CompiledFormula(formula_of(kind))
    e, std = np.linspace(0, 400, 2001)[:, None], 99.0
    rows = rows_in_frame(e, np.full((2001, 1), std**2), 1e5)
    nearly = multivariate_normal(0.0, 1.0 + std**2).logpdf(e[:, 0])
    for runner in (None, compiled):
        ours = run(kind, rows, runner)
        assert 0 < ours.fine.mean() < 1
        assert_allclose(ours.log_prob[ours.fine], nearly[ours.fine], atol=1e-3)


def test_structured_marks_determinants_out_of_range():
    """A hundred features with errors 35 times the scatter: |I + u B| passes 1e308."""
    p, dof = 100, 1e5
    kind = Kind("peak", "diagonal", p, aligned=True, with_moments=False)
    b = np.repeat(np.linspace(500, 1300, 101)[:, None], p, axis=1)
    e = np.sqrt(b) * np.random.default_rng(0).standard_normal(p)
    rows = rows_in_frame(e, b, dof)
    nearly = norm(0.0, np.sqrt(1.0 + b)).logpdf(e).sum(axis=1)
    for runner in (None, CompiledFormula(formula_of(kind), unroll=False)):
        ours = run(kind, rows, runner)
        assert 0 < ours.fine.mean() < 1
        assert_allclose(ours.log_prob[ours.fine], nearly[ours.fine], atol=0.1)


# ---------------------------------------------------------------------------- compiled, interpreted


@pytest.mark.parametrize(
    ("kind", "unroll"),
    [
        (Kind("exact", "full", 3, aligned=False, with_moments=True), True),
        (Kind("exact", "full", 3, aligned=False, with_moments=True), False),
        (Kind("exact", "diagonal", 9, aligned=False, with_moments=False), False),
        (Kind("exact", "diagonal", 4, aligned=True, with_moments=True), True),
        (Kind("peak", "diagonal", 4, aligned=False, with_moments=True), True),
        (Kind("peak", "diagonal", 4, aligned=False, with_moments=True), False),
        (Kind("peak", "full", 2, aligned=False, with_moments=False), True),
        (Kind("peak", "diagonal", 3, aligned=True, with_moments=True), False),
        (Kind("gaussian", "full", 5, aligned=False, with_moments=True), False),
        (Kind("student", "none", 5, aligned=False, with_moments=True), False),
    ],
)
def test_compiled_rules_give_what_interpreted_ones_give(kind, unroll):
    runner = CompiledFormula(formula_of(kind), unroll=unroll)
    for dof in (1.0, 6.0, 80.0) if kind.rule != "gaussian" else (np.inf,):
        rows = random_rows(kind, dof, n=203)
        ours, theirs = run(kind, rows, runner), run(kind, rows)
        assert_array_equal(ours.fine, theirs.fine)
        assert ours.fine.mean() > 0.5
        assert_right_where_fine(kind, ours, theirs)
