"""The measurement errors of the listed objects, with their covariances."""

from __future__ import annotations

import warnings

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.errors import CatalogueError
from peculiar.report.scene.table import RankedList


def covariances(found: RankedList, at: Ints, values: Floats) -> tuple[Floats | None, bool]:
    """Covariances of the errors of some objects, and whether they have their correlations.

    Parameters
    ----------
    found : RankedList
    at : ndarray of int
        Rows of the list.
    values : ndarray
        Of these objects.

    Returns
    -------
    covariance : ndarray of shape (n, d, d) or None
        None if the list has no errors.
    is_whole : bool
        True if they were made again from the columns of the catalogue; otherwise they have no correlations.
    """
    made = _made_again(found, at, values)
    if made is not None:
        return made, True
    errors = found.of_features("error")
    if errors is None or not np.nanmax(errors[at], initial=0.0) > 0.0:
        return None, False
    return np.square(errors[at])[:, :, None] * np.eye(values.shape[1]), values.shape[1] == 1


def _made_again(found: RankedList, at: Ints, values: Floats) -> Floats | None:
    if found.recipe is None:
        return None
    columns = [name for name in found.columns.catalogue if name in found.table.colnames]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # they were given when the list was made
            measured = found.recipe.measure(found.table[columns][at])
    except CatalogueError:
        return None
    if not np.allclose(measured.X, values, rtol=1e-5, equal_nan=True):
        return None  # the columns are not those that the list was made of
    if measured.X_cov is not None:
        return measured.X_cov
    if measured.X_std is None:
        return None
    return np.square(measured.X_std)[:, :, None] * np.eye(values.shape[1])
