"""What each number of components costs, in units that can be compared."""

from __future__ import annotations

from typing import Any

from peculiar.arrays import Floats

CRITERIA = {
    "message_length": ("message length", 1.0),
    "bic": ("BIC / 2", 0.5),
    "icl": ("ICL / 2", 0.5),
}
"""Columns of ``selection_``: their names in words, and what makes nats of them."""


def costs_above_least(table: Any, criterion: str) -> Floats:
    """Nats by which a number of components costs more than the cheapest.

    Parameters
    ----------
    table : structured ndarray
        ``RobustMixture.selection_``.
    criterion : {"message_length", "bic", "icl"}

    Returns
    -------
    ndarray
        For each line of the table.

    Examples
    --------
    >>> import numpy as np
    >>> table = np.array(
    ...     [(1, 250.0), (2, 230.0), (3, 236.0)], dtype=[("n_components", int), ("bic", float)]
    ... )
    >>> costs_above_least(table, "bic")
    array([10.,  0.,  3.])
    """
    nats = table[criterion] * CRITERIA[criterion][1]
    above: Floats = nats - nats.min()
    return above
