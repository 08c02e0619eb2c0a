"""What is run every day, and what only `make test-slow` runs: whole grids of settings take minutes to compile."""

import pytest


def everyday(*usual, slow):
    """Values of a parameter, or tuples of values of several, for every day, and the others."""
    rare = (value if type(value) is tuple else (value,) for value in slow)
    return [*usual, *(pytest.param(*values, marks=pytest.mark.slow) for values in rare)]
