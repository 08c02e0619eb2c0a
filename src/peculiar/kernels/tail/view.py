"""What the rays from one component, its *home*, meet: the nodes of all components, in units of the home's contour.

Along a ray the log-density of a node is a quadratic. Its coefficients are linear and quadratic in the direction, with
derivatives at the home that all rays share.

Beyond some distance, the *reach*, the home has no mass to speak of. A node that is negligible everywhere within the
reach is left out: with many components most of them are far away, and no ray visits them.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.kernels._jit import inlined, kernel
from peculiar.kernels.tail.sums import mass_beyond, padded

_BEYOND_REACH = 1e-5  # mass beyond the reach, relative to that beyond the contour
_NEGLIGIBLE = 15.0  # what lies exp(-15) below the level everywhere is not seen
_LONGEST_REACH = 1e3


class View(NamedTuple):
    """The nodes as they are seen from each component."""

    axes: Floats  # (K, d): semi-axes of the components' contours
    reach: Floats  # (K,): in units of the contour
    n_parts: Ints  # (K,): how many components are seen from each
    own: Ints  # (K,): which of these parts is the home itself
    first: Ints  # (K, K + 1): where the nodes of each part begin
    constant: Floats  # (K, nodes): log-density of each node at the home
    gradients: Floats  # (K, d, nodes): its derivatives there
    forms: Floats  # (K, d (d + 1) / 2, nodes): the second ones
    origin: Floats  # (d,): the home location in the frame of a component
    turn: Floats  # (d, d): from units of the home contour to the frame of a component
    near: Floats  # (d,): least distance from a component, along each axis of its frame, within the reach
    scratch: Floats  # (2, d, d)
    pairs: Floats  # (d (d + 1) / 2,): products of the elements of a direction


def new_view(n_components: int, d: int, n_nodes: int) -> View:
    """Room for it."""
    counts = np.zeros((2, n_components), dtype=np.int64)
    n_pairs = d * (d + 1) // 2
    width = (
        n_nodes + 8
    )  # not a power of two: rows that begin at the same place of a page push each other out
    return View(
        np.zeros((n_components, d)),
        np.zeros(n_components),
        counts[0],
        counts[1],
        np.zeros((n_components, n_components + 1), dtype=np.int64),
        np.empty((n_components, width)),
        np.empty((n_components, d, width)),
        np.empty((n_components, n_pairs, width)),
        np.zeros(d),
        np.zeros((d, d)),
        np.zeros(d),
        np.zeros((2, d, d)),
        np.zeros(n_pairs),
    )


@inlined
def measure_reach(nodes, k, axes, square):
    """Mean mass beyond the component's own contour, if no other covers any of it; and how far it reaches."""
    low, high = nodes.first[k], nodes.first[k + 1]
    exposed = _mass_on_axes(nodes, low, high, axes, square, 1.0)
    reach = 1.5
    while reach < _LONGEST_REACH:
        if _mass_on_axes(nodes, low, high, axes, square, reach) < _BEYOND_REACH * exposed:
            break
        reach *= 1.5
    return exposed, reach


@kernel
def _mass_on_axes(nodes, low, high, axes, square, rho):
    """Mean over the axes of the mass beyond rho."""
    total = 0.0
    for i in range(axes.size):
        for m in range(low, high):
            square[m] = axes[i] * axes[i] * nodes.precision[i, m]
        total += mass_beyond(axes.size, nodes.log_peak[low:high], square[low:high], rho)
    return total / axes.size


@inlined
def look_from(nodes, components, features, row, frames, block, home, view):
    """Take a component for the home: what can be seen from there, left in its places in ``view``."""
    p, n_components = features.size, view.axes.shape[0]
    constant, gradients, forms = view.constant[home], view.gradients[home], view.forms[home]
    _measure_home(features, row, frames, block, home, view)
    place, part = 0, 0
    for k in range(n_components):
        if nodes.first[k] == nodes.first[k + 1]:
            continue
        begin = place
        if k == home:
            _stay_at_home(p, home, view)
            view.own[home] = part
        else:
            _see_from_home(components, features, row, frames, block, home, k, view)
        if k == home or _is_seen(nodes, k, p, view.near):
            place += nodes.first[k + 1] - nodes.first[k]
            part_of_k = slice(nodes.first[k], nodes.first[k + 1])
            _add_forms(
                nodes.log_peak[part_of_k],
                nodes.precision[:p, part_of_k],
                view,
                constant[begin:place],
                gradients[:, begin:place],
                forms[:, begin:place],
            )
            view.first[home, part] = begin
            part += 1
    view.first[home, part] = place
    view.n_parts[home] = part
    _add_nothing(place, padded(place), p, constant, gradients, forms)


