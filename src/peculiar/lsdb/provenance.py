"""What made a catalogue, among its properties: LSDB writes them with it, and reads them back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from peculiar._version import __version__
from peculiar.estimators.documents import as_content
from peculiar.population.stored import digest
from peculiar.report import model_in_words

if TYPE_CHECKING:
    from peculiar.lsdb.scanning import CatalogScan


def provenance(call: str, mixture: Any, scan: CatalogScan) -> dict[str, str]:
    """Version, call, model and features of a catalogue that was scored.

    Parameters
    ----------
    call : str
        What the user called.
    mixture : PlainMixture
        With its strange groups.
    scan : CatalogScan

    Returns
    -------
    dict of str
        The digest is that in the file of the model (``sha256``).
    """
    about = {
        "peculiar_version": __version__,
        "peculiar_call": call,
        "peculiar_model": model_in_words(mixture),
        "peculiar_model_sha256": digest(as_content(mixture)),
        "peculiar_features": scan.recipe.features,
        "peculiar_errors": ", ".join(
            f"{pair.column}: {' '.join(pair.names) or pair.constant}"
            for pair in scan.pairing.columns
        ),
        "peculiar_notes": "; ".join(scan.notes),
    }
    return {key: _line(text) for key, text in about.items() if text}


def with_properties(catalog: Any, properties: dict[str, str]) -> Any:
    """A catalogue of LSDB, with more properties; and its margin.

    Parameters
    ----------
    catalog : lsdb.Catalog
        It was just made, and nobody else has it: its structure is changed.
    properties : dict of str
    """
    # The number of rows stays unknown, though it is known: LSDB takes it as the sign of a catalogue as it is on disk,
    # and reads that anew.
    for each in (catalog, catalog.margin):
        if each is not None:
            known = each.hc_structure.catalog_info
            # The columns to be opened by default are those of before.
            info = known.copy_and_update(default_columns=None, **properties)
            each.hc_structure.catalog_info = info
    return catalog


def _line(text: str) -> str:
    """One line without the escapes of files of properties, which are read, but not written."""
    return " ".join(text.replace("\\", "/").split())
