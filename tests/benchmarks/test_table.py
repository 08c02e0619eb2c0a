"""Tables as text and Markdown; files written whole."""

import json
import math

import pytest

from benchmarks.plots import short
from benchmarks.table import Table, number_column, show_number, text_column, write_json

TABLE = Table.of(
    "Costs",
    [text_column("who", "who"), number_column("CPU", "cpu")],
    [{"who": "a|b", "cpu": 0.12345}, {"who": "c"}],
)


def test_text_is_aligned():
    assert TABLE.text().splitlines() == [
        "Costs",
        "",
        "who    CPU",
        "----------",
        "a|b  0.123",
        "c        -",
    ]


def test_markdown_escapes_bars():
    expected = ["| who | CPU |", "| --- | ---: |", "| a\\|b | 0.123 |", "| c | - |"]
    assert TABLE.markdown().splitlines() == expected


@pytest.mark.parametrize(
    ("value", "shown"),
    [(None, "-"), (math.nan, "-"), (0.0123456, "0.0123"), (1234.5, "1,234"), (12.34, "12.3")],
)
def test_numbers_are_short(value, shown):
    assert show_number(value) == shown


def test_files_are_written_whole(tmp_path):
    path = tmp_path / "new" / "results.json"
    write_json(path, {"a": [1.5]})
    with pytest.raises(TypeError):
        write_json(path, {"a": object()})
    assert json.loads(path.read_text()) == {"a": [1.5]}
    assert [p.name for p in path.parent.iterdir()] == ["results.json"]


@pytest.mark.parametrize(("count", "shown"), [(10, "10"), (30_000, "30k"), (2_500_000, "2.5M")])
def test_counts_are_short(count, shown):
    assert short(count) == shown
