"""The page on the command line knows every command and every column; no page shows an option that is not there."""

import re
import shlex
from pathlib import Path

import numpy as np
import pytest

from peculiar import OutlierDetector, RobustMixture
from peculiar.catalogue import measure
from peculiar.cli.commands import NAMES, commands
from peculiar.report import rank

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "command_line.md").read_text()
TUTORIALS = sorted((ROOT / "docs").glob("tutorial_*.md"))


def shown(page):
    """The commands of a page, in words."""
    joined = page.replace("\\\n", " ")
    for block in re.findall(r"```console\n(.*?)```", joined, flags=re.DOTALL):
        for command in re.findall(r"^\$ (peculiar .*(?:\n +\S.*)?)$", block, flags=re.MULTILINE):
            yield shlex.split(command)


def test_every_command_is_on_the_page():
    assert all(f"`peculiar {name}" in PAGE for name in NAMES)


@pytest.mark.parametrize(
    ("path", "least"),
    [
        (ROOT / "docs" / "command_line.md", 6),
        (ROOT / "README.md", 1),
        *((path, 1) for path in TUTORIALS),
    ],
    ids=lambda value: value.name if isinstance(value, Path) else "",
)
def test_options_that_are_shown_exist(path, least):
    found = list(shown(path.read_text()))
    assert len(found) >= least
    for _, name, *words in found:
        if name == "--help":
            continue
        parameters = commands.get_command(None, name).params
        known = {option for parameter in parameters for option in parameter.opts}
        assert {word for word in words if word.startswith("-")} <= known


def test_every_column_is_on_the_page():
    rng = np.random.default_rng(0)
    sky = measure({"F": rng.normal(size=50), "F_err": np.full(50, 0.1)}, "F")
    mixture = RobustMixture(1, wild_fraction=0.01).fit(**sky.arguments())
    candidates = rank(OutlierDetector.from_mixture(mixture), sky)
    for name in (*candidates.verdict, *(f"F{end}" for end in candidates.features["F"])):
        assert f"`{name}`" in PAGE


@pytest.mark.parametrize(
    "path", [ROOT / "README.md", *(ROOT / "docs").glob("*.md")], ids=lambda path: path.name
)
def test_what_the_terminal_shows_is_not_cut(path):
    blocks = re.findall(r"```(?:console|python)\n(.*?)```", path.read_text(), flags=re.DOTALL)
    lines = [line for block in blocks for line in block.splitlines()]
    assert max(map(len, lines), default=0) <= 112  # characters that the pages have room for


def test_every_tutorial_has_a_picture_and_is_in_the_list():
    assert len(TUTORIALS) >= 4
    overview = (ROOT / "docs" / "tutorials.md").read_text()
    for path in TUTORIALS:
        pictures = re.findall(r"\]\((_static/tutorials/\w+\.png)\)", path.read_text())
        assert pictures
        assert all((ROOT / "docs" / picture).stat().st_size > 10_000 for picture in pictures)
        assert f":link: {path.stem}" in overview
