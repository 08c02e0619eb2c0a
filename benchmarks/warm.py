"""What a whole `peculiar rank` of a small table costs: the first on a machine, which compiles, and any other."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

from peculiar.cli.demo import as_catalogue
from peculiar.datasets import make_colours
from peculiar.report import to_csv

WARM_COST = 1.55
"""Most CPU of the process, against one that only imports scikit-learn (1.6 s where 2.5 s was the aim)."""

FIRST_SECONDS = 25.0
"""Most CPU for compilation in the first one."""

_REFERENCE = ["-c", "import sklearn.base"]
_RANK = ["-m", "peculiar.cli", "rank", "catalogue.csv", "--features", "u, g, r", "-k", "2"]


def warm_cost(repeats: int = 5) -> float:
    """CPU of ranking 300 objects over that of importing scikit-learn: least of several each, taken in turns."""
    with tempfile.TemporaryDirectory() as name:
        folder = _folder_with_catalogue(name)
        commands = _REFERENCE, _RANK
        _cpu(commands[1], folder)  # compiles
        rounds = [[_cpu(command, folder) for command in commands] for _ in range(repeats)]
    reference, ours = (min(column) for column in zip(*rounds, strict=True))
    return ours / reference


def first_seconds() -> float:
    """CPU of ranking 300 objects with nothing compiled, less that of doing it again."""
    with tempfile.TemporaryDirectory() as name:
        folder = _folder_with_catalogue(name)
        first, second = (_cpu(_RANK, folder, cache=folder / "cache") for _ in range(2))
    return first - second


def _folder_with_catalogue(name: str) -> Path:
    folder = Path(name)
    sky = make_colours(300, n_peculiar=5, random_state=0)
    (folder / "catalogue.csv").write_text(to_csv(as_catalogue(sky)))
    return folder


def _cpu(arguments: list[str], folder: Path, cache: Path | None = None) -> float:
    """CPU seconds of a Python process and its threads; ``cache`` is for compiled code, if not at its usual place."""
    environment = os.environ if cache is None else os.environ | {"NUMBA_CACHE_DIR": str(cache)}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, *arguments]
    subprocess.run(command, cwd=folder, env=environment, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
