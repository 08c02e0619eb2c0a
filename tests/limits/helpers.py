"""Small noisy catalogues, and plain EM for a given number of iterations."""

import warnings
from typing import Any

import numpy as np
from numpy.testing import assert_allclose
from sklearn.exceptions import ConvergenceWarning

from peculiar import RobustMixture
from tests.reference.rows import Floats, Params


def run_em(
    start: Params, X: Floats, n_iter: int, *, dof: Any = "estimate", **settings: Any
) -> RobustMixture:
    """The library's model after exactly ``n_iter`` plain EM iterations from ``start``.

    ``dof="fixed"`` keeps those of the start. Of the settings, noise and weights go to ``fit``.
    """
    to_fit = {
        name: settings.pop(name) for name in ("X_std", "X_cov", "sample_weight") if name in settings
    }
    model = RobustMixture(
        len(start.weights),
        dof=start.dofs if dof == "fixed" else dof,
        weights_init=start.weights,
        locations_init=start.locations,
        scatters_init=start.scatters,
        dofs_init=None if dof == "fixed" else start.dofs,
        tol=0.0,
        max_iter=n_iter,
        accelerate=False,
        **settings,
    )
    with warnings.catch_warnings():
        # tol=0 asks for all iterations; that they do not converge is then no news.
        warnings.simplefilter("ignore", ConvergenceWarning)
        model.fit(X, **to_fit)
    assert model.n_iter_ == n_iter
    return model


def assert_same_params(model: RobustMixture, params: Params, rtol: float) -> None:
    """Weights, locations, scatters and dofs agree; matrices relative to their largest entry."""
    assert_allclose(model.weights_, params.weights, rtol=rtol, err_msg="weights")
    for name in ("locations", "scatters"):
        theirs = getattr(params, name)
        assert_allclose(
            getattr(model, f"{name}_"),
            theirs,
            rtol=0,
            atol=rtol * np.abs(theirs).max(),
            err_msg=name,
        )
    assert_allclose(model.dofs_, params.dofs, rtol=rtol, err_msg="dofs")


def clouds(seed: int, n: int = 40, *, dof: float = 4.0) -> tuple[Floats, Params]:
    """Two overlapping clouds of t-distributed points in three features, and a poor start for them."""
    rng = np.random.default_rng(seed)
    u = rng.gamma(dof / 2, 2 / dof, size=(n, 1))
    X = rng.normal(size=(n, 3)) @ np.array([[1, 0.5, 0], [0, 1, -0.4], [0, 0, 0.7]]) / np.sqrt(u)
    X[: n // 3] += [3.0, -1.0, 1.0]
    start = Params(
        weights=np.array([0.4, 0.6]),
        locations=np.array([[2.0, 0.0, 0.0], [-0.5, 0.5, 0.0]]),
        scatters=np.array([np.eye(3), np.eye(3) + 0.3]),
        dofs=np.array([6.0, 3.0]),
    )
    return X, start


def noise_std(seed: int, X: Floats) -> Floats:
    """Standard deviations about as large as the scatter, some of them zero."""
    rng = np.random.default_rng(seed)
    std = rng.uniform(0.1, 1.5, X.shape)
    std[::5] = 0.0  # objects without errors
    std[1::4, 1] = 0.0  # and a feature, for some
    return std


def noise_cov(seed: int, X: Floats) -> Floats:
    """Correlated noise; none for some objects, of rank one for others."""
    rng = np.random.default_rng(seed)
    A = rng.normal(size=(*X.shape, X.shape[1])) * 0.6
    A[::5] = 0.0
    A[1::4, :, 1:] = 0.0
    return A @ A.transpose(0, 2, 1)


def with_holes(seed: int, X: Floats) -> Floats:
    """A copy of X in which about a fifth is missing, but no row altogether."""
    rng = np.random.default_rng(seed)
    X = X.copy()
    holes = rng.random(X.shape) < 0.2
    holes[holes.all(axis=1), 0] = False
    X[holes] = np.nan
    return X
