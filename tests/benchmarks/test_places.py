"""Bars on places, and that each place is measured."""

import math

import pytest

from benchmarks.bars import Bar
from benchmarks.large import make
from benchmarks.places import measure, place_bars

ROWS = [
    {"place": "memory", "n": 100, "wall": 2.0, "per_row": 1.0},
    {"place": "files", "n": 100, "wall": 3.0, "per_row": 1.5},
    {"place": "one worker", "n": 100, "wall": 2.2, "per_row": 1.1},
    {"place": "two workers", "n": 100, "wall": 1.1, "per_row": 1.2},
    {"place": "files", "n": 1000, "wall": 30.0, "per_row": 1.8},
    {"place": "nothing", "n": 0, "wall": 5.0},
]


def test_bars_are_ratios_of_the_places_with_the_same_rows():
    bars = place_bars(ROWS)
    assert [bar["measured"] for bar in bars] == pytest.approx([1.5, 1.1, 2.0, 1.2])
    assert [bar["verdict"] for bar in bars] == ["short", "pass", "pass", "pass"]


def test_what_was_not_measured_is_said():
    bars = place_bars([{"place": "memory", "n": 100, "per_row": math.nan}])
    assert {bar["verdict"] for bar in bars} == {"not measured"}
    assert Bar("x", 1.0, math.nan).row()["verdict"] == "not measured"


@pytest.mark.parametrize("place", ["memory", "files"])
def test_a_place_is_measured(tmp_path, place):
    make(tmp_path / "objects.parquet", 30_000)
    found = measure(place, str(tmp_path / "objects.parquet"))
    assert found["wall"] > 0.0
    assert found["cpu"] > 0.0
    assert found["peak_mb"] > 50.0
