"""The lymphography data, with and without a header. Nothing is fetched here."""

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from peculiar.datasets import load_lymphography, sources
from peculiar.datasets.lymphography import N_ATTRIBUTES, N_ROWS, URL
from peculiar.errors import MissingDataError
from tests.real_data import needs_data

CODES = 1 + np.arange(N_ROWS * N_ATTRIBUTES).reshape(N_ROWS, N_ATTRIBUTES) % 8
CLASSES = np.array([1, 1, 4, 4, 4, 4] + [2] * 81 + [3] * 61)


def as_text(header=None, extra=None):
    lines = [] if header is None else [header]
    for row, (kind, codes) in enumerate(zip(CLASSES, CODES)):
        more = [] if extra is None else [extra[row]]
        lines.append(",".join(str(cell) for cell in (kind, *codes, *more)))
    return "\n".join(lines) + "\n"


@pytest.fixture(autouse=True)
def folder(monkeypatch, tmp_path):
    monkeypatch.setenv("PECULIAR_DATA", str(tmp_path))
    return tmp_path


def check(data):
    assert_array_equal(data.X, CODES)
    assert_array_equal(data.classes, CLASSES)
    assert_array_equal(np.flatnonzero(data.is_outlier), range(6))


def test_with_a_header_and_a_flag(folder):
    header = ",".join(["class", *(f"a{j}" for j in range(N_ATTRIBUTES)), "outlier"])
    text = as_text(header, np.isin(CLASSES, (1, 4)).astype(int))
    (folder / "lymphography.csv").write_text(text)
    check(load_lymphography())


def test_as_it_is_published(folder):
    (folder / "lymphography.data").write_text(as_text())
    check(load_lymphography())


def test_fetched_if_no_folder_is_named(monkeypatch, folder):
    monkeypatch.delenv("PECULIAR_DATA")
    monkeypatch.setenv("XDG_CACHE_HOME", str(folder))
    asked = []
    monkeypatch.setattr(sources, "download", lambda url: asked.append(url) or as_text())
    check(load_lymphography())
    check(load_lymphography())
    assert asked == [URL]


def test_a_table_cut_off(folder):
    (folder / "lymphography.data").write_text(as_text()[:-20])
    with pytest.raises(MissingDataError, match="has 147 rows of 19 whole numbers among 148"):
        load_lymphography()
    (folder / "lymphography.data").write_text("")
    with pytest.raises(MissingDataError, match="has 0 rows"):
        load_lymphography()


def test_nowhere():
    with pytest.raises(
        MissingDataError, match=r"there is no lymphography\.csv or lymphography\.data"
    ):
        load_lymphography()


@needs_data
def test_the_real_one(monkeypatch):
    monkeypatch.undo()
    data = load_lymphography()
    assert data.X.shape == (148, 18)
    assert_array_equal(np.bincount(data.classes), [0, 2, 81, 61, 4])
    assert data.is_outlier.sum() == 6
    assert data.X.min() == 1
