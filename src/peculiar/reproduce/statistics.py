"""How well outliers are ranked: areas, curves, and tests between methods."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any, NamedTuple

import numpy as np
from scipy.stats import ttest_rel
from sklearn.metrics import average_precision_score, roc_auc_score, roc_curve

from peculiar.arrays import Floats


def area(is_outlier: Any, strangeness: Any) -> float:
    """Area under the ROC curve: how often an outlier is ranked above an ordinary object.

    Parameters
    ----------
    is_outlier : array-like of bool
    strangeness : array-like of float
        High for objects that are thought to be outliers.

    Returns
    -------
    float

    Examples
    --------
    >>> area([True, False, False], [0.8, 0.9, 0.1])
    0.5
    """
    if np.ptp(np.asarray(is_outlier, dtype=np.int8)) == 0:
        raise ValueError("an area under the ROC curve needs both outliers and ordinary objects")
    return float(roc_auc_score(is_outlier, strangeness))


def average_precision(is_outlier: Any, strangeness: Any) -> float:
    """Share of outliers among the objects down to each of them in the list, on average: how good its top is.

    Parameters
    ----------
    is_outlier, strangeness
        As for :func:`area`.

    Returns
    -------
    float

    Examples
    --------
    >>> average_precision([True, False, True], [0.9, 0.8, 0.1]) == (1 + 2 / 3) / 2
    True
    """
    return float(average_precision_score(is_outlier, strangeness))


def true_positive_rates(is_outlier: Any, strangeness: Any, false_positive_rates: Floats) -> Floats:
    """The ROC curve at given false-positive rates; where it is vertical, its upper end.

    Examples
    --------
    >>> true_positive_rates([True, False, True], [3.0, 2.0, 1.0], np.array([0.0, 0.5, 1.0]))
    array([0.5, 0.5, 1. ])
    """
    x, y, _ = roc_curve(is_outlier, strangeness, drop_intermediate=False)
    last = np.searchsorted(x, false_positive_rates, side="right") - 1
    after = np.minimum(last + 1, len(x) - 1)
    width = x[after] - x[last]
    share = np.divide(
        false_positive_rates - x[last], width, out=np.zeros_like(width), where=width > 0
    )
    rates: Floats = y[last] + share * (y[after] - y[last])
    return rates


class Difference(NamedTuple):
    """Mean of paired differences, and the p-value of a two-sided paired t-test of whether it is 0."""

    mean: float
    p_value: float


def paired_difference(ours: Sequence[float], theirs: Sequence[float]) -> Difference:
    """How much larger the first values are than the second, pair by pair.

    Parameters
    ----------
    ours, theirs : sequence of float

    Returns
    -------
    Difference
        With one pair, or differences that are all equal, there is nothing to test: the p-value is then 1 if the
        differences are 0, and NaN otherwise.

    Examples
    --------
    >>> difference = paired_difference([0.9, 0.8, 0.95], [0.8, 0.75, 0.8])
    >>> round(difference.mean, 3), round(difference.p_value, 3)
    (0.1, 0.074)
    """
    differences = np.asarray(ours, dtype=np.float64) - np.asarray(theirs, dtype=np.float64)
    mean = float(differences.mean())
    if np.ptp(differences) == 0.0:
        return Difference(mean, 1.0 if mean == 0.0 else float("nan"))
    return Difference(mean, float(ttest_rel(ours, theirs).pvalue))


def standard_deviation(values: Floats) -> Floats:
    """Standard deviation along the last axis; NaN if there is only one value."""
    if values.shape[-1] < 2:
        return np.full(values.shape[:-1], np.nan)
    deviations: Floats = values.std(axis=-1, ddof=1)
    return deviations


def as_columns(axes: Mapping[str, Sequence[Any]], name: str, values: Floats) -> dict[str, Any]:
    """An array as a table with a line for each number, and a column for each of its axes.

    Examples
    --------
    >>> as_columns({"side": ["left", "right"], "i": range(2)}, "x", np.eye(2))
    {'side': ('left', 'left', 'right', 'right'), 'i': (0, 1, 0, 1), 'x': [1.0, 0.0, 0.0, 1.0]}
    """
    lines = zip(*product(*axes.values()), strict=True)
    return dict(zip(axes, lines, strict=True)) | {name: values.ravel().tolist()}
