"""Why one object is strange, feature by feature."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.errors import InputError
from peculiar.observations import Observations, errors_of_feature
from peculiar.report.asking import ask


class Reason(NamedTuple):
    """How surprising each feature of one object is, given the others.

    Attributes
    ----------
    surprise : ndarray of shape (d,)
        -log p(x_i | all other features), each feature in units of the population's spread; minus infinity where it is
        missing.
    sign : ndarray of int of shape (d,)
        1 where the value is too high, given the other features, -1 where it is too low, 0 where it is missing.
    values, errors : ndarray of shape (d,)
        As measured.
    feature_names : tuple of str
    p_value : float
    """

    surprise: Floats
    sign: Ints
    values: Floats
    errors: Floats
    feature_names: tuple[str, ...]
    p_value: float


def reason(model: Any, X: Any, X_std: Any = None, X_cov: Any = None, *, row: int = 0) -> Reason:
    """The reason why one object of a table is strange.

    Parameters
    ----------
    model : OutlierDetector or RobustMixture
        Fitted.
    X, X_std, X_cov
        As for :meth:`OutlierDetector.fit`.
    row : int, default=0
        Which object.

    Returns
    -------
    Reason
    """
    asked = ask(model, X, X_std, X_cov)
    one = asked.obs.take(np.array([_check_row(row, asked.obs.n_rows)]))
    because = asked.population.explain(one)
    return Reason(
        surprise=because.surprise[0],
        sign=because.sign[0],
        values=one.values[0],
        errors=_errors(one),
        feature_names=asked.names,
        p_value=float(np.exp(asked.population.tail(one).log_p[0])),
    )


def _check_row(row: int, n_rows: int) -> int:
    if not -n_rows <= row < n_rows:
        raise InputError(f"row={row}: the table has {n_rows} rows, from 0 to {n_rows - 1}")
    return row % n_rows


def _errors(one: Observations) -> Floats:
    columns = [errors_of_feature(one.noise, j)[0] for j in range(one.n_features)]
    return np.array(columns, dtype=np.float64)
