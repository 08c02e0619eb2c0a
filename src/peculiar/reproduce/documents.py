"""What an experiment leaves behind: a document of numbers, a table, a figure, and a page about all of them."""

from __future__ import annotations

import dataclasses
import json
import warnings
from collections import Counter
from pathlib import Path
from typing import Any

from peculiar._version import __version__
from peculiar.errors import PeculiarError
from peculiar.files import replacing, write_whole
from peculiar.report import to_csv, to_json
from peculiar.reproduce import NAMES, find, find_claims, find_figure
from peculiar.reproduce.base import Advance, Experiment
from peculiar.reproduce.page import MARK, write_page

PAGE = "index.html"


def written_by(name: str) -> tuple[str, ...]:
    """Names of the files of an experiment."""
    return tuple(f"{name}.{ending}" for ending in ("json", "csv", "png"))


def carry_out(experiment: Experiment, folder: Path, advance: Advance) -> dict[str, Any]:
    """Run an experiment, write its files, and bring the page up to date.

    Parameters
    ----------
    experiment : Experiment
    folder : Path
        Where to write NAME.json, NAME.csv, NAME.png and index.html; it must exist.
    advance : function
        Told how far the run has come.

    Returns
    -------
    dict
        The content of NAME.json. It has no dates or times: the same settings give the same file.
    """
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        outcome = experiment.run(advance)
    # All that follows is from what everybody can read.
    numbers = json.loads(to_json(outcome.numbers))
    document = {
        "experiment": experiment.name,
        "title": experiment.title,
        "in_the_paper": experiment.source,
        "about": experiment.about,
        "made_by": f"peculiar {__version__}",
        "settings": dataclasses.asdict(experiment),  # type: ignore[call-overload]  # all are dataclasses
        "is_full": experiment == type(experiment)(seed=experiment.seed),
        "comparisons": [
            dataclasses.asdict(entry) for entry in find_claims(experiment.name)(numbers)
        ],
        "warnings_of_fits": Counter(warning.category.__name__ for warning in caught),
        "numbers": numbers,
    }
    names = [folder / name for name in written_by(experiment.name)]
    write_whole(names[0], to_json(document))
    write_whole(names[1], to_csv(outcome.table))
    with replacing(names[2]) as temporary:
        find_figure(experiment.name)(numbers).savefig(temporary, metadata={"Software": None})
    write_whole(folder / PAGE, write_page(read_documents(folder)))
    return document


def read_documents(folder: Path) -> list[dict[str, Any]]:
    """The documents of the experiments in a folder, in the order of the paper."""
    documents = []
    for name in NAMES:
        path = folder / written_by(name)[0]
        if path.is_file():
            documents.append(_read(path, name))
    return documents


KEYS = (
    "title",
    "in_the_paper",
    "about",
    "made_by",
    "settings",
    "is_full",
    "comparisons",
    "warnings_of_fits",
    "numbers",
)
"""Keys that a document has besides the name of the experiment."""


def _read(path: Path, name: str) -> dict[str, Any]:
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except ValueError:
        document = None
    is_ours = isinstance(document, dict) and document.get("experiment") == name
    if not is_ours or not all(key in document for key in KEYS):
        raise PeculiarError(
            f"{path} was not written by an experiment; move it, or choose another folder with --out"
        )
    return dict(document)


def refuse_strangers(folder: Path, names: tuple[str, ...]) -> None:
    """Raise PeculiarError if files would be replaced, or read, that were not written by an experiment.

    Parameters
    ----------
    folder : Path
    names : tuple of str
        The experiments that will be run.
    """
    ours = {document["experiment"] for document in read_documents(folder)}
    page = folder / PAGE
    found = [
        file
        for name in names
        if name not in ours
        for file in written_by(name)
        if (folder / file).exists()
    ]
    if page.exists() and MARK.encode() not in page.read_bytes()[:200]:
        found.append(PAGE)
    if found:
        raise PeculiarError(
            f"{folder} already has {', '.join(found)}, and not from an earlier run; choose another folder with --out"
        )


def prepare(names: tuple[str, ...], *, quick: bool, seed: int) -> list[Experiment]:
    """Experiments that are ready to run: the data they need are available.

    Parameters
    ----------
    names : tuple of str
    quick : bool
        Whether to run smaller versions of them.
    seed : int

    Returns
    -------
    list of Experiment
    """
    experiments = []
    for name in names:
        kind = find(name)
        experiment = kind.quick() if quick else kind()
        if kind.load is not None:
            kind.load()
        experiments.append(dataclasses.replace(experiment, seed=seed))  # type: ignore[type-var]
    return experiments
