"""A small list with everything in it, and its scene."""

import pytest

from peculiar.report.scene import read_scene
from tests.scene.made import make_catalogue, make_ranked


@pytest.fixture(scope="session")
def made():
    return make_ranked(make_catalogue())


@pytest.fixture(scope="session")
def scene(made):
    return read_scene(made.ranked, made.model, top=60, show=("kind", "r"))
