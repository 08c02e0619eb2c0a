"""What is run every day, and what only `make test-slow` runs: whole grids of settings take minutes to compile."""

import pytest


def everyday(*usual, slow):
    """Values of a parameter for every day, and the others."""
    return [*usual, *(pytest.param(value, marks=pytest.mark.slow) for value in slow)]
