"""Runs every detector on every task."""

from __future__ import annotations

import subprocess
import tempfile
import time
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
from sklearn.metrics import average_precision_score, roc_auc_score

from benchmarks.detection.tasks import Task
from benchmarks.peers_venv import say
from peculiar import OutlierDetector
from peculiar.arrays import Floats
from peculiar.population.discoveries import by_p_values

OURS: dict[str, Any] = {"peculiar": "mml"} | {f"K = {k}": k for k in (1, 2, 3, 5, 8)}
TOP, RATE = 50, 0.05
SCRIPT = Path(__file__).with_name("peers.py")


def run(task: Task, python: Path | None) -> Iterator[dict[str, Any]]:
    """A row for each detector and each definition of strange."""
    for name, scores, seconds, about in [*ours(task), *theirs(task, python)]:
        discoveries = about.pop("discoveries", None)
        for kind, is_strange in task.strange.items():
            row = {
                "task": f"{task.name}: {kind}",
                "detector": name,
                "seconds": seconds,
                **quality(is_strange, scores),
                **about,
            }
            if discoveries is not None:
                row["n_found"] = int(discoveries.sum())
                row["n_right"] = int((discoveries & is_strange).sum())
            yield row


def quality(is_strange: Any, scores: Floats) -> dict[str, float]:
    """AUC, average precision, and precision among the first."""
    first = np.argsort(-scores, kind="stable")[:TOP]
    return {
        "auc": float(roc_auc_score(is_strange, scores)),
        "ap": float(average_precision_score(is_strange, scores)),
        "first": float(is_strange[first].mean()),
    }


def ours(task: Task) -> Iterator[tuple[str, Floats, float, dict[str, Any]]]:
    """The detector as it is, and with fixed numbers of components."""
    for name, number in OURS.items():
        say(f"{task.name}: {name}")
        began = time.process_time()
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            detector = OutlierDetector(number, random_state=0).fit(task.X, **task.errors)
            scores = -detector.score_samples(task.X, **task.errors)
        about = {
            "n_components": int(detector.mixture_.n_components_),
            "n_groups": int((~detector.groups_["is_ordinary"]).sum()),
            "discoveries": by_p_values(np.exp(-scores), RATE).mask,
        }
        yield name, scores, time.process_time() - began, about


def theirs(task: Task, python: Path | None) -> Iterator[tuple[str, Floats, float, dict[str, Any]]]:
    """The peers, which know of no errors."""
    if python is None:
        return
    with tempfile.TemporaryDirectory() as folder:
        table, results = Path(folder, "table.npz"), Path(folder, "scores.npz")
        np.savez(table, X=task.X)
        subprocess.run([str(python), str(SCRIPT), str(table), str(results)], check=True)
        with np.load(results) as found:
            for name in (name for name in found.files if not name.endswith(" seconds")):
                yield name, found[name], float(found[f"{name} seconds"]), {}
