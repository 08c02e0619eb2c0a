"""What a whole `peculiar rank` of a small table costs when its kernels are compiled: loading, mostly."""

from __future__ import annotations

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

_REFERENCE = ["-c", "import sklearn.base"]
_RANK = ["-m", "peculiar.cli", "rank", "catalogue.csv", "--features", "u, g, r"]


def warm_cost(repeats: int = 5) -> float:
    """CPU of ranking 300 objects over that of importing scikit-learn: least of several each, taken in turns."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        sky = make_colours(300, n_peculiar=5, random_state=0)
        (folder / "catalogue.csv").write_text(to_csv(as_catalogue(sky)))
        commands = _REFERENCE, [*_RANK, "-k", "2"]
        _cpu(commands[1], folder)  # compiles
        rounds = [[_cpu(command, folder) for command in commands] for _ in range(repeats)]
    reference, ours = (min(column) for column in zip(*rounds, strict=True))
    return ours / reference


def _cpu(arguments: list[str], folder: Path) -> float:
    """CPU seconds of a Python process and its threads."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [sys.executable, *arguments]
    subprocess.run(command, cwd=folder, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
