"""How a formula of the language is held to what it should give."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from tests.lanes.compiled import WAYS, CompiledFormula, interpreted


@pytest.fixture(params=WAYS, ids=lambda way: f"{'unrolled' if way[0] else 'looped'}-{way[1]}")
def check(request):
    """Hold a formula to what it should give, interpreted and compiled; to the last bit."""
    unroll, width = request.param

    def check(formula, given, expected, numbers=(0.0,)):
        given = np.atleast_2d(given)
        expected = np.array([np.broadcast_to(row, given.shape[1]) for row in expected], dtype=float)
        arguments = given, np.asarray(numbers), len(expected)
        assert_array_equal(interpreted(formula, *arguments), expected)
        compiled = CompiledFormula(formula, unroll=unroll, width=width)
        assert_array_equal(compiled(*arguments), expected)

    return check
