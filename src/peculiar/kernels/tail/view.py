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
from peculiar.kernels._jit import kernel
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
    origin: Floats  # (d, filled up to fours by 0): the home location in the frame of a component
    pace: Floats  # (the same): the direction of a ray in that frame
    turn: Floats  # (the same, d): from units of the home contour to the frame of a component
    near: Floats  # (d,): least distance from a component, along each axis of its frame, within the reach
    scratch: Floats  # (1, d, d)
    pairs: Floats  # (d (d + 1) / 2,): products of the elements of a direction
    whiten: Floats  # (K, d, d): from the data to the frame of a component
    steps: Floats  # (4, d): scratch


def new_view(n_components: int, d: int, n_nodes: int) -> View:
    """Room for it."""
    counts = np.zeros((2, n_components), dtype=np.int64)
    n_pairs = d * (d + 1) // 2
    # Not a power of two: rows that begin at the same place of a page push each other out.
    width = n_nodes + 8
    return View(
        np.zeros((n_components, d)),
        np.zeros(n_components),
        counts[0],
        counts[1],
        np.zeros((n_components, n_components + 1), dtype=np.int64),
        np.empty((n_components, width)),
        np.empty((n_components, d, width)),
        np.empty((n_components, n_pairs, width)),
        np.zeros(of_fours(d)),
        np.zeros(of_fours(d)),
        np.zeros((of_fours(d), d)),
        np.zeros(d),
        np.zeros((1, d, d)),
        np.zeros(n_pairs),
        np.zeros((n_components, d, d)),
        np.zeros((4, d)),
    )


