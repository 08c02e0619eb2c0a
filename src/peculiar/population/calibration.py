"""Whether p-values are what they should be: as many small ones as ordinary objects would have, or more."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats

LEVELS = (0.1, 0.01, 1e-3, 1e-4)

CALIBRATION = np.dtype([("p", np.float64), ("expected", np.float64), ("seen", np.int64)])


def count_small(log_p: Floats) -> NDArray[np.void]:
    """How many p-values lie below some levels, and how many would if every object were ordinary.

    Parameters
    ----------
    log_p : ndarray of shape (n,)
        Their logarithms. Rows with nothing observed, whose p-value is exactly 1, count like the others.

    Returns
    -------
    ndarray of dtype CALIBRATION
        A line for each level.

    Examples
    --------
    >>> count_small(np.log([1e-5, 0.05, 0.2, 0.7])).tolist()
    [(0.1, 0.4, 2), (0.01, 0.04, 1), (0.001, 0.004, 1), (0.0001, 0.0004, 1)]
    """
    return calibration_table(counts_up_to_levels(log_p))


def counts_up_to_levels(log_p: Floats) -> Floats:
    """How many p-values there are, and how many lie below each level. Those of parts of a table can be added."""
    return np.array(
        [len(log_p), *(np.count_nonzero(log_p <= np.log(level)) for level in LEVELS)],
        dtype=np.float64,
    )


def calibration_table(counts: Floats) -> NDArray[np.void]:
    """These counts as a table."""
    table = np.zeros(len(LEVELS), dtype=CALIBRATION)
    table["p"] = LEVELS
    table["expected"] = counts[0] * table["p"]
    table["seen"] = counts[1:]
    return table
