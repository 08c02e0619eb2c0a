"""Answers of a detector that a user keeps: as tables, too."""

from __future__ import annotations

from typing import Any

import numpy as np

from peculiar.errors import SettingError
from peculiar.notebook import MOST_ROWS, html_table
from peculiar.population import discoveries
from peculiar.population.certificate import ALPHA, certificate


class Discoveries(discoveries.Discoveries):
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

    __slots__ = ()

    def certificate(self, alpha: float = ALPHA) -> float:
        """Upper bound on the share of false ones among the discoveries, valid for whatever rate was chosen.

        With probability ``1 - alpha`` it holds for all rates at once: who tries several, and takes one after looking,
        may rely on it (:func:`peculiar.outliers.certificate`).

        Parameters
        ----------
        alpha : float, default=0.1

        Returns
        -------
        float
            1 if there is no discovery.

        Examples
        --------
        >>> import numpy as np
        >>> p = np.r_[np.full(40, 1e-6), np.linspace(0.02, 1, 960)]
        >>> Discoveries(*discoveries.by_p_values(p, 0.05)).certificate()
        0.048
        """
        if self.method == "bayes":
            raise SettingError(
                "method 'bayes' draws its line by outlier probability, and a certificate is about p-values; ask for "
                "the discoveries with method='bh'"
            )
        n_found = int(np.count_nonzero(self.mask))
        return float(certificate(len(self.mask), self.threshold, n_found, alpha=alpha))

    def __repr__(self) -> str:
        n, n_found = len(self.mask), int(np.count_nonzero(self.mask))
        score = "outlier probability from" if self.method == "bayes" else "p-value up to"
        limit = f"{score} {self.threshold:.2g}"
        return f"Discoveries({n_found:,} of {n:,} objects, {limit}, method={self.method!r})"

    def _repr_html_(self) -> str:
        found = np.flatnonzero(self.mask)
        first = found[np.argsort(self.q_values[found], kind="stable")[:MOST_ROWS]]
        columns = {"row": first, "q-value": self.q_values[first]}
        return html_table(columns, repr(self)[len("Discoveries(") : -1], len(found))

    def to_table(self) -> Any:
        """All objects as a table, in the order of the rows that were judged.

        Returns
        -------
        astropy.table.Table
            Columns ``row``, ``is_discovery`` and ``q_value``; ``METHOD`` and ``THRESHOLD`` in the metadata.

        Examples
        --------
        >>> import numpy as np
        >>> found = Discoveries(np.array([False, True]), 0.01, np.array([0.5, 0.02]), "bh")
        >>> print(found.to_table())
        row is_discovery q_value
        --- ------------ -------
          0        False     0.5
          1         True    0.02
        """
        from peculiar.catalogue import as_table
        from peculiar.catalogue.as_columns import column_of_results
        from peculiar.estimators.verdict_columns import VERDICT

        cells = {
            "row": np.arange(len(self.mask)),
            "is_discovery": self.mask,
            "q_value": self.q_values,
        }
        table = as_table(
            {name: column_of_results(column, *VERDICT[name]) for name, column in cells.items()}
        )
        table.meta.update(METHOD=self.method, THRESHOLD=self.threshold)
        return table
