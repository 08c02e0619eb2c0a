"""Fits a mixture for a command, or loads one; and says what it is."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from peculiar.cli.console import Screen

if TYPE_CHECKING:
    from peculiar.catalogue import Measurements
    from peculiar.catalogue.recipe import Recipe
    from peculiar.estimators.plain import PlainMixture


def fit_model(
    screen: Screen, settings: dict[str, Any], measured: Measurements, recipe: Recipe, rarity: float
) -> PlainMixture:
    """Fit a mixture, tell its strange groups, and say how that went."""
    from peculiar.estimators.progress import listening
    from peculiar.ranking import fit_features

    with screen.hearing_warnings(), screen.working("fitting") as work:
        work.aims_at(settings["tol"], settings["max_iter"])
        with listening(work):
            return fit_features(measured, recipe, settings, rarity)


def load_model(path: Path) -> PlainMixture:
    """A model from its file."""
    from peculiar.estimators.plain import PlainMixture

    return PlainMixture.load(path)


def name_model(model: PlainMixture, path: Path | None = None) -> str:
    """Which model it is: its file and the digest of that, or how it was fitted."""
    from peculiar.report import model_in_words

    what = model_in_words(model)
    if path is None:
        return f"fitted by this command ({what})"
    return f"{path.name} ({what}; sha256 {digest_of(path)[:16]})"


def digest_of(path: Path) -> str:
    """Of the content of a model file."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


def show_fit(screen: Screen, model: Any) -> None:
    """One line on the model."""
    k = model.n_components_
    found = "" if isinstance(model.n_components, int) else f" (found by {model.n_components})"
    wild = f"{100 * model.wild_fraction_:.2g} % of the objects belong to no component"
    if model.wild_fraction_ < 1e-6:
        wild = "every object belongs to a component"
    rest = f"; {wild}" if model.wild_fraction_ else ""
    screen.say(
        f"Fitted {k} component{'s' * (k != 1)}{found} in {model.n_iter_} iterations: log-likelihood "
        f"{model.lower_bound_:.4f} per object{rest}.\n"
    )
