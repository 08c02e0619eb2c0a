"""The data that every contender gets, and where all of them start.

Needs NumPy only: the peers' interpreter reads these files too, and knows nothing of `peculiar`.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

TRUE_DOF = 5.0
"""Degrees of freedom of the clean values, and where estimates of it start."""


@dataclass(frozen=True)
class Spec:
    """What distinguishes one problem from another.

    Attributes
    ----------
    n, d, k : int
        Rows, features, components.
    noise : {"none", "diag", "full"}
        What is known of the errors: nothing (there are none), standard deviations, covariances.
    spread : float
        Standard deviation of the centres; clusters of unit scatter overlap at 1, hardly at 3.
    seed : int
    """

    n: int
    d: int
    k: int = 5
    noise: str = "diag"
    spread: float = 3.0
    seed: int = 0

    @property
    def pairs(self) -> int:
        """Objects times components: what an iteration should cost in proportion to."""
        return self.n * self.k


class Mixture(NamedTuple):
    """Parameters of a mixture of t's; Gaussian where the dof is infinite."""

    weights: Floats  # (K,)
    locations: Floats  # (K, d)
    scatters: Floats  # (K, d, d)
    dofs: Floats  # (K,)


class Problem(NamedTuple):
    """Rows, their errors (one of the two, or neither), and a start."""

    x: Floats  # (n, d)
    std: Floats | None  # (n, d)
    cov: Floats | None  # (n, d, d)
    start: Mixture

    @property
    def input_bytes(self) -> int:
        """Size of the rows and their errors."""
        return sum(a.nbytes for a in (self.x, self.std, self.cov) if a is not None)


def make_problem(spec: Spec) -> Problem:
    """Draw Student-t clusters, and noise from a tenth of to as large as the scatter."""
    rng = np.random.default_rng(spec.seed)
    n, d, k = spec.n, spec.d, spec.k
    centres = rng.normal(0.0, spec.spread, (k, d))
    u = rng.gamma(TRUE_DOF / 2.0, 2.0 / TRUE_DOF, (n, 1))
    x = centres[rng.integers(k, size=n)] + rng.normal(size=(n, d)) / np.sqrt(u)
    start = _start(centres)
    if spec.noise == "none":
        return Problem(x, None, None, start)
    std = 10.0 ** rng.uniform(-1.0, 0.0, (n, d))
    x += std * rng.normal(size=(n, d))
    if spec.noise == "diag":
        return Problem(x, std, None, start)
    shared = 0.3 * std[:, :1]  # as the colours u-r, g-r, ... share the error of r
    x += shared * rng.normal(size=(n, 1))
    cov = std[:, :, None] ** 2 * np.eye(d) + shared[:, :, None] ** 2
    return Problem(x, None, cov, start)


def _start(centres: Floats) -> Mixture:
    """A little beside the truth, and too wide."""
    k, d = centres.shape
    scatters = np.broadcast_to(2.0 * np.eye(d), (k, d, d)).copy()
    return Mixture(np.full(k, 1.0 / k), centres + 0.3, scatters, np.full(k, TRUE_DOF))


def noise_cov(problem: Problem) -> Floats:
    """Covariance of every row's errors, for those who take nothing else."""
    n, d = problem.x.shape
    if problem.cov is not None:
        return problem.cov
    cov = np.zeros((n, d, d))
    if problem.std is not None:
        cov[:, range(d), range(d)] = problem.std**2
    return cov


def take_rows(problem: Problem, rows: slice) -> Problem:
    """The same problem with some of its rows."""
    std, cov = (None if a is None else a[rows] for a in (problem.std, problem.cov))
    return Problem(problem.x[rows], std, cov, problem.start)


def save_problem(folder: Path, spec: Spec) -> Problem:
    """Make a problem and write it, one array per file, so that a process can load it without copies."""
    folder.mkdir(parents=True, exist_ok=True)
    problem = make_problem(spec)
    (folder / "spec.json").write_text(json.dumps(asdict(spec)))
    for name in ("x", "std", "cov"):
        array = getattr(problem, name)
        if array is not None:
            np.save(folder / f"{name}.npy", array)
    save_mixture(folder / "start.npz", problem.start)
    return problem


def load_problem(folder: Path) -> Problem:
    """What `save_problem` wrote."""
    paths = [folder / f"{name}.npy" for name in ("x", "std", "cov")]
    x, std, cov = (np.load(path) if path.exists() else None for path in paths)
    assert x is not None
    return Problem(x, std, cov, load_mixture(folder / "start.npz"))


def save_mixture(path: Path, mixture: Mixture) -> None:
    """Write parameters to an .npz file."""
    np.savez(path, **mixture._asdict())


def load_mixture(path: Path) -> Mixture:
    """Read parameters from an .npz file."""
    with np.load(path) as stored:
        return Mixture(*(stored[name] for name in Mixture._fields))
