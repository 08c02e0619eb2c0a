"""The page about the paper quotes numbers that the experiments have found, and shows their figures."""

import dataclasses
import json
import re
from pathlib import Path

import pytest

from peculiar.report import to_json
from peculiar.reproduce import NAMES, find
from peculiar.reproduce.documents import read_documents, written_by
from peculiar.reproduce.page import write_page

DOCS = Path(__file__).parents[2] / "docs"
FOLDER = DOCS / "_static" / "paper"
PAGE = (DOCS / "paper.md").read_text()


def found():
    """All that the documents say in words."""
    documents = read_documents(FOLDER)
    return " ".join(
        str(entry[key])
        for document in documents
        for entry in document["comparisons"]
        for key in ("paper", "here", "sentence")
    )


def test_all_experiments_are_there_in_full():
    documents = read_documents(FOLDER)
    assert tuple(document["experiment"] for document in documents) == NAMES
    assert (FOLDER / "index.html").read_text() == write_page(documents)
    for document in documents:
        full = dataclasses.asdict(find(document["experiment"])())
        assert document["settings"] == json.loads(to_json(full))


@pytest.mark.parametrize("name", NAMES)
def test_figures_are_shown(name):
    assert f"_static/paper/{name}.png" in PAGE
    for file in written_by(name):
        assert (FOLDER / file).stat().st_size > 5_000


def test_numbers_on_the_page_were_found():
    said = found()
    quoted = set(re.findall(r"(?<![\d.])[-+]?\d\.\d{3,}|\d(?:\.\d)?e-\d\d", PAGE))
    assert len(quoted) > 30
    missing = {number for number in quoted if number.lstrip("+") not in said}
    assert not missing
