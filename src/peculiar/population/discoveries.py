"""Which objects to believe: control of the false-discovery rate."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats
from peculiar.errors import SettingError

METHODS = ("bh", "storey", "bayes")
"""Ways to control the false-discovery rate."""

STOREY_LAMBDA = 0.5
"""P-values above this are taken to belong to ordinary objects, whose p-values are uniform."""

LEAST_ORDINARY = 2.0**-53
"""A probability of being ordinary is one minus another probability, and nobody knows it better than that."""


class Discoveries(NamedTuple):
    """Objects believed to be outliers.

    Attributes
    ----------
    mask : ndarray of bool of shape (n,)
        True for the discoveries.
    threshold : float
        Largest p-value ("bh", "storey"), or smallest outlier probability ("bayes"), of a discovery. If there is no
        discovery, the value that the most extreme object would have needed.
    q_values : ndarray of shape (n,)
        The smallest false-discovery rate at which each object is a discovery.
    method : str
    """

    mask: NDArray[np.bool_]
    threshold: float
    q_values: Floats
    method: str


def check_method(method: str) -> str:
    """The method, if it is one of ``METHODS``; else SettingError."""
    if method not in METHODS:
        names = ", ".join(repr(name) for name in METHODS)
        raise SettingError(f"method={method!r} is unknown; choose one of {names}")
    return method


def by_p_values(p: Floats, fdr: float, method: str = "bh") -> Discoveries:
    """Discoveries by Benjamini and Hochberg's step-up rule, or by Storey's, which also estimates the ordinary share.

    Parameters
    ----------
    p : ndarray of shape (n,)
    fdr : float
        Accepted false-discovery rate.
    method : {"bh", "storey"}

    Returns
    -------
    Discoveries

    Examples
    --------
    >>> import numpy as np
    >>> found = by_p_values(np.array([1e-6, 0.004, 0.2, 0.5, 0.9]), fdr=0.05)
    >>> found.mask, found.threshold
    (array([ True,  True, False, False, False]), 0.004)
    """
    share = ordinary_share(p) if method == "storey" else 1.0
    q_values = np.minimum(share * adjusted(p), 1.0)
    mask = q_values <= fdr
    least = fdr / (share * max(len(p), 1))  # what one object alone would need
    return Discoveries(mask, float(p[mask].max()) if mask.any() else least, q_values, method)


def adjusted(p: Floats) -> Floats:
    """The smallest rate at which Benjamini and Hochberg's rule takes each p-value: min over j >= i of n p_(j) / j.

    As ``scipy.stats.false_discovery_control``, whose package would take longer to load than a small catalogue to judge.

    Parameters
    ----------
    p : ndarray of shape (n,)

    Returns
    -------
    ndarray of shape (n,)

    Examples
    --------
    >>> import numpy as np
    >>> adjusted(np.array([0.5, 0.6, 0.1, 0.001]))
    array([0.6  , 0.6  , 0.2  , 0.004])
    """
    n, order = len(p), np.argsort(p)
    scaled = p[order] * (n / np.arange(1.0, n + 1.0))
    q_values = np.empty(n)
    q_values[order] = np.minimum.accumulate(scaled[::-1])[::-1]
    return np.minimum(q_values, 1.0)


def greatest_p(p: Floats, found: Discoveries, fdr: float) -> float:
    """The p-value up to which an object would be a discovery beside those that were found.

    Benjamini and Hochberg's line: with R discoveries among n objects it is at R fdr / n, at or above the largest of
    their p-values. With "bayes", which draws no line in p, it is the largest p-value of a discovery.

    Parameters
    ----------
    p : ndarray of shape (n,)
    found : Discoveries
        Among these p-values.
    fdr : float
        The rate at which they were found.

    Returns
    -------
    float
        With no discovery at all, what one object alone would need.

    Examples
    --------
    >>> import numpy as np
    >>> p = np.array([1e-6, 0.004, 0.2, 0.5, 0.9])
    >>> greatest_p(p, by_p_values(p, fdr=0.05), fdr=0.05)
    0.02
    """
    if found.method == "bayes" and found.mask.any():
        return max(float(p[found.mask].max()), np.finfo(float).tiny)
    share = ordinary_share(p) if found.method == "storey" else 1.0
    return greatest_beside(int(np.count_nonzero(found.mask)), len(p), share, fdr)


def greatest_beside(n_found: int, n: int, share: float, fdr: float) -> float:
    """The same, known how many were found among n objects, and the share of ordinary ones that the method takes."""
    return float(min(max(n_found, 1) * fdr / (share * max(n, 1)), 1.0))


def ordinary_share(p: Floats) -> float:
    """Share of ordinary objects, estimated from the number of large p-values (Storey, 2002); never above 1.

    Parameters
    ----------
    p : ndarray of shape (n,)

    Returns
    -------
    float
    """
    return ordinary_share_of(int(np.count_nonzero(p > STOREY_LAMBDA)), len(p))


def ordinary_share_of(n_large: int, n: int) -> float:
    """The same, known how many of n p-values are above ``STOREY_LAMBDA``."""
    return float(min(1.0, (n_large + 1.0) / ((1.0 - STOREY_LAMBDA) * max(n, 1))))


def ordinary_probability(outlier_probability: Floats) -> Floats:
    """The probability of being ordinary, never below ``LEAST_ORDINARY``: no object is an outlier for certain.

    Parameters
    ----------
    outlier_probability : ndarray of shape (n,)

    Returns
    -------
    ndarray of shape (n,)

    Examples
    --------
    >>> import numpy as np
    >>> ordinary_probability(np.array([0.75, 1.0]))
    array([2.5e-01, 1.1e-16])
    """
    return np.maximum(1.0 - outlier_probability, LEAST_ORDINARY)


def by_probabilities(outlier_probability: Floats, fdr: float) -> Discoveries:
    """The most probable outliers, as long as the mean probability of being ordinary among them is at most ``fdr``.

    Parameters
    ----------
    outlier_probability : ndarray of shape (n,)
    fdr : float

    Returns
    -------
    Discoveries

    Examples
    --------
    >>> import numpy as np
    >>> found = by_probabilities(np.array([0.99, 0.9, 0.5, 0.01]), fdr=0.1)
    >>> found.mask, found.threshold
    (array([ True,  True, False, False]), 0.9)
    """
    n = len(outlier_probability)
    order = np.argsort(-outlier_probability, kind="stable")
    ordered = outlier_probability[order]
    means = np.cumsum(ordinary_probability(ordered)) / np.arange(1, n + 1)  # they rise
    last = np.searchsorted(-ordered, -ordered, side="right") - 1  # equal ones go together
    q_values = np.empty(n)
    q_values[order] = means[last]
    mask = q_values <= fdr
    threshold = float(outlier_probability[mask].min()) if mask.any() else 1.0 - fdr
    return Discoveries(mask, threshold, q_values, "bayes")
