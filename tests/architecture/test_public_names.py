"""The public names are those in public_names.txt: none lost, none added by accident."""

import importlib
from pathlib import Path

import pytest

LISTED = [
    line
    for line in Path(__file__).with_name("public_names.txt").read_text().splitlines()
    if line and not line.startswith("#")
]
MODULES = sorted({name.rpartition(".")[0] for name in LISTED})


def exported(module):
    """``__all__``; without one, what the module itself defines."""
    namespace = vars(importlib.import_module(module))
    own = (k for k, v in namespace.items() if getattr(v, "__module__", "") == module)
    return namespace.get("__all__", [name for name in own if not name.startswith("_")])


@pytest.mark.parametrize("name", LISTED)
def test_listed_name_exists(name):
    module, _, attribute = name.rpartition(".")
    assert hasattr(importlib.import_module(module), attribute)


@pytest.mark.parametrize("module", MODULES)
def test_everything_exported_is_listed(module):
    assert sorted(f"{module}.{name}" for name in exported(module)) == [
        name for name in LISTED if name.rpartition(".")[0] == module
    ]


def test_list_is_sorted():
    assert sorted(LISTED) == LISTED
