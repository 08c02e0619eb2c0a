"""Which column of a ranked list holds what."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from peculiar.catalogue.columns.plain_names import plain_names
from peculiar.errors import CatalogueError
from peculiar.estimators.verdict_columns import VERDICT
from peculiar.report.scene.features import ENDS, FeatureColumns
from peculiar.triage.keys import name_column

OURS = "peculiar_"
"""Comes before our columns whose names the catalogue has already."""

NEEDED = ("rank", "row", "p_value")
"""A table without these is no ranked list."""

_RA = ("ra", "raj2000", "_raj2000", "ra_icrs", "ra_deg", "radeg", "alpha_j2000", "ra_j2000")
_DEC = ("dec", "dej2000", "_dej2000", "de_icrs", "dec_deg", "decdeg", "delta_j2000", "dec_j2000")


@dataclass(frozen=True)
class ListColumns:
    """The columns of a ranked list.

    Attributes
    ----------
    verdict : dict
        From what was found (``rank``, ``p_value``, ...) to the column that says it, as far as it is there.
    names : tuple of str
        Labels of the features.
    features : tuple of FeatureColumns
    name, ra, dec : str or None
        Columns with the names and the positions of the objects.
    catalogue : tuple of str
        All columns that come from the catalogue.
    """

    verdict: dict[str, str]
    names: tuple[str, ...]
    features: tuple[FeatureColumns, ...]
    name: str | None
    ra: str | None
    dec: str | None
    catalogue: tuple[str, ...]

    def needed(self) -> list[str]:
        """All columns to be read, each once; those of the catalogue only for names and positions."""
        own = [column for feature in self.features for column in feature]
        wanted = [*self.verdict.values(), *own, self.name, self.ra, self.dec]
        return list(dict.fromkeys(column for column in wanted if column is not None))


def find_columns(available: Sequence[str], labels: Sequence[str] = ()) -> ListColumns:
    """Find the columns of a ranked list by their names.

    Parameters
    ----------
    available : sequence of str
        All columns.
    labels : sequence of str, optional
        Of the features, if they are known. Otherwise they are found by their columns.

    Returns
    -------
    ListColumns

    Raises
    ------
    CatalogueError
        It is no ranked list, or a feature has no column.

    Examples
    --------
    >>> found = find_columns(
    ...     ["rank", "row", "p_value", "Name", "u_r", "u_r_err", "u_r_surprise"], ["u - r"]
    ... )
    >>> found.features[0].error, found.features[0].clean, found.name
    ('u_r_err', None, 'Name')
    """
    verdict = {name: column for name in VERDICT if (column := last_of(available, name))}
    lacking = [name for name in NEEDED if name not in verdict]
    if lacking:
        raise CatalogueError(
            f"there is no column {lacking[0]!r}, so this is no ranked list; write one with `peculiar rank --out`"
        )
    plain = plain_names(labels) if labels else _plain_by_columns(available)
    names = tuple(labels) or plain
    if not names:
        raise CatalogueError(
            "no feature is in this list (no columns such as u_r and u_r_surprise); write it with `peculiar rank "
            "--out`, which keeps them"
        )
    features = tuple(_of_feature(available, *both) for both in zip(names, plain, strict=True))
    ours = set(verdict.values()) | {
        column for f, name in zip(features, names, strict=True) for column in _made(f, name)
    }
    catalogue = tuple(column for column in available if column not in ours)
    positions = _first(catalogue, _RA), _first(catalogue, _DEC)
    return ListColumns(verdict, names, features, name_column(catalogue), *positions, catalogue)


def last_of(available: Iterable[str], name: str) -> str | None:
    """The column of this name; of ``row``, ``peculiar_row``, ... the last, since those before are the catalogue's."""
    same = [c for c in available if c.removeprefix(OURS * c.count(OURS)).lower() == name.lower()]
    return max(same, key=len) if same else None


def _plain_by_columns(available: Sequence[str]) -> tuple[str, ...]:
    """Names of features that have a column with the surprise."""
    ours = [c.removeprefix(OURS * c.count(OURS)) for c in available]
    return tuple(
        dict.fromkeys(c.removesuffix("_surprise") for c in ours if c.endswith("_surprise"))
    )


def _of_feature(available: Sequence[str], label: str, plain: str) -> FeatureColumns:
    columns = {
        what: last_of(available, plain + end) or last_of(available, label + end)
        for end, what in ENDS.items()
    }
    if columns["value"] is None:
        raise CatalogueError(
            f"the feature {label!r} is not in this list (no column {plain!r}); is the model of another list?"
        )
    return FeatureColumns(**columns)  # type: ignore[arg-type]


def _made(feature: FeatureColumns, label: str) -> list[str]:
    """Columns of a feature that are not the catalogue's: all, unless the feature is itself a column."""
    made = [feature.clean, feature.clean_error, feature.surprise]
    if feature.value != label:
        made += [feature.value, feature.error]
    return [column for column in made if column is not None]


def _first(columns: Sequence[str], names: Sequence[str]) -> str | None:
    by_lower = {column.lower(): column for column in reversed(columns)}
    return next((by_lower[name] for name in names if name in by_lower), None)
