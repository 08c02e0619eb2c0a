"""Catalogues in which the strange objects are known."""

from __future__ import annotations

import csv
import gzip
import os
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from peculiar.arrays import Floats
from peculiar.datasets import load_dr3_quasars, make_clusters

N_QUASARS = 4000
N_IMAGES = 2000  # with errors: a fit of all would take minutes


@dataclass(frozen=True)
class Task:
    """A table, its errors, and who is strange in it, by one definition or several."""

    name: str
    X: Floats
    errors: dict[str, Floats]
    strange: dict[str, Any] = field(default_factory=dict)


def tasks() -> Iterator[Task]:
    """All of them, the real ones from the folder that PECULIAR_DATA names."""
    folder = Path(os.environ["PECULIAR_DATA"])
    yield from stars_of_dwarfs(folder)
    yield quasars()
    yield stars_of_harps(folder)
    yield from satellite_images(folder)
    yield clusters()


def read(path: Path) -> dict[str, Any]:
    """Columns of a compressed CSV file, as text."""
    with gzip.open(path, "rt", newline="") as file:
        rows = list(csv.DictReader(file))
    return {name: np.array([row[name] for row in rows]) for name in rows[0]}


def numbers(table: dict[str, Any], names: tuple[str, ...]) -> Floats:
    """Columns as numbers, NaN where a cell is empty."""
    return np.stack(
        [np.array([float(cell or "nan") for cell in table[name]]) for name in names], axis=1
    )


def stars_of_dwarfs(folder: Path) -> Iterator[Task]:
    """Stars towards two dwarf galaxies, by velocity and line strength: who is no member is strange."""
    table = read(folder / "keck_umi_leo1.csv.gz")
    member = numbers(table, ("p_member",))[:, 0]
    for system in ("UMi", "Leo1"):
        rows = (table["system"] == system) & ((member < 0.1) | (member > 0.5))
        X = numbers(table, ("hrv", "ew_cat"))[rows]
        std = numbers(table, ("hrv_err", "ew_cat_err"))[rows]
        yield Task(system, X, {"X_std": std}, {"non-members": member[rows] < 0.1})


def quasars() -> Task:
    """Colours of some DR3 quasars: those at high redshift are strange."""
    sky = load_dr3_quasars()
    rows = np.random.default_rng(0).choice(len(sky.X), N_QUASARS, replace=False)
    redshift = sky.redshift[rows]
    strange = {"z > 2.5": redshift > 2.5, "z > 3.5": redshift > 3.5}
    return Task("quasars", sky.X[rows], {"X_cov": sky.X_cov[rows]}, strange)


SINGLED_OUT = ("debris", "highTi", "lowMg", "highAlMg", "t2trans1")
ROUNDED = 0.005  # errors were rounded to 0.01


def stars_of_harps(folder: Path) -> Task:
    """Stars by 16 abundances: those that experts put into classes of one or two are strange."""
    table = read(folder / "harps_abundances.csv.gz")
    names = tuple(name for name in table if name.endswith("_Fe"))
    X, std = (numbers(table, tuple(n + end for n in names)) for end in ("", "_err"))
    strange = np.array([name.startswith(SINGLED_OUT) for name in table["expert_class"].tolist()])
    errors = np.where(np.isnan(X), np.inf, np.maximum(std, ROUNDED))
    return Task("HARPS", X, {"X_std": errors}, {"singled out": strange})


def satellite_images(folder: Path) -> Iterator[Task]:
    """Satimage-2, standardised: as it is, and some of its rows with errors that were simulated."""
    table = read(folder / "satimage2.csv.gz")
    names = tuple(name for name in table if name != "outlier")
    X = numbers(table, names)
    X = (X - X.mean(axis=0)) / X.std(axis=0)
    strange = {"class 2": numbers(table, ("outlier",))[:, 0] > 0}
    yield Task("satimage-2", X, {}, strange)
    rng = np.random.default_rng(0)
    rows = rng.choice(len(X), N_IMAGES, replace=False)
    std = rng.uniform(0.0, 0.5, X[rows].shape)
    noisy = X[rows] + std * rng.standard_normal(std.shape)
    some = {kind: is_strange[rows] for kind, is_strange in strange.items()}
    yield Task("satimage-2, errors", noisy, {"X_std": std}, some)


def clusters() -> Task:
    """The paper's simulated data."""
    sky = make_clusters(200, n_outliers=60, noise_variance=1.0, random_state=0)
    return Task("clusters", sky.X, {"X_std": sky.X_std}, {"planted": sky.is_outlier})
