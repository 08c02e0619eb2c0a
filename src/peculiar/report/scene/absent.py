"""What the page cannot show, and how to get it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from peculiar.report.scene.card import Card
from peculiar.report.scene.objects import Objects
from peculiar.report.scene.table import RankedList

if TYPE_CHECKING:
    from peculiar.estimators.plain import PlainMixture


def what_is_absent(
    found: RankedList, objects: Objects, card: Card, model: PlainMixture | None
) -> tuple[str, ...]:
    """A sentence for everything that is lacking.

    Parameters
    ----------
    found : RankedList
    objects : Objects
    card : Card
    model : PlainMixture or None
    """
    said = []
    if model is None:
        said.append(
            "The components, the convergence of the fit, the covariances of the clean positions and what would be "
            "ordinary are not shown: give the model with --model (write it with peculiar rank --save-model)."
        )
    if found.of_features("clean") is None and model is None:
        said.append(
            "Clean positions and pulls are not shown: the list has no columns such as u_r_clean; rank again with "
            "peculiar rank --out."
        )
    if objects.covariance is None:
        said.append(
            "There are no error ellipses, no pulls and no calibration by noise: the values were taken as exact. If the "
            "catalogue has errors, say where they are with --error, and rank again."
        )
    elif not objects.has_correlations:
        said.append(
            "Error ellipses are drawn without correlations: the list lacks columns of the catalogue, or does not say "
            "how its features were made. Write it with peculiar rank --out in a format that keeps metadata (FITS, "
            "Parquet, ECSV, VOTable), or give the model with --model."
        )
    if not card.command:
        said.append(
            "What was run is not known in full: the list says nothing of its catalogue and its command. Write it with "
            "peculiar rank --out in a format that keeps metadata (FITS, Parquet, ECSV, VOTable)."
        )
    if objects.ra is None or objects.dec is None:
        said.append(
            "There are no links to Aladin, SIMBAD and VizieR: the list has no columns ra and dec in degrees. If the "
            "catalogue has positions, give them there in columns of these names, and rank again."
        )
    return tuple(said)
