"""The fully factorial q(w) q(u) q(k): one clean value and one scale for all components of a row together.

For given q(k) the components act like a single one with

    precision  Lambda = sum_k q_k Sigma_k^-1,   location  eta = Lambda^-1 sum_k q_k Sigma_k^-1 mu_k,
    dof        sum_k q_k dof_k,   and   D = sum_k q_k (eta - mu_k)' Sigma_k^-1 (eta - mu_k)  for their disagreement.

The rows of all L_k^-1, weighted by sqrt(q_k), are a least-squares problem for x - eta: rotations bring it to
triangular form, M'M = Lambda, and leave D as the sum of squared residuals. Nothing is inverted or subtracted. In the
axes of M S M' the bound is then that of one component (see ``integrand``), less u D / 2.

The bound has several maxima. With A_k the bound of component k alone, one that is not below the best A has
sum_k q_k (A_best - A_k) <= log K, so that the component with the largest share in it has A_k >= A_best - K log K. The
search starts from each of these, and from the responsibilities that the A_k give.
"""

from __future__ import annotations

import math

from peculiar.kernels._jit import kernel
from peculiar.kernels.careful.exact import gaussian_moments
from peculiar.kernels.careful.frame import noise_axes
from peculiar.kernels.careful.integrand import log_integrand, prior_exponent
from peculiar.kernels.careful.moments import INVERSE_U, LOG_PROB, LOG_U, UT, U, t_start
from peculiar.kernels.careful.peak import best_fixed_point
from peculiar.kernels.careful.row import SQUARES, expect_nothing, normalise, turn_residual, turn_row
from peculiar.kernels.shared.linalg import invert_lower
from peculiar.kernels.shared.special import LOG_2PI, digamma_minus_log, stirling_gap

_MAX_STEPS = 5000
_SETTLED = 1e-12


@kernel
def expect_factorized(rule, components, rows, row, features, p, want_latent, block, work):
    """Moments of one row under every component, from the best q; returns its bound."""
    if p == 0:
        return expect_nothing(rule.dofs, components, work)
    space, now = rule.space, rule.space.now
    _each_alone(rule, components, rows, row, features, p, block, work)
    best, best_s, best_kind = -math.inf, 0.0, False
    for start in range(2 * rule.dofs.size + 2):
        # u cannot be both 1 for certain and Gamma distributed: q(k) rests on components of one kind
        is_gaussian, first = start % 2 == 1, start // 2 - 1
        if not _begin(rule.dofs, first, is_gaussian, space):
            continue
        s = 0.0 if is_gaussian else _mean_start(space)
        for step in range(_MAX_STEPS):
            square = _pool(rows, row, features, p, block, space)
            last_s = s
            s = 0.0 if is_gaussian else _next_scale(rule.dofs, s, square, p, space)
            change = _next_shares(rule.dofs, s, is_gaussian, p, block, space)
            if max(change, abs(s - last_s)) < _SETTLED or step == _MAX_STEPS - 1:
                break  # the frame is still that of these shares
            _copy(space.following, now)
        bound = _bound(rule.dofs, s, is_gaussian, square, p, block, space)
        if bound > best:
            best, best_s, best_kind = bound, s, is_gaussian
            _copy(now, space.best)
    _copy(space.best, now)
    _pool(rows, row, features, p, block, space)
    _fill(rule, best_s, best_kind, p, want_latent, block, work)
    return best


@kernel
def _copy(source, target):
    for k in range(target.size):
        target[k] = source[k]


# ------------------------------------------------------------------------------- where to start


@kernel
def _each_alone(rule, components, rows, row, features, p, block, work):
    """Bound and log u of each component alone, and the whitened residual."""
    space = rule.space
    for k in range(rule.dofs.size):
        dof = rule.dofs[k]
        turn_row(components, rows, row, k, features, p, block.inverse[k], work)
        e2 = work.vectors[SQUARES]
        s, norm = 0.0, 0.0
        if math.isinf(dof):
            gaussian_moments(e2, work.b[k], p, work.moments[k])
            bound = work.moments[k, LOG_PROB]
        else:
            s, bound = best_fixed_point(dof, e2, work.b[k], p, work.scratch[0])
            norm = 0.5 * math.log(0.5 * dof) - stirling_gap(0.5 * dof)
        space.alone[k] = block.log_norm[k] + bound
        space.log_u[k] = s
        space.norm[k] = norm
        for j in range(p):
            space.white[k, j] = work.vectors[1, j]


