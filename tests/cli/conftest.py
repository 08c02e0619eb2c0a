"""A small catalogue that commands are tried on, and a way to run them."""

import io
import os
import subprocess
import sys
from contextlib import redirect_stderr, redirect_stdout
from typing import NamedTuple

import numpy as np
import pytest

from peculiar.cli import main
from peculiar.cli.demo import as_catalogue
from peculiar.datasets import make_colours
from peculiar.report import to_csv

FEATURES = "u - r, g - r"
QUICK = ["--features", FEATURES, "-k", "1", "--tol", "1e-3", "--jobs", "1"]


HEARS_CTRL_C = "import signal\nsignal.signal(signal.SIGINT, signal.default_int_handler)\n"
"""First lines of a process: started from the background it would have inherited that Ctrl-C is to be ignored."""


class Done(NamedTuple):
    code: int
    out: str
    err: str


@pytest.fixture
def peculiar(monkeypatch):
    """Run a command within this process."""
    monkeypatch.setenv("COLUMNS", "100")

    def run(*arguments):
        out, err = io.StringIO(), io.StringIO()
        with redirect_stdout(out), redirect_stderr(err):
            code = main([str(argument) for argument in arguments])
        return Done(code, out.getvalue(), err.getvalue())

    return run


@pytest.fixture
def start():
    """Start a command, or other code, as a process of its own; it does not outlive the test."""
    processes = []

    def run(*arguments, code="from peculiar.cli import __main__", **options):
        command = [sys.executable, "-c", HEARS_CTRL_C + code, *map(str, arguments)]
        options = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True} | options
        environment = os.environ | options.pop("env", {})
        processes.append(subprocess.Popen(command, env=environment, **options))
        return processes[-1]

    yield run
    for process in processes:
        process.kill()
        process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


@pytest.fixture(scope="session")
def sky():
    return make_colours(300, n_peculiar=5, random_state=0)


@pytest.fixture(scope="session")
def catalogue(sky, tmp_path_factory):
    """The file catalogue.csv, as the demo writes it."""
    path = tmp_path_factory.mktemp("sky") / "catalogue.csv"
    path.write_text(to_csv(as_catalogue(sky)))
    return path


@pytest.fixture(scope="session")
def model(catalogue):
    """A model file of that catalogue."""
    path = catalogue.with_name("colours.peculiar")
    with redirect_stdout(io.StringIO()):
        assert main(["fit", str(catalogue), *QUICK, "--out", str(path)]) == 0
    return path


@pytest.fixture
def table():
    """Columns of a catalogue that is fitted in no time."""
    rng = np.random.default_rng(0)
    return {
        "name": [f"{i:03d}" for i in range(60)],
        "u": rng.normal(size=60).round(3),
        "u_err": rng.uniform(0.1, 0.3, 60).round(3),
        "g": rng.normal(size=60).round(3),
        "g_err": rng.uniform(0.1, 0.3, 60).round(3),
    }
