"""Draw the pictures of the tutorials from the models that their commands have saved.

Run after the commands, in the folder with the models: ``python docs/draw_tutorials.py MODELS`` with ``PECULIAR_DATA``
set to the folder of the catalogues. Writes into ``docs/_static/tutorials``.
"""

import os
import sys
from pathlib import Path

import matplotlib as mpl
import numpy as np

from peculiar import RobustMixture, read
from peculiar.plot import GroupDisplay, OutlierDisplay, SurpriseDisplay

TARGET = Path(__file__).parent / "_static" / "tutorials"


def load(models, name, catalogue):
    """A saved model, and the rows it was fitted to."""
    model = RobustMixture.load(models / f"{name}.peculiar")
    rows = read(Path(os.environ["PECULIAR_DATA"]) / catalogue)
    return model, rows, model.recipe_.measure(rows).arguments()


def draw(models):
    """All pictures, by name."""
    model, rows, sky = load(models, "quasars", "sdss_dr3_quasars.csv.gz")
    yield "quasars", OutlierDisplay.from_estimator(model, **sky, features=("ur", "gr"), most=30)

    model, rows, sky = load(models, "harps", "harps_abundances.csv.gz")
    row = int(np.flatnonzero(rows["star"] == "HD14452")[0])
    yield "harps_groups", GroupDisplay.from_estimator(model)
    yield "harps", SurpriseDisplay.from_estimator(model, **sky, row=row, name="HD14452")

    model, rows, sky = load(models, "jla", "jla_supernovae.csv.gz")
    first = [int(np.flatnonzero(rows["name"] == name)[0]) for name in ("sn2006nz", "SDSS18298")]
    plane = {"features": ("x1", "color"), "clean": True, "ellipses": first}
    yield "supernovae", OutlierDisplay.from_estimator(model, **sky, **plane)

    model, rows, sky = load(models, "zircons", "detrital_zircons.csv.gz")
    yield "zircons", OutlierDisplay.from_estimator(model, **sky, most=30)


if __name__ == "__main__":
    mpl.use("Agg")
    TARGET.mkdir(exist_ok=True)
    for picture, display in draw(Path(sys.argv[1])):
        display.figure_.savefig(TARGET / f"{picture}.png", dpi=110)
