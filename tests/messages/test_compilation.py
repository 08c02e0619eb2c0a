"""Whoever has to wait for the compiler is told so, once. What it made is kept; what another version made is no harm."""

import os
import pickle
import subprocess
import sys

from peculiar.kernels import _jit

FIT = """
import numpy as np
from peculiar import RobustMixture
X = np.random.default_rng(0).standard_normal((40, 1))
print(RobustMixture(max_iter=500).fit(X).lower_bound_)
"""


def run_fit(folder):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(folder), "OMP_NUM_THREADS": "1"}
    return subprocess.run(
        [sys.executable, "-c", FIT], check=True, capture_output=True, text=True, env=environment
    )


def test_first_fit_says_that_it_compiles_and_the_next_process_need_not(tmp_path):
    first = run_fit(tmp_path)
    assert first.stderr.count("compiling sum_blocks for this machine") == 1
    for index in tmp_path.rglob("*sum_blocks*.nbi"):
        assert index.stat().st_size > 0
    second = run_fit(tmp_path)
    assert second.stderr == ""
    assert second.stdout == first.stdout


def test_an_index_that_names_a_class_that_is_gone_counts_as_empty():
    gone = pickle.dumps(_jit.sources_stamp).replace(b"sources_stamp", b"no_such_thing")
    assert _jit._forgiving(lambda: pickle.loads(gone))() == {}
    assert _jit._forgiving(lambda: {"key": "value"})() == {"key": "value"}
