"""Frames against NumPy's linear algebra, and compiled frames against interpreted ones."""

from typing import NamedTuple

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from peculiar.kernels.lanes.balanced import Balanced, WholeCovariance
from peculiar.kernels.lanes.code import UNROLLED
from peculiar.kernels.lanes.dense import Dense
from peculiar.kernels.lanes.frames import Diagonal, Tridiagonal, triangle
from peculiar.kernels.lanes.waist import Slopes
from tests.lanes.compiled import CompiledFormula, interpreted

SIZES = (1, 2, 3, 5, 9)
EVERYDAY = ((3, True), (9, False))
SCALE = 0.7  # given to ``finish``


class Law(NamedTuple):
    """Where a balanced frame puts its centre."""

    dof: float
    shape: float


class BalancedUnits(Balanced):
    """A balanced frame for a scatter that is the unit matrix, given like the others."""

    def __init__(self, code, p, y, b):
        unit = code.array(p, p)
        for i in code.span(0, p):
            for j in code.span(0, p):
                unit[i, j] = 0.0
            unit[i, i] = 1.0
        square = code.total(0, p, lambda i: y[i] * y[i])
        whole = WholeCovariance(code, p, y, unit, lambda i: b[i, i], lambda i, j: b[i, j])
        super().__init__(whole, unit, square, Law(5.0, 0.5 * (5.0 + p)))


class Problem(NamedTuple):
    """Residuals (n, p), noise (n, p, p), and the scales and weights (n, m) at which moments are added."""

    y: np.ndarray
    b: np.ndarray
    u: np.ndarray
    weight: np.ndarray


