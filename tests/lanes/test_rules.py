"""The rules for u, from measured values to moments: against twins, and compiled against interpreted.

Ordinary rows must be right and not be marked; ``test_marks`` has the others.
"""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from peculiar.kernels.lanes.expect import Kind
from tests.grid import everyday
from tests.lanes.compiled import CompiledFormula
from tests.lanes.rules import assert_right_where_fine, formula_of, random_rows, run, twin


@pytest.mark.parametrize(
    ("kind", "dofs"),
    [
        (Kind("exact", "full", 2, aligned=False, with_moments=True), (1.0, 6.0, 1e3)),
        (
            Kind("exact", "diagonal", 2, aligned=False, with_moments=True),
            (1.0, 6.0, 1e3),
        ),
        (Kind("exact", "diagonal", 1, aligned=True, with_moments=True), (1.0, 6.0, 1e3)),
        (
            Kind("steady", "full", 2, aligned=False, with_moments=True, balanced=True),
            (1.0, 6.0, 1e8),
        ),
        (
            Kind("steady", "diagonal", 3, aligned=False, with_moments=True, balanced=True),
            (1.0, 6.0, 1e8),
        ),
        (Kind("steady", "diagonal", 2, aligned=True, with_moments=True), (1.0, 6.0, 1e8)),
    ],
)
def test_exact_and_steady_are_the_integral(kind, dofs):
    for dof in dofs:
        rows = random_rows(kind, dof, n=4, seed=int(dof))
        ours = run(kind, rows)
        assert ours.fine.all()
        assert_right_where_fine(kind, ours, twin(kind, rows))


@pytest.mark.parametrize("dof", [1.0, 2.5, 6.0, 15.0, 1e3, 1e6, 1e8])
@pytest.mark.parametrize(
    "kind",
    [
        Kind("peak", "full", 3, aligned=False, with_moments=True),
        Kind("peak", "diagonal", 2, aligned=False, with_moments=True),
        Kind("peak", "diagonal", 3, aligned=True, with_moments=True),
        Kind("peak", "diagonal", 2, aligned=False, with_moments=True, balanced=True),
    ],
)
def test_structured_is_the_best_fixed_point(kind, dof):
    rows = random_rows(kind, dof, n=20, seed=int(dof))
    ours = run(kind, rows)
    square = np.sum(rows.white[0] ** 2, axis=1)
    assert ours.fine[square < 27 * dof].all()
    assert ours.fine.sum() > 5
    assert_right_where_fine(kind, ours, twin(kind, rows))


@pytest.mark.parametrize(
    ("rule", "balanced"), [("exact", False), ("peak", False), ("steady", True), ("peak", True)]
)
def test_features_that_are_missing_change_nothing(rule, balanced):
    """Code for five features gives rows that observe two what code for two gives."""
    small, large = (
        Kind(rule, "full", d, aligned=False, with_moments=True, balanced=balanced) for d in (2, 5)
    )
    rows = random_rows(small, 4.0, n=30)
    ours, theirs = run(large, rows), run(small, rows)
    assert_array_equal(ours.fine, theirs.fine)
    assert_right_where_fine(small, ours, theirs, rtol=1e-10)


@pytest.mark.parametrize(
    ("kind", "unroll"),
    everyday(
        (Kind("exact", "full", 3, aligned=False, with_moments=True), True),
        (Kind("exact", "diagonal", 9, aligned=False, with_moments=False), False),
        (Kind("exact", "diagonal", 4, aligned=True, with_moments=True), True),
        (Kind("peak", "diagonal", 4, aligned=False, with_moments=True), False),
        (Kind("peak", "full", 2, aligned=False, with_moments=False), True),
        (Kind("steady", "full", 3, aligned=False, with_moments=True, balanced=True), True),
        (Kind("gaussian", "full", 3, aligned=False, with_moments=True, balanced=True), True),
        (Kind("student", "none", 5, aligned=False, with_moments=True), False),
        slow=[
            (Kind("exact", "full", 3, aligned=False, with_moments=True), False),
            (Kind("peak", "diagonal", 4, aligned=False, with_moments=True), True),
            (Kind("peak", "diagonal", 3, aligned=True, with_moments=True), False),
            (Kind("peak", "full", 3, aligned=False, with_moments=True, balanced=True), True),
            (Kind("steady", "diagonal", 9, aligned=False, with_moments=True, balanced=True), False),
            (Kind("gaussian", "full", 5, aligned=False, with_moments=True), False),
        ],
    ),
)
def test_compiled_rules_give_what_interpreted_ones_give(kind, unroll):
    runner = CompiledFormula(formula_of(kind), unroll=unroll)
    for dof in (1.0, 6.0, 80.0) if kind.rule != "gaussian" else (np.inf,):
        rows = random_rows(kind, dof, n=203)
        ours, theirs = run(kind, rows, runner), run(kind, rows)
        assert_array_equal(ours.fine, theirs.fine)
        assert ours.fine.mean() > 0.5
        assert_right_where_fine(kind, ours, theirs)
