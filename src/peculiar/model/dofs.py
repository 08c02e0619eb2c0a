"""The equation for the degrees of freedom of a component, and its solution.

    log(dof/2) + 1 - digamma(dof/2) + (sum q E[log u] - sum q E[u]) / sum q = 0

The left side falls in dof from infinity to the (negative) surplus; there is no root only when u is 1 throughout.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike
from scipy.special import polygamma

from peculiar.arrays import Floats

LEAST_DOF, GREATEST_DOF = 0.1, 1e6
"""Range of an estimated dof. Beyond 1e6 a t cannot be told from a Gaussian."""

START_DOF = 10.0


def solve_dofs(excess: Floats) -> Floats:
    """Roots of log(dof/2) - digamma(dof/2) = excess, held in the allowed range; inf where excess <= 0.

    Parameters
    ----------
    excess : ndarray
        Mean of E[u] - E[log u] - 1, which is not negative.

    Returns
    -------
    ndarray

    Examples
    --------
    >>> import numpy as np
    >>> from scipy.special import digamma
    >>> float(solve_dofs(np.array([np.log(2.5) - digamma(2.5)]))[0])
    5.0
    """
    least, greatest = 0.5 * LEAST_DOF, 0.5 * GREATEST_DOF
    wanted = np.clip(excess, log_minus_digamma(greatest), log_minus_digamma(least))
    # log x - digamma(x) is close to 1 / (2 x) + 1 / (12 x^2)
    x = (1.0 + np.sqrt(1.0 + 4.0 * wanted / 3.0)) / (4.0 * wanted)
    for _ in range(20):
        reached = log_minus_digamma(x)
        slope = 1.0 - x * polygamma(1, x)  # negative
        # Newton in logarithms: between 1 / (2 x) and 1 / x the curve is almost a straight line there
        step = np.log(wanted / reached) * reached / slope
        x = np.clip(x * np.exp(step), least, greatest)
        if np.all(np.abs(step) < 1e-7):  # the next would be its square
            break
    return np.where(excess > 0.0, 2.0 * x, np.inf)


def log_minus_digamma(x: ArrayLike) -> Floats:
    """log(x) - digamma(x), about 1 / (2 x) for large x, where the two logarithms would cancel.

    By the asymptotic series from 12 on, and from there downwards by digamma(x + 1) = digamma(x) + 1 / x.

    Parameters
    ----------
    x : array-like
        Positive.

    Returns
    -------
    ndarray
    """
    small = np.asarray(x, dtype=np.float64)
    n_up = np.maximum(np.ceil(12.0 - small), 0.0)
    steps = np.arange(12.0)
    shift = np.where(steps < n_up[..., None], 1.0 / (small[..., None] + steps), 0.0).sum(axis=-1)
    large = small + n_up
    r = 1.0 / np.square(large)
    series = r * (
        1 / 12 - r * (1 / 120 - r * (1 / 252 - r * (1 / 240 - r * (1 / 132 - r * 691 / 32760))))
    )
    result: Floats = 0.5 / large + series + shift - np.log1p(n_up / small)
    return result
