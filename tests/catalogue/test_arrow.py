"""From Arrow's buffers: the same values as Arrow's own way through pandas."""

import numpy as np
import pyarrow as pa
import pytest
from numpy.testing import assert_array_equal

from peculiar.catalogue.formats.arrow import from_arrow

COLUMNS = {
    "float": pa.array([1.5, None, -2.5, 3.0, None, 7.0, 8.0, 9.0, 10.0, 11.0]),
    "single": pa.array([1.5, 2.0, None] * 3 + [1.0], pa.float32()),
    "whole": pa.array([1, None, 2**62, 4, 5, 6, 7, 8, 9, 10]),
    "small": pa.array([1, 2, 3, 4, 5, 6, 7, 8, None, 10], pa.uint8()),
    "truth": pa.array([True, False, None, True, True, False, False, True, None, True]),
    "text": pa.array(["a", None, "é", "", "long word", "f", "g", "h", None, "j"]),
    "nothing": pa.nulls(10),
}


@pytest.mark.parametrize("part", [slice(0, 10), slice(3, 10), slice(1, 9), slice(4, 4)])
@pytest.mark.parametrize("name", COLUMNS)
def test_values_and_masks(name, part):
    given = COLUMNS[name][part.start : part.stop]
    column = from_arrow(pa.table({name: given}))[name]
    known = given.to_pylist()
    mask = np.broadcast_to(getattr(column, "mask", False), len(known))
    assert_array_equal(mask, [cell is None for cell in known])
    assert [cell for cell, hidden in zip(column.tolist(), mask, strict=True) if not hidden] == [
        cell for cell in known if cell is not None
    ]


def test_several_chunks():
    chunks = pa.chunked_array([COLUMNS["truth"][1:4], COLUMNS["truth"][5:]])
    column = from_arrow(pa.table({"truth": chunks}))["truth"]
    assert column.filled(False).tolist() == [bool(cell) for cell in chunks.to_pylist()]
