"""`import peculiar` is cheap, and loads nothing that is optional. Each question gets a fresh interpreter."""

import json
import os
import subprocess
import sys

OPTIONAL = {
    "astropy",
    "bokeh",
    "click",
    "dask",
    "distributed",
    "h5py",
    "matplotlib",
    "pandas",
    "polars",
    "pyarrow",
    "rich",
}
REPORT = "import json, sys, time; print(json.dumps([time.process_time(), sorted(sys.modules)]))"


def run_fresh(statement):
    """CPU seconds of an interpreter that runs the statement, and the packages it has loaded then."""
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", f"{statement}; {REPORT}"],
        check=True,
        capture_output=True,
        text=True,
        env=environment,
    )
    cpu, modules = json.loads(done.stdout)
    return cpu, {name.partition(".")[0] for name in modules}


def cpu_costs(*statements, repeats=2):
    """What each statement costs over an empty one, least of several; taken in turns, so that a busy spell hits all."""
    rounds = [
        [run_fresh(statement)[0] for statement in ("pass", *statements)] for _ in range(repeats)
    ]
    empty, *costs = (min(column) for column in zip(*rounds, strict=True))
    return [cost - empty for cost in costs]


def test_importing_loads_nothing_optional():
    _, packages = run_fresh("import peculiar")
    assert "peculiar" in packages
    assert not packages & OPTIONAL


def test_using_it_loads_nothing_optional_but_what_scikit_learn_loads():
    # scikit-learn 1.9 imports pandas by itself wherever pandas is installed.
    _, theirs = run_fresh("import sklearn.base, sklearn.cluster")
    _, ours = run_fresh(
        "import peculiar, peculiar.cli; [getattr(peculiar, n) for n in peculiar.__all__]"
    )
    assert "sklearn" in ours
    assert not (ours - theirs) & OPTIONAL


def test_importing_costs_less_than_its_dependencies():
    # scikit-learn alone takes more than a second: the public names are loaded when first used. CPU time, and against
    # Numba in the same run, so that a slow or busy machine does not decide.
    ours, numba = cpu_costs("import peculiar", "import numba")
    assert ours < numba


def test_the_estimator_costs_little_more_than_its_dependencies():
    # Compiling at import, or reading a large table there, would show.
    dependencies = "import numba, sklearn.base, sklearn.cluster, scipy.special, scipy.linalg"
    ours, theirs = cpu_costs("from peculiar import RobustMixture", dependencies)
    assert ours < 1.5 * theirs
