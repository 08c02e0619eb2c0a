"""From densities to responsibilities, and from rows to sums."""

from __future__ import annotations

import math
from typing import Any


def share_out(
    code: Any, n_results: int, n: Any, log_norm: Any, weight: Any, rows: Any, out: Any
) -> None:
    """Put the weighted responsibilities of some rows in the place of their log p(x | k), and log p(x) into ``rows[0]``.

    A row that is marked under any component is marked in ``rows[1]`` and gets no weight. ``rows[2]`` gains
    weight * log p(x).
    """
    largest, mark = _join(code, n_results, n, log_norm, out)
    total = code.cell(0.0)
    for k in code.loop(0, n):
        at = k * (n_results + 1)
        out[at] = code.exp(out[at] - largest)
        total.value = total.value + out[at]
    used = code.where(mark > 0.0, 0.0, weight[0])
    scale = used / total.value
    for k in code.loop(0, n):
        at = k * (n_results + 1)
        out[at] = out[at] * scale
    rows[0], rows[1] = largest + code.log(total.value), mark
    rows[2] = rows[2] + rows[0] * used


def log_responsibilities(
    code: Any, n_results: int, n: Any, log_norm: Any, rows: Any, out: Any
) -> None:
    """Put log p(k | x) of some rows in the place of log p(x | k), log p(x) into ``rows[0]``, marks into ``rows[1]``."""
    largest, mark = _join(code, n_results, n, log_norm, out)
    total = code.cell(0.0)
    for k in code.loop(0, n):
        total.value = total.value + code.exp(out[k * (n_results + 1)] - largest)
    log_prob = largest + code.log(total.value)
    for k in code.loop(0, n):
        at = k * (n_results + 1)
        out[at] = out[at] - log_prob
    rows[0], rows[1] = log_prob, mark


def _join(code: Any, n_results: int, n: Any, log_norm: Any, out: Any) -> tuple[Any, Any]:
    """Log p(x | k) becomes log p(x, k); the largest of a row, and whether it is marked."""
    largest, mark = code.cell(-math.inf), code.cell(0.0)
    for k in code.loop(0, n):
        at = k * (n_results + 1)
        out[at] = out[at] + log_norm[k]
        largest.value = code.maximum(out[at], largest.value)
        mark.value = code.maximum(out[at + n_results], mark.value)
    return largest.value, mark.value


def add_up(code: Any, n_results: int, n: Any, rows: list[Any], sums: Any) -> None:
    """Add all results of some components, each row by its share; lanes stay apart in ``sums``.

    ``rows`` are the parts of a block. Four sums go on at once: one alone would wait for each addition to finish.
    """
    for k in code.loop(0, n):
        first = k * (n_results + 1)
        _add(code, [out[first] for out in rows], k * n_results, sums)
        for m in code.loop(1, n_results):
            products = [out[first + m] * out[first] for out in rows]
            _add(code, products, k * n_results + m, sums)


def _add(code: Any, terms: list[Any], place: Any, sums: Any) -> None:
    partial = [sums[place], *(code.lanes(0.0) for _ in range(3))]
    for i, term in enumerate(terms):
        partial[i % 4] = term + partial[i % 4]
    sums[place] = (partial[0] + partial[1]) + (partial[2] + partial[3])
