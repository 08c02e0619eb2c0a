"""Of LSDB only what it publishes is used, and it is never imported: who has a catalogue of it has it."""

import ast
import re
from pathlib import Path

import pytest

import peculiar.lsdb

SOURCES = sorted(Path(peculiar.lsdb.__file__).parent.glob("*.py"))


@pytest.mark.parametrize("path", SOURCES, ids=lambda path: path.stem)
def test_only_what_is_published_is_used(path):
    tree = ast.parse(path.read_text())
    used = [node for node in ast.walk(tree) if isinstance(node, ast.Attribute)]
    private = [node.attr for node in used if re.match("_[a-z]", node.attr) and not is_own(node)]
    assert not private
    assert not re.search(
        r"^\s*(import|from) (lsdb|hats|nested_pandas)\b", path.read_text(), re.MULTILINE
    )


def is_own(node):
    return isinstance(node.value, ast.Name) and node.value.id == "self"
