"""The rules that need no search: Gaussian components, and rows without noise."""

import numpy as np
import pytest
from scipy.special import digamma
from scipy.stats import multivariate_normal, multivariate_t

from peculiar.kernels.lanes.expect import Kind
from tests.lanes.compiled import CompiledFormula
from tests.lanes.rules import Results, assert_right_where_fine, formula_of, random_rows, run


def gaussian_twin(rows):
    """Extreme deconvolution's posterior of the clean value, in units of the scatter."""
    inverse, scatter = np.linalg.inv(rows.factor), rows.factor @ rows.factor.T
    log_prob, mean, second = [], [], []
    for x, noise in zip(rows.x, rows.noise):
        total = scatter + noise
        gain = scatter @ np.linalg.inv(total)
        delta = gain @ (x - rows.location)
        log_det = np.linalg.slogdet(rows.factor)[1]
        log_prob.append(multivariate_normal(rows.location, total).logpdf(x) + log_det)
        mean.append(inverse @ delta)
        second.append(inverse @ (np.outer(delta, delta) + scatter - gain @ scatter) @ inverse.T)
    n = len(rows.x)
    moments = np.array(mean), np.array(second)
    return Results(np.array(log_prob), np.ones(n), np.zeros(n), *moments, np.ones(n, dtype=bool))


@pytest.mark.parametrize(
    "kind",
    [
        Kind("gaussian", "full", 3, aligned=False, with_moments=True),
        Kind("gaussian", "diagonal", 4, aligned=False, with_moments=True),
        Kind("gaussian", "diagonal", 2, aligned=True, with_moments=True),
        Kind("gaussian", "full", 2, aligned=False, with_moments=False),
    ],
)
def test_gaussian_is_extreme_deconvolution(kind):
    rows = random_rows(kind, np.inf, n=40)
    for ours in (run(kind, rows), run(kind, rows, CompiledFormula(formula_of(kind)))):
        assert ours.fine.all()
        assert_right_where_fine(kind, ours, gaussian_twin(rows))


@pytest.mark.parametrize("dof", [0.7, 3.0, 40.0, 1e6, np.inf])
@pytest.mark.parametrize("p", [1, 3])
def test_without_noise_it_is_the_t_distribution(dof, p):
    kind = Kind("student", "none", p, aligned=False, with_moments=True)
    rows = random_rows(kind, dof, n=40)
    y = rows.white[0]
    square = np.sum(y**2, axis=1)
    law = multivariate_t if np.isfinite(dof) else multivariate_normal
    shape = {"df": dof} if np.isfinite(dof) else {}
    u = (dof + p) / (dof + square) if np.isfinite(dof) else np.ones(40)
    log_u = (
        digamma((dof + p) / 2) - np.log((dof + square) / 2) if np.isfinite(dof) else np.zeros(40)
    )
    log_prob = np.array([law(np.zeros(p), np.eye(p), **shape).logpdf(y_n) for y_n in y])
    second = u[:, None, None] * y[:, :, None] * y[:, None, :]
    expected = Results(log_prob, u, log_u, u[:, None] * y, second, np.ones(40, dtype=bool))
    for ours in (run(kind, rows), run(kind, rows, CompiledFormula(formula_of(kind)))):
        assert ours.fine.all()
        assert_right_where_fine(kind, ours, expected)
