"""A process that is forked after a fit can fit, too: nothing waits for threads that stayed in the parent."""

import os
import subprocess
import sys

import pytest

SCRIPT = """
import os
import numpy as np
from peculiar import RobustMixture

X = np.random.default_rng(0).normal(size=(3000, 2))
X[1500:] += 5.0
def fit():
    return RobustMixture(2, random_state=0, n_jobs=2, tol=1e-3).fit(X, X_std=np.full_like(X, 0.1))
here = fit().locations_
child = os.fork()
if child == 0:
    os._exit(0 if np.array_equal(fit().locations_, here) else 9)
raise SystemExit(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
"""


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system does not fork")
def test_a_fit_in_a_forked_child():
    run = subprocess.Popen([sys.executable, "-W", "ignore", "-c", SCRIPT], start_new_session=True)
    try:
        assert run.wait(timeout=300) == 0
    finally:
        if run.poll() is None:
            os.killpg(run.pid, 9)  # the child that hangs, too
