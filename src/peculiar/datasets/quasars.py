"""The quasars of the third data release of the Sloan Digital Sky Survey."""

from __future__ import annotations

import csv
import gzip
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats, Ints
from peculiar.datasets.colours import FEATURES
from peculiar.datasets.sources import find_file
from peculiar.errors import MissingDataError

QUASAR_FILES = ("sdss_dr3_quasars.csv.gz", "SDSS_quasar.dat")
"""Names under which the quasars are looked for: a table with commas, or the one that is published."""

QUASAR_URL = "https://astrostatistics.psu.edu/datasets/SDSS_quasar.dat"

N_QUASARS = 46_420

USELESS_ERROR = 5.0
"""Magnitudes with an error this large say nothing."""

_BANDS = "ugriz"


@dataclass(frozen=True)
class Quasars:
    """Colours relative to r of quasars, with their errors.

    Attributes
    ----------
    X : ndarray of shape (n, 4)
        Colours u-r, g-r, i-r, z-r.
    X_cov : ndarray of shape (n, 4, 4)
        Their error covariances. All four share the error of r, so that they are correlated.
    redshift : ndarray of shape (n,)
    names : ndarray of shape (n,)
        SDSS designations.
    feature_names : tuple of str
    """

    X: Floats
    X_cov: Floats
    redshift: Floats
    names: NDArray[np.str_]
    feature_names: tuple[str, ...] = FEATURES

    def take(self, rows: Ints) -> Quasars:
        """The quasars in some of the rows.

        Parameters
        ----------
        rows : ndarray of int

        Returns
        -------
        Quasars
        """
        return Quasars(self.X[rows], self.X_cov[rows], self.redshift[rows], self.names[rows])


def load_dr3_quasars(*, keep_useless: bool = False) -> Quasars:
    """The quasars of the third data release of the Sloan Digital Sky Survey.

    46,420 objects with redshifts and magnitudes in u, g, r, i, z (Schneider et al. 2005, AJ 130, 367). The file is
    looked for in the folder that the environment variable ``PECULIAR_DATA`` names. Without that variable it is
    looked for in the user's cache (``$XDG_CACHE_HOME/peculiar`` or ``~/.cache/peculiar``), and fetched into it if it
    is not there.

    Parameters
    ----------
    keep_useless : bool, default=False
        Whether to keep the 5 objects that have an error of 5 mag or more in some band.

    Returns
    -------
    Quasars

    Raises
    ------
    MissingDataError
        The file is not found and cannot be fetched, or its content is not as expected.
    """
    path = find_file(QUASAR_FILES, QUASAR_URL)
    table = _read_columns(path)
    magnitudes = np.stack([_numbers(table, f"{band}_mag", path) for band in _BANDS], axis=1)
    errors = np.stack([_numbers(table, f"{band}_err", path) for band in _BANDS], axis=1)
    rows = (
        np.arange(len(errors))
        if keep_useless
        else np.flatnonzero((errors < USELESS_ERROR).all(axis=1))
    )
    values, covariances = colours(magnitudes[rows], errors[rows], reference=_BANDS.index("r"))
    names = np.array(table["name"])[rows]
    return Quasars(values, covariances, _numbers(table, "redshift", path)[rows], names)


def colours(magnitudes: Floats, errors: Floats, *, reference: int) -> tuple[Floats, Floats]:
    """Colours relative to one band, and the covariances of their errors.

    All colours share the error of that band: the covariance is diag(e_1^2, ...) + e_reference^2.

    Parameters
    ----------
    magnitudes, errors : ndarray of shape (n, b)
    reference : int

    Returns
    -------
    values : ndarray of shape (n, b - 1)
    covariances : ndarray of shape (n, b - 1, b - 1)

    Examples
    --------
    >>> import numpy as np
    >>> values, covariances = colours(
    ...     np.array([[5.0, 3.0, 4.0]]), np.array([[0.1, 0.2, 0.3]]), reference=1
    ... )
    >>> values
    array([[2., 1.]])
    >>> covariances.round(2)
    array([[[0.05, 0.04],
            [0.04, 0.13]]])
    """
    others = [band for band in range(magnitudes.shape[1]) if band != reference]
    values = magnitudes[:, others] - magnitudes[:, [reference]]
    variances = np.square(errors)
    own = variances[:, others, None] * np.eye(len(others))
    return values, own + variances[:, reference, None, None]


def _read_columns(path: Path) -> dict[str, tuple[str, ...]]:
    """Columns by name, in the names we use: separated by commas, or by spaces as published."""
    if path.suffix == ".gz":
        header, *rows = _read_compressed(path) or [[]]
    else:
        text = path.read_text(encoding="ascii", errors="replace")
        header, *rows = [line.split() for line in text.splitlines() if line.strip()] or [[]]
        published = {f"sig_{band}": f"{band}_err" for band in _BANDS} | {"z": "redshift"}
        header = ["name", *(published.get(column, column) for column in header[1:])]
    wrong = [number for number, row in enumerate(rows, 2) if len(row) != len(header)]
    if wrong or len(rows) != N_QUASARS:
        raise MissingDataError(
            f"{path} has {len(rows)} rows, {len(wrong)} of them cut off; it must have {N_QUASARS}. Delete it, and "
            "fetch it again"
        )
    return dict(zip(header, zip(*rows, strict=True), strict=True))


def _read_compressed(path: Path) -> list[list[str]]:
    try:
        with gzip.open(path, "rt", encoding="ascii", errors="replace") as file:
            return list(csv.reader(file))
    except (OSError, EOFError, csv.Error) as error:
        raise MissingDataError(
            f"{path} is damaged ({error}); delete it, and fetch it again"
        ) from None


def _numbers(table: dict[str, tuple[str, ...]], name: str, path: Path) -> Floats:
    if name not in table:
        raise MissingDataError(f"{path} has no column {name}; it has {', '.join(table)}")
    try:
        return np.array(table[name], dtype=np.float64)
    except ValueError as error:
        raise MissingDataError(
            f"{path}: column {name} has values that are not numbers ({error}); delete the file, and fetch it again"
        ) from None
