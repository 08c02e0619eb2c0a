"""A catalogue with planted outliers, and a detector that was fitted to it."""

import pytest

from tests.detector.helpers import clusters, detector


@pytest.fixture(scope="module")
def sky():
    return clusters(0, 40, n=400)


@pytest.fixture(scope="module")
def fitted(sky):
    return detector(sky)
