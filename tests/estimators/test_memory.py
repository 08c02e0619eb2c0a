"""Memory: the input, O(n), and O(threads); nothing of n x K x d x d."""

import subprocess
import sys

import pytest

PROGRAM = """
import resource, sys, warnings
import numpy as np
from peculiar import RobustMixture

n_rows, noise = int(sys.argv[1]), sys.argv[2] == "noise"
warnings.simplefilter("ignore")  # two iterations do not converge

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

def work(n):
    rng = np.random.default_rng(0)
    X = rng.standard_normal((n, 4))
    errors = {"X_std": np.full((n, 4), 0.3)} if noise else {}
    model = RobustMixture(5, random_state=0, max_iter=2, tol=0).fit(X, **errors)
    model.score_samples(X, **errors)

work(25_000)  # compiled code, libraries, and all that does not grow
before = peak()
work(n_rows)
print(peak() - before)
"""


def growth(n_rows, noise):
    """Bytes that a fit and a score of so many rows need beyond those of a small one."""
    result = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(n_rows), noise],
        capture_output=True,
        text=True,
        check=True,
    )
    return int(result.stdout)


def check(n_rows, noise):
    forbidden = n_rows * 5 * 4 * 4 * 8  # n x K x d x d
    assert growth(n_rows, noise) < 0.5 * forbidden


def test_exact_values():
    check(100_000, "exact")


@pytest.mark.slow
def test_values_with_errors():
    check(200_000, "noise")
