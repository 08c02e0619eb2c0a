"""The problems: the same for everybody, what they say they are, and the same after a trip through files."""

import numpy as np
import pytest

from benchmarks.problems import Spec, load_problem, make_problem, noise_cov, save_problem, take_rows

KINDS = ["none", "diag", "full"]


@pytest.mark.parametrize("noise", KINDS)
def test_files_give_back_the_problem(tmp_path, noise):
    made = save_problem(tmp_path, Spec(30, 3, 2, noise))
    read = load_problem(tmp_path)
    for one, other in zip((*made[:3], *made.start), (*read[:3], *read.start)):
        assert (one is None) == (other is None)
        assert one is None or np.array_equal(one, other)


@pytest.mark.parametrize("noise", KINDS)
def test_noise_is_what_was_asked_for(noise):
    problem = make_problem(Spec(20, 3, 2, noise))
    cov = noise_cov(problem)
    off_diagonal = cov[:, ~np.eye(3, dtype=bool)]
    assert (problem.std is not None) == (noise == "diag")
    assert (problem.cov is not None) == (noise == "full")
    assert np.any(cov) == (noise != "none")
    assert np.any(off_diagonal) == (noise == "full")


@pytest.mark.parametrize("noise", ["diag", "full"])
def test_stated_noise_is_the_noise_of_the_rows(noise):
    """Residuals of a single cluster without spread, whitened: only the clean part is left over."""
    problem = make_problem(Spec(40_000, 2, 1, noise, spread=0.0))
    found = np.cov(problem.x.T)
    clean = 5.0 / 3.0 * np.eye(2)  # dof / (dof - 2)
    np.testing.assert_allclose(found, clean + noise_cov(problem).mean(axis=0), atol=0.06)


def test_input_is_rows_and_errors():
    problem = make_problem(Spec(10, 2, 2, "full"))
    assert problem.input_bytes == 8 * (20 + 40)
    assert take_rows(problem, slice(5)).input_bytes == 4 * (20 + 40)
