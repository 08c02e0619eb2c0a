"""The posterior of s = log u for one row and one component, up to a constant.

In the frame the row is a residual e and a noise b per axis (see ``frame``), and with h = dof / 2

    g(s)  = h (s - e^s + 1) + (p / 2) s - (1/2) sum_j [ log(1 + u b_j) + u e_j^2 / (1 + u b_j) ]
    g'(s) = a - (u / 2) (dof + C(u)),    C(u) = sum_j [ e_j^2 t_j^2 + b_j t_j ],    a = (dof + p) / 2

with u = e^s and t_j = 1 / (1 + u b_j). Two facts carry everything that follows:

* g' <= a everywhere, because C is positive: to the right, g can only climb so fast;
* C falls as u grows, so every stationary point has  dof / (dof + sum e^2) <= u <= (dof + p) / dof.
"""

from __future__ import annotations

import math

from peculiar.kernels._jit import kernel

_LARGE_PRODUCT = 1e200


@kernel
def prior_exponent(s):
    """s - e^s + 1. For dof 1e6 the prior has a width of 1e-3 in s, and this must keep its digits."""
    rise = math.expm1(s) if abs(s) < 0.5 else math.exp(s) - 1.0
    return s - rise


@kernel
def log_integrand(s, dof, e2, b, p, t):
    """The value g(s); leaves t_j = 1 / (1 + u b_j) in t."""
    u = math.exp(s)
    quadratic = 0.0
    log_det = 0.0
    product = 1.0
    for j in range(p):
        z = 1.0 + u * b[j]
        t[j] = 1.0 / z
        quadratic += e2[j] * t[j]
        product *= z  # one logarithm for many factors
        if product > _LARGE_PRODUCT:
            log_det += math.log(product)
            product = 1.0
    log_det += math.log(product)
    return 0.5 * (dof * prior_exponent(s) + p * s - log_det - u * quadratic)


@kernel
def slope(s, dof, e2, b, p):
    """First and second derivative of g."""
    u = math.exp(s)
    c = 0.0
    falling = 0.0  # -u C'(u)
    for j in range(p):
        t = 1.0 / (1.0 + u * b[j])
        ub = u * b[j] * t
        c += (e2[j] * t + b[j]) * t
        falling += (2.0 * e2[j] * t + b[j]) * t * ub
    first = 0.5 * (dof + p) - 0.5 * u * (dof + c)
    second = -0.5 * u * (dof + c - falling)
    return first, second


@kernel
def stationary_range(dof, e2, p):
    """Least and greatest s that a stationary point can have."""
    total = 0.0
    for j in range(p):
        total += e2[j]
    return -math.log1p(total / dof), math.log1p(p / dof)


@kernel
def has_one_peak(dof, e2, b, p):
    """Whether g is certainly concave: the test is sufficient, not necessary.

    With r = e^2 / b, axis j adds to g'' at most  (u / 2) b (r - 1)^3 / (27 r^2)  (where r > 1), the prior
    takes away u dof / 2.
    """
    total = 0.0
    for j in range(p):
        if e2[j] > b[j] > 0.0:
            excess = 1.0 - b[j] / e2[j]
            total += e2[j] * excess * excess * excess
    return total <= 27.0 * dof


@kernel
def peak_between(low, high, tol, dof, e2, b, p):
    """A maximum of g in [low, high], where g' is not negative at low and not positive at high.

    Newton's method, guarded by bisection.
    """
    start_u = 1.0
    c = 0.0
    for j in range(p):
        t = 1.0 / (1.0 + b[j])
        c += (e2[j] * t + b[j]) * t
    s = math.log(start_u * (dof + p) / (dof + c))
    if not low < s < high:
        s = 0.5 * (low + high)
    last_step = high - low
    for _ in range(200):
        first, second = slope(s, dof, e2, b, p)
        if first > 0.0:
            low = s
        else:
            high = s
        step = -first / second if second < 0.0 else math.inf
        if not low < s + step < high or abs(step) > 0.5 * abs(last_step):
            step = 0.5 * (low + high) - s
        s += step
        if abs(step) <= tol:
            break
        last_step = step
    return s


@kernel
def highest_peak(dof, e2, b, p, t):
    """The s of the global maximum of g, to about 1e-14.

    A maximum of g is never narrower than 1 / sqrt(a), so a walk in steps of half that width meets a
    change of sign at each. From a point that lies m below the best known value, g cannot reach it
    again within m / a: the walk skips that far.
    """
    low, high = stationary_range(dof, e2, p)
    best = peak_between(low, high, 1e-14, dof, e2, b, p)
    if has_one_peak(dof, e2, b, p):
        return best
    a = 0.5 * (dof + p)
    stride = 0.5 / math.sqrt(a)
    best_value = log_integrand(best, dof, e2, b, p, t)
    s = low
    rising = True
    while s < high:
        value = log_integrand(s, dof, e2, b, p, t)
        advance = max(stride, (best_value - value) / a)
        following = min(s + advance, high)
        first, _ = slope(following, dof, e2, b, p)
        if rising and first <= 0.0:
            candidate = peak_between(s, following, 1e-14, dof, e2, b, p)
            candidate_value = log_integrand(candidate, dof, e2, b, p, t)
            if candidate_value > best_value:
                best = candidate
                best_value = candidate_value
        rising = first > 0.0
        s = following
    return best
