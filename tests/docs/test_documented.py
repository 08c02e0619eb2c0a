"""The pages keep up with the code: every public name has a place, every symbol of the notation exists."""

import ast
import inspect
import re
from pathlib import Path

import numpy as np
import pytest

from peculiar import OutlierDetector, RobustMixture, Transformed

ROOT = Path(__file__).parents[2]
PACKAGE = ROOT / "src" / "peculiar"
TYPES_AND_TABLES = {  # explained on the page for developers, not on the one for users
    "peculiar.engines.ENGINES",
    "peculiar.engines.Engine",
    "peculiar.engines.RowMoments",
    "peculiar.engines.ScaleMoments",
}


def public_names():
    lines = (ROOT / "tests" / "architecture" / "public_names.txt").read_text().splitlines()
    names = [name for name in lines if name and not name.startswith("#") and "__" not in name]
    modules = {name.rpartition(".")[0] for name in names}
    return [name for name in names if name not in modules]


def documented_names():
    """Entries of the autosummary tables of api.rst, with the module they stand in."""
    names, module, in_table = set(), "", False
    for line in (ROOT / "docs" / "api.rst").read_text().splitlines():
        if directive := re.match(r"\.\. currentmodule:: (\S+)", line):
            module = directive[1]
        if line and not line.startswith(" "):
            in_table = line.startswith(".. autosummary::")
        elif in_table and (entry := re.match(r"   (\w+)$", line)):
            names.add(f"{module}.{entry[1]}")
    return names


def test_every_public_name_is_in_the_reference():
    assert documented_names() == set(public_names()) - TYPES_AND_TABLES


@pytest.mark.parametrize("estimator", [RobustMixture, OutlierDetector, Transformed])
def test_every_method_has_a_docstring(estimator):
    for name, method in inspect.getmembers(estimator, inspect.isfunction):
        assert name[0] == "_" or inspect.getdoc(method), name


@pytest.mark.parametrize("estimator", [RobustMixture, OutlierDetector, Transformed])
def test_every_setting_is_explained(estimator):
    documented = set(re.findall(r"^(\w+) : ", inspect.getdoc(estimator), flags=re.MULTILINE))
    assert set(inspect.signature(estimator).parameters) <= documented


def notation(column):
    """Code-formatted words in one column of the table in notation.md."""
    lines = (ROOT / "docs" / "notation.md").read_text().splitlines()
    table = [[c.strip() for c in line.strip("|").split("|")] for line in lines if line[:1] == "|"]
    header, _, *rows = table
    assert all(len(row) == len(header) for row in rows)
    index = header.index(column)
    words = [word for row in rows for word in re.findall(r"`(\w+)`", row[index])]
    assert words
    return sorted(set(words))


def identifiers(files):
    """Every name that occurs in the code of some files."""
    found = set()
    for node in (n for path in files for n in ast.walk(ast.parse(path.read_text()))):
        match node:
            case ast.Name(id=name) | ast.Attribute(attr=name) | ast.arg(arg=name):
                found.add(name)
            case ast.FunctionDef(name=name) | ast.ClassDef(name=name) | ast.keyword(arg=name):
                found.add(name)
    return found


KERNELS = sorted((PACKAGE / "kernels").rglob("*.py"))
ELSEWHERE = sorted(set(PACKAGE.rglob("*.py")) - set(KERNELS))


@pytest.mark.parametrize(("column", "files"), [("in kernels", KERNELS), ("in Python", ELSEWHERE)])
def test_symbols_of_the_notation_exist_in_the_code(column, files):
    missing = set(notation(column)) - identifiers(files)
    assert not missing


def test_public_names_of_the_notation_exist():
    rng = np.random.default_rng(0)
    model = RobustMixture(scatter="auto").fit(rng.normal(size=(30, 2)))
    arguments = set()
    for _, method in inspect.getmembers(RobustMixture, inspect.isfunction):
        arguments |= set(inspect.signature(method).parameters)
    missing = set(notation("public")) - arguments - set(dir(model))
    assert not missing
