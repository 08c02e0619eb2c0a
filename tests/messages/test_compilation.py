"""Whoever has to wait for the compiler is told so, once. What it made is kept; what another version made is no harm."""

import os
import pickle
import subprocess
import sys

from peculiar.kernels import _cache, _jit

FIT = """
import numpy as np
from peculiar import RobustMixture
X = np.random.default_rng(0).standard_normal((40, 1))
print(RobustMixture(max_iter=500).fit(X).lower_bound_)
"""


def run_fits(folder, n_processes):
    """What processes that start at the same time print, and what they say."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder), "OMP_NUM_THREADS": "1"}
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    processes = [
        subprocess.Popen([sys.executable, "-c", FIT], text=True, env=environment, **pipes)
        for _ in range(n_processes)
    ]
    said = [process.communicate() for process in processes]
    assert not any(process.returncode for process in processes)
    return said


def test_one_process_compiles_and_says_so_and_all_others_find_it(tmp_path):
    first = run_fits(tmp_path, 2)
    messages = "".join(stderr for _, stderr in first)
    assert messages.count("compiling sum_blocks for this machine") == 1
    for index in tmp_path.rglob("*sum_blocks*.nbi"):
        assert index.stat().st_size > 0
    (second,) = run_fits(tmp_path, 1)
    assert second == (first[0][0], "")
    assert first[1][0] == first[0][0]


KINDS = """
import sys
from peculiar.kernels.lanes.expect import Kind
from peculiar.kernels.lanes.kernels import expect_function
for d in map(int, sys.argv[1:]):
    function = expect_function(Kind("gaussian", "diagonal", d, True, False))
index = function._cache._cache_file._load_index()
print(len(index), len(set(index.values())))
"""


def test_processes_that_compile_at_the_same_time_keep_their_code_apart(tmp_path):
    """Numba names files by counting, and two processes may count to the same number."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path)}
    processes = [
        subprocess.Popen([sys.executable, "-c", KINDS, *map(str, features)], env=environment)
        for features in (range(1, 9), range(9, 17), range(17, 25))
    ]
    assert not any(process.wait() for process in processes)
    last = [sys.executable, "-c", KINDS, "25"]
    done = subprocess.run(last, check=True, capture_output=True, text=True, env=environment)
    assert done.stdout.split() == ["25", "25"]


def test_an_index_that_names_a_class_that_is_gone_counts_as_empty():
    gone = pickle.dumps(_jit.sources_stamp).replace(b"sources_stamp", b"no_such_thing")
    assert _cache._or_else(lambda: pickle.loads(gone), dict)() == {}
    assert _cache._or_else(lambda: {"key": "value"}, dict)() == {"key": "value"}
