"""The arithmetic, and the meter."""

import math

import numpy as np
import pytest

from benchmarks.bars import Bar
from benchmarks.costs import log_log_slope, per_million_pairs, ratio
from benchmarks.meter import Cost, peak_mb, timed
from benchmarks.scaling import slope_bars, sweeps


def test_slope_of_a_power_law():
    sizes = [10.0, 100.0, 1000.0]
    assert log_log_slope(sizes, [3.0 * n**1.25 for n in sizes]) == pytest.approx(1.25)


@pytest.mark.parametrize("costs", [[1.0], [1.0, -0.1]])
def test_no_slope_without_two_costs(costs):
    assert math.isnan(log_log_slope([1.0, 2.0][: len(costs)], costs))


def test_ratio_and_units():
    assert ratio(1.0, 4.0) == 0.25
    assert math.isnan(ratio(None, 4.0))
    assert math.isnan(ratio(1.0, None))
    assert per_million_pairs(2.0, 500_000) == 4.0


def test_costs_subtract_and_divide():
    assert Cost(5.0, 9.0).minus(Cost(1.0, 1.0)).over(4) == Cost(1.0, 2.0)


def test_meter_sees_work_and_memory():
    size = 4_000_000
    array, cost = timed(lambda: np.ones(size))
    assert cost.cpu >= 0.0
    assert cost.wall > 0.0
    assert peak_mb() > array.nbytes / 1e6


@pytest.mark.parametrize(
    ("bar", "verdict"),
    [
        (Bar("ratio", 0.3, 0.3), "pass"),
        (Bar("ratio", 0.3, 0.31), "short"),
        (Bar("speed", 1.8, 1.9, at_least=True), "pass"),
        (Bar("speed", 1.8, 1.7, at_least=True), "short"),
        (Bar("ratio", 0.3, math.nan), "not measured"),
    ],
)
def test_verdicts(bar, verdict):
    assert bar.row()["verdict"] == verdict


def test_slope_bars_come_from_the_points():
    rows = [
        {"contender": "peculiar_exact", "axis": "N", "N": n, "K": 5, "d": 4, "cpu": 1e-6 * n}
        for n in (1_000, 10_000)
    ]
    found = {row["bar"]: row for row in slope_bars(rows)}
    exact = found["log-log slope of cost in N, 1,000 to 10,000, exact"]
    assert exact["measured"] == pytest.approx(1.0)
    assert sum(row["verdict"] == "not measured" for row in found.values()) == 3


def test_full_sweeps_cover_the_bars():
    axes = sweeps(quick=False)
    assert [s.n for s in axes["N"]][:: len(axes["N"]) - 1] == [10_000, 1_000_000]
    assert [s.k for s in axes["K"]][:: len(axes["K"]) - 1] == [2, 32]
