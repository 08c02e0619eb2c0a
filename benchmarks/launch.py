"""Starting workers: the right interpreter, one thread, nothing inherited by accident."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.contenders import CONTENDERS
from benchmarks.peers_venv import ROOT, say
from benchmarks.problems import Spec, load_mixture, load_problem, save_problem
from benchmarks.reference_loglik import judged

ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)
SECONDS = 900

Result = dict[str, Any]
"""What a worker measured, with ``status``: "ok", or why there is nothing else."""

Settings = Mapping[str, Any]
NO_SETTINGS: Settings = {}


@dataclass(frozen=True)
class Bench:
    """Where things run, and what has been measured so far.

    Attributes
    ----------
    folder : Path
        For problems and results of workers; temporary.
    peers : Path or None
        The peers' interpreter, if they are installed.
    cache : Path or None
        Where compiled kernels go; by default where they always go.
    quick : bool
        Smaller problems, fewer of them.
    """

    folder: Path
    peers: Path | None
    cache: Path | None = None
    quick: bool = False
    _specs: dict[Spec, Path] = field(default_factory=dict)
    _measured: dict[Any, Result] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)

    def problem(self, spec: Spec) -> Path:
        """The folder of a problem, made when first asked for."""
        if spec not in self._specs:
            self._specs[spec] = self.folder / f"problem{len(self._specs)}"
            save_problem(self._specs[spec], spec)
        return self._specs[spec]

    def run(
        self,
        name: str,
        specs: Sequence[Spec],
        task: str,
        settings: Settings = NO_SETTINGS,
        **arguments: Any,
    ) -> list[Result]:
        """Have one contender do one task on some problems, in a process of its own."""
        contender = CONTENDERS[name]
        if contender.is_peer and self.peers is None:
            return [{"status": "not installed"}] * len(specs)
        what = ", ".join([contender.label, *(f"{key}={value}" for key, value in settings.items())])
        where = describe(specs[0]) if len(specs) == 1 else f"{len(specs)} problems"
        say(f"  {what}: {task}, {where}")
        job = {
            "task": task,
            "problems": [str(self.problem(spec)) for spec in specs],
            "settings": dict(settings),
            "arguments": arguments,
        }
        python = str(self.peers) if contender.is_peer else sys.executable
        with tempfile.NamedTemporaryFile("w", suffix=".json", dir=self.folder) as file:
            json.dump(job, file)
            file.flush()
            command = [python, "-m", "benchmarks.worker", name, "--spec", file.name]
            results, status = _start(command, _environment(self.cache, contender.is_peer))
        if status != "ok":
            say(f"    {status}")
        return [{"status": status, **result} for result in results or [{}] * len(specs)]

    def measure(self, name: str, spec: Spec, settings: Settings = NO_SETTINGS) -> Result:
        """Cost of an iteration, measured once in this run."""
        return self.measure_all(name, [spec], settings)[0]

    def measure_all(
        self, name: str, specs: Sequence[Spec], settings: Settings = NO_SETTINGS
    ) -> list[Result]:
        """The same for several problems in one process, which says nothing about memory."""
        keys = [(name, spec, tuple(sorted(settings.items()))) for spec in specs]
        limit = CONTENDERS[name].max_pairs
        for key in keys:
            if key[1].pairs > limit:
                self._measured[key] = {"status": f"left out: over {limit:,} pairs"}
        todo = [key for key in keys if key not in self._measured]
        if todo:
            arguments = self._effort(len(todo) == 1)
            results = self.run(name, [key[1] for key in todo], "cost", settings, **arguments)
            self._measured.update(zip(todo, results, strict=True))
        if len(todo) == 1 and self._measured[todo[0]]["status"] == "ok":
            self._judge(name, todo[0][1], self._measured[todo[0]])
        return [self._measured[key] for key in keys]

    def _effort(self, is_alone: bool) -> dict[str, Any]:
        """Fewer iterations and repeats in a sweep over many problems, where nobody judges the result."""
        if not is_alone:
            return {
                "iterations": 2,
                "long_enough": 0.15 if self.quick else 0.4,
                "budget": 0.5 if self.quick else 1.5,
                "out": "",
            }
        out = str(self.folder / "mixture.npz")
        if self.quick:
            return {"iterations": 3, "long_enough": 0.15, "budget": 0.5, "out": out}
        return {"iterations": 5, "long_enough": 0.5, "budget": 3.0, "out": out}

    def _judge(self, name: str, spec: Spec, result: Result) -> None:
        """Add the reference log-likelihood of what came out, over the first rows."""
        problem = load_problem(self.problem(spec))
        if not CONTENDERS[name].takes_errors:
            problem = problem._replace(std=None, cov=None)
        mixture = load_mixture(self.folder / "mixture.npz")
        result["loglik"] = judged(problem, mixture, 2_000 if self.quick else 10_000)


def describe(spec: Spec) -> str:
    """One phrase for a problem."""
    errors = {"none": "no errors", "diag": "diagonal errors", "full": "full errors"}[spec.noise]
    return f"N={spec.n:,} K={spec.k} d={spec.d} {errors}"


def _environment(cache: Path | None, is_peer: bool) -> dict[str, str]:
    environment = {**os.environ, **ONE_THREAD, "PYTHONWARNINGS": "ignore"}
    if is_peer:
        environment.pop("PYTHONPATH", None)  # what makes `peculiar` importable might hide theirs
    if cache is not None:
        environment["NUMBA_CACHE_DIR"] = str(cache)
    return environment


def _start(command: list[str], environment: dict[str, str]) -> tuple[list[Result], str]:
    """What a worker printed, and "ok"; or nothing, and what went wrong."""
    try:
        done = subprocess.run(
            command,
            check=True,
            capture_output=True,
            text=True,
            cwd=ROOT,
            env=environment,
            timeout=SECONDS,
        )
    except subprocess.TimeoutExpired:
        return [], f"not done in {SECONDS} s"
    except subprocess.CalledProcessError as error:
        return [], f"failed: {error_line(error.stderr)}"
    return json.loads(done.stdout.splitlines()[-1]), "ok"


def error_line(stderr: str) -> str:
    """The first line of the error at the end of a traceback."""
    lines = stderr.strip().splitlines() or ["no message"]
    heads = [line for line in lines if line[:1].isalpha() and "Error" in line.split(":")[0]]
    return (heads or lines)[-1][:120]
