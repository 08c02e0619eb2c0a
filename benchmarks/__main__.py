"""Time one EM iteration of each engine against batched-NumPy extreme deconvolution.

Everything is measured in one run and on the same rows, and given as a ratio: absolute times mean little on
another machine. CPU time (all threads) stands beside wall time; when the two differ, something else was running.
"""

from __future__ import annotations

import argparse
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from benchmarks.reference_xd import Floats, GaussianMixture, xd_iteration
from peculiar import RobustMixture

N_COMPONENTS = 5
ENGINES = ("exact", "structured", "exact, dof=inf")


class Problem(NamedTuple):
    """Rows with noise, and where the fit starts."""

    x: Floats  # (n, d)
    noise: dict[str, Floats]  # X_std or X_cov
    noise_cov: Floats  # (n, d, d), for the reference
    start: GaussianMixture


class Cost(NamedTuple):
    """Seconds."""

    wall: float
    cpu: float


def make_problem(n: int, d: int, *, full_noise: bool, seed: int = 0) -> Problem:
    """Draw overlapping Student-t clusters (dof 5) with noise from a tenth of to as large as the scatter."""
    rng = np.random.default_rng(seed)
    means = rng.normal(0.0, 3.0, (N_COMPONENTS, d))
    u = rng.gamma(2.5, 1.0 / 2.5, (n, 1))
    clean = means[rng.integers(N_COMPONENTS, size=n)] + rng.normal(size=(n, d)) / np.sqrt(u)
    std = 10.0 ** rng.uniform(-1.0, 0.0, (n, d))
    noise_cov = std[:, :, None] ** 2 * np.eye(d)
    if full_noise:
        shared = 0.3 * std[:, :1]  # as the colours u-r, g-r, ... share the error of r
        noise_cov = noise_cov + shared[:, :, None] ** 2
    x = clean + (np.linalg.cholesky(noise_cov) @ rng.normal(size=(n, d, 1)))[..., 0]
    noise = {"X_cov": noise_cov} if full_noise else {"X_std": std}
    covs = np.broadcast_to(2.0 * np.eye(d), (N_COMPONENTS, d, d)).copy()
    start = GaussianMixture(np.full(N_COMPONENTS, 1.0 / N_COMPONENTS), means + 0.3, covs)
    return Problem(x, noise, noise_cov, start)


def fit(problem: Problem, engine: str, max_iter: int, n_jobs: int) -> RobustMixture:
    """Run exactly ``max_iter`` iterations of plain EM from the given start."""
    name, _, limit = engine.partition(", ")
    settings: dict[str, Any] = (
        {"dof": np.inf} if limit else {"dofs_init": np.full(N_COMPONENTS, 5.0)}
    )
    model = RobustMixture(
        N_COMPONENTS,
        engine=name,
        weights_init=problem.start.weights,
        locations_init=problem.start.means,
        scatters_init=problem.start.covs,
        tol=0,
        max_iter=max_iter,
        accelerate=False,
        n_jobs=n_jobs,
        **settings,
    )
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # that is what max_iter is for here
        return model.fit(problem.x, **problem.noise)


def measure(work: Callable[[], Any], repeats: int) -> Cost:
    """The least wall and CPU time over some repeats."""
    costs = []
    for _ in range(repeats):
        wall, cpu = time.perf_counter(), time.process_time()
        work()
        costs.append((time.perf_counter() - wall, time.process_time() - cpu))
    return Cost(*np.min(costs, axis=0))


def measure_iteration(problem: Problem, engine: str, n_jobs: int, repeats: int) -> Cost:
    """Cost of one iteration: what four cost more than one, so that checks and set-up cancel."""
    fit(problem, engine, 1, n_jobs)  # compiles, or loads what was compiled
    one = measure(lambda: fit(problem, engine, 1, n_jobs), repeats)
    four = measure(lambda: fit(problem, engine, 4, n_jobs), repeats)
    return Cost((four.wall - one.wall) / 3.0, (four.cpu - one.cpu) / 3.0)


def check_same_problem(problem: Problem) -> None:
    """Stop unless the infinite-dof limit takes the step the reference takes."""
    expected, _ = xd_iteration(problem.x, problem.noise_cov, problem.start)
    found = fit(problem, "exact, dof=inf", 1, 1)
    np.testing.assert_allclose(found.weights_, expected.weights, rtol=1e-9)
    np.testing.assert_allclose(found.locations_, expected.means, rtol=1e-9, atol=1e-9)
    np.testing.assert_allclose(found.scatters_, expected.covs, rtol=1e-9, atol=1e-9)


def run(n: int, dimensions: Sequence[int], n_jobs: int, repeats: int) -> None:
    """Print the table."""
    print(f"One EM iteration, {n:,} rows, {N_COMPONENTS} components; n_jobs={n_jobs}.")
    print("Times in microseconds per row and component; ratio: CPU time against batched NumPy.\n")
    header = f"{'d':>3}  {'noise':<9} {'':<16} {'wall':>8} {'CPU':>8} {'ratio':>7}"
    print(header, "-" * len(header), sep="\n")
    for d in dimensions:
        for full_noise in (False, True):
            problem = make_problem(n, d, full_noise=full_noise)
            check_same_problem(problem)
            reference = measure(lambda p=problem: xd_iteration(p.x, p.noise_cov, p.start), repeats)
            costs = {"batched NumPy XD": reference}
            for engine in ENGINES:
                costs[engine] = measure_iteration(problem, engine, n_jobs, repeats)
            for name, cost in costs.items():
                wall, cpu = (1e6 * seconds / (n * N_COMPONENTS) for seconds in cost)
                kind = "full" if full_noise else "diagonal"
                ratio = cost.cpu / reference.cpu
                print(
                    f"{d:>3}  {kind:<9} {name:<16} {wall:8.3f} {cpu:8.3f} {ratio:7.2f}", flush=True
                )


def main() -> None:
    """Read the options, run."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks", description=__doc__)
    parser.add_argument("--quick", action="store_true", help="few rows, d = 4 only: a minute")
    parser.add_argument("--rows", type=int, default=50_000)
    parser.add_argument("--n-jobs", type=int, default=1)
    parser.add_argument("--repeats", type=int, default=3)
    options = parser.parse_args()
    if options.quick:
        run(4_000, (4,), options.n_jobs, options.repeats)
    else:
        run(options.rows, (2, 4, 10), options.n_jobs, options.repeats)


if __name__ == "__main__":
    main()