def of_fours(d: int) -> int:
    """The next multiple of 4."""
    return -(-d // 4) * 4


@kernel
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


@kernel
def look_from(nodes, scene, row, home, view):
    """Take a component for the home: what can be seen from there, left in its places in ``view``."""
    p, n_components = scene.features.size, view.axes.shape[0]
    constant, gradients, forms = view.constant[home], view.gradients[home], view.forms[home]
    _measure_home(scene.features, row, scene.frames, scene.block, home, view)
    place, part = 0, 0
    for k in range(n_components):
        if nodes.first[k] == nodes.first[k + 1]:
            continue
        begin = place
        if k == home:
            _stay_at_home(p, home, view)
            view.own[home] = part
        else:
            _see_from_home(scene.components, scene.features, home, k, view)
        if k == home or _is_seen(nodes, k, p, view.near):
            place += nodes.first[k + 1] - nodes.first[k]
            _add_forms(nodes, k, p, view, begin, constant, gradients, forms)
            view.first[home, part] = begin
            part += 1
    view.first[home, part] = place
    view.n_parts[home] = part
    _add_nothing(place, padded(place), p, constant, gradients, forms)


@kernel
def whiten_components(nodes, scene, row, view):
    """Q' L^-1 of each component that has nodes: from the data to its frame."""
    p, frames, block = scene.features.size, scene.frames, scene.block
    for k in range(view.axes.shape[0]):
        if nodes.first[k] < nodes.first[k + 1]:
            for i in range(p):
                for j in range(p):
                    total = 0.0
                    for m in range(j, p):
                        total += frames.q[row, k, m, i] * block.inverse[k, m, j]
                    view.whiten[k, i, j] = total


@kernel
def aim(nodes, scene, row, home, theta, view, ray):
    """Coefficients along one ray, all nodes of all components; returns their number, filled up.

    For the first ray from a home: what all of its rays share is dear, and may never be needed.
    """
    features, frames, block = scene.features, scene.frames, scene.block
    locations, p = scene.components.locations, features.size
    step, direction, shift, own = view.steps[0], view.steps[1], view.steps[2], view.steps[3]
    for i in range(p):
        own[i] = view.axes[home, i] * theta[i]
    for m in range(p):
        total = 0.0
        for j in range(p):
            total += frames.q[row, home, m, j] * own[j]
        step[m] = total
    for i in range(p):
        total = 0.0
        for m in range(i + 1):
            total += block.spread[home, features[i], m] * step[m]
        direction[i] = total
    for k in range(view.axes.shape[0]):
        low, high = nodes.first[k], nodes.first[k + 1]
        if low < high:
            for i in range(p):
                f = features[i]
                shift[i] = locations[home, f] - locations[k, f]
            _set_out(nodes, k, p, k == home, view, ray)
    last = nodes.first[view.axes.shape[0]]
    for m in range(last, padded(last)):
        ray.constant[m], ray.linear[m], ray.square[m] = -1e300, 0.0, 1.0
    return padded(last)


@kernel
def _set_out(nodes, k, p, is_home, view, ray):
    """Coefficients of the nodes of component k along the ray that ``aim`` has prepared; four axes at once."""
    precision, white = nodes.precision, view.whiten[k]
    direction, shift, own = view.steps[1], view.steps[2], view.steps[3]
    origin, pace = view.origin, view.pace
    for i in range(p):
        origin[i], pace[i] = 0.0, own[i]
        if not is_home:
            o, r = 0.0, 0.0
            for j in range(p):
                o += white[i, j] * shift[j]
                r += white[i, j] * direction[j]
            origin[i], pace[i] = o, r
    low, high = nodes.first[k], nodes.first[k + 1]
    for m in range(low, high):
        ray.constant[m], ray.linear[m], ray.square[m] = nodes.log_peak[m], 0.0, 0.0
    for axis in range(0, p, 4):
        a, b, c, d = origin[axis], origin[axis + 1], origin[axis + 2], origin[axis + 3]
        e, f, g, h = pace[axis], pace[axis + 1], pace[axis + 2], pace[axis + 3]
        for m in range(low, high):
            ray.constant[m] -= 0.5 * _four(a * a, b * b, c * c, d * d, precision, axis, m)
            ray.linear[m] += _four(a * e, b * f, c * g, d * h, precision, axis, m)
            ray.square[m] += _four(e * e, f * f, g * g, h * h, precision, axis, m)


@kernel
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


@kernel
def _stay_at_home(p, home, view):
    """The home in its own frame."""
    for i in range(p):
        view.origin[i] = 0.0
        view.near[i] = 0.0
        for j in range(p):
            view.turn[i, j] = view.axes[home, i] if i == j else 0.0


@kernel
def _see_from_home(components, features, home, k, view):
    """Location and contour of the home in the frame of component k: Q' L^-1 (mu_home - mu), and Q' L^-1 factor.

    Within the reach an axis of the frame comes no nearer to 0 than |origin| - reach |row of turn|.
    """
    p = features.size
    factor, white = view.scratch[0], view.whiten[k]
    for i in range(p):
        shift, square = 0.0, 0.0
        for m in range(p):
            f = features[m]
            shift += white[i, m] * (components.locations[home, f] - components.locations[k, f])
        for j in range(p):
            total = 0.0
            for m in range(p):
                total += white[i, m] * factor[m, j]
            view.turn[i, j] = total
            square += total * total
        view.origin[i] = shift
        view.near[i] = max(abs(shift) - view.reach[home] * math.sqrt(square), 0.0)


@kernel
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
def _add_forms(nodes, k, p, view, begin, constant, gradients, forms):
    """Log-density of the nodes of component k at the home, and its derivatives there in units of the home's contour.

    Of the second derivatives the upper triangle, row after row, off-diagonal ones twice. Each is a sum over the axes of
    the component's frame; four of them at once, because few nodes are not worth the start of a loop.
    """
    low, n = nodes.first[k], nodes.first[k + 1] - nodes.first[k]
    origin, turn, precision = view.origin, view.turn, nodes.precision
    for m in range(n):
        constant[begin + m] = nodes.log_peak[low + m]
    for axis in range(0, p, 4):
        o = origin[axis], origin[axis + 1], origin[axis + 2], origin[axis + 3]
        for m in range(n):
            constant[begin + m] -= 0.5 * _four(
                o[0] * o[0], o[1] * o[1], o[2] * o[2], o[3] * o[3], precision, axis, low + m
            )
        pair = 0
        for i in range(p):
            a, b, c, d = turn[axis, i], turn[axis + 1, i], turn[axis + 2, i], turn[axis + 3, i]
            for m in range(n):
                value = _four(a * o[0], b * o[1], c * o[2], d * o[3], precision, axis, low + m)
                gradients[i, begin + m] = value + (gradients[i, begin + m] if axis > 0 else 0.0)
            for j in range(i, p):
                twice = 1.0 if i == j else 2.0
                e, f = twice * a * turn[axis, j], twice * b * turn[axis + 1, j]
                g, h = twice * c * turn[axis + 2, j], twice * d * turn[axis + 3, j]
                for m in range(n):
                    value = _four(e, f, g, h, precision, axis, low + m)
                    forms[pair, begin + m] = value + (forms[pair, begin + m] if axis > 0 else 0.0)
                pair += 1


@kernel
def _four(a, b, c, d, rows, first, m):
    """Sum of four factors times the m-th elements of four rows."""
    return (
        a * rows[first, m]
        + b * rows[first + 1, m]
        + (c * rows[first + 2, m] + d * rows[first + 3, m])
    )


@kernel
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
