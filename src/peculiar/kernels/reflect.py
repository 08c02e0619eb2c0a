"""Householder reflections on lanes: axes in which y is one number and B is tridiagonal.

The eigenvalues of B are not needed: with y along the first axis and B tridiagonal, determinants and solutions of
I + u B come from a three-term recurrence (see ``minors``). Every array has the lanes, one row each, along its last
axis.
"""

from __future__ import annotations

import math

from peculiar.kernels._jit import kernel
from peculiar.kernels.structs import LANES

_TINY = 1e-300


@kernel
def make_reflector(z, first, p, v, tau, head):
    """The v and tau of H = 1 - tau v v' that sends z[first:p] to head * e_first."""
    for m in range(LANES):
        head[m] = 0.0
    for i in range(first, p):
        zi = z[i]
        vi = v[i]
        for m in range(LANES):
            head[m] += zi[m] * zi[m]
        for m in range(LANES):
            vi[m] = zi[m]
    top = v[first]
    for m in range(LANES):
        square = head[m]
        norm = math.sqrt(square)
        signed = norm if top[m] >= 0.0 else -norm
        tau[m] = 1.0 / (square + signed * top[m] + _TINY)
        top[m] += signed
        head[m] = -signed


@kernel
def reflect(a, v, tau, first, low, p, w, dot):
    """Replace the symmetric a (lower triangle, axes low to p) by H a H; v is zero before ``first``."""
    for m in range(LANES):
        dot[m] = 0.0
    for i in range(low, p):
        wi = w[i]
        for m in range(LANES):
            wi[m] = 0.0
        for j in range(first, p):
            aij = a[i, j] if i >= j else a[j, i]
            vj = v[j]
            for m in range(LANES):
                wi[m] += aij[m] * vj[m]
        if i >= first:
            vi = v[i]
            for m in range(LANES):
                dot[m] += wi[m] * vi[m]
    for m in range(LANES):
        dot[m] *= 0.5 * tau[m]
    for i in range(low, p):
        wi = w[i]
        if i >= first:
            vi = v[i]
            for m in range(LANES):
                wi[m] -= dot[m] * vi[m]
        for m in range(LANES):
            wi[m] *= tau[m]
    for i in range(first, p):
        wi = w[i]
        vi = v[i]
        for j in range(low, i + 1):
            aij = a[i, j]
            wj = w[j]
            for m in range(LANES):
                aij[m] -= vi[m] * wj[m]
            if j >= first:
                vj = v[j]
                for m in range(LANES):
                    aij[m] -= wi[m] * vj[m]


@kernel
def tridiagonalise(y, b, p, v, tau, w, dot, head, beta):
    """Turn the axes so that y = head * e_0 and B is tridiagonal: its diagonal stays in b, the rest goes to beta."""
    make_reflector(y, 0, p, v[0], tau[0], head)
    reflect(b, v[0], tau[0], 0, 0, p, w, dot)
    for n in range(1, p - 1):
        make_reflector(b[:, n - 1], n, p, v[n], tau[n], beta[n - 1])
        reflect(b, v[n], tau[n], n, n, p, w, dot)
    if p > 1:
        last = b[p - 1, p - 2]
        out = beta[p - 2]
        for m in range(LANES):
            out[m] = last[m]


@kernel
def turn_back(first, second, p, v, tau, w, dot):
    """Bring a vector and a symmetric matrix back from the turned axes."""
    for n in range(max(p - 2, 0), -1, -1):
        vn = v[n]
        tn = tau[n]
        for m in range(LANES):
            dot[m] = 0.0
        for i in range(n, p):
            fi = first[i]
            vi = vn[i]
            for m in range(LANES):
                dot[m] += fi[m] * vi[m]
        for m in range(LANES):
            dot[m] *= tn[m]
        for i in range(n, p):
            fi = first[i]
            vi = vn[i]
            for m in range(LANES):
                fi[m] -= dot[m] * vi[m]
        reflect(second, vn, tn, n, 0, p, w, dot)