@inlined
def _measure_home(features, row, frames, block, home, view):
    """L Q diag(axes) of the home, left in ``scratch[0]``: from units of its contour to the data."""
    p = features.size
    factor = view.scratch[0]
    for i in range(p):
        for j in range(p):
            total = 0.0
            for m in range(p):
                total += block.spread[home, features[i], m] * frames.q[row, home, m, j]
            factor[i, j] = total * view.axes[home, j]


@inlined
def _stay_at_home(p, home, view):
    """The home in its own frame."""
    for i in range(p):
        view.origin[i] = 0.0
        view.near[i] = 0.0
        for j in range(p):
            view.turn[i, j] = view.axes[home, i] if i == j else 0.0


@inlined
def _see_from_home(components, features, row, frames, block, home, k, view):
    """Location and contour of the home in the frame of component k: Q' L^-1 (mu_home - mu), and Q' L^-1 factor.

    Within the reach an axis of the frame comes no nearer to 0 than |origin| - reach |row of turn|.
    """
    p = features.size
    factor, white = view.scratch[0], view.scratch[1]
    inverse, near = block.inverse[k], view.near
    for i in range(p):
        shift = 0.0
        for m in range(i + 1):
            f = features[m]
            shift += inverse[i, m] * (components.locations[home, f] - components.locations[k, f])
        near[i] = shift
        for j in range(p):
            total = 0.0
            for m in range(i + 1):
                total += inverse[i, m] * factor[m, j]
            white[i, j] = total
    for i in range(p):
        total = 0.0
        for m in range(p):
            total += frames.q[row, k, m, i] * near[m]
        view.origin[i] = total
    for i in range(p):
        square = 0.0
        for j in range(p):
            total = 0.0
            for m in range(p):
                total += frames.q[row, k, m, i] * white[m, j]
            view.turn[i, j] = total
            square += total * total
        near[i] = max(abs(view.origin[i]) - view.reach[home] * math.sqrt(square), 0.0)


@inlined
def _is_seen(nodes, k, p, near):
    """Whether any node of component k may matter anywhere within the reach."""
    for m in range(nodes.first[k], nodes.first[k + 1]):
        most = nodes.log_peak[m]
        for i in range(p):
            most -= 0.5 * near[i] * near[i] * nodes.precision[i, m]
        if most > -_NEGLIGIBLE:
            return True
    return False


@kernel
def _add_forms(log_peak, precision, view, constant, gradients, forms):
    """Log-density of some nodes at the home, and its derivatives there in units of the home's contour.

    Of the second derivatives the upper triangle, row after row, off-diagonal ones twice.
    """
    p, factors, origin, turn = precision.shape[0], view.near, view.origin, view.turn
    for i in range(p):
        factors[i] = -0.5 * origin[i] * origin[i]
    _combine(factors, precision, p, constant)
    for m in range(constant.size):
        constant[m] += log_peak[m]
    pair = 0
    for i in range(p):
        for n in range(p):
            factors[n] = turn[n, i] * origin[n]
        _combine(factors, precision, p, gradients[i])
        for j in range(i, p):
            for n in range(p):
                factors[n] = turn[n, i] * turn[n, j] * (1.0 if i == j else 2.0)
            _combine(factors, precision, p, forms[pair])
            pair += 1


@inlined
def _add_nothing(start, end, p, constant, gradients, forms):
    """Nodes that fill up the vectors: of density 0."""
    for m in range(start, end):
        constant[m] = -1e300
        pair = 0
        for i in range(p):
            gradients[i, m] = 0.0
            for j in range(i, p):
                forms[pair, m] = 1.0 if i == j else 0.0
                pair += 1


@kernel
def point(theta, gradients, forms, pairs, linear, square):
    """Coefficients along the ray in direction theta; ``pairs`` is scratch."""
    p = theta.size
    pair = 0
    for i in range(p):
        for j in range(i, p):
            pairs[pair] = theta[i] * theta[j]
            pair += 1
    _combine(theta, gradients, p, linear)
    _combine(pairs, forms, pair, square)


@kernel
def _combine(factors, rows, n_rows, out):
    """Sum of factor times row. Four rows at once, so that the sum is not loaded and stored for each of them."""
    size = out.size
    for m in range(size):
        out[m] = 0.0
    for start in range(0, n_rows - 3, 4):
        a, b, c, d = factors[start], factors[start + 1], factors[start + 2], factors[start + 3]
        one, two = rows[start][:size], rows[start + 1][:size]
        three, four = rows[start + 2][:size], rows[start + 3][:size]
        for m in range(size):
            out[m] += a * one[m] + b * two[m] + (c * three[m] + d * four[m])
    for i in range(n_rows - n_rows % 4, n_rows):
        a, one = factors[i], rows[i][:size]
        for m in range(size):
            out[m] += a * one[m]
