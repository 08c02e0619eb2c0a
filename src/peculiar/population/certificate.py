"""A bound on the share of false discoveries that holds for every threshold at once."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from peculiar.arrays import Floats
from peculiar.errors import SettingError

ALPHA = 0.1
"""Probability, at most, that the bound fails at any threshold."""


def certificate(
    n: int, threshold: ArrayLike, n_found: ArrayLike, *, alpha: float = ALPHA
) -> Floats:
    """Upper bound on the share of ordinary objects among those with p-values up to a threshold.

    With probability ``1 - alpha`` it holds for all thresholds together, so the threshold may be chosen after looking
    at the list. A false-discovery rate holds on average, for a threshold that was chosen beforehand [1]_.

    Parameters
    ----------
    n : int
        Number of objects that were tested.
    threshold : array-like
        One or several p-values ``t``.
    n_found : array-like
        How many objects have a p-value of at most ``t``.
    alpha : float, default=0.1

    Returns
    -------
    ndarray
        ``min(1, c (1 + n t) / n_found)`` with ``c = log(1/alpha) / log(1 + log(1/alpha))``, 1.93 for 0.1;
        1 where nothing was found.

    Notes
    -----
    The p-values of ordinary objects must be independent. Those of a model that was fitted to the same rows are only
    nearly so.

    References
    ----------
    .. [1] E. Katsevich and A. Ramdas, "Simultaneous high-probability bounds on the false discovery proportion in
           structured, regression and online settings", Annals of Statistics 48, 3465 (2020).

    Examples
    --------
    Of 1,000 objects 30 have p < 0.001, and 120 have p < 0.05:

    >>> certificate(1000, [0.001, 0.05], [30, 120]).round(2)
    array([0.13, 0.82])
    """
    at_most = multiplier(alpha) * (1.0 + n * np.asarray(threshold, dtype=np.float64))
    share = at_most / np.maximum(n_found, 1)
    return np.asarray(np.minimum(share, 1.0), dtype=np.float64)


def certificates(log_p: Floats, *, alpha: float = ALPHA) -> Floats:
    """The bound with the threshold at each object: on the share of false ones among it and all that are stranger.

    Parameters
    ----------
    log_p : ndarray of shape (n,)
        Logarithms of the p-values of all objects that were tested.
    alpha : float, default=0.1

    Returns
    -------
    ndarray of shape (n,)

    Examples
    --------
    >>> certificates(np.log([1e-9, 0.4, 1e-8, 1e-8, 0.9])).round(2)
    array([1.  , 1.  , 0.64, 0.64, 1.  ])
    """
    n_found = np.searchsorted(np.sort(log_p), log_p, side="right")
    return certificate(len(log_p), np.exp(log_p), n_found, alpha=alpha)


def multiplier(alpha: float = ALPHA) -> float:
    """The factor ``c = log(1/alpha) / log(1 + log(1/alpha))`` of the bound: 1.93 for 0.1.

    Parameters
    ----------
    alpha : float
        Between 0 and 1.

    Returns
    -------
    float

    Examples
    --------
    >>> multiplier(0.1)
    1.927
    """
    if not 0.0 < alpha < 1.0:
        raise SettingError(
            f"alpha={alpha!r} is the probability that the bound fails: give a number between 0 and 1, such as 0.1"
        )
    doubt = math.log(1.0 / alpha)
    return doubt / math.log1p(doubt)
