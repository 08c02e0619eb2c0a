"""Random problems for hypothesis: data with noise, missing values and weights, and a place to start."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import hypothesis.strategies as st
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
ALL_FEATURES = (1, 2, 3, 4)


class Problem(NamedTuple):
    X: Floats
    noise: dict[str, Floats]  # X_std=, X_cov= or nothing
    sample_weight: Floats | None
    start: dict[str, Any]
    settings: dict[str, Any]


@st.composite
def problems(draw: st.DrawFn, features: Sequence[int] = (1, 3)) -> Problem:
    """Anything the estimator promises to handle, in small.

    Code is compiled for each number of features: every day there are two of them.
    """
    rng = np.random.default_rng(draw(st.integers(0, 2**32)))
    d = draw(st.sampled_from(features))
    n_components = draw(st.integers(1, 3))
    n = draw(st.integers(10 * n_components, 60))
    tails = draw(st.sampled_from([0.7, 2.0, 5.0, np.inf]))
    X = _t_like(rng, n, d, tails) + 5.0 * rng.integers(0, n_components, (n, 1))
    noise = _noise(rng, draw(st.sampled_from(["none", "std", "cov", "zeros"])), n, d)
    if "X_std" in noise:
        X = X + noise["X_std"] * rng.standard_normal((n, d))
    missing = rng.random((n, d)) < draw(st.sampled_from([0.0, 0.1, 0.5]))
    missing[:3] = False
    sample_weight = rng.integers(0, 4, n).astype(float) if draw(st.booleans()) else None
    if sample_weight is not None:
        sample_weight[:3] = 1.0
    start = {
        "weights_init": rng.dirichlet(np.full(n_components, 5.0)),
        "locations_init": X[rng.choice(n, n_components, replace=False)],
        "scatters_init": np.array([_positive(rng, d) for _ in range(n_components)]),
        "dofs_init": 10.0 ** rng.uniform(-0.3, 3.0, n_components),
    }
    settings = {
        "n_components": n_components,
        "scatter": draw(st.sampled_from(["full", "diag"])),
        "dof": draw(st.sampled_from(["estimate", "shared", 3.0, np.inf])),
    }
    return Problem(np.where(missing, np.nan, X), noise, sample_weight, start, settings)


def _t_like(rng: np.random.Generator, n: int, d: int, dof: float) -> Floats:
    u = np.ones((n, 1)) if np.isinf(dof) else rng.gamma(dof / 2, 2 / dof, (n, 1))
    return np.clip(rng.standard_normal((n, d)) / np.sqrt(u), -1e6, 1e6)


def _noise(rng: np.random.Generator, kind: str, n: int, d: int) -> dict[str, Floats]:
    std = 10.0 ** rng.uniform(-2, 1, (n, d))
    if kind == "none":
        return {}
    if kind == "std":
        return {"X_std": std}
    if kind == "zeros":
        return {"X_std": std * (rng.random((n, d)) < 0.5)}
    root = rng.standard_normal((n, d, max(1, d - 1))) * std[:, :, None]  # rank-deficient
    return {"X_cov": root @ np.swapaxes(root, 1, 2)}


def _positive(rng: np.random.Generator, d: int) -> Floats:
    root = rng.standard_normal((d, d + 2))
    matrix: Floats = root @ root.T / (d + 2) * 10.0 ** rng.uniform(-1, 1)
    return matrix
