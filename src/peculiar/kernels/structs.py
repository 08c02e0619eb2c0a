"""Named tuples that Numba takes as structs. Their *types* choose the code that is compiled.

Letters as in the notation page: n rows, d features, p observed features of a row, K components.
"""

from __future__ import annotations

from typing import NamedTuple

from numpy.random import Generator

from peculiar.arrays import Floats, Ints

LANES = 64
"""Rows that are worked on together; the length of a block."""

N_WILD = 10
"""Scales u that stand for the wild part of its law."""


class Layout(NamedTuple):
    """Rows grouped in blocks; all rows of a block observe the same features, in the same order.

    ``order[first[i]:last[i]]`` are the rows of block i, ``features[pattern[i], :size[pattern[i]]]``
    what they observe.
    """

    order: Ints  # (n,)
    first: Ints  # (blocks,)
    last: Ints  # (blocks,)
    pattern: Ints  # (blocks,)
    features: Ints  # (patterns, d)
    size: Ints  # (patterns,)


class Units(NamedTuple):
    """Data are used as (x - shift) * per_unit; a density gains log_per_unit for each feature."""

    shift: Floats  # (d,)
    per_unit: Floats  # (d,)
    log_per_unit: Floats  # (d,)


class Rows(NamedTuple):
    """What was measured, in the units of the data. Of the errors one kind is given, or none: the other has length 0.

    Kinds of noise are one type, so that each entry point is compiled once.
    """

    values: Floats  # (n, d), NaN where missing
    std: Floats  # (n, d): one-sigma values of independent errors
    cov: Floats  # (n, d, d): covariances of correlated errors
    weights: Floats  # (n,)
    layout: Layout
    units: Units


class Components(NamedTuple):
    """Mixture parameters apart from the law of u."""

    log_weights: Floats  # (K,)
    locations: Floats  # (K, d)
    scatters: Floats  # (K, d, d)


class ExactRule(NamedTuple):
    """The integral over u by the trapezoidal rule, u being Gamma(dof/2, dof/2) or 1."""

    dofs: Floats  # (K,)
    steps: Floats  # (K, d + 1): step in log u by number of observed features
    depth: float  # what lies exp(-depth) below the peak is left out


class WildRule(NamedTuple):
    """Another law with probability ``exp(log_rest)``, else one of several scales u."""

    dofs: Floats  # (K,)
    ordinary: ExactRule
    log_rest: float
    u: Floats  # (N_WILD,)
    log_weight: (
        Floats  # (N_WILD,): log of the probability of each, the share of the wild part included
    )
    space: Floats  # (n_moments,): scratch


class PeakRule(NamedTuple):
    """The best q(w|k) q(u|k), or nothing but its u; a priori u is Gamma(dof/2, dof/2) or 1."""

    dofs: Floats  # (K,)
    is_point: bool


class PoolSpace(NamedTuple):
    """Scratch space: each component alone, q(k) at three times, and the components pooled into one."""

    alone: Floats  # (K,): log weight and bound
    log_u: Floats  # (K,)
    norm: Floats  # (K,): of the prior of u
    white: Floats  # (K, d): whitened residual
    now: Floats  # (K,)
    following: Floats  # (K,)
    best: Floats  # (K,)
    root: Floats  # (d, d): lower triangular, root' root is the precision
    axes: Floats  # (d, d): of the noise in the units of root
    back: Floats  # (d, d): from these axes to the features
    scratch: Floats  # (d + 1, d)
    y: Floats  # (d,): residual in the units of root
    e: Floats  # (d,): residual, its square and the noise along the axes
    e2: Floats  # (d,)
    b: Floats  # (d,)
    t: Floats  # (d,)
    shift: Floats  # (d,): from the measured to the clean value


class FactorizedRule(NamedTuple):
    """The best q(w) q(u) q(k), u being Gamma(dof/2, dof/2) or 1 a priori."""

    dofs: Floats  # (K,)
    space: PoolSpace


class ChainSpace(NamedTuple):
    """Scratch space of a Gibbs chain."""

    scale: Floats  # (K,): a u for each component
    square: Floats  # (K,): distance of the clean value
    weight: Floats  # (K,): of k, in logarithms, then as they are
    visits: Floats  # (K,)
    norm: Floats  # (K,): of the t-density
    log_joint: Floats  # (K,): true density of x and k
    e2: Floats  # (d,)
    t: Floats  # (d,)
    white: Floats  # (d,): clean value in the units of a component
    clean: Floats  # (d,)
    delta: Floats  # (d,)


class GibbsRule(NamedTuple):
    """A chain of (k, u, w) for each row; the rest is for the true density, as in ``ExactRule``."""

    dofs: Floats  # (K,)
    steps: Floats  # (K, d + 1)
    depth: float
    n_sweeps: int
    burn_in: int
    generator: Generator
    space: ChainSpace


class LaneRule(NamedTuple):
    """What the code for whole blocks (``lanes``) wants to know of u, by component and number p of observed features."""

    dofs: Floats  # (K,)
    constants: Floats  # (K, d + 1, numbers)
    nodes: Floats  # (K, d + 1, nodes, 4), or (K, 1, 1, 4) if there are none
    has_wild: bool = False
    wild_fraction: float = 0.0
    mean_u: float = 1.0  # a priori


class Sums(NamedTuple):
    """Additive sums over rows, in the axes of the data; see :class:`peculiar.model.stats.SufficientStats`."""

    n: Floats  # (K,)
    sum_u: Floats  # (K,)
    sum_log_u: Floats  # (K,)
    sum_ud: Floats  # (K, d)
    sum_udd: Floats  # (K, d, d)
    n_wild: Floats  # (K,)
    sum_u_wild: Floats  # (K,)
    bound: Floats  # (1,)


class RowResults(NamedTuple):
    """What is known of each row."""

    log_prob: Floats  # (n,)
    log_resp: Floats  # (n, K)
    u: Floats  # (n, K)
    wild: Floats  # (n,): probability of the wild part


class LatentResults(NamedTuple):
    """Clean value of each row: posterior mean and covariance (of size 0 when not asked for)."""

    mean: Floats  # (n, d)
    cov: Floats  # (n, d, d)
