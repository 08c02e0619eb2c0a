"""What a plan says: how a catalogue is read, and why."""

from dataclasses import replace
from pathlib import Path

import pytest

from peculiar.cli.clusters import Workers
from peculiar.cli.plan import Plan

FREE = Plan(Path("a.fits"), 1_000, 451e6, 24e9, is_told=False, is_in_parts=False)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({}, "451 MB in memory, 24 GB free: read whole"),
        ({"is_in_parts": True, "need": 30e9}, "30 GB in memory, 24 GB free: read in parts"),
        (
            {"is_in_parts": True, "workers": Workers(2, None)},
            "451 MB in memory, 24 GB free: read in parts because workers were asked for",
        ),
        (
            {"is_in_parts": True, "workers": Workers(2, None), "need": 30e9},
            "30 GB in memory, 24 GB free: read in parts",
        ),
        (
            {"is_in_parts": True, "workers": Workers(2, None), "is_told": True},
            "451 MB in memory, --memory 24 GB: read in parts because workers were asked for",
        ),
    ],
)
def test_memory_is_the_reason_only_if_it_is(changes, said):
    assert replace(FREE, **changes).in_words() == f"a.fits: 1,000 rows, about {said}"
