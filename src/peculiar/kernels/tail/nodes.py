"""Nodes in log u for one object: its log-density, and those nodes that matter at the contour of that density.

A component is a sum of Gaussians N(mu, T_q), T_q = Sigma / u_q + S, over the nodes s_q = right - q step of the
trapezoidal rule (see ``exact`` for the step), which are the same for all objects. On the contour f(x) = f(x_n) few
of them matter:

* A Gaussian that is below the level even at its peak adds nothing to f on the contour. Given such a u all is strange.
* T_q grows as u falls. If a node q' to the left (smaller u) reaches the level where x' T_q'^-1 x <= r', then on and
  outside its contour x' T_q^-1 x >= r' (1/u' + b) / (1/u + b), b being the largest noise in the frame. Where that makes
  node q negligible, it is so on the whole contour of f.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from peculiar.arrays import Floats, Ints
from peculiar.kernels._jit import kernel
from peculiar.kernels.careful.integrand import log_integrand, prior_exponent
from peculiar.kernels.shared.special import LOG_2PI, stirling_gap

_MAX_STEPS = 1_000_000  # never an endless walk, whatever comes in


class TailRule(NamedTuple):
    """How accurately, and along which rays."""

    dofs: Floats  # (K,)
    steps: Floats  # (K,): in log u
    rights: Floats  # (K,): the node furthest to the right
    depth: float  # what lies exp(-depth) below the level is left out
    root_tol: float  # log-density along a ray, relative to the level
    crosses: Floats  # (crosses, p, p): orthonormal rows; rays go along them and against them
    candidate_error: float  # relative error for objects with small p
    ordinary_error: float  # and for the others
    first_error: float  # the same for the first rays, one axis for each component
    candidate: float  # p up to which the first holds
    ordinary: float  # p from which the second does


class TailNodes(NamedTuple):
    """Nodes that matter on the contour, those of component k at first[k] : first[k + 1]."""

    first: Ints  # (K + 1,)
    log_peak: Floats  # (nodes,): log of weight and norm of the Gaussian, relative to the level
    precision: Floats  # (d, nodes): 1 / (1 / u + b) along the axes of the frame
    certain: (
        Floats  # (K,): log of the probability of component k and of a u for which all is strange
    )


@kernel
def log_norm_of_nodes(dof, step, p):
    """What is to be added to ``log_integrand`` to have the log of a term of the sum, without Sigma."""
    if math.isinf(dof):
        return -0.5 * p * LOG_2PI
    h = 0.5 * dof
    return math.log(step) + 0.5 * math.log(h) - stirling_gap(h) - 0.5 * (p + 1) * LOG_2PI


@kernel
def log_density(dof, step, right, depth, e2, b, t):
    """Log-density of a point under a component, by the sum over the nodes; without Sigma."""
    p = e2.size
    norm = log_norm_of_nodes(dof, step, p)
    if math.isinf(dof):
        return norm + log_integrand(0.0, 0.0, e2, b, p, t)
    total_e, total_b, largest = 0.0, 0.0, 0.0
    for j in range(p):
        total_e += e2[j]
        total_b += b[j]
        largest = max(largest, b[j])
    # Left of log u* = (dof + p) / (dof + total_e + total_b) terms fall for good, and at a distance of delta at the rate
    # (1 - exp(-delta)) (dof + p) / 2: at least by a half from one node to the next.
    delta = min(math.log(2.0), 2.0 / math.sqrt(0.5 * (dof + p)))
    turn = math.log((dof + p) / (dof + total_e + total_b)) - delta
    if largest > 0.0:
        turn = min(turn, -math.log(largest))
    reference = -math.inf
    total = 0.0
    i = 0
    while True:
        s = right - i * step
        value = log_integrand(s, dof, e2, b, p, t)
        if value > reference:
            total *= math.exp(reference - value) if total > 0.0 else 0.0
            reference = value
        total += math.exp(value - reference)
        if not (s > turn or value > reference - depth) or i > _MAX_STEPS:
            break
        i += 1
    return norm + reference + math.log(total)


@kernel
def log_add(a, b):
    """log(exp(a) + exp(b))."""
    high, low = max(a, b), min(a, b)
    return high if low == -math.inf else high + math.log1p(math.exp(low - high))


@kernel
def choose_nodes(k, dof, step, right, depth, level, b, log_norm, log_weight, room, nodes):
    """Write the nodes of component k that matter on the contour of log-density ``level``, from left to right.

    ``room`` is (4, anything). Returns the number of nodes, which may be more than there is room for: then all is void.
    """
    p = b.size
    start = nodes.first[k]
    nodes.certain[k] = -math.inf
    if log_weight == -math.inf:
        return start
    norm = log_norm_of_nodes(dof, step, p) + log_norm - level
    e2, t = room[2], room[3]
    e2[:p] = 0.0
    if math.isinf(dof):
        peak = norm + log_integrand(0.0, 0.0, e2, b, p, t)
        if peak < -depth:
            nodes.certain[k] = log_weight
            return start
        if start < nodes.log_peak.size:
            _write_node(nodes, start, 0.0, peak, b)
        return start + 1

    # From right to left, until terms fall for good; they are concave in s.
    prior_norm = norm - log_norm + level + 0.5 * p * LOG_2PI + log_weight
    certain, reference = 0.0, -math.inf
    found = 0
    before = -math.inf
    i = 0
    while True:
        s = right - i * step
        peak = norm + log_integrand(s, dof, e2, b, p, t)
        if peak >= -depth:
            if found >= room.shape[1]:
                return room.shape[1] + nodes.log_peak.size
            room[0, found] = s
            room[1, found] = peak
            found += 1
        else:
            weight = prior_norm + 0.5 * dof * prior_exponent(s)
            if weight > reference:
                certain *= math.exp(reference - weight) if certain > 0.0 else 0.0
                reference = weight
            certain += math.exp(weight - reference)
            if peak < before and s < 0.0 and weight < reference - depth:
                break
        if i > _MAX_STEPS:
            break
        before = peak
        i += 1

    if certain > 0.0:
        nodes.certain[k] = reference + math.log(certain)
    return _keep_visible(found, depth, b, room, start, nodes)


@kernel
def _keep_visible(found, depth, b, room, start, nodes):
    """Write those of the nodes in ``room`` that are not inside of the contour of a broader one; returns the end."""
    largest = 0.0
    for j in range(b.size):
        largest = max(largest, b[j])
    reach = 0.0
    index = start
    for i in range(found - 1, -1, -1):
        s, peak = room[0, i], room[1, i]
        width = math.exp(-s) + largest
        reach = max(reach, peak * width)
        if (peak + depth) * width >= reach:
            if index < nodes.log_peak.size:
                _write_node(nodes, index, s, peak, b)
            index += 1
    return index


@kernel
def _write_node(nodes, index, s, peak, b):
    nodes.log_peak[index] = peak
    inverse = math.exp(-s)
    for j in range(b.size):
        nodes.precision[j, index] = 1.0 / (inverse + b[j])
