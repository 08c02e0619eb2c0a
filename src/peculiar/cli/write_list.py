"""The ranked list in a file: all objects and all their columns, and what made it."""

from __future__ import annotations

import hashlib
import shlex
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from peculiar._version import __version__
from peculiar.cli.console import Screen

if TYPE_CHECKING:
    from peculiar.cli.options import ListWanted
    from peculiar.cli.reading import Catalogue
    from peculiar.estimators.plain import PlainMixture
    from peculiar.report import Candidates


def write_list(
    screen: Screen,
    catalogue: Catalogue,
    candidates: Candidates,
    about: Mapping[str, str],
    wanted: ListWanted,
    *,
    overwrite: bool,
) -> None:
    """Write all objects with all their columns, strangest first."""
    from peculiar.catalogue import write

    if wanted.out is None:
        return
    with screen.hearing_warnings(), screen.working(f"writing {wanted.out.name}"):
        ranked = ranked_table(catalogue.table, candidates, about)
        write(ranked, wanted.out, overwrite=overwrite, plain=wanted.plain)


def ranked_table(table: Any, candidates: Candidates, about: Mapping[str, str]) -> Any:
    """What was found, then the columns of the catalogue, then what was found about each feature.

    Parameters
    ----------
    table : astropy.table.Table
        The catalogue.
    candidates : Candidates
    about : dict of str
        Goes into the metadata.

    Returns
    -------
    astropy.table.Table
        In the order of the ranking. A new column whose name the catalogue has already begins with ``peculiar_``; a
        feature that is a column of the catalogue is not repeated.
    """
    from peculiar.catalogue import as_table

    rows, taken = table[candidates.order], set(table.colnames)
    ranked = as_table({_free(name, taken): col for name, col in candidates.verdict.items()})
    taken |= set(ranked.colnames)
    for name in rows.colnames:
        ranked[name] = rows[name]
    for name, column in candidates.features.items():
        if name in rows.colnames and _is_same(rows[name], column):
            continue  # the column itself
        new = _free(name, taken)
        taken.add(new)
        ranked[new] = column
        ranked[new].unit = candidates.units.get(name)
    ranked.meta.update(rows.meta)
    ranked.meta.update({key: _ascii(text) for key, text in about.items()})
    return ranked


def _is_same(of_catalogue: Any, feature: Any) -> bool:
    """Whether a feature is just a column; values that were made missing may differ."""
    import numpy as np

    try:
        given: Any = np.ma.filled(np.ma.asarray(of_catalogue, dtype=float), np.nan)
    except (TypeError, ValueError):
        return False
    known = ~np.isnan(feature)
    return bool(known.any() and np.array_equal(given[known], feature[known]))


def _free(name: str, taken: set[str]) -> str:
    lower = {other.lower() for other in taken}  # FITS does not tell U from u
    while name.lower() in lower:
        name = f"peculiar_{name}"
    return name


def _ascii(text: str) -> str:
    """For FITS, whose headers have nothing else."""
    return " ".join(text.encode("ascii", "backslashreplace").decode().split())


def describe_run(
    arguments: Sequence[str],
    catalogue: Catalogue,
    model: str,
    candidates: Candidates,
    wanted: ListWanted,
) -> dict[str, str]:
    """What made a list: version, command, model. The names are short, for FITS."""
    return {
        "MADE_BY": f"peculiar {__version__}",
        "COMMAND": shlex.join(["peculiar", *arguments]),
        "MODEL": model,
        "CATALOG": str(catalogue.path),
        "FEATURES": ", ".join(catalogue.measured.names),
        "FDR": f"{wanted.fdr:g} ({wanted.method}): {candidates.n_discoveries} discoveries",
    }


def model_in_words(model: PlainMixture, path: Path | None = None) -> str:
    """Which model it is: its file and the digest of that, or how it was fitted."""
    wild = f"wild fraction {model.wild_fraction_:.3g}"
    what = f"{model.n_components_} components, {wild}, seed {model.random_state}"
    if path is None:
        return f"fitted by this command ({what})"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return f"{path.name} ({what}; sha256 {digest[:16]})"
