"""Whoever has to wait for the compiler is told so, once. What it made is kept; what another version made is no harm."""

import os
import pickle
import subprocess
import sys

import joblib
import numba
import pytest

from peculiar import OutlierDetector
from peculiar.kernels import _cache, _jit
from peculiar.kernels.careful.loops import expect_rows, scale_moments
from peculiar.kernels.lanes.loops import describe_blocks, sum_blocks
from peculiar.kernels.tail.frames import frame_rows
from peculiar.kernels.tail.objects import tail_rows
from tests.estimators.helpers import measured, published
from tests.grid import everyday

FIT = """
import numpy as np
from peculiar import RobustMixture
X = np.random.default_rng(0).standard_normal((40, 1))
print(RobustMixture(max_iter=500).fit(X).lower_bound_)
"""

SMALL = """
from peculiar.kernels._jit import row_kernel
@row_kernel
def sum_blocks(n):
    total = 0
    for i in range(n):
        total += i
    return total
print(sum_blocks(10))
"""


def run_together(program, folder, n_processes):
    """What processes that start at the same time print, and what they say; what they compile is kept in the folder."""
    file = folder / "program.py"  # Numba keeps nothing of what has no file
    file.write_text(program)
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder), "OMP_NUM_THREADS": "1"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    processes = [
        subprocess.Popen([sys.executable, file, str(i)], text=True, env=environment, **pipes)
        for i in range(n_processes)
    ]
    said = [process.communicate() for process in processes]
    assert not any(process.returncode for process in processes), said
    return said


@pytest.mark.parametrize("program", everyday(SMALL, slow=[FIT]), ids=["a kernel", "a fit"])
def test_one_process_compiles_and_says_so_and_all_others_find_it(tmp_path, program):
    first = run_together(program, tmp_path, 2)
    messages = "".join(stderr for _, stderr in first)
    assert messages.count("compiling for this machine, once, about a minute in all") == 1
    indices = list(tmp_path.rglob("*sum_blocks*.nbi"))
    assert indices
    for index in indices:
        assert index.stat().st_size > 0
    (second,) = run_together(program, tmp_path, 1)
    assert second == (first[0][0], "")
    assert first[1][0] == first[0][0]


@pytest.mark.parametrize(
    "entry", [describe_blocks, expect_rows, frame_rows, scale_moments, sum_blocks, tail_rows]
)
def test_every_entry_is_kept_under_the_stamp_of_all_sources(entry):
    assert entry._cache._cache_file._source_stamp == _jit.sources_stamp()


REMEMBERS_OTHERS = tuple(map(int, numba.__version__.split(".")[:2])) >= (0, 68)
"""Before, of processes that compile callbacks at the same time one is remembered: the others compile again."""

CALLBACKS = """
import sys
from numba import types
from peculiar.kernels._jit import callback
def adding(n):
    def add(x):
        return x + n
    return callback(types.int64(types.int64))(add)
first = 12 * int(sys.argv[1])
for n in range(first, first + 12):
    function = adding(n)
    assert function.ctypes(1) == n + 1
index = function._cache._cache_file._load_index()
print(len(index), len(set(index.values())))
"""


def test_processes_that_compile_at_the_same_time_keep_their_code_apart(tmp_path):
    """Numba names files by counting, and two processes may count to the same number."""
    run_together(CALLBACKS, tmp_path, 3)
    ((last, _),) = run_together(CALLBACKS, tmp_path, 1)  # finds all of its own
    n_kept, n_files = last.split()
    assert n_kept == n_files
    if REMEMBERS_OTHERS:
        assert n_kept == "36"


def test_an_index_that_names_a_class_that_is_gone_counts_as_empty():
    gone = pickle.dumps(_jit.sources_stamp).replace(b"sources_stamp", b"no_such_thing")
    assert _cache._or_else(lambda: pickle.loads(gone), dict)() == {}
    assert _cache._or_else(lambda: {"key": "value"}, dict)() == {"key": "value"}


def test_a_model_that_may_not_be_written_to_needs_no_code_of_its_own(tmp_path):
    """To Numba such arrays are of another type, and a whole entry point would be compiled for them."""
    joblib.dump(published(), tmp_path / "model.joblib")
    model = joblib.load(tmp_path / "model.joblib", mmap_mode="r")
    assert not model.dofs_.flags.writeable
    X, X_std = measured(20)
    X[0, 0] = 1e9
    X[0, 1] = float("nan")
    OutlierDetector.from_mixture(model).p_values(X, X_std=X_std)
    model.predict_latent(X, X_std=X_std)
    for entry in (describe_blocks, tail_rows, expect_rows):
        assert "readonly" not in str(entry.signatures)
