"""`import peculiar` is cheap, and loads nothing that is optional. One fresh interpreter answers all questions."""

import json
import os
import subprocess
import sys
from typing import NamedTuple

import pytest

OPTIONAL = {
    "astropy",
    "bokeh",
    "click",
    "dask",
    "distributed",
    "h5py",
    "hats",
    "lsdb",
    "matplotlib",
    "nested_pandas",
    "pandas",
    "polars",
    "pyarrow",
    "rich",
}
STEPS = {
    "peculiar": "import peculiar",
    "numba": "import numba",
    "dependencies": "import sklearn.base, sklearn.cluster, scipy.special, scipy.linalg",
    "estimator": "from peculiar import RobustMixture",
    "everything": "import peculiar.cli; [getattr(peculiar, name) for name in peculiar.__all__]",
}
PROGRAM = """
import json, sys, time
for step in json.loads(sys.argv[1]):
    before = time.process_time()
    exec(step)
    print(json.dumps([time.process_time() - before, sorted(sys.modules)]))
"""


class Step(NamedTuple):
    cpu: float  # seconds of this step
    packages: set[str]  # loaded by then


@pytest.fixture(scope="module")
def after():
    """What an interpreter has loaded after each of the steps, and what the step has cost."""
    environment = os.environ | {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1"}
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, json.dumps(list(STEPS.values()))],
        check=True,
        capture_output=True,
        text=True,
        env=environment,
    )
    lines = map(json.loads, done.stdout.splitlines())
    return {
        name: Step(cpu, {module.partition(".")[0] for module in modules})
        for name, (cpu, modules) in zip(STEPS, lines, strict=True)
    }


def test_importing_loads_nothing_optional(after):
    packages = after["peculiar"].packages
    assert "peculiar" in packages
    assert not packages & OPTIONAL


def test_using_it_loads_nothing_optional_but_what_scikit_learn_loads(after):
    # scikit-learn 1.9 imports pandas by itself wherever pandas is installed.
    theirs, ours = after["dependencies"].packages, after["everything"].packages
    assert "sklearn" in ours
    assert not (ours - theirs) & OPTIONAL


def test_importing_costs_less_than_its_dependencies(after):
    # scikit-learn alone takes more than a second: the public names are loaded when first used. CPU time, and against
    # Numba in the same run, so that a slow or busy machine does not decide. What Numba needs and `import peculiar` has
    # loaded counts against us.
    assert after["peculiar"].cpu < after["numba"].cpu


def test_the_estimator_costs_little_more_than_its_dependencies(after):
    # Compiling at import, or reading a large table there, would show.
    dependencies = after["numba"].cpu + after["dependencies"].cpu
    assert after["estimator"].cpu < 0.5 * dependencies
