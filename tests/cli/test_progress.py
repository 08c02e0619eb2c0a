"""How long the rest takes is seen from the work that is being done, not from what was done before it."""

import math

import pytest

from peculiar.cli import progress


class Told(progress.Course):
    """Keeps the seconds that are left, as they are told."""

    seconds, guess = math.nan, ""

    def _show(self, text, done, total, seconds, guess="about"):
        self.seconds, self.guess = seconds, guess


@pytest.fixture
def clock(monkeypatch):
    now = [0.0]
    monkeypatch.setattr(progress.time, "monotonic", lambda: now[0])
    return now


def test_sorting_does_not_take_as_long_as_judging(clock):
    work = Told("judging")
    work.rows(0, 100)
    clock[0] = 36_000
    work.rows(100, 100)
    work.steps(0, 2, "counting")
    assert math.isnan(work.seconds)
    clock[0] += 10
    work.steps(1, 2, "sorting")
    assert work.seconds == pytest.approx(10)


def test_steps_of_an_earlier_run_took_no_time(clock):
    work = Told("writing")
    clock[0] = 1000
    work.steps(50, 100, "error tolerances, part 50 of 100")
    assert math.isnan(work.seconds)
    clock[0] += 2
    work.steps(51, 100, "error tolerances, part 51 of 100")
    assert work.seconds == pytest.approx(2 * 49)


def test_each_kind_of_work_has_a_clock(clock):
    work = Told("writing")
    work.steps(0, 3, "error tolerances")
    clock[0] = 600
    work.steps(3, 3, "error tolerances")
    for done, kind in ((10, work.rows), (20, work.tolerances), (5, work.rows)):
        kind(done, 100)
        assert math.isnan(work.seconds)
        clock[0] += 1
        kind(done + 1, 100)
        assert work.seconds == pytest.approx(99 - done)


def test_a_fit_does_not_take_as_long_as_the_search_before_it(clock):
    work = Told("fitting")
    work.aims_at(tol=1e-6, max_iter=100)
    for n_passes in range(600):
        work.on_pass(3, n_passes, -1.0)
        clock[0] += 1
    for iteration in range(1, 4):
        work.on_iteration(iteration, -1.0 - 0.5**iteration, 0.0)
        clock[0] += 1
    assert work.seconds <= 97


@pytest.mark.parametrize(("gain", "guess"), [(lambda i: 2.0**-i, "about"), (float, "at most")])
def test_what_only_the_limit_ends_takes_at_most_so_long(clock, gain, guess):
    """Gains that shrink show when they end; where they do not, all iterations may be needed."""
    work = Told("fitting")
    work.aims_at(tol=1e-9, max_iter=1000)
    bound = -10.0
    for iteration in range(1, 12):
        bound += gain(iteration)
        work.on_iteration(iteration, bound, gain(iteration))
        clock[0] += 1
    assert work.guess == guess
    assert work.seconds == pytest.approx(989) if guess == "at most" else work.seconds < 100
