"""One contender, one task, one process: ``python -m benchmarks.worker CONTENDER --spec task.json``.

The last line printed holds the results, one for each problem of the task, in JSON. This runs in the peers' venv too:
besides the contender's own file it needs NumPy only.
"""

from __future__ import annotations

import argparse
import functools
import importlib
import json
import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

from benchmarks.contenders import CONTENDERS
from benchmarks.meter import MB, Cost, peak_mb, timed
from benchmarks.problems import Mixture, Problem, load_problem, save_mixture
from benchmarks.reference_loglik import judged
from benchmarks.search import smallest_passing

Fit = Callable[[Problem, int], Mixture]

MOST_ITERATIONS = 64
SLOW = 1.0
"""Seconds beside which what comes with a first call is small."""


def measure_cost(
    fit: Fit, problem: Problem, *, iterations: int, long_enough: float, budget: float, out: str
) -> dict[str, Any]:
    """Cost of one iteration: what many cost more than one, so that set-up cancels.

    Differences shorter than ``long_enough`` seconds drown in the noise of set-up, so many are as many as take that
    long. Repeated until ``budget`` seconds are spent; the least counts. The parameters after ``iterations`` are written
    to ``out``, to be judged by somebody else.
    """
    before = peak_mb()
    _, one = timed(lambda: fit(problem, 1))  # loads or compiles whatever comes with the first call
    if one.wall < SLOW:
        _, one = timed(lambda: fit(problem, 1))
    mixture, many = timed(lambda: fit(problem, iterations))
    peak = peak_mb()
    if out:
        save_mixture(Path(out), mixture)

    count = _enough(iterations, many.minus(one).over(iterations - 1), long_enough)
    ones, manys = [one], [many] if count == iterations else []
    spent = one.wall + many.wall
    while not manys or spent < budget:
        ones.append(timed(lambda: fit(problem, 1))[1])
        manys.append(timed(lambda: fit(problem, count))[1])
        spent += ones[-1].wall + manys[-1].wall
    cost = _least(manys).minus(_least(ones)).over(count - 1)
    return {
        "cpu": cost.cpu,
        "wall": cost.wall,
        "peak_mb": peak,
        "fit_mb": peak - before,
        "input_mb": problem.input_bytes / MB,
        "repeats": len(manys),
    }


def _enough(iterations: int, one: Cost, long_enough: float) -> int:
    """As many iterations as take long enough to be timed."""
    if one.cpu <= 0.0:
        return MOST_ITERATIONS
    return max(iterations, min(MOST_ITERATIONS, 1 + math.ceil(long_enough / one.cpu)))


def _least(costs: list[Cost]) -> Cost:
    return Cost(min(c.cpu for c in costs), min(c.wall for c in costs))


def solve(
    fit: Fit,
    problem: Problem,
    *,
    best: float | None,
    near: float,
    hint: int,
    most: int,
    budget: float,
) -> dict[str, Any]:
    """Cost of the shortest run that comes near the best log-likelihood, found by trying.

    Without a best, it is what twice the most iterations reach.
    """
    fit(problem, 1)  # loads or compiles whatever comes with the first call
    trials: dict[int, tuple[float, Cost]] = {}

    def reached_by(count: int) -> float:
        mixture, cost = timed(lambda: fit(problem, count))
        loglik = judged(problem, mixture, len(problem.x))
        trials[count] = loglik, cost
        return loglik

    if best is None:
        best = judged(problem, fit(problem, 2 * most), len(problem.x))
    target = best - near

    def exhausted() -> bool:
        return sum(cost.wall for _, cost in trials.values()) > budget

    found = smallest_passing(
        lambda count: reached_by(count) >= target,
        hint=hint,
        most=most,
        slack=0.03,
        exhausted=exhausted,
    )
    count = found or max(trials)
    again = [timed(lambda: fit(problem, count))[1] for _ in range(2) if not exhausted()]
    cost = _least([trials[count][1], *again])
    return {
        "iterations": count,
        "reached": found is not None,
        "cpu": cost.cpu,
        "wall": cost.wall,
        "loglik": max(loglik for loglik, _ in trials.values()),
        "best": best,
    }


def first_fit(fit: Fit, problem: Problem) -> dict[str, Any]:
    """What the first fit of a process costs more than the second: compilation, or loading it from disk."""
    first, second = (timed(lambda: fit(problem, 1))[1] for _ in range(2))
    extra = first.minus(second)
    return {"cpu": extra.cpu, "wall": extra.wall}


def measure_memory(fit: Fit, problem: Problem) -> dict[str, Any]:
    """Peak memory of a process that fits, its libraries and its input included."""
    fit(problem, 2)
    return {"peak_mb": peak_mb(), "input_mb": problem.input_bytes / MB}


TASKS: dict[str, Callable[..., dict[str, Any]]] = {
    "cost": measure_cost,
    "solve": solve,
    "first_fit": first_fit,
    "memory": measure_memory,
}


def main() -> None:
    """Read the task, do it, print the result."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.worker")
    parser.add_argument("contender", choices=sorted(CONTENDERS))
    parser.add_argument("--spec", type=Path, required=True)
    options = parser.parse_args()
    contender = CONTENDERS[options.contender]
    spec = json.loads(options.spec.read_text())
    module = importlib.import_module(f"benchmarks.contenders.{contender.module}")
    fit = functools.partial(getattr(module, contender.function), **spec["settings"])
    task = functools.partial(TASKS[spec["task"]], fit, **spec["arguments"])
    print(json.dumps([task(load_problem(Path(folder))) for folder in spec["problems"]]))


if __name__ == "__main__":
    main()
