"""What p-values cost, beside a pass that only scores."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from peculiar import RobustMixture
from peculiar.datasets import load_dr3_quasars
from peculiar.errors import MissingDataError

TAIL_COST = 100.0
REPEATS = 5


def quasar_p_values() -> float | None:
    """CPU time of the p-values of all DR3 quasars, in calls of ``score_samples``; None without the catalogue."""
    try:
        catalogue = load_dr3_quasars()
    except MissingDataError:
        return None
    rows: dict[str, Any] = {"X": catalogue.X, "X_cov": catalogue.X_cov}
    model = RobustMixture(3, wild_fraction="estimate", random_state=0, n_jobs=1).fit(**rows)
    score = _least_cpu(lambda: model.score_samples(**rows))
    return _least_cpu(lambda: model.tail_probabilities(**rows)) / score


def _least_cpu(work: Callable[[], Any]) -> float:
    """The least of several; the first call may compile."""
    work()
    seconds = []
    for _ in range(REPEATS):
        began = time.process_time()
        work()
        seconds.append(time.process_time() - began)
    return min(seconds)
