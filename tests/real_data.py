"""Real catalogues, where they are at hand: their folder is in the environment variable PECULIAR_DATA."""

import os
from pathlib import Path

import pytest

needs_data = pytest.mark.skipif(
    "PECULIAR_DATA" not in os.environ,
    reason="the environment variable PECULIAR_DATA does not name a folder with the real catalogues",
)
"""For tests that cannot do without."""


def real(name):
    """A file in that folder; one that is not there is an error."""
    path = Path(os.environ["PECULIAR_DATA"]) / name
    assert path.exists()
    return path
