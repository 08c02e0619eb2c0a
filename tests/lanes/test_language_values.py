"""Each construct of the language alone, values and memory: what it means, and that compiled code means the same."""

import numpy as np

from tests.lanes.formulas import FINITE, X, Y, truth, write

# ------------------------------------------------------------------------------------- values


def test_arithmetic_of_values(check):
    def formula(code, given, numbers, out):
        x, y = given[0], given[1]
        write(out, x + y, x - y, x * y, x / y, -x)

    with np.errstate(all="ignore"):
        check(formula, [X, Y], [X + Y, X - Y, X * Y, X / Y, -X])


def test_numbers_may_stand_on_either_side(check):
    def formula(code, given, numbers, out):
        x = given[0]
        write(out, x + 3.0, 3.0 + x, x - 3.0, 3.0 - x, x * 3.0, 3.0 * x, x / 4.0, 3.0 / x, 2 + x)

    with np.errstate(all="ignore"):
        expected = [X + 3, 3 + X, X - 3, 3 - X, X * 3, 3 * X, X / 4, 3 / X, 2 + X]
    check(formula, X, expected)


def test_numbers_shared_by_all_rows(check):
    def formula(code, given, numbers, out):
        write(out, numbers[0], numbers[2] - given[0], given[0] / numbers[1], numbers[0] * 2.0)

    check(formula, FINITE, [5.0, 3.0 - FINITE, FINITE / 7.0, 10.0], numbers=[5.0, 7.0, 3.0])


def test_a_number_becomes_a_value(check):
    def formula(code, given, numbers, out):
        write(out, 2, code.lanes(2.5), code.lanes(given[0]))

    check(formula, FINITE, [2.0, 2.5, FINITE])


def test_comparisons_do_not_hold_for_nan(check):
    def formula(code, given, numbers, out):
        x, y = given[0], given[1]
        masks = [x < y, x > y, x >= y, x < 0.5, x > 0.5, x >= 0.5]
        masks += [0.5 < x, 0.5 > x]  # noqa: SIM300  (a number may stand on the left)
        write(out, *(truth(code, mask) for mask in masks))

    expected = [X < Y, X > Y, X >= Y, X < 0.5, X > 0.5, X >= 0.5, X > 0.5, X < 0.5]
    check(formula, [X, Y], expected)


def test_masks_combine(check):
    def formula(code, given, numbers, out):
        positive, small = given[0] > 0.0, given[0] < 3.0
        masks = positive & small, positive | small, ~positive, ~(positive & small) | positive
        write(out, *(truth(code, mask) for mask in masks))

    positive, small = FINITE > 0, FINITE < 3
    check(formula, FINITE, [positive & small, positive | small, ~positive, True])


def test_where_takes_values_and_numbers(check):
    def formula(code, given, numbers, out):
        x, y = given[0], given[1]
        mask = x > 1.0
        write(
            out, code.where(mask, x, y), code.where(mask, 2.0, y), code.where(mask, x, numbers[0])
        )

    mask = X > 1
    expected = [np.where(mask, X, Y), np.where(mask, 2, Y), np.where(mask, X, 9)]
    check(formula, [X, Y], expected, numbers=[9.0])


def test_where_does_not_let_through_what_it_leaves(check):
    def formula(code, given, numbers, out):
        out[0] = code.where(given[0] > 0.0, 1.0 / given[0], 0.0)

    with np.errstate(divide="ignore"):
        check(formula, X, [np.where(X > 0, 1 / X, 0)])


def test_maximum_and_minimum_give_the_second_where_the_first_is_nan(check):
    def formula(code, given, numbers, out):
        x, y = given[0], given[1]
        write(
            out, code.maximum(x, y), code.minimum(x, y), code.maximum(x, 0.0), code.minimum(1.0, x)
        )

    # A second argument that is NaN stays NaN, unlike in np.fmax.
    expected = [
        np.where(np.isnan(X), Y, np.maximum(X, Y)),
        np.where(np.isnan(X), Y, np.minimum(X, Y)),
        np.fmax(X, 0),
        np.minimum(1, X),
    ]
    assert np.isnan(expected[0]).sum() == 2  # both kinds are there
    check(formula, [X, Y], expected)


def test_sqrt_and_absolute(check):
    def formula(code, given, numbers, out):
        write(
            out, code.sqrt(given[0]), code.absolute(given[0]), code.sqrt(2.0), code.absolute(-2.0)
        )

    with np.errstate(invalid="ignore"):
        check(formula, X, [np.sqrt(X), np.abs(X), np.sqrt(2.0), 2.0])


# ------------------------------------------------------------------------------------- memory


def test_arrays_of_one_index(check):
    def formula(code, given, numbers, out):
        a = code.array(3)
        for i in range(3):
            a[i] = given[i]
        a[1] = a[1] + a[2]
        a[2] = 4.0
        write(out, a[0], a[1], a[2])

    given = np.arange(33.0).reshape(3, 11)
    check(formula, given, [given[0], given[1] + given[2], 4.0])


def test_arrays_of_two_indices(check):
    def formula(code, given, numbers, out):
        a = code.array(2, 3)
        for i in range(2):
            for j in range(3):
                a[i, j] = given[3 * i + j]
        a[0, 2] = a[1, 0]
        for j in range(3):
            out[j], out[3 + j] = a[1, j], a[0, j]

    given = np.arange(66.0).reshape(6, 11)
    check(formula, given, given[[3, 4, 5, 0, 1, 3]])


def test_a_value_that_was_read_outlives_its_place(check):
    def formula(code, given, numbers, out):
        a, cell = code.array(1), code.cell(given[0])
        a[0] = given[0]
        before, held = a[0], cell.value
        a[0] = cell.value = 1.0
        write(out, before, held, a[0], cell.value)

    check(formula, FINITE, [FINITE, FINITE, 1.0, 1.0])


def test_parts_count_from_their_first_place(check):
    def formula(code, given, numbers, out):
        table, a = numbers.part(1, 2, 2), code.array(4)
        for i in range(2):
            for j in range(2):
                a.part(1, 2)[i] = table[i, j] * given.part(1)[0]
            out.part(2)[i] = a[1 + i]
        out.part(1).part(-1)[0], out[1] = numbers.part(1).part(2)[0], given[0]

    given = np.stack([FINITE, X])
    expected = [13.0, FINITE, 12.0 * X, 14.0 * X]
    check(formula, given, expected, numbers=[10.0, 11.0, 12.0, 13.0, 14.0])


def test_every_row_has_its_place(check):
    """Rows are taken a vector at a time; none is left out, none is taken for another."""

    def formula(code, given, numbers, out):
        out[0], out[1] = given[1] - given[0], given[0]

    given = np.random.default_rng(3).integers(-99, 99, (2, 24)).astype(float)
    check(formula, given, [given[1] - given[0], given[0]])
