"""A lane that is not marked is right: rows that are hard, or cannot be done, and the neighbours of such rows."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.stats import multivariate_normal, norm

from peculiar.kernels.lanes.expect import Kind
from tests.lanes.compiled import CompiledFormula
from tests.lanes.rules import (
    Rows,
    assert_right_where_fine,
    formula_of,
    random_rows,
    rows_in_frame,
    run,
    twin,
)
from tests.reference.cases import HARD
from tests.reference.structured import fixed_points

# ------------------------------------------------------------------------------------ right or marked


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
    assert claimed > 0.8 * seen


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


# ------------------------------------------------------------------------------------------ marked


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
