"""Results show as tables in a notebook, with every text as text."""

import copy
import pickle

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from peculiar.catalogue.ranked_table import RankedTable
from peculiar.notebook import MOST_ROWS, html_table
from peculiar.outliers import Discoveries
from peculiar.population.groups import GROUPS, as_groups

NASTY = ["<script>alert(1)</script>", '"><img src=x onerror=alert(1)>', "&lt;b&gt;", "a'b"]


def check_harmless(html, rows):
    for text in NASTY:
        assert text not in html
    assert "<script" not in html
    assert "<img" not in html
    assert html.count("<tr>") == rows + 1


def test_every_text_is_escaped():
    html = html_table({NASTY[0]: NASTY, "n": range(4)}, caption=NASTY[1])
    check_harmless(html, rows=4)
    assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_rows_left_out_are_counted():
    html = html_table({"n": np.arange(1234)})
    assert html.count("<tr>") == MOST_ROWS + 2
    assert "... and 1,214 more" in html
    assert "more" not in html_table({"n": np.arange(MOST_ROWS)})


def test_discoveries_show_the_strangest_first():
    mask = np.arange(100) < 30
    found = Discoveries(mask, 0.0123, np.where(mask, np.linspace(0.04, 0.001, 100), 0.5), "bh")
    assert repr(found) == "Discoveries(30 of 100 objects, p-value up to 0.012, method='bh')"
    html = found._repr_html_()
    assert html.index("<td>29</td>") < html.index("<td>28</td>")
    assert "... and 10 more" in html
    mask_again, *_ = found  # still a tuple
    assert mask_again is mask


@pytest.fixture
def groups():
    line = ("A", False, 0.1, 10.0, -5.0, 1e-6, NASTY[0], "high", NASTY[1], "low")
    return as_groups([(0, "", True, 0.9, 90.0, 0.0, 1.0, "u", "low", "", ""), (1, *line)])


def test_groups_show_as_a_table(groups):
    check_harmless(groups._repr_html_(), rows=2)
    assert repr(groups) == "GroupTable with 2 components, 1 of them a strange group: A"


def test_groups_are_an_array_like_any_other(groups):
    assert type(groups["z"]) is np.ndarray
    assert type(groups[["z", "share"]]) is type(groups)
    assert groups[1]["group"] == "A"
    assert_array_equal(groups[groups["is_ordinary"]]["component"], [0])
    for copied in (copy.deepcopy(groups), pickle.loads(pickle.dumps(groups))):
        assert copied.dtype == GROUPS
        assert copied.tolist() == groups.tolist()


def test_ranked_lists_show_as_a_table():
    table = RankedTable({"rank": np.arange(1, 51), "name": (NASTY * 13)[:50]})
    table.meta["FDR"] = "0.05 (bh): 3 discoveries"
    html = table._repr_html_()
    check_harmless(html, rows=MOST_ROWS + 1)
    assert "50 objects, strangest first. 0.05 (bh): 3 discoveries" in html
    assert "... and 30 more" in html
    assert len(table[:5]._repr_html_()) < len(html)


def test_a_missing_value_is_a_dash():
    table = RankedTable({"name": np.ma.array(["x", "y"], mask=[False, True])})
    assert "<td>-</td>" in table._repr_html_()
