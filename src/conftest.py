"""Examples in docstrings that need an optional package are skipped where that is missing."""

from importlib.util import find_spec

import pytest

NEEDS = {"peculiar.estimators.partitions.Partitions": "dask"}


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark them."""
    for item in items:
        package = NEEDS.get(item.name)
        if package is not None and find_spec(package) is None:
            item.add_marker(pytest.mark.skip(reason=f"{package} is not installed"))
