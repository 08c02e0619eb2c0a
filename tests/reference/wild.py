"""The wild tail by explicit sums: u is as usual with probability 1 - eps, else log-uniform from 1e-4 to 0.1."""

import itertools
from typing import NamedTuple

import numpy as np
from scipy.special import logsumexp

from tests.reference import rows
from tests.reference.rows import Floats, Params, RowMoments

LOW, HIGH = np.log(1e-4), np.log(0.1)


class Nodes(NamedTuple):
    """Scales u and their probabilities."""

    u: Floats
    probability: Floats


def legendre(n_nodes: int, n_parts: int = 1) -> Nodes:
    """Gauss and Legendre's nodes in each of so many equal parts of the range of log u."""
    x, weights = np.polynomial.legendre.leggauss(n_nodes)
    edges = np.linspace(LOW, HIGH, n_parts + 1)
    s = np.concatenate([a + (b - a) * (x + 1) / 2 for a, b in itertools.pairwise(edges)])
    return Nodes(np.exp(s), np.tile(weights / 2, n_parts) / n_parts)


INTEGRAL = legendre(20, 40)
"""The integral itself, to 1e-13 and better."""


class WildMoments(NamedTuple):
    """One row under one component: both parts together, and what each has."""

    both: RowMoments  # its log_u is that of the ordinary part, times its probability
    wild: float  # probability of the wild part
    wild_u: float  # its part of E[u]


def row_moments(x, S, mu, scatter, dof, eps: float, nodes: Nodes) -> WildMoments:
    """Log-density and moments of one row with something observed, under one component."""
    ordinary = rows.row_moments(x, S, mu, scatter, dof)
    log_mass = np.log(nodes.probability) + rows.log_prob_given_scale(nodes.u, x, S, mu, scatter)
    log_wild = np.log(eps) + logsumexp(log_mass)
    log_ordinary = np.log1p(-eps) + ordinary.log_prob
    log_prob = np.logaddexp(log_ordinary, log_wild)
    rest, mass = np.exp(log_ordinary - log_prob), np.exp(np.log(eps) + log_mass - log_prob)
    m, V = rows.latent_given_scale(nodes.u, x, S, mu, scatter)
    second = m[:, :, None] * m[:, None, :] + V
    both = RowMoments(
        log_prob=float(log_prob),
        u=float(rest * ordinary.u + mass @ nodes.u),
        log_u=float(rest * ordinary.log_u),
        ud=rest * ordinary.ud + (mass * nodes.u) @ m,
        udd=rest * ordinary.udd + np.tensordot(mass * nodes.u, second, axes=1),
        d=rest * ordinary.d + mass @ m,
        dd=rest * ordinary.dd + np.tensordot(mass, second, axes=1),
    )
    return WildMoments(both, float(mass.sum()), float(mass @ nodes.u))


class Expected(NamedTuple):
    """The E-step: as in `rows`, and what the wild part has, [row][component]."""

    plain: rows.Expected
    parts: list[list[WildMoments]]

    @property
    def wild(self) -> Floats:
        """Probability of the wild part, for each row."""
        parts = np.array([[part.wild for part in row] for row in self.parts])
        return (self.plain.resp * parts).sum(axis=1)


def expect(params: Params, X: Floats, S: Floats, eps: float, nodes: Nodes) -> Expected:
    """Memberships and moments of all rows with something observed."""
    parts = {}

    def of_row(x, noise, params):
        parts[x.tobytes() + noise.tobytes()] = row = [
            row_moments(x, noise, *component, eps, nodes) for component in zip(*params[1:])
        ]
        return [part.both for part in row]

    plain = rows.expect(params, X, S, of_row=of_row)
    return Expected(plain, [parts[X[i].tobytes() + S[i].tobytes()] for i in plain.rows])


def em_step(
    params: Params,
    X: Floats,
    S: Floats,
    weights: Floats,
    eps: float,
    nodes: Nodes,
    least_dof: float,
) -> tuple[Params, float]:
    """One EM iteration with a dof for each component: the next mixture, and the next eps."""
    expected = expect(params, X, S, eps, nodes)
    new = rows.maximise(params, expected.plain, weights, "full", "fixed")
    q = weights[expected.plain.rows, None] * expected.plain.resp
    wild = np.array([[part.wild for part in row] for row in expected.parts])
    dofs = []
    for k in range(len(params.dofs)):
        gap = sum(
            q_i * (row[k].both.log_u - (row[k].both.u - row[k].wild_u))
            for q_i, row in zip(q[:, k], expected.parts)
        )
        dofs.append(max(rows.solve_dof(gap / (q[:, k] * (1 - wild[:, k])).sum()), least_dof))
    return new._replace(dofs=np.array(dofs)), float((q * wild).sum() / q.sum())
