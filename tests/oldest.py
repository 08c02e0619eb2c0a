"""Prints constraints for pip: every requirement ``name>=version`` of a pyproject.toml at just that version.

Run by `make test-oldest`, before anything is installed: the standard library has to do.
"""

import re
import sys
import tomllib
from pathlib import Path

LOWER_BOUND = re.compile(r"([A-Za-z0-9._-]+)(?:\[[^\]]*\])?>=([0-9.]+)")


def oldest(pyproject):
    """Constraints for the requirements of the package and of its tests."""
    project = tomllib.loads(Path(pyproject).read_text())["project"]
    optional = project["optional-dependencies"]
    given = [*project["dependencies"], *(text for extra in optional.values() for text in extra)]
    bounds = (LOWER_BOUND.match(text) for text in given)
    return sorted({f"{bound[1]}=={bound[2]}" for bound in bounds if bound})


if __name__ == "__main__":
    sys.stdout.write("\n".join(oldest(sys.argv[1])) + "\n")
