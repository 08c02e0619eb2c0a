"""The search for the smallest count that is enough."""

import pytest

from benchmarks.search import smallest_passing


@pytest.mark.parametrize("hint", [1, 3, 37, 38, 64, 100])
@pytest.mark.parametrize("threshold", [1, 2, 37, 100])
def test_search_finds_the_smallest(hint, threshold):
    assert smallest_passing(lambda n: n >= threshold, hint=hint, most=100) == threshold


def test_search_with_the_right_hint_needs_two_calls():
    calls = []
    smallest_passing(lambda n: calls.append(n) or n >= 50, hint=50, most=100)
    assert calls == [50, 49]


def test_search_gives_up():
    assert smallest_passing(lambda n: False, hint=8, most=100) is None
    assert smallest_passing(lambda n: n > 20, hint=8, most=100, exhausted=lambda: True) is None


def test_search_may_stop_early():
    calls = []
    found = smallest_passing(lambda n: calls.append(n) or n >= 700, hint=8, most=1000, slack=0.05)
    assert 700 <= found <= 735
    assert len(calls) < 15
