"""I + u B for tridiagonal B, by its minors, on lanes.

With alpha the diagonal and beta the off-diagonal of B, the trailing minors D_i = det (I + u B)[i:, i:] obey

    D_i = (1 + u alpha_i) D_{i+1} - (u beta_i)^2 D_{i+2},        D_p = 1,

so that |I + u B| = D_0 and y' (I + u B)^-1 y = |y|^2 D_1 / D_0 for y along the first axis: one division for each u.
"""

from __future__ import annotations

from peculiar.kernels._jit import inlined, kernel
from peculiar.kernels.structs import LANES


@kernel
def trailing_minors(u, b, beta, p, ub, minors):
    """The minors D_0 to D_p; leaves -u beta in ub."""
    one = minors[p]
    out = minors[p - 1]
    alpha = b[p - 1, p - 1]
    for m in range(LANES):
        one[m] = 1.0
    for m in range(LANES):
        out[m] = 1.0 + u[m] * alpha[m]
    for i in range(p - 2, -1, -1):
        out = minors[i]
        one = minors[i + 1]
        two = minors[i + 2]
        alpha = b[i, i]
        off = beta[i]
        uoff = ub[i]
        for m in range(LANES):
            uoff[m] = -u[m] * off[m]
        for m in range(LANES):
            out[m] = (1.0 + u[m] * alpha[m]) * one[m] - uoff[m] * uoff[m] * two[m]


@kernel
def add_moments(weight, u, inverse_det, head, b, ub, p, minors, work, first, second):
    """Add weight * u x to first and weight * [u x x' - (I + u B)^-1] to second (lower triangle), x = (I + u B)^-1 y.

    With E_i the leading minors and c_j = (-u)^j beta_0 ... beta_{j-1} |y|, x_j = c_j D_{j+1} / D_0; and for i >= j both
    matrices have the factor  D_{i+1} (-u)^{i-j} beta_j ... beta_{i-1} / D_0:  the first times u c_j^2 D_{j+1} / D_0,
    the second times E_j. ``inverse_det`` is 1 / D_0.
    """
    lead, f = work[0], work[1]
    c, h, scaled = work[2, 0], work[2, 1], work[2, 2]
    lead_0 = lead[0]
    for m in range(LANES):
        lead_0[m] = 1.0
    for m in range(LANES):
        c[m] = head[m]
    for m in range(LANES):
        h[m] = weight[m] * inverse_det[m]
    for j in range(p):
        fj = f[j]
        below = minors[j + 1]
        for m in range(LANES):
            fj[m] = h[m] * below[m]
    for m in range(LANES):
        scaled[m] = u[m] * inverse_det[m]
    for j in range(p):
        out = first[j]
        fj = f[j]
        lead_j = lead[j]
        below = minors[j + 1]
        for m in range(LANES):
            out[m] += u[m] * c[m] * fj[m]
        for m in range(LANES):
            h[m] = c[m] * c[m] * below[m] * scaled[m] - lead_j[m]
        for i in range(j, p - 1):
            out = second[i, j]
            fi = f[i]
            uoff = ub[i]
            for m in range(LANES):
                out[m] += h[m] * fi[m]
            for m in range(LANES):
                h[m] *= uoff[m]
        out = second[p - 1, j]
        fi = f[p - 1]
        for m in range(LANES):
            out[m] += h[m] * fi[m]
        if j + 1 < p:
            _next_lead(j, u, b[j, j], ub, lead, c)


@inlined
def _next_lead(j, u, alpha, ub, lead, c):
    """Leading minor E_{j+1}, and c_{j+1}."""
    uoff = ub[j]
    here = lead[j]
    out = lead[j + 1]
    for m in range(LANES):
        c[m] *= uoff[m]
    for m in range(LANES):
        out[m] = (1.0 + u[m] * alpha[m]) * here[m]
    if j > 0:
        before = lead[j - 1]
        uoff = ub[j - 1]
        for m in range(LANES):
            out[m] -= uoff[m] * uoff[m] * before[m]
