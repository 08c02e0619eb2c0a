"""Which column is the error of which."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from peculiar.catalogue.columns.conventions import correlation_names, is_lone_correlation


@dataclass(frozen=True)
class ErrorColumns:
    """Where the errors of a column are.

    Attributes
    ----------
    column : str
    names : tuple of str
        The column with the errors; the upper and the lower one; or none.
    kind : {'std', 'percent', 'ivar', 'variance', 'upper/lower', 'constant', 'none'}
    found_by : str
        The naming convention, or 'given' if the user named it.
    constant : float
        The error of every row, for the kind 'constant'.
    """

    column: str
    names: tuple[str, ...]
    kind: str
    found_by: str
    constant: float = 0.0


@dataclass(frozen=True)
class LimitFlag:
    """The column that says which values of another are limits.

    Attributes
    ----------
    column : str
    found_by : str
        The naming convention, or 'given' if the user named it.
    others : tuple of LimitFlag
        Columns that may be it, by their names, if what is in this one is no flag.
    """

    column: str
    found_by: str
    others: tuple[LimitFlag, ...] = ()


@dataclass(frozen=True)
class Pairing:
    """The columns of the features and where their errors are.

    Attributes
    ----------
    columns : tuple of ErrorColumns
    correlations, covariances : dict
        For two columns, the column with the correlation (covariance) of their errors.
    limits : dict
        For a column, the one that flags its upper and lower limits (``column``, ``found_by``).
    """

    columns: tuple[ErrorColumns, ...]
    correlations: Mapping[tuple[str, str], str] = field(default_factory=dict)
    covariances: Mapping[tuple[str, str], str] = field(default_factory=dict)
    limits: Mapping[str, LimitFlag] = field(default_factory=dict)

    def needed(self) -> tuple[str, ...]:
        """All columns that have to be read, each once."""
        names = [name for pair in self.columns for name in (pair.column, *pair.names)]
        return tuple(
            dict.fromkeys(
                [
                    *names,
                    *self.correlations.values(),
                    *self.covariances.values(),
                    *(
                        flag.column
                        for first in self.limits.values()
                        for flag in (first, *first.others)
                    ),
                ]
            )
        )

    def rows(self) -> list[dict[str, str]]:
        """A table for people: column, its error, what kind of error that is, and how it was found."""
        rows = [
            {
                "column": pair.column,
                "error": ", ".join(pair.names) or (f"{pair.constant:g}" if pair.constant else "-"),
                "kind": pair.kind,
                "found by": pair.found_by,
            }
            for pair in self.columns
        ]

        def how(a: str, b: str, name: str) -> str:
            if name in correlation_names(a, b):
                return "X_Y_corr"
            return f"{name}, with two columns" if is_lone_correlation(name) else "given"

        for kind, found in (("correlation", self.correlations), ("covariance", self.covariances)):
            rows += [
                {"column": f"{a}, {b}", "error": name, "kind": kind, "found by": how(a, b, name)}
                for (a, b), name in found.items()
            ]
        rows += [
            {"column": name, "error": flag.column, "kind": "limit flag", "found by": flag.found_by}
            for name, flag in self.limits.items()
        ]
        return rows

    def __str__(self) -> str:
        rows = self.rows()
        table = [list(rows[0]), *(list(row.values()) for row in rows)]
        widths = [max(len(line[j]) for line in table) for j in range(len(table[0]))]
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in table
        )
