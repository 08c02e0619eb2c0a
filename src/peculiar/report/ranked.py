"""The ranked list as a table: all objects, all their columns, and what made it."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from peculiar._version import __version__
from peculiar.estimators.verdict_columns import FEATURE, VERDICT

if TYPE_CHECKING:
    from peculiar.catalogue.recipe import Recipe
    from peculiar.estimators.plain import PlainMixture
    from peculiar.report.candidates import Candidates, Features


class Source(NamedTuple):
    """Where a column of a ranked list comes from.

    Attributes
    ----------
    kind : {"verdict", "catalogue", "feature"}
    name : str
        Of the column there; the label of the feature.
    end : str
        Which of the columns of a feature.
    """

    kind: str
    name: str
    end: str = ""

    def __str__(self) -> str:
        return f"{self.kind}:{self.name}:{self.end}"


def ranked_table(
    table: Any,
    candidates: Candidates,
    about: Mapping[str, str],
    known: Collection[tuple[str, str]] | None = None,
) -> Any:
    """What was found, then the columns of the catalogue, then what was found about each feature.

    Parameters
    ----------
    table : astropy.table.Table
        The catalogue.
    candidates : Candidates
    about : dict of str
        Goes into the metadata.
    known : collection of (label, end), optional
        What of the features is a column of the catalogue. If None, that is seen from the rows.

    Returns
    -------
    astropy.table.Table
        In the order of the ranking. A new column whose name the catalogue has already begins with ``peculiar_``; a
        feature that is a column of the catalogue is not repeated.
    """
    from peculiar.catalogue.formats.fits import ascii_line
    from peculiar.catalogue.ranked_table import RankedTable

    rows, measured = table[candidates.order], candidates.measured
    if known is None:
        known = Likeness.of(rows, candidates.features).known()
    ranked = RankedTable()
    for name, source in sources_of(
        candidates.verdict, rows.colnames, measured.names, known
    ).items():
        ranked[name] = _column(source, rows, candidates)
    ranked.meta.update(rows.meta)
    ranked.meta.update({key: ascii_line(text) for key, text in about.items()})
    return ranked


def sources_of(
    verdict: Iterable[str],
    columns: Iterable[str],
    labels: Sequence[str],
    known: Collection[tuple[str, str]],
) -> dict[str, Source]:
    """The columns of a ranked list in their order, and where each comes from.

    Parameters
    ----------
    verdict, columns, labels : iterable of str
        What was found about each object; columns of the catalogue; features.
    known : collection of (label, end)
        What of the features is a column of the catalogue.
    """
    from peculiar.catalogue.columns.plain_names import plain_names

    columns = list(columns)
    taken, sources = set(columns), dict[str, Source]()
    for name in verdict:
        sources[free_name(name, taken)] = Source("verdict", name)
    taken |= set(sources)
    sources |= {name: Source("catalogue", name) for name in columns}
    for label, plain in zip(labels, plain_names(labels), strict=True):
        for end in FEATURE:
            if (label, end) not in known:
                name = free_name(plain + end, taken)
                taken.add(name)
                sources[name] = Source("feature", label, end)
    return sources


def _column(source: Source, rows: Any, candidates: Candidates) -> Any:
    """A column with its description."""
    from peculiar.catalogue.as_columns import column_of_results, in_words

    if source.kind == "catalogue":
        return rows[source.name]
    if source.kind == "verdict":
        return column_of_results(candidates.verdict[source.name], *VERDICT[source.name])
    measured = candidates.measured
    j = measured.names.index(source.name)
    words, ucd = FEATURE[source.end]
    unit = "" if source.end == "_surprise" else measured.units[j]
    cells = candidates.features[source.name][source.end]
    return column_of_results(cells, words.format(in_words(measured)[j]), ucd, unit)


class Likeness(NamedTuple):
    """Whether features are just columns, as far as some rows of a table can tell. That of parts can be added.

    Attributes
    ----------
    labels : tuple of str
    ends : tuple of str
    compared : ndarray of bool of shape (d, ends, 2)
        Whether any value was compared, with a column of the feature's label and with one of its plain name.
    equal : ndarray of bool of the same shape
        Whether all were equal.
    """

    labels: tuple[str, ...]
    ends: tuple[str, ...]
    compared: NDArray[np.bool_]
    equal: NDArray[np.bool_]

    @classmethod
    def of(cls, rows: Any, features: Features) -> Likeness:
        """Of some rows of a catalogue; values that were made missing may differ."""
        from peculiar.catalogue.columns.plain_names import plain_names

        labels, ends = tuple(features), tuple(FEATURE)
        compared = np.zeros((len(labels), len(ends), 2), dtype=np.bool_)
        equal = compared.copy()
        for j, names in enumerate(zip(labels, plain_names(labels), strict=True)):
            for e, cells in enumerate(features[labels[j]].values()):
                found = [_compare(rows, name + ends[e], cells) for name in names]
                compared[j, e], equal[j, e] = zip(*found, strict=True)
        return cls(labels, ends, compared, equal)

    def plus(self, other: Likeness) -> Likeness:
        """Of two parts."""
        compared, equal = self.compared | other.compared, self.equal & other.equal
        return self._replace(compared=compared, equal=equal)

    def plain(self) -> dict[str, Any]:
        """In lists and text, for a file."""
        return {"compared": self.compared.tolist(), "equal": self.equal.tolist()}

    @classmethod
    def from_plain(cls, labels: Sequence[str], stored: Mapping[str, Any]) -> Likeness:
        """From what :meth:`plain` gave."""
        arrays = (np.array(stored[name], dtype=np.bool_) for name in ("compared", "equal"))
        return cls(tuple(labels), tuple(FEATURE), *arrays)

    def known(self) -> set[tuple[str, str]]:
        """Label and end of what is a column already."""
        same = (self.compared & self.equal).any(axis=2)
        return {(self.labels[j], self.ends[e]) for j, e in np.argwhere(same)}


def _compare(rows: Any, name: str, feature: Any) -> tuple[bool, bool]:
    """Whether there is anything to compare with a column of that name, and whether all of it is equal."""
    if name not in rows.colnames:
        return False, False
    try:
        given: Any = np.ma.filled(np.ma.asarray(rows[name], dtype=float), np.nan)
    except (TypeError, ValueError):
        return False, False
    known = ~np.isnan(feature)
    return bool(known.any()), bool(np.array_equal(given[known], feature[known]))


def free_name(name: str, taken: set[str]) -> str:
    """The name of a new column; it begins with ``peculiar_`` if the catalogue has one of that name."""
    lower = {other.lower() for other in taken}  # FITS does not tell U from u
    while name.lower() in lower:
        name = f"peculiar_{name}"
    return name


def describe_run(
    command: str,
    catalogue: str,
    model: str,
    candidates: Candidates,
    recipe: Recipe,
    *,
    fdr: float,
    method: str,
) -> dict[str, str]:
    """What made a list: version, command, model. The names are short, for FITS.

    Parameters
    ----------
    command : str
        The command, or the call in Python.
    catalogue : str
        Where the objects are from.
    model : str
        The model in words.
    candidates : Candidates
    recipe : Recipe
        How the features were made: who has the list can make their covariances again.
    fdr : float
    method : str
    """
    measured = candidates.measured
    about = {
        "MADE_BY": f"peculiar {__version__}",
        "COMMAND": command,
        "MODEL": model,
        "CATALOG": catalogue,
        "FEATURES": ", ".join(measured.names),
        "FDR": f"{fdr:g} ({method}): {candidates.n_discoveries} discoveries",
        "RECIPE": json.dumps(recipe.plain()),
    }
    return about | _notes(measured.notes)


def _notes(notes: Sequence[str]) -> dict[str, str]:
    return {"NOTES": "; ".join(notes)} if notes else {}


def model_in_words(model: PlainMixture) -> str:
    """Number of components, wild fraction, seed."""
    wild = f"wild fraction {model.wild_fraction_:.3g}"
    return f"{model.n_components_} components, {wild}, seed {model.random_state}"
