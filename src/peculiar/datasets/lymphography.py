"""The lymphography data: a small medical table with two rare classes."""

from __future__ import annotations

import csv
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats, Ints
from peculiar.datasets.sources import find_file
from peculiar.errors import MissingDataError

FILES = ("lymphography.csv", "lymphography.data")
"""Names under which the table is looked for: with a header row, or without one, as published."""

URL = "https://archive.ics.uci.edu/ml/machine-learning-databases/lymphography/lymphography.data"

N_ROWS, N_ATTRIBUTES = 148, 18
RARE_CLASSES = (1, 4)
"""Normal find (2 rows) and fibrosis (4 rows)."""


@dataclass(frozen=True)
class Lymphography:
    """Findings of 148 examinations, as the codes of their categories.

    Attributes
    ----------
    X : ndarray of shape (148, 18)
        Integer codes from 1 upwards.
    classes : ndarray of shape (148,)
        1 normal find, 2 metastases, 3 malign lymph, 4 fibrosis.
    """

    X: Floats
    classes: Ints

    @property
    def is_outlier(self) -> NDArray[np.bool_]:
        """Which rows are of the two rare classes, 1 and 4."""
        return np.isin(self.classes, RARE_CLASSES)


def load_lymphography() -> Lymphography:
    """The lymphography data of the UCI repository (M. Zwitter and M. Soklic, 1988).

    It has 148 rows, 18 attributes and four classes, two of them rare. The file is looked for in the same places as for
    :func:`load_dr3_quasars`.

    This lymphography domain was obtained from the University Medical Centre, Institute of Oncology, Ljubljana,
    Yugoslavia. Thanks go to M. Zwitter and M. Soklic for providing the data.

    Returns
    -------
    Lymphography

    Raises
    ------
    MissingDataError
        The file is not found and cannot be fetched, or its content is not as expected.
    """
    path = find_file(FILES, URL)
    with path.open(encoding="ascii", errors="replace", newline="") as file:
        rows = [row for row in csv.reader(file) if row]
    if rows and not rows[0][0].strip().isdigit():
        rows = rows[1:]  # the header
    # The class comes first; a column that says which rows are outliers may follow.
    width = 1 + N_ATTRIBUTES
    whole = [
        row
        for row in rows
        if len(row) >= width and all(cell.strip().isdigit() for cell in row[:width])
    ]
    if len(rows) != N_ROWS or len(whole) != N_ROWS:
        raise MissingDataError(
            f"{path} has {len(whole)} rows of {width} whole numbers among {len(rows)}; it must have {N_ROWS}. "
            "Delete it, and fetch it again"
        )
    numbers = np.array([[int(cell) for cell in row[:width]] for row in whole])
    return Lymphography(numbers[:, 1:].astype(np.float64), numbers[:, 0])