@kernel
def _begin(dofs, first, is_gaussian, space):
    """Set q(k) to component ``first`` alone, or for -1 to the responsibilities; False where that leads nowhere."""
    now, alone = space.now, space.alone
    n, best = 0, -math.inf
    for k in range(dofs.size):
        now[k] = 0.0
        if math.isinf(dofs[k]) == is_gaussian:
            n += 1
            best = max(best, alone[k])
    if n == 0 or best == -math.inf:
        return False
    if first >= 0:
        now[first] = 1.0
        is_near = alone[first] >= best - n * math.log(n) and alone[first] > -math.inf
        return math.isinf(dofs[first]) == is_gaussian and is_near
    total = 0.0
    for k in range(dofs.size):
        if math.isinf(dofs[k]) == is_gaussian:
            now[k] = math.exp(alone[k] - best)
            total += now[k]
    for k in range(dofs.size):
        now[k] /= total
    return n > 1


@kernel
def _mean_start(space):
    """Log u to start from."""
    s = 0.0
    for k in range(space.now.size):
        s += space.now[k] * space.log_u[k]
    return s


# ------------------------------------------------------------------ the components pooled into one


@kernel
def _pool(rows, row, features, p, block, space):
    """Components in the shares q(k) as one: residual and noise in its frame; returns D."""
    root, y, a = space.root, space.y, space.shift
    root[:] = 0.0
    y[:] = 0.0
    square = 0.0
    for k in range(space.now.size):
        weight = math.sqrt(space.now[k])
        if weight == 0.0:
            continue
        inverse, white = block.inverse[k], space.white[k]
        for i in range(p):
            for j in range(i + 1):
                a[j] = weight * inverse[i, j]
            square += _rotate_in(a, weight * white[i], i, root, y)
    axes, b, e, e2 = space.axes, space.b, space.e, space.e2
    turned = noise_axes(rows, row, features, p, root, space.scratch, b, axes)
    if not turned:
        axes[:] = 0.0
        for j in range(p):
            axes[j, j] = 1.0
    turn_residual(y, turned, axes, p, e, e2)
    return square


@kernel
def _rotate_in(a, value, last, root, y):
    """Add the equation  a'z = value  to the triangular system  root z = y; returns the square it cannot fulfil."""
    for i in range(last, -1, -1):
        radius = math.hypot(root[i, i], a[i])
        if a[i] == 0.0 or radius == 0.0:
            continue
        cos, sin = root[i, i] / radius, a[i] / radius
        root[i, i] = radius
        for j in range(i):
            old = root[i, j]
            root[i, j] = cos * old + sin * a[j]
            a[j] = cos * a[j] - sin * old
        old = y[i]
        y[i] = cos * old + sin * value
        value = cos * value - sin * old
    return value * value


@kernel
def _pooled_dof(dofs, space):
    """sum_k q_k dof_k."""
    total = 0.0
    for k in range(dofs.size):
        if space.now[k] > 0.0:
            total += space.now[k] * dofs[k]
    return total


@kernel
def _next_scale(dofs, s, square, p, space):
    """A step of  u = (dof + p) / (dof + D + C(u)),  which never lowers the bound."""
    u, dof = math.exp(s), _pooled_dof(dofs, space)
    e2, b = space.e2, space.b
    c = square
    for j in range(p):
        t = 1.0 / (1.0 + u * b[j])
        c += (e2[j] * t + b[j]) * t
    return math.log((dof + p) / (dof + c))


@kernel
def _clean(s, p, space):
    """Shift of the clean value from the measured one, and the axes of its spread, in the observed features."""
    e, b, shift = space.e, space.b, space.shift
    axes, back, inverse = space.axes, space.back, space.scratch
    u = math.exp(s)
    invert_lower(space.root, p, inverse)
    shift[:] = 0.0
    for i in range(p):
        for j in range(p):
            total = 0.0
            for m in range(i + 1):
                total += inverse[i, m] * axes[m, j]
            back[i, j] = total
            ub = u * b[j]
            shift[i] -= total * e[j] * ub / (1.0 + ub)


