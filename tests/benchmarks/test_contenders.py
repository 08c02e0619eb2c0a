"""Contenders and their processes: what can be checked without installing the peers."""

import ast
import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from benchmarks import contenders
from benchmarks.contenders import CONTENDERS, REFERENCE, numpy_xd, peculiar_mixture
from benchmarks.launch import Bench, error_line
from benchmarks.peers_venv import pinned
from benchmarks.problems import Spec, make_problem, save_problem

FOLDER = Path(contenders.__file__).parent
ROOT = Path(__file__).parents[2]


def tree_of(contender):
    return ast.parse((FOLDER / f"{contender.module}.py").read_text())


@pytest.mark.parametrize("contender", CONTENDERS.values(), ids=CONTENDERS)
def test_function_is_there(contender):
    names = {node.name for node in tree_of(contender).body if isinstance(node, ast.FunctionDef)}
    assert contender.function in names


@pytest.mark.parametrize("contender", [c for c in CONTENDERS.values() if c.is_peer], ids=str)
def test_peers_need_nothing_of_ours(contender):
    imported = {n.module for n in ast.walk(tree_of(contender)) if isinstance(n, ast.ImportFrom)}
    assert {name for name in imported if "benchmarks" in name} == {"benchmarks.problems"}
    assert not {name for name in imported if name.startswith("peculiar")}


def test_peers_are_pinned():
    names = {line.partition("==")[0] for line in pinned()}
    assert {c.package for c in CONTENDERS.values() if c.is_peer} <= names
    assert all("==" in line for line in pinned())


@pytest.mark.parametrize("noise", ["diag", "full"])
def test_infinite_dof_takes_the_reference_step(noise):
    problem = make_problem(Spec(300, 3, 2, noise))
    expected, found = numpy_xd.fit(problem, 3), peculiar_mixture.fit_xd(problem, 3)
    for one, other in zip(found, expected):
        np.testing.assert_allclose(one, other, rtol=1e-9, atol=1e-9)


def test_a_worker_measures_and_leaves_its_parameters(tmp_path):
    problem = save_problem(tmp_path / "problem", Spec(200, 2, 2))
    out = tmp_path / "mixture.npz"
    arguments = {"iterations": 3, "long_enough": 0.0, "budget": 0.0, "out": str(out)}
    job = {"task": "cost", "problems": [str(tmp_path / "problem")], "settings": {}}
    (tmp_path / "task.json").write_text(json.dumps({**job, "arguments": arguments}))
    command = [sys.executable, "-m", "benchmarks.worker", REFERENCE, "--spec"]
    done = subprocess.run(
        [*command, tmp_path / "task.json"], cwd=ROOT, check=True, capture_output=True, text=True
    )
    (result,) = json.loads(done.stdout)
    assert result["peak_mb"] > result["fit_mb"] >= 0.0
    assert {"cpu", "wall"} <= set(result)
    with np.load(out) as stored:
        np.testing.assert_allclose(stored["weights"], numpy_xd.fit(problem, 3).weights, rtol=1e-12)


def test_without_a_venv_peers_are_not_installed(tmp_path):
    bench = Bench(tmp_path, peers=None, quick=True)
    assert bench.measure("pygmmis", Spec(100, 2))["status"] == "not installed"


def test_large_problems_are_left_out(tmp_path):
    bench = Bench(tmp_path, peers=None, quick=True)
    assert bench.measure("astroml", Spec(1_000_000, 2))["status"] == "left out: over 100,000 pairs"


def test_the_line_that_says_what_broke():
    trace = (
        "Traceback (most recent call last):\n  File x\nValueError: numpy.dtype size\nmore words\n"
    )
    assert error_line(trace) == "ValueError: numpy.dtype size"
    assert error_line("killed") == "killed"
