"""Named tuples reach a kernel by their address, and nothing looks different inside."""

from typing import Any, NamedTuple

import numpy as np
import pytest

from peculiar.kernels._jit import kernel, row_kernel
from peculiar.kernels._references import Packed, by_reference, is_known


class Inner(NamedTuple):
    """Arrays of several shapes."""

    counts: Any
    table: Any


class Outer(NamedTuple):
    """One of each kind."""

    factor: Any
    inner: Any
    n: Any
    flag: Any
    last: Any


@kernel
def _total(inner, i):
    return inner.table[i].sum() + inner.counts[i]


@row_kernel
def _entry(outer, out):
    for i in range(outer.n):
        out[i] = outer.factor * _total(outer.inner, i) + outer.inner.table.shape[1]
        outer.last[i, 0, 1] = 1.0 if outer.flag else -1.0
    return outer.inner.counts.size


def an_outer(flag=True, factor=0.5, n=2, table=None):
    """Small, with numbers that tell the fields apart."""
    table = np.arange(6.0).reshape(2, 3) if table is None else table
    return Outer(factor, Inner(np.array([10, 20]), table), n, flag, np.zeros((2, 1, 2)))


@pytest.mark.parametrize("flag", [True, False])
def test_a_kernel_reads_and_writes_what_it_is_given(flag):
    outer, out = an_outer(flag), np.zeros(2)
    assert _entry(outer, out) == 2
    assert out.tolist() == [0.5 * (3.0 + 10) + 3, 0.5 * (12.0 + 20) + 3]
    assert outer.last[:, 0, 1].tolist() == [1.0 if flag else -1.0] * 2


def test_numbers_of_numpy_are_numbers():
    numbers = an_outer(np.bool_(True), np.float64(0.5), np.int64(2))
    assert by_reference(numbers)._numba_type_ == by_reference(an_outer())._numba_type_


def test_shape_does_not_matter_to_the_type_but_dimensions_and_elements_do():
    kinds = [
        by_reference(an_outer(table=table))._numba_type_
        for table in (np.zeros((2, 3)), np.zeros((5, 1)), np.zeros(3), np.zeros((2, 3), np.int64))
    ]
    assert kinds[0] == kinds[1]
    assert len(set(kinds)) == 3


@pytest.mark.parametrize(
    "other", [np.zeros((3, 2)).T, np.random.default_rng(0), "text"], ids=["order", "object", "text"]
)
def test_what_cannot_be_packed_is_left_as_it_is(other):
    outer = an_outer(table=other)
    assert by_reference(outer) is outer
    assert by_reference(other) is other


def test_what_is_packed_stays_alive():
    packed = by_reference(an_outer())
    assert isinstance(packed, Packed)
    assert packed._given.inner.table.sum() == 15.0


def test_this_numpy_is_known():
    assert is_known()
