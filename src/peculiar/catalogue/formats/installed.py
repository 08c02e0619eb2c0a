"""Packages that only catalogues need."""

from __future__ import annotations

from importlib.util import find_spec

from peculiar.errors import CatalogueError
from peculiar.install import how_to_install


def require(*packages: str) -> None:
    """CatalogueError if a package is not installed, with the command that installs it.

    Parameters
    ----------
    *packages : str
    """
    absent = [package for package in packages if find_spec(package) is None]
    if absent:
        raise CatalogueError(
            f"catalogues need {' and '.join(absent)}, which is not installed: {how_to_install('catalogue')}"
        )
