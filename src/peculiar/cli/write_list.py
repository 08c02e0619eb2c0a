"""The ranked list in a file, and which model made it."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING

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
    from peculiar.report import ranked_table

    if wanted.out is None:
        return
    with screen.hearing_warnings(), screen.working(f"writing {wanted.out.name}"):
        ranked = ranked_table(catalogue.table, candidates, about)
        write(ranked, wanted.out, overwrite=overwrite, plain=wanted.plain)


def name_model(model: PlainMixture, path: Path | None = None) -> str:
    """Which model it is: its file and the digest of that, or how it was fitted."""
    from peculiar.report import model_in_words

    what = model_in_words(model)
    if path is None:
        return f"fitted by this command ({what})"
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return f"{path.name} ({what}; sha256 {digest[:16]})"
