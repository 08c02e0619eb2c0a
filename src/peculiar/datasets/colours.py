"""A simulated catalogue of colours, like those of a photometric survey."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats, Ints

FEATURES = ("u-r", "g-r", "i-r", "z-r")

# Three populations: share, colours, and the scatter of u, g, i, z about them (correlated through the slope
# of the spectrum: bands on the same side of r move together).
_SHARES = np.array([0.55, 0.30, 0.15])
_COLOURS = np.array([[0.4, 0.15, -0.15, -0.2], [1.5, 0.55, -0.25, -0.45], [2.6, 1.35, -0.75, -1.3]])
_SCATTERS = np.array([[0.12, 0.07, 0.05, 0.07], [0.16, 0.08, 0.06, 0.08], [0.2, 0.1, 0.09, 0.14]])
_CORRELATION = np.array(
    [[1.0, 0.7, -0.4, -0.4], [0.7, 1.0, -0.5, -0.5], [-0.4, -0.5, 1.0, 0.8], [-0.4, -0.5, 0.8, 1.0]]
)
# Error of each band against that of r; the share of objects seen in bad nights, and how much worse those are.
_BAND_ERRORS = np.array([2.2, 1.0, 1.1, 2.0])
_BAD_SHARE, _BAD_FACTOR = 0.1, 4.0
# How far a peculiar object is from the nearest population, in standard deviations.
_NEAREST, _FARTHEST = 7.0, 15.0


@dataclass(frozen=True)
class Colours:
    """A catalogue of colours relative to r, with the truth about every object.

    Attributes
    ----------
    X : ndarray of shape (n, 4)
        Measured colours u-r, g-r, i-r, z-r; NaN where a band is missing.
    X_cov : ndarray of shape (n, 4, 4)
        Their error covariances: all four colours share the error of r.
    clean : ndarray of shape (n, 4)
        Colours without errors.
    r_mag : ndarray of shape (n,)
        Brightness; faint objects (large r) have large errors.
    population : ndarray of shape (n,)
        0, 1 or 2; -1 for a planted peculiar object.
    names : ndarray of shape (n,)
        A name for every object.
    feature_names : tuple of str
    """

    X: Floats
    X_cov: Floats
    clean: Floats
    r_mag: Floats
    population: Ints
    names: NDArray[np.str_]
    feature_names: tuple[str, ...] = FEATURES

    @property
    def is_peculiar(self) -> NDArray[np.bool_]:
        """Which objects were planted."""
        return self.population < 0


def make_colours(
    n_objects: int = 3000,
    *,
    n_peculiar: int = 30,
    missing_fraction: float = 0.03,
    random_state: int | np.random.Generator | None = None,
) -> Colours:
    """Simulate colours of three populations, with some peculiar objects among them.

    Errors grow with magnitude and differ by band; a tenth of the objects were seen in bad nights, with errors four
    times as large; colours share the error of the r band; some values are missing.

    Parameters
    ----------
    n_objects : int, default=3000
        Number of objects, peculiar ones included.
    n_peculiar : int, default=30
        Number of planted objects: their clean colours are 7 to 15 standard deviations from the nearest population.
    missing_fraction : float, default=0.03
        Share of colours that are missing.
    random_state : int, Generator or None, default=None
        Seed.

    Returns
    -------
    Colours

    Examples
    --------
    >>> from peculiar.datasets import make_colours
    >>> sky = make_colours(1000, n_peculiar=10, random_state=0)
    >>> sky.X.shape, sky.X_cov.shape, int(sky.is_peculiar.sum())
    ((1000, 4), (1000, 4, 4), 10)
    """
    if not 0 <= n_peculiar <= n_objects or n_objects < 1:
        raise ValueError(f"cannot plant {n_peculiar} peculiar objects among {n_objects}")
    if not 0 <= missing_fraction < 1:
        raise ValueError(f"missing_fraction must be in [0, 1), not {missing_fraction}")
    rng = np.random.default_rng(random_state)
    population = rng.choice(3, size=n_objects, p=_SHARES)
    population[rng.choice(n_objects, n_peculiar, replace=False)] = -1
    clean = np.empty((n_objects, 4))
    for k in range(3):
        clean[population == k] = rng.multivariate_normal(
            _COLOURS[k], _covariance(k), int((population == k).sum())
        )
    clean[population < 0] = _draw_peculiar(rng, n_peculiar)

    r_mag = 22.0 - rng.exponential(1.6, n_objects)
    r_error = np.clip(0.02 * 10 ** (0.3 * (r_mag - 19.5)), 0.01, 0.2)
    r_error *= np.where(rng.random(n_objects) < _BAD_SHARE, _BAD_FACTOR, 1.0)
    errors = r_error[:, None] * _BAND_ERRORS * rng.uniform(0.7, 1.3, (n_objects, 4))
    cov = np.square(errors)[:, :, None] * np.eye(4) + np.square(r_error)[:, None, None]
    shared = r_error[:, None] * rng.standard_normal((n_objects, 1))
    measured = clean + errors * rng.standard_normal((n_objects, 4)) + shared
    missing = rng.random((n_objects, 4)) < missing_fraction
    names = np.array([f"SIM{i:05d}" for i in range(n_objects)])
    return Colours(np.where(missing, np.nan, measured), cov, clean, r_mag, population, names)


def _covariance(k: int) -> Floats:
    return _CORRELATION * np.outer(_SCATTERS[k], _SCATTERS[k])


def _draw_peculiar(rng: np.random.Generator, n: int) -> Floats:
    """Colours in random directions from random populations, near to none."""
    factors = np.linalg.cholesky(np.array([_covariance(k) for k in range(3)]))
    inverses = np.linalg.inv(factors)
    found = np.empty((0, 4))
    while len(found) < n:
        origin = rng.choice(3, size=n)
        direction = rng.standard_normal((n, 4))
        direction *= rng.uniform(_NEAREST, _FARTHEST, (n, 1)) / np.linalg.norm(
            direction, axis=1, keepdims=True
        )
        trial = _COLOURS[origin] + np.einsum("nij,nj->ni", factors[origin], direction)
        white = np.einsum("kij,nkj->nki", inverses, trial[:, None, :] - _COLOURS)
        far = (np.linalg.norm(white, axis=2) >= _NEAREST).all(axis=1)
        found = np.concatenate([found, trial[far]])
    return found[:n]
