"""From what a user says of a catalogue to a scan of it."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from peculiar.catalogue.recipe import Recipe
from peculiar.catalogue.scanning import Scan
from peculiar.errors import CatalogueError


def scan(
    path: str | os.PathLike[str],
    features: str | Sequence[str],
    *,
    errors: Mapping[str, Any] | None = None,
    no_error: Collection[str] = (),
    covariances: Mapping[tuple[str, str], str | None] | None = None,
    limits: Mapping[str, str | None] | None = None,
    missing: Sequence[float | str] = (),
    zero_errors: str = "missing",
    sigma: float = 1.0,
    percent: bool = False,
    error_floor: float | Mapping[str, float] = 0.0,
    where: str | None = None,
    table: int | str | None = None,
    format: str | None = None,  # noqa: A002 (as in read)
    rows_at_a_time: int | None = None,
) -> Scan:
    """A catalogue that may be larger than memory, for estimators to read in parts.

    Nothing is read yet. ``RobustMixture.fit(scan)`` and the methods that ask about rows read it as often as they have
    to, some rows at a time. The numbers are those that :func:`peculiar.catalogue.measure` gives in memory.

    Parameters
    ----------
    path : path-like
        Parquet (a file, a folder of files, or a pattern), FITS or HDF5. Other formats are read whole, with
        :func:`peculiar.read`.
    features, errors, no_error, covariances, limits, missing, zero_errors, sigma, percent, error_floor
        As for :func:`peculiar.catalogue.measure`.
    where : str, optional
        Which rows to take: ``"class == 'QSO' and r < 19"``.
    table, format : optional
        Which table of the file, and its format; as for :func:`peculiar.read`.
    rows_at_a_time : int, optional
        How many rows are read at a time, about. If None, as many as fill 32 MB. Results do not depend on it.

    Returns
    -------
    Scan

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import numpy as np
    >>> import peculiar
    >>> rng = np.random.default_rng(0)
    >>> stars = {"u": rng.normal(size=500), "u_err": np.full(500, 0.1), "r": rng.normal(size=500)}
    >>> path = pathlib.Path(tempfile.mkdtemp()) / "stars.parquet"
    >>> peculiar.catalogue.write(stars, path)
    >>> stars = peculiar.scan(path, "u, r", errors={"r": 0.2}, rows_at_a_time=100)
    >>> stars.n_rows
    500
    >>> model = peculiar.RobustMixture(1, random_state=0).fit(stars)
    >>> model.score_samples(stars).shape
    (500,)
    """
    if rows_at_a_time is not None and rows_at_a_time < 1:
        raise CatalogueError(f"rows_at_a_time={rows_at_a_time}: must be 1 or more")
    recipe = Recipe.of(
        features,
        errors=errors,
        no_error=no_error,
        covariances=covariances,
        missing=missing,
        zero_errors=zero_errors,
        limits=limits,
        sigma=sigma,
        percent=percent,
        error_floor=error_floor,
    )
    return Scan(path, recipe, where, table, format, rows_at_a_time)
