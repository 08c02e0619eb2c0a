"""Fits that once fell off a cliff, against the same fits without what made them fall: DR3 quasars, K = 8."""

from __future__ import annotations

import time
import warnings
from collections.abc import Iterator
from typing import Any

import numpy as np

from benchmarks.tails import Rows
from peculiar import RobustMixture

CLIFF = 3.0
N_ROWS, ITERATIONS, REPEATS = 5_000, 100, 3


def cliffs(rows: Rows) -> Iterator[tuple[str, float]]:
    """What is hard, and the CPU time of an iteration in units of that of a fit without it."""
    some = {name: values[:N_ROWS] for name, values in rows.items()}
    plain = {**some}
    tripled = some | {"X_cov": 9.0 * some["X_cov"]}
    large = some["X_cov"].copy()
    large[::10, 0, :] *= 1e3
    large[::10, :, 0] *= 1e3
    cases: list[tuple[str, Rows, dict[str, Any], dict[str, Any]]] = [
        ("errors tripled, so that directions collapse", tripled, {}, {}),
        ("a dof of 1e8", plain, {"dof": 1e8}, {"dof": 1e6}),
        (
            "a tenth of the rows with an error of 1000 times its size",
            some | {"X_cov": large},
            {},
            {},
        ),
    ]
    for name, hard, settings, usual in cases:
        costs = [[], []]
        for turn in range(REPEATS + 1):
            for spent, given, chosen in ((costs[0], hard, settings), (costs[1], plain, usual)):
                seconds = _iteration(given, chosen)
                if turn > 0:  # the first may compile
                    spent.append(seconds)
        yield name, min(costs[0]) / min(costs[1])


def _iteration(rows: Rows, settings: dict[str, Any]) -> float:
    model = RobustMixture(8, **settings, tol=0.0, max_iter=ITERATIONS, random_state=0, n_jobs=1)
    with warnings.catch_warnings():
        warnings.simplefilter(
            "ignore"
        )  # that is what max_iter is for here, and scatters do collapse
        began = time.process_time()
        model.fit(**rows)
    return float((time.process_time() - began) / np.size(model.lower_bounds_))
