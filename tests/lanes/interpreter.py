"""The language of ``peculiar.kernels.lanes.code``, on NumPy arrays: what the formulas mean, without a compiler.

Values are arrays with one number a row, masks are arrays of truths. Whatever a formula does here it does at once,
so that it can be watched and compared; the only thing shared with the compiled code is the formula.
"""

import math

import numpy as np


class Memory:
    """Places to read and write by index, (places, rows), or (places, 1) if all rows share them."""

    def __init__(self, places, shape, n_rows, first=0):
        self.places, self.shape, self.n_rows, self.first = places, shape, n_rows, first

    def _place(self, index):
        indices = index if isinstance(index, tuple) else (index,)
        place = indices[0]
        for length, i in zip(self.shape[1:], indices[1:], strict=True):
            assert 0 <= i < length
            place = place * length + i
        assert 0 <= self.first + place < len(self.places)
        return self.first + place

    def __getitem__(self, index):
        # What was read stays what it was, whatever is written there later.
        return np.broadcast_to(self.places[self._place(index)], self.n_rows).copy()

    def __setitem__(self, index, value):
        self.places[self._place(index)] = value

    def part(self, first, *shape):
        return Memory(self.places, shape, self.n_rows, self.first + first)


class Cell:
    def __init__(self, value):
        self.value = value


class Interpreted:
    """Does at once what ``Compiled`` writes down."""

    def __init__(self, n_rows):
        self.n_rows = n_rows
        self._stop = False

    def lanes(self, x):
        return np.broadcast_to(np.asarray(x, dtype=float), (self.n_rows,))

    def array(self, *shape):
        return Memory(np.full((math.prod(shape), self.n_rows), np.nan), shape, self.n_rows)

    def cell(self, value):
        return Cell(self.lanes(value))

    def numbers(self, values, *shape):
        """Numbers that all rows share (``scalars`` of the compiled code)."""
        return Memory(np.array(values, dtype=float).reshape(-1, 1), shape, self.n_rows)

    def given(self, values):
        """Numbers of the rows, the rows along the last axis (``rows`` of the compiled code)."""
        return Memory(np.array(values, dtype=float).reshape(-1, self.n_rows), (1,), self.n_rows)

    sqrt = staticmethod(np.sqrt)
    absolute = staticmethod(np.abs)
    log = staticmethod(np.log)
    where = staticmethod(np.where)

    def exp(self, x):
        return np.where(x > -700.0, np.exp(x), 0.0)

    def maximum(self, x, y):
        return np.where(x > y, x, y)

    def minimum(self, x, y):
        return np.where(x < y, x, y)

    def span(self, first, last):
        return iter(range(first, last))

    def loop(self, first, last, step=1):
        return iter(range(first, last, step))

    def total(self, first, last, term):
        return sum((term(i) for i in range(first, last)), self.lanes(0.0))

    def repeat(self, most):
        outer = self._stop
        for n in range(most):
            self._stop = False
            yield n
            if self._stop:
                break
        self._stop = outer

    def stop_when_all(self, mask):
        self._stop = bool(np.all(mask))

    def only_if_any(self, mask):
        if np.any(mask):
            yield
