"""What the rays from one component, its *home*, meet: every node of every component, in units of the home's contour.

Along a ray the log-density of a node is a quadratic. Its coefficients are linear and quadratic in the direction, with
derivatives at the home that all rays share.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from peculiar.arrays import Floats
from peculiar.kernels._jit import inlined, kernel


class View(NamedTuple):
    """The nodes as they are seen from one component."""

    axes: Floats  # (K, d): semi-axes of the components' contours
    origin: Floats  # (K, d): the home location in the frame of each component
    turn: Floats  # (K, d, d): from units of the home contour to the frame of each component
    gradients: Floats  # (d, nodes): derivatives of the log-density at the home
    forms: Floats  # (d (d + 1) / 2, nodes): the second ones
    shift: Floats  # (d,): scratch
    scratch: Floats  # (2, d, d)


def new_view(n_components: int, d: int, n_nodes: int) -> View:
    """Room for it."""
    return View(
        np.zeros((n_components, d)),
        np.zeros((n_components, d)),
        np.zeros((n_components, d, d)),
        np.zeros((d, n_nodes)),
        np.zeros((d * (d + 1) // 2, n_nodes)),
        np.zeros(d),
        np.zeros((2, d, d)),
    )


@inlined
def look_from(nodes, components, features, row, frames, block, home, view, constant):
    """Take a component for the home; ``constant`` gets the log-densities of all nodes there."""
    p, n_components = features.size, view.axes.shape[0]
    _see_from(components, features, row, frames, block, home, view)
    for k in range(n_components):
        _add_forms(nodes, k, p, view.origin[k], view.turn[k], constant, view.gradients, view.forms)
    _add_nothing(nodes.first[n_components], constant.size, p, constant, view.gradients, view.forms)


@inlined
def _see_from(components, features, row, frames, block, home, view):
    """Location and contour of ``home`` in the frame of each component j.

    That is Q_j' L_j^-1 (mu - mu_j), and Q_j' L_j^-1 L Q diag(axes).
    """
    p = features.size
    factor, white = view.scratch[0], view.scratch[1]
    for i in range(p):
        for j in range(p):
            total = 0.0
            for m in range(p):
                total += block.spread[home, features[i], m] * frames.q[row, home, m, j]
            factor[i, j] = total * view.axes[home, j]
    for k in range(view.origin.shape[0]):
        turn, origin = view.turn[k], view.origin[k]
        if k == home:
            for i in range(p):
                origin[i] = 0.0
                for j in range(p):
                    turn[i, j] = view.axes[k, i] if i == j else 0.0
            continue
        for j in range(p):
            for i in range(p):
                total = 0.0
                for m in range(i + 1):
                    total += block.inverse[k, i, m] * factor[m, j]
                white[i, j] = total
        for i in range(p):
            total = 0.0
            for m in range(i + 1):
                shift = (
                    components.locations[home, features[m]] - components.locations[k, features[m]]
                )
                total += block.inverse[k, i, m] * shift
            view.shift[i] = total
        for i in range(p):
            total = 0.0
            for m in range(p):
                total += frames.q[row, k, m, i] * view.shift[m]
            origin[i] = total
            for j in range(p):
                total = 0.0
                for m in range(p):
                    total += frames.q[row, k, m, i] * white[m, j]
                turn[i, j] = total


@inlined
def _add_forms(nodes, k, p, origin, turn, constant, gradients, forms):
    """Log-density of the nodes of component k at the home, and its derivatives there in units of the home's contour.

    Of the second derivatives the upper triangle, row after row, off-diagonal ones twice.
    """
    for m in range(nodes.first[k], nodes.first[k + 1]):
        total = nodes.log_peak[m]
        for i in range(p):
            total -= 0.5 * origin[i] * origin[i] * nodes.precision[i, m]
        constant[m] = total
        pair = 0
        for i in range(p):
            total = 0.0
            for n in range(p):
                total += turn[n, i] * origin[n] * nodes.precision[n, m]
            gradients[i, m] = total
            for j in range(i, p):
                total = 0.0
                for n in range(p):
                    total += turn[n, i] * turn[n, j] * nodes.precision[n, m]
                forms[pair, m] = total if i == j else 2.0 * total
                pair += 1


@kernel
def padded(n):
    """Next multiple of 8: vectors of 4 come in pairs, and what is left over is slow."""
    return (n + 7) // 8 * 8


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
def point(theta, gradients, forms, linear, square):
    """Coefficients along the ray in direction theta."""
    p = theta.size
    for m in range(linear.size):
        linear[m] = 0.0
        square[m] = 0.0
    pair = 0
    for i in range(p):
        row = gradients[i][: linear.size]
        for m in range(linear.size):
            linear[m] += theta[i] * row[m]
        for j in range(i, p):
            product = theta[i] * theta[j]
            form = forms[pair][: linear.size]
            for m in range(linear.size):
                square[m] += product * form[m]
            pair += 1