def problem(p, kind, n_scales=3, seed=0):
    """Rows of all sorts: noise small and large, of any rank, none; residuals anywhere, none; missing features."""
    rng = np.random.default_rng([seed, p])
    n = 27
    size = 10 ** rng.uniform(-2, 1, (n, 1, 1))
    root = rng.standard_normal((n, p, p)) * size
    y = rng.standard_normal((n, p)) * 10 ** rng.uniform(-1, 2, (n, 1))
    root[3:6, :, 1:] = 0.0  # of rank one
    root[6:9, :, : (p + 1) // 2] = 0.0
    root[9:11] = 0.0
    y[11:13] = 0.0
    y[13], root[13] = 0.0, 0.0
    y[14:17, 1:] = 0.0
    y[17:20, :1] = 0.0
    observed = max(1, p // 2)
    y[20:23, observed:], root[20:23, observed:] = 0.0, 0.0  # the others are missing
    y[23, observed:], root[23, observed:, :] = 0.0, 0.0
    root[24] *= np.eye(p)
    y[25, 0], y[25, 1:] = -1.0, 1e-7  # all but along the first axis, on either side
    y[26, 0], y[26, 1:] = 1.0, 1e-7
    b = root @ np.swapaxes(root, 1, 2)
    if kind is Diagonal:
        b *= np.eye(p)
    n_scales = 1 if kind is Dense else n_scales
    return Problem(
        y, b, 10 ** rng.uniform(-2, 1, (n, n_scales)), rng.uniform(0.1, 2, (n, n_scales))
    )


# ---------------------------------------------------------------------------- what is asked of a frame


def questions(kind, p, n_scales):
    """A formula that asks a frame everything it answers."""

    def formula(code, given, numbers, out):
        y, b = code.array(p), code.array(p, p)
        for i in code.span(0, p):
            y[i] = given[i]
            for j in code.span(0, p):
                b[i, j] = given[p + i * p + j]
        if kind is Diagonal:
            for i in code.span(0, p):
                b[0, i] = given[p + i * p + i]  # the first row of b is its diagonal
        u = given.part(p + p * p, n_scales)
        weight = given.part(p + p * p + n_scales, n_scales)
        frame = kind(code, p, y, b.part(0, p) if kind is Diagonal else b)
        answers = [] if kind is Dense else [frame.square, frame.trace, frame.along]
        for n in range(n_scales):
            if kind is not Dense:
                answers += frame.slopes(u[n])
        frame.clear()
        for n in range(n_scales):
            inverse_det, quadratic = frame.solve(u[n])
            answers += [inverse_det, quadratic]
            frame.add(weight[n], u[n], inverse_det)
        for i, answer in enumerate(answers):
            out[i] = answer
        fine = frame.finish(numbers[0], out.part(len(answers), 1))
        out[n_answers(kind, p, n_scales) - 1] = code.where(fine, 1.0, 0.0)

    return formula


def n_answers(kind, p, n_scales):
    general = 0 if kind is Dense else 3 + 6 * n_scales
    return general + 2 * n_scales + p + n_seconds(kind, p) + 1


def n_seconds(kind, p):
    return p if kind is Diagonal else p * (p + 1) // 2


class Answers(NamedTuple):
    """What a frame has answered, rows along the first axis; the first two are None for ``Dense``."""

    general: np.ndarray | None  # (n, 3)
    slopes: np.ndarray | None  # (n, m, 6)
    solved: np.ndarray  # (n, m, 2)
    mean: np.ndarray  # (n, p)
    second: np.ndarray  # (n, p) or (n, p (p + 1) / 2)
    fine: np.ndarray  # (n,)


def ask(kind, asked, run):
    """Answers of a frame; ``run(given, numbers, n_out)`` runs ``questions``."""
    (n, p), m = asked.y.shape, asked.u.shape[1]
    given = np.concatenate([asked.y, asked.b.reshape(n, -1), asked.u, asked.weight], axis=1).T
    out = run(given, [SCALE], n_answers(kind, p, m)).T
    general = slopes = None
    if kind is not Dense:
        general, slopes, out = np.split(out, [3, 3 + 6 * m], axis=1)
        slopes = slopes.reshape(n, m, 6)
    solved, mean, second, fine = np.split(
        out, np.cumsum([2 * m, p, n_seconds(kind, p)]).tolist(), axis=1
    )
    return Answers(general, slopes, solved.reshape(n, m, 2), mean, second, fine[:, 0] > 0)


def ask_interpreted(kind, asked):
    formula = questions(kind, asked.y.shape[1], asked.u.shape[1])
    return ask(kind, asked, lambda *arguments: interpreted(formula, *arguments))


# ------------------------------------------------------------------------------- the same with NumPy


def slopes_by_eigenvalues(y, b, u):
    """With l the eigenvalues of B, z the residual along its axes and t = 1 / (1 + u l), all are sums over these."""
    l, axes = np.linalg.eigh(b)
    z = axes.T @ y
    t = 1.0 / (1.0 + u * l)
    return Slopes(
        np.prod(t),
        np.sum(z**2 * t),
        -np.sum(z**2 * l * t**2),
        2.0 * np.sum(z**2 * l**2 * t**3),
        np.sum(l * t),
        -np.sum((l * t) ** 2),
    )


def moments_by_inverse(y, b, u, weight):
    """Sums over u of weight [u x] and weight [u x x' + u B (I + u B)^-1]; the covariances as printed."""
    mean, second = 0.0, 0.0
    for u_n, weight_n in zip(u, weight):
        inverse = np.linalg.inv(np.eye(len(y)) + u_n * b)
        x = inverse @ y
        mean += SCALE * weight_n * u_n * x
        second += SCALE * weight_n * (u_n * np.outer(x, x) + u_n * b @ inverse)
    return mean, second


def in_full(second, p):
    """The symmetric matrix of a lower triangle; the diagonal one of a diagonal."""
    if second.shape[1] == p:
        return second[:, :, None] * np.eye(p)
    full = np.zeros((len(second), p, p))
    for i in range(p):
        for j in range(i + 1):
            full[:, i, j] = full[:, j, i] = second[:, triangle(i, j)]
    return full


def normalised(asked):
    """The weights such that those of a row, times the scale of ``finish``, add up to 1, as they do in every rule."""
    return asked._replace(weight=asked.weight / asked.weight.sum(axis=1, keepdims=True) / SCALE)


# -------------------------------------------------------------------------------------------- tests

with_sizes = pytest.mark.parametrize("p", SIZES)
with_slopes = pytest.mark.parametrize("kind", [Tridiagonal, Diagonal, BalancedUnits])
with_kinds = pytest.mark.parametrize("kind", [Tridiagonal, Dense, Diagonal, BalancedUnits])


@pytest.mark.parametrize("kind", [Tridiagonal, Diagonal])
@with_sizes
def test_square_trace_and_noise_along_the_residual(kind, p):
    asked = problem(p, kind)
    square, trace, along = ask_interpreted(kind, asked).general.T
    assert_allclose(square, np.sum(asked.y**2, axis=1), rtol=1e-13)
    assert_allclose(trace, np.trace(asked.b, axis1=1, axis2=2), rtol=1e-13)
    there = square > 0
    direction = asked.y[there] / np.sqrt(square[there])[:, None]
    expected = np.einsum("ni,nij,nj->n", direction, asked.b[there], direction)
    assert_allclose(along[there], expected, rtol=1e-11, atol=1e-14 * trace.max())


@with_kinds
@with_sizes
def test_determinant_and_quadratic(kind, p):
    asked = problem(p, kind)
    solved = ask_interpreted(kind, asked).solved
    for n, (y, b, u, _) in enumerate(zip(*asked)):
        for m, u_m in enumerate(u):
            matrix = np.eye(p) + u_m * b
            inverse_det, quadratic = solved[n, m]
            assert_allclose(inverse_det, 1.0 / np.linalg.det(matrix), rtol=1e-10)
            assert_allclose(quadratic, y @ np.linalg.solve(matrix, y), rtol=1e-10)


@with_slopes
@with_sizes
def test_slopes_are_those_of_the_eigenvalues(kind, p):
    asked = problem(p, kind)
    slopes = ask_interpreted(kind, asked).slopes
    for n, (y, b, u, _) in enumerate(zip(*asked)):
        for m, u_m in enumerate(u):
            ours, expected = Slopes(*slopes[n, m]), slopes_by_eigenvalues(y, b, u_m)
            # what a derivative in u is compared with; a balanced frame has its own in u / u_0
            grow = expected.log_det_first + (1.0 / u_m if kind is BalancedUnits else 0.0)
            sizes = Slopes(
                expected.inverse_det,
                expected.quadratic,
                expected.quadratic * grow,
                expected.quadratic * grow**2,
                grow,
                grow**2,
            )
            for name, mine, theirs, size in zip(Slopes._fields, ours, expected, sizes):
                assert abs(mine - theirs) <= 1e-10 * size, name


@with_kinds
@with_sizes
def test_moments_are_weighted_sums(kind, p):
    asked = normalised(problem(p, kind))
    answers = ask_interpreted(kind, asked)
    assert answers.fine.all()
    second = in_full(answers.second, p)
    for n, row in enumerate(zip(*asked)):
        expected_mean, expected_second = moments_by_inverse(*row)
        if kind is Diagonal:
            expected_second = expected_second * np.eye(p)
        size = np.abs(expected_mean).max()
        assert_allclose(answers.mean[n], expected_mean, rtol=1e-10, atol=1e-11 * size)
        size = 1.0 + np.abs(expected_second).max()
        assert_allclose(second[n], expected_second, rtol=1e-10, atol=1e-11 * size)


@with_kinds
@with_sizes
def test_missing_features_change_nothing(kind, p):
    """A frame of more features, with neither residual nor noise in the others, answers the same."""
    asked = normalised(problem(p, kind))
    n, more = len(asked.y), p + 2
    y, b = np.zeros((n, more)), np.zeros((n, more, more))
    y[:, :p], b[:, :p, :p] = asked.y, asked.b
    alone, among = (ask_interpreted(kind, a) for a in (asked, asked._replace(y=y, b=b)))
    assert_allclose(among.solved, alone.solved, rtol=1e-10)
    assert_allclose(among.mean[:, :p], alone.mean, rtol=1e-9, atol=1e-12)
    assert_allclose(among.mean[:, p:], 0.0, atol=1e-12)
    ours, theirs = in_full(among.second, more), in_full(alone.second, p)
    size = 1.0 + np.abs(theirs).max(axis=(1, 2), keepdims=True)
    assert_allclose(ours[:, :p, :p] / size, theirs / size, rtol=0, atol=1e-10)
    assert_allclose(ours[:, p:, :], 0.0, atol=1e-10)


@pytest.mark.parametrize(
    "size",
    [
        1e-140,
        1e-160,
        1e-150,
    ],
)
def test_residuals_next_to_nothing_do_not_change_the_determinant(size):
    """A square as small as the number that keeps reflections from dividing by zero."""
    b = np.array([[[2.0, 0.5], [0.5, 1.0]]])
    asked = Problem(np.full((1, 2), size), b, np.ones((1, 1)), np.ones((1, 1)))
    inverse_det = ask_interpreted(Tridiagonal, asked).solved[0, 0, 0]
    assert_allclose(inverse_det, 1.0 / np.linalg.det(np.eye(2) + b[0]), rtol=1e-12)


@with_kinds
@pytest.mark.parametrize("p", [1, 2, 5])
def test_what_overflows_is_marked(kind, p):
    asked = normalised(problem(p, kind, seed=1))
    y = asked.y.copy()
    y[::3] = 1e170  # u x x' is out of range
    y[1] = np.nan
    b = asked.b.copy()
    b[::3] *= 1e-2
    answers = ask_interpreted(kind, asked._replace(y=y, b=b))
    whole = ask_interpreted(kind, asked)
    spoiled = np.arange(len(y)) % 3 == 0
    spoiled[1] = True
    assert_array_equal(answers.fine, ~spoiled)
    assert whole.fine.all()
    assert_array_equal(answers.second[~spoiled], whole.second[~spoiled])


@with_kinds
@pytest.mark.parametrize(
    ("p", "unroll"),
    [
        pytest.param(p, unroll, marks=[] if (p, unroll) in EVERYDAY else pytest.mark.slow)
        for p in SIZES
        for unroll in (True, False)
        if p <= UNROLLED or not unroll
    ],
)
def test_compiled_frames_answer_like_interpreted_ones(kind, p, unroll):
    asked = normalised(problem(p, kind, n_scales=2))
    run = CompiledFormula(questions(kind, p, asked.u.shape[1]), unroll=unroll)
    ours, theirs = ask(kind, asked, run), ask_interpreted(kind, asked)
    assert_array_equal(ours.fine, theirs.fine)
    assert_allclose(ours.solved, theirs.solved, rtol=1e-10)
    size = 1.0 + np.abs(theirs.mean).max(axis=1, keepdims=True)
    assert_allclose(ours.mean / size, theirs.mean / size, rtol=0, atol=1e-11)
    size = 1.0 + np.abs(theirs.second).max(axis=1, keepdims=True)
    assert_allclose(ours.second / size, theirs.second / size, rtol=0, atol=1e-11)
    if kind is not Dense:
        assert_allclose(ours.general, theirs.general, rtol=1e-10, atol=1e-12)
        assert_allclose(ours.slopes[:, :, :2], theirs.slopes[:, :, :2], rtol=1e-10)
        quadratic, grow = theirs.slopes[:, :, 1], theirs.slopes[:, :, 4]
        if kind is BalancedUnits:
            grow = grow + 1.0 / asked.u
        sizes = quadratic * grow, quadratic * grow**2, grow, grow**2
        for place, size in enumerate(sizes, start=2):
            assert (np.abs(ours.slopes - theirs.slopes)[:, :, place] <= 1e-10 * size).all()
