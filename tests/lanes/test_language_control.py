"""Each construct of the language alone, loops and ends: what it means, and that compiled code means the same."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from peculiar.kernels.lanes.frames import triangle
from tests.lanes.compiled import CompiledFormula, interpreted
from tests.lanes.formulas import FINITE, write


@pytest.mark.parametrize(("first", "last"), [(0, 5), (2, 4), (4, 5), (3, 3), (4, 2)])
def test_spans_pass_once_for_each_index(check, first, last):
    def formula(code, given, numbers, out):
        count, weighted = code.cell(0.0), code.cell(0.0)
        for i in code.span(first, last):
            count.value = count.value + 1.0
            weighted.value = 10.0 * weighted.value + given[i]
        write(out, count.value, weighted.value, code.total(first, last, lambda i: given[i]))

    given = np.arange(55.0).reshape(5, 11)
    weighted = np.zeros(11)
    for i in range(first, last):
        weighted = 10 * weighted + given[i]
    check(formula, given, [max(last - first, 0), weighted, given[first:last].sum(axis=0)])


def test_total_of_products_within_a_span(check):
    def formula(code, given, numbers, out):
        for i in code.span(0, 4):
            out[i] = code.total(0, i, lambda j, i=i: given[j] * given[i])

    given = np.random.default_rng(1).integers(-9, 9, (4, 11)).astype(float)
    check(formula, given, [given[:i].sum(axis=0) * given[i] for i in range(4)])


def test_indices_are_reckoned_with(check):
    p = 5

    def formula(code, given, numbers, out):
        for i in code.span(0, p):
            for j in code.span(0, i + 1):
                back = p - 1 - i
                out[triangle(i, j)] = given[2 * i + 1] - given[j * 2] + given[back]

    given = np.random.default_rng(2).integers(-99, 99, (2 * p, 11)).astype(float)
    places = [(i, j) for i in range(p) for j in range(i + 1)]
    check(formula, given, [given[2 * i + 1] - given[2 * j] + given[p - 1 - i] for i, j in places])


def test_bounds_of_a_span_may_be_indices(check):
    """Nested loops over a triangle and over what is left of a column, the second index in memory too."""
    p = 4

    def formula(code, given, numbers, out):
        a = code.array(p, p)
        for i in code.span(0, p):
            for j in code.span(0, p):
                a[i, j] = given[i * p + j]
        for j in code.span(0, p):
            for i in code.span(j + 1, p):
                a[i, j] = a[i, j] + a[i - 1, j]
            out[j] = a[p - 1, j]

    given = np.arange(p * p * 11.0).reshape(p, p, 11)
    check(formula, given.reshape(p * p, 11), [given[j:, j].sum(axis=0) for j in range(p)])


@pytest.mark.parametrize(("first", "last", "step"), [(0, 7, 3), (1, 7, 2), (2, 2, 1), (5, 1, 2)])
def test_loops_take_steps(check, first, last, step):
    def formula(code, given, numbers, out):
        total = code.cell(0.0)
        for i in code.loop(first, last, step):
            total.value = 10.0 * total.value + given[i]
        out[0] = total.value

    expected = 0
    for i in range(first, last, step):
        expected = 10 * expected + i
    check(formula, np.repeat(np.arange(7.0)[:, None], 11, axis=1), [expected])


def passes(steps, most, width):
    """Passes until all lanes of a vector have done their steps."""
    steps = np.minimum(np.maximum(steps, 1), most)
    return np.concatenate(
        [
            np.full(len(part), part.max())
            for part in np.split(steps, range(width, len(steps), width))
        ]
    )


@pytest.mark.parametrize("unroll", [True, False])
@pytest.mark.parametrize("most", [1, 5, 100])
def test_passes_end_when_all_lanes_agree(unroll, most):
    steps = np.array([2, 1, 1, 1, 9, 3, 3, 3, 1, 1, 1.0])

    def formula(code, given, numbers, out):
        done = code.cell(0.0)
        for n in code.repeat(most):
            done.value = done.value + 1.0
            out[1] = numbers[n]
            code.stop_when_all(done.value >= given[0])
        out[0] = done.value

    numbers = np.arange(100.0)
    for width in (4, 8):
        expected = passes(steps, most, width)
        ours = CompiledFormula(formula, unroll=unroll, width=width)(steps[None], numbers, 2)
        assert_array_equal(ours, [expected, expected - 1])
    whole = passes(steps, most, len(steps))
    assert_array_equal(interpreted(formula, steps[None], numbers, 2), [whole, whole - 1])


def test_passes_without_a_stop_are_as_many_as_allowed(check):
    def formula(code, given, numbers, out):
        count = code.cell(0.0)
        for _ in code.repeat(6):
            count.value = count.value + 1.0
        out[0] = count.value

    check(formula, FINITE, [6.0])


def test_a_mask_that_is_nan_on_a_lane_does_not_stop(check):
    def formula(code, given, numbers, out):
        count = code.cell(0.0)
        for _ in code.repeat(4):
            count.value = count.value + 1.0
            code.stop_when_all(given[0] < 0.0)
        out[0] = count.value

    check(formula, np.full(8, np.nan), [np.full(8, 4.0)])
    check(formula, np.full(8, -1.0), [np.full(8, 1.0)])


@pytest.mark.parametrize("before", [True, False])
def test_passes_within_passes_have_their_own_end(check, before):
    """Wherever the outer stop is written, the inner one neither ends the outer passes nor keeps them going."""

    def formula(code, given, numbers, out):
        outer, inner = code.cell(0.0), code.cell(0.0)
        for _ in code.repeat(5):
            outer.value = outer.value + 1.0
            if before:
                code.stop_when_all(outer.value >= 3.0)
            for n in code.repeat(4):
                inner.value = inner.value + numbers[n]
                code.stop_when_all(inner.value >= 1e9)
            for _ in code.repeat(4):
                code.stop_when_all(inner.value >= 0.0)
            if not before:
                code.stop_when_all(outer.value >= 3.0)
        write(out, outer.value, inner.value)

    check(formula, FINITE, [3.0, 3 * 1111.0], numbers=[1.0, 10.0, 100.0, 1000.0])


def test_an_inner_end_is_no_outer_end(check):
    def formula(code, given, numbers, out):
        outer, inner = code.cell(0.0), code.cell(0.0)
        for _ in code.repeat(5):
            outer.value = outer.value + 1.0
            for _ in code.repeat(4):
                inner.value = inner.value + 1.0
                code.stop_when_all(inner.value >= 0.0)
        write(out, outer.value, inner.value)

    check(formula, FINITE, [5.0, 5.0])


@pytest.mark.parametrize("unroll", [True, False])
def test_what_no_lane_wants_is_skipped_and_what_one_wants_is_done_on_all(unroll):
    wanted = np.zeros(24)
    wanted[13] = 1.0

    def formula(code, given, numbers, out):
        cell = code.cell(5.0)
        for _ in code.only_if_any(given[0] > 0.0):
            cell.value = cell.value + 1.0
        out[0] = cell.value

    for width, done in ((4, slice(12, 16)), (8, slice(8, 16))):
        expected = np.full(24, 5.0)
        expected[done] = 6.0
        ours = CompiledFormula(formula, unroll=unroll, width=width)(wanted[None], [0.0], 1)
        assert_array_equal(ours[0], expected)
    assert_array_equal(interpreted(formula, wanted[None], [0.0], 1)[0], 6.0)
    assert_array_equal(interpreted(formula, 0 * wanted[None], [0.0], 1)[0], 5.0)


def test_loops_within_what_is_done_only_if_wanted(check):
    def formula(code, given, numbers, out):
        total = code.cell(0.0)
        for n in code.repeat(3):
            for _ in code.only_if_any(given[0] > numbers[n]):
                for i in code.span(0, 2):
                    total.value = total.value + given[i] * numbers[n]
        out[0] = total.value

    given = np.stack([np.full(8, 2.5), np.arange(8.0)])
    check(formula, given, [(2.5 + given[1]) * (1.0 + 2.0)], numbers=[1.0, 2.0, 3.0])
