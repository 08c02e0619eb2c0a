"""What made a list: what was run, on what, with which version; how to repeat and to cite it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from peculiar.references import REFERENCES

if TYPE_CHECKING:
    from peculiar.estimators.plain import PlainMixture

_SAID = {
    "CATALOG": "Catalogue",
    "FEATURES": "Features",
    "MODEL": "Model",
    "FDR": "False-discovery rate",
    "MADE_BY": "Made by",
    "NOTES": "Notes",
}
"""Metadata of a ranked list, and what they are called on the card."""


@dataclass(frozen=True)
class Card:
    """What made a list.

    Attributes
    ----------
    facts : tuple of (str, str)
        What it is called, and what it is.
    command : str
        The command, or the call in Python, that makes the list again; empty if the list does not say.
    cite : str
        BibTeX.
    """

    facts: tuple[tuple[str, str], ...]
    command: str
    cite: str

    @classmethod
    def of(cls, meta: Mapping[str, Any], n_rows: int, model: PlainMixture | None) -> Card:
        """The card of a list with these metadata, and of its model if that is at hand."""
        said = {str(key).upper(): str(text) for key, text in meta.items()}
        facts = [(label, said[key]) for key, label in _SAID.items() if said.get(key)]
        facts.insert(1, ("Objects", f"{n_rows:,}"))
        if model is not None:
            facts += _about(model)
        return cls(tuple(facts), said.get("COMMAND", ""), "\n\n".join(REFERENCES.values()))


def dof_in_words(dof: float) -> str:
    """Degrees of freedom; from 1000 on a Student-t is a normal distribution to the eye.

    Examples
    --------
    >>> dof_in_words(20.24), dof_in_words(1e6), dof_in_words(float("inf"))
    ('20.2', 'over 1000', 'over 1000')
    """
    return f"{dof:.3g}" if dof < 1000 else "over 1000"


def _about(model: PlainMixture) -> list[tuple[str, str]]:
    dofs = ", ".join(dof_in_words(dof) for dof in model.dofs_)
    facts = [
        ("Components", f"{model.n_components_}, degrees of freedom {dofs}"),
        ("Wild fraction", f"{model.wild_fraction_:.3g}"),
    ]
    if hasattr(model, "n_iter_"):
        end = "converged" if getattr(model, "converged_", False) else "not converged"
        facts.append(("Fit", f"{model.n_iter_} iterations, {end}"))
    return facts
