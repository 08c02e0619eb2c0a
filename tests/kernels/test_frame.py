"""The frame keeps its accuracy when features are measured with wildly different precision."""

import mpmath
import numpy as np
import pytest
from mpmath import mp

from peculiar import RobustMixture
from tests.reference.scale import scale_moments

SCATTER = np.array([[1.0, 0.6, -0.3], [0.6, 2.0, 0.5], [-0.3, 0.5, 1.5]])
RESIDUAL = np.array([0.7, -2.0, 1.1])


def frame_in_many_digits(residual, scatter, noise):
    """(e, b, log|Sigma|) of one row, in 80 digits."""
    with mp.workdps(80):
        factor = mp.cholesky(mpmath.matrix(scatter.tolist()))
        inverse = factor**-1
        b, q = mp.eigsy(inverse * mpmath.matrix(noise.tolist()) * inverse.T)
        e = q.T * inverse * mpmath.matrix(residual.tolist())
        log_det = 2 * sum(mp.log(factor[i, i]) for i in range(len(residual)))
        return [float(x) for x in e], [max(float(x), 0.0) for x in b], float(log_det)


@pytest.mark.parametrize("dof", [0.7, 5.0, 1e3, np.inf])
@pytest.mark.parametrize(
    "std",
    [
        (1.0, 1.0, 1.0),
        (1e-6, 1.0, 1e6),
        (1e6, 1.0, 1e-6),
        (1e6, 0.0, 1e5),
        (1e4, 1e-3, 0.0),
        (0.0, 1e6, 0.3),
        (1e-6, 1e-6, 2.0),
    ],
)
def test_errors_of_very_different_size(std, dof):
    noise = np.diag(np.square(std))
    e, b, log_det = frame_in_many_digits(RESIDUAL, SCATTER, noise)
    expected = scale_moments(e, b, dof)
    model = RobustMixture.from_parameters([1.0], [[0, 0, 0]], [SCATTER], dof)
    log_prob = expected.log_prob - 0.5 * log_det
    for given in ({"X_std": np.array([std])}, {"X_cov": noise[None]}):
        assert model.score_samples([RESIDUAL], **given)[0] == pytest.approx(
            log_prob, rel=1e-12, abs=1e-9
        )
        assert model.robust_weights([RESIDUAL], **given)[0] == pytest.approx(expected.u, rel=1e-9)


def test_correlated_errors_of_very_different_size():
    std = np.array([1e5, 1.0, 1e-4])
    correlation = np.array([[1.0, 0.5, 0.2], [0.5, 1.0, -0.4], [0.2, -0.4, 1.0]])
    noise = correlation * np.outer(std, std)
    e, b, log_det = frame_in_many_digits(RESIDUAL, SCATTER, noise)
    expected = scale_moments(e, b, 4.0)
    model = RobustMixture.from_parameters([1.0], [[0, 0, 0]], [SCATTER], 4.0)
    log_prob = model.score_samples([RESIDUAL], X_cov=noise[None])[0]
    assert log_prob == pytest.approx(expected.log_prob - 0.5 * log_det, rel=1e-12, abs=1e-9)
