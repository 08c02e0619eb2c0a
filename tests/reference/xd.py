"""Extreme deconvolution: a Gaussian mixture under noise known for each object.

Bovy, Hogg and Roweis (2011), Annals of Applied Statistics 5, 1657, equations 15 and 16, in their
letters: w_i = R_i v_i + noise, the noise of covariance S_i; the clean v_i come from the mixture of
N(m_j, V_j) with amplitudes alpha_j. R_i here picks the observed features of object i.
"""

from typing import NamedTuple

import numpy as np
from scipy.stats import multivariate_normal

from tests.reference.rows import Floats


class Gaussians(NamedTuple):
    """Amplitudes (k,), means (k, d) and covariances (k, d, d)."""

    alpha: Floats
    m: Floats
    V: Floats


def xd_step(mixture: Gaussians, w: Floats, S: Floats) -> Gaussians:
    """One EM iteration; w is (n, d) with NaN where missing, S is (n, d, d)."""
    n, d = w.shape
    n_components = len(mixture.alpha)
    q, b, B = np.zeros((n, n_components)), {}, {}
    for i in range(n):
        R = np.eye(d)[~np.isnan(w[i])]
        w_i, S_i = w[i][~np.isnan(w[i])], R @ np.nan_to_num(S[i], posinf=0.0) @ R.T
        for j, (alpha, m, V) in enumerate(zip(*mixture)):
            T = R @ V @ R.T + S_i
            gain = V @ R.T @ np.linalg.inv(T)
            q[i, j] = alpha * multivariate_normal(R @ m, T).pdf(w_i)
            b[i, j] = m + gain @ (w_i - R @ m)
            B[i, j] = V - gain @ R @ V
        q[i] /= q[i].sum()
    alpha, m, V = np.zeros(n_components), np.zeros_like(mixture.m), np.zeros_like(mixture.V)
    for j in range(n_components):
        q_j = q[:, j].sum()
        alpha[j] = q_j / n
        m[j] = sum(q[i, j] * b[i, j] for i in range(n)) / q_j
        for i in range(n):
            V[j] += q[i, j] * (np.outer(m[j] - b[i, j], m[j] - b[i, j]) + B[i, j]) / q_j
    return Gaussians(alpha, m, V)


def mean_log_likelihood(mixture: Gaussians, w: Floats, S: Floats) -> float:
    """Mean over the objects of the log-density of what was observed."""
    total = 0.0
    for i in range(len(w)):
        o = ~np.isnan(w[i])
        oo = np.ix_(o, o)
        total += np.log(
            sum(
                alpha * multivariate_normal(m[o], V[oo] + S[i][oo]).pdf(w[i][o])
                for alpha, m, V in zip(*mixture)
            )
        )
    return float(total / len(w))