@kernel
def _next_shares(dofs, s, is_gaussian, p, block, space):
    """The best q(k) for this q(w) q(u), into its place; returns by how much the shares change."""
    now, following, norm = space.now, space.following, space.norm
    _clean(s, p, space)
    u = math.exp(s)
    exponent = 0.0
    if not is_gaussian:
        exponent = prior_exponent(s) + digamma_minus_log(0.5 * (_pooled_dof(dofs, space) + p))
    for k in range(dofs.size):
        following[k] = -math.inf
        if math.isinf(dofs[k]) != is_gaussian or block.log_norm[k] == -math.inf:
            continue
        following[k] = block.log_norm[k] - 0.5 * u * _distance(k, u, p, block, space)
        if not is_gaussian:
            following[k] += norm[k] + 0.5 * dofs[k] * exponent
    normalise(following)
    change = 0.0
    for k in range(dofs.size):
        following[k] = math.exp(following[k])
        change = max(change, abs(following[k] - now[k]))
    return change


@kernel
def _distance(k, u, p, block, space):
    """C_k = E[(w - mu_k)' Sigma_k^-1 (w - mu_k)]."""
    inverse, white, shift = block.inverse[k], space.white[k], space.shift
    back, b = space.back, space.b
    total = 0.0
    for i in range(p):
        mean = white[i]
        for m in range(i + 1):
            mean += inverse[i, m] * shift[m]
        total += mean * mean
        for j in range(p):
            part = 0.0
            for m in range(i + 1):
                part += inverse[i, m] * back[m, j]
            total += part * part * b[j] / (1.0 + u * b[j])
    return total


@kernel
def _bound(dofs, s, is_gaussian, square, p, block, space):
    """The free energy of q(w) q(u) q(k)."""
    e2, b, t = space.e2, space.b, space.t
    dof = 0.0 if is_gaussian else _pooled_dof(dofs, space)
    bound = log_integrand(s, dof, e2, b, p, t) - 0.5 * math.exp(s) * square - 0.5 * p * LOG_2PI
    if not is_gaussian:
        a = 0.5 * (dof + p)
        bound += stirling_gap(a) - 0.5 * math.log(a)
    for k in range(dofs.size):
        q = space.now[k]
        if q > 0.0:
            bound += q * (block.log_norm[k] + space.norm[k] - math.log(q))
    return bound


# ------------------------------------------------------------------------------------- results


@kernel
def _fill(rule, s, is_gaussian, p, want_latent, block, work):
    """Moments under the best q, in the units of each component: the frame is the unit matrix, without noise."""
    dofs, space = rule.dofs, rule.space
    u, log_u, inverse_u = 1.0, 0.0, 1.0
    if not is_gaussian:
        a = 0.5 * (_pooled_dof(dofs, space) + p)
        u, log_u = math.exp(s), digamma_minus_log(a) + s
        inverse_u = a / (u * (a - 1.0)) if a > 1.0 else math.inf
    _clean(s, p, space)
    for k in range(dofs.size):
        q, out = space.now[k], work.moments[k]
        work.log_resp[k] = math.log(q) if q > 0.0 else -math.inf
        out[U], out[LOG_U], out[INVERSE_U] = u, log_u, inverse_u
        _fill_clean(k, u, u, UT, p, block, space, out)
        if want_latent:
            _fill_clean(k, u, 1.0, t_start(p), p, block, space, out)
        work.turned[k] = False
        for j in range(p):
            work.e[k, j] = 1.0
            work.b[k, j] = 0.0


@kernel
def _fill_clean(k, u, weight, start, p, block, space, out):
    """Mean and second moments of w - mu_k, times weight, from ``start`` on."""
    inverse, white, shift = block.inverse[k], space.white[k], space.shift
    back, b, mean = space.back, space.b, space.t
    turned = space.scratch
    pair = start + p
    for i in range(p):
        mean[i] = white[i]
        for m in range(i + 1):
            mean[i] += inverse[i, m] * shift[m]
        for j in range(p):
            turned[i, j] = 0.0
            for m in range(i + 1):
                turned[i, j] += inverse[i, m] * back[m, j]
        out[start + i] = weight * mean[i]
        for j in range(i + 1):
            total = mean[i] * mean[j]
            for m in range(p):
                total += turned[i, m] * turned[j, m] * b[m] / (1.0 + u * b[m])
            out[pair] = weight * total
            pair += 1
