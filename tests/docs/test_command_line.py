"""The page on the command line knows every command and every column, and shows no option that is not there."""

import re
import shlex
from pathlib import Path

import numpy as np

from peculiar import OutlierDetector, RobustMixture
from peculiar.catalogue import measure
from peculiar.cli.commands import NAMES, commands
from peculiar.report import rank

PAGE = (Path(__file__).parents[2] / "docs" / "command_line.md").read_text()


def shown():
    """The commands of the page, in words."""
    joined = PAGE.replace("\\\n", " ")
    for block in re.findall(r"```console\n(.*?)```", joined, flags=re.DOTALL):
        for command in re.findall(r"^\$ (peculiar .*(?:\n +\S.*)?)$", block, flags=re.MULTILINE):
            yield shlex.split(command)


def test_every_command_is_on_the_page():
    assert all(f"`peculiar {name}" in PAGE for name in NAMES)


def test_options_on_the_page_exist():
    found = list(shown())
    assert len(found) >= 6
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
