"""How far a list can be trusted: p-values, calibration, pulls, convergence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats
from peculiar.population.calibration import count_small
from peculiar.population.certificate import ALPHA, multiplier
from peculiar.population.discoveries import ordinary_share

if TYPE_CHECKING:
    from peculiar.estimators.plain import PlainMixture

KEPT = 0.2
"""P-values below this are kept one by one: no discovery at a rate up to this has a larger one."""

N_BINS = 50
"""Of the histogram of p-values, from 0 to 1."""

N_NOISE = 5
"""Classes of noise, from the best measured fifth of the objects to the worst."""

LEVEL = 0.1
"""The p-value that a tenth of the ordinary objects is below, whatever their noise."""

_CANCELS = 0.999
"""A clean value whose error is nearly that of the measurement says nothing about a pull."""


@dataclass(frozen=True, eq=False)
class Pulls:
    """How far measurements are from their clean values, in units of what is expected: 0 and 1 if errors are right.

    Attributes
    ----------
    n : ndarray of int of shape (d,)
        Objects from which each feature's pulls are known.
    percentiles : ndarray of shape (d, 5)
        At 2.5, 16, 50, 84 and 97.5 per cent: -1.96, -0.99, 0, 0.99 and 1.96 for a normal distribution.
    """

    n: NDArray[np.int64]
    percentiles: Floats


@dataclass(frozen=True, eq=False)
class NoiseClasses:
    """How many p-values are up to 0.1 among objects with small and with large errors: a tenth, if all is well.

    Attributes
    ----------
    noise : ndarray of shape (5,)
        Median error in each class, in units of the spread of the features.
    n, seen : ndarray of int of shape (5,)
        Objects, and those among them with a p-value of at most 0.1.
    """

    noise: Floats
    n: NDArray[np.int64]
    seen: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Trust:
    """What speaks for and against a list.

    Attributes
    ----------
    n : int
        Objects that were judged.
    log_p : ndarray
        Logarithms of all p-values below 0.2, ascending; log(1e-308) where the list says 0.
    histogram : ndarray of int of shape (50,)
        Of all p-values, from 0 to 1.
    fdr : float
        The rate of the list.
    method : str
        "bh", "storey" or "bayes".
    share : float
        Storey's share of ordinary objects, if the method is "storey"; else 1.
    alpha, multiplier : float
        Of the certificate (:func:`peculiar.population.certificate.certificate`).
    honesty : str
        How many small p-values were expected and seen, in a line.
    noise : NoiseClasses or None
    pulls : Pulls or None
    bounds : ndarray or None
        Mean log-likelihood after each iteration of the fit; None without a model.
    has_converged : bool or None
    """

    n: int
    log_p: Floats
    histogram: NDArray[np.int64]
    fdr: float
    method: str
    share: float
    alpha: float
    multiplier: float
    honesty: str
    noise: NoiseClasses | None
    pulls: Pulls | None
    bounds: Floats | None
    has_converged: bool | None

    @classmethod
    def of(
        cls,
        p: Floats,
        rate: tuple[float, str],
        noise: NoiseClasses | None,
        pulls: Pulls | None,
        model: PlainMixture | None,
    ) -> Trust:
        """From the p-values of all objects.

        Parameters
        ----------
        p : ndarray of shape (n,)
        rate : (float, str)
            False-discovery rate and method of the list.
        noise, pulls : optional
        model : PlainMixture, optional
        """
        log_p = safe_log(p)
        histogram, _ = np.histogram(p, bins=N_BINS, range=(0.0, 1.0))
        fdr, method = rate
        bounds = getattr(model, "lower_bounds_", None)
        return cls(
            len(p),
            np.sort(log_p[p < KEPT]),
            histogram.astype(np.int64),
            fdr,
            method,
            ordinary_share(p) if method == "storey" else 1.0,
            ALPHA,
            multiplier(ALPHA),
            honesty(log_p),
            noise,
            pulls,
            None if bounds is None else np.asarray(bounds, dtype=np.float64),
            getattr(model, "converged_", None),
        )


def safe_log(p: Floats) -> Floats:
    """Logarithm of p-values; log(1e-308) for 0, which says that it is smaller than a number can be."""
    return np.log(np.maximum(p, 1e-308))


def honesty(log_p: Floats) -> str:
    """Whether p-values are what they should be, in a line.

    Examples
    --------
    >>> honesty(np.log([1e-5, 0.05, 0.2, 0.7]))[:61]
    'p-values up to 0.1, 0.01, 0.001, 0.0001: 0.4, 0.04, 0.004, 0.'
    """
    table = count_small(log_p)
    levels, expected, seen = (
        ", ".join(f"{number:,.3g}" if number < 1000 else f"{number:,.0f}" for number in table[name])
        for name in ("p", "expected", "seen")
    )
    return f"p-values up to {levels}: {expected} expected if all were ordinary, {seen} seen."


def rate_of(meta: Mapping[str, Any]) -> tuple[float, str]:
    """False-discovery rate and method of a list, from its metadata; 0.05 and "bh" if they do not say.

    Examples
    --------
    >>> rate_of({"FDR": "0.1 (storey): 12 discoveries"}), rate_of({})
    ((0.1, 'storey'), (0.05, 'bh'))
    """
    said = re.match(r"([0-9.eE+-]+) \((bh|storey|bayes)\)", str(meta.get("FDR", "")))
    return (float(said[1]), said[2]) if said else (0.05, "bh")


def noise_classes(p: Floats, errors: Floats, spread: Floats) -> NoiseClasses | None:
    """Objects in five classes of noise; None if all objects have the same errors, or none.

    Parameters
    ----------
    p : ndarray of shape (n,)
    errors : ndarray of shape (n, d)
        NaN where a feature is missing.
    spread : ndarray of shape (d,)
        Of the features.
    """
    size = _root_mean_square(errors / spread)
    known = np.flatnonzero(np.isfinite(size))
    if known.size < N_NOISE or np.ptp(size[known]) == 0.0:
        return None
    order = known[np.argsort(size[known], kind="stable")]
    classes = np.array_split(order, N_NOISE)
    return NoiseClasses(
        np.array([np.median(size[rows]) for rows in classes]),
        np.array([len(rows) for rows in classes]),
        np.array([np.count_nonzero(p[rows] <= LEVEL) for rows in classes]),
    )


def _root_mean_square(relative: Floats) -> Floats:
    known = np.count_nonzero(~np.isnan(relative), axis=1)
    total = np.nansum(np.square(relative), axis=1)
    return np.where(known > 0, np.sqrt(total / np.maximum(known, 1)), np.nan)


def find_pulls(values: Floats, errors: Floats, clean: Floats, clean_errors: Floats) -> Pulls | None:
    """Pulls of each feature; None if no object has errors.

    For a normal population the measurement less its clean value has the variance of the error less that of the clean
    value: if S is the covariance of the errors and T that of the measurements, x - w = S T^-1 (x - mu), of covariance
    S T^-1 S, and the clean value has S - S T^-1 S.

    Parameters
    ----------
    values, errors, clean, clean_errors : ndarray of shape (n, d)
    """
    d = values.shape[1]
    n, percentiles = np.zeros(d, dtype=np.int64), np.full((d, 5), np.nan)
    for j in range(d):
        error, left = errors[:, j], clean_errors[:, j]
        known = np.isfinite(values[:, j] - clean[:, j]) & (error > 0.0) & (left < _CANCELS * error)
        n[j] = np.count_nonzero(known)
        if n[j]:
            gap = values[known, j] - clean[known, j]
            pull = gap / np.sqrt(np.square(error[known]) - np.square(left[known]))
            percentiles[j] = np.percentile(pull, [2.5, 16.0, 50.0, 84.0, 97.5])
    return Pulls(n, percentiles) if n.any() else None
