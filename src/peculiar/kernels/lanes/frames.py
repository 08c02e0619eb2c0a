"""I + u B in axes that suit it: determinant, solution and moments for any u, on lanes.

Each class is a :class:`~peculiar.kernels.lanes.waist.Frame`.
"""

from __future__ import annotations

from typing import Any

from peculiar.kernels.lanes.householder import make_reflector, reflect, reflect_vector
from peculiar.kernels.lanes.waist import Slopes

HUGE = 1e290

_CANCELLED = 1e5
"""Pivots of I + u B that are so many times smaller than u B have lost too many digits to rounding."""


class Tridiagonal:
    """Any B, turned once so that every u costs O(p): y along the first axis, B tridiagonal.

    With alpha the diagonal and beta the off-diagonal of B, the trailing minors D_i = det (I + u B)[i:, i:] obey

        D_i = (1 + u alpha_i) D_{i+1} - (u beta_i)^2 D_{i+2},        D_p = 1,

    so that |I + u B| = D_0 and y' (I + u B)^-1 y = |y|^2 D_1 / D_0: one division for each u.
    """

    def __init__(self, code: Any, p: int, y: Any, b: Any) -> None:
        self.code, self.p = code, p
        self.alpha, self.beta = code.array(p), code.array(p)
        self.v, self.tau = code.array(p, p), code.array(p)
        self.minors, self.ub = code.array(p + 1), code.array(p)
        self.mean, self.second = code.array(p), code.array(p, p)
        self.trace = code.total(0, p, lambda i: b[i, i])
        self.tau[0], self.head = make_reflector(code, p, 0, lambda i: y[i], self.v, 0)
        self.square = self.head * self.head
        reflect(code, p, 0, 0, b, self.v, 0, self.tau[0])
        for n in code.span(1, p - 1):
            tau, beta = make_reflector(code, p, n, lambda i, n=n: b[i, n - 1], self.v, n)
            self.tau[n], self.beta[n - 1] = tau, beta
            reflect(code, p, n, n, b, self.v, n, tau)
        if p > 1:
            self.beta[p - 2] = b[p - 1, p - 2]
        for i in code.span(0, p):
            self.alpha[i] = b[i, i]
        self.along = self.alpha[0]

    def clear(self) -> None:
        """Sums of nothing."""
        for i in self.code.span(0, self.p):
            self.mean[i] = 0.0
            for j in self.code.span(0, i + 1):
                self.second[i, j] = 0.0

    def solve(self, u: Any) -> tuple[Any, Any]:
        """1 / |I + u B| and y' (I + u B)^-1 y."""
        p, d, ub = self.p, self.minors, self.ub
        d[p] = 1.0
        d[p - 1] = 1.0 + u * self.alpha[p - 1]
        for n in self.code.span(0, p - 1):
            i = p - 2 - n
            ub[i] = -u * self.beta[i]
            d[i] = (1.0 + u * self.alpha[i]) * d[i + 1] - ub[i] * ub[i] * d[i + 2]
        inverse_det = 1.0 / d[0]
        return inverse_det, self.square * d[1] * inverse_det

    def is_accurate(self, u: Any, inverse_det: Any) -> Any:
        """Where no pivot D_i / D_{i+1} is lost in the rounding of u B, and the determinant is in range."""
        d, lost = self.minors, self.code.cell(0.0)
        size = u * self.trace * (1.0 / _CANCELLED)
        for i in self.code.span(0, self.p):
            lost.value = self.code.where(size * d[i + 1] < d[i], lost.value, 1.0)
        return (inverse_det > 1.0 / HUGE) & (lost.value < 1.0)

    def slopes(self, u: Any) -> Slopes:
        """``solve`` with derivatives in u."""
        code, p, d = self.code, self.p, self.minors
        e, f = code.array(p + 1), code.array(p + 1)  # derivatives of the minors
        inverse_det, quadratic = self.solve(u)
        e[p] = f[p] = f[p - 1] = 0.0
        e[p - 1] = self.alpha[p - 1]
        for n in code.span(0, p - 1):
            i = p - 2 - n
            alpha, square = self.alpha[i], self.beta[i] * self.beta[i]
            grow = 1.0 + u * alpha
            e[i] = alpha * d[i + 1] + grow * e[i + 1] - u * square * (2.0 * d[i + 2] + u * e[i + 2])
            twice = 2.0 * d[i + 2] + u * (4.0 * e[i + 2] + u * f[i + 2])
            f[i] = 2.0 * alpha * e[i + 1] + grow * f[i + 1] - square * twice
        log_first, log_second = e[0] * inverse_det, f[0] * inverse_det
        ratio = d[1] * inverse_det
        first = e[1] * inverse_det - ratio * log_first
        second = f[1] * inverse_det - 2.0 * first * log_first - ratio * log_second
        return Slopes(
            inverse_det,
            quadratic,
            self.square * first,
            self.square * second,
            log_first,
            log_second - log_first * log_first,
        )

    unit = 1.0
    """What ``finish`` adds to the diagonal of the second moments."""

    def add(self, weight: Any, u: Any, inverse_det: Any) -> None:
        """Add the moments at u.

        With E_i the leading minors and c_j = (-u)^j beta_0 ... beta_{j-1}, x_j = |y| c_j D_{j+1} / D_0; and for i >= j
        both matrices have the factor D_{i+1} (-u)^{i-j} beta_j ... beta_{i-1} / D_0:  the first times
        u |y|^2 c_j^2 D_{j+1} / D_0, the second times E_j. The |y| of the mean waits for ``finish``.
        """
        code, p, d, ub = self.code, self.p, self.minors, self.ub
        f, c, lead = self._factors(weight * inverse_det, u)
        slope = u * inverse_det * self.square
        h = code.cell(0.0)
        for j in code.span(0, p):
            self.mean[j] = self.mean[j] + u * c[j] * f[j]
            h.value = c[j] * c[j] * d[j + 1] * slope - lead[j]
            for i in code.span(j, p - 1):
                self.second[i, j] = self.second[i, j] + h.value * f[i]
                h.value = h.value * ub[i]
            self.second[p - 1, j] = self.second[p - 1, j] + h.value * f[p - 1]

    def _factors(self, share: Any, u: Any) -> tuple[Any, Any, Any]:
        """share D_{j+1}, c_j and E_j of :meth:`add`."""
        code, p, d, ub = self.code, self.p, self.minors, self.ub
        f, c, lead = code.array(p), code.array(p), code.array(p)
        for j in code.span(0, p):
            f[j] = share * d[j + 1]
        c[0] = lead[0] = 1.0
        for j in code.span(0, p - 1):
            c[j + 1] = c[j] * ub[j]
        if p > 1:
            lead[1] = 1.0 + u * self.alpha[0]
        for j in code.span(1, p - 1):
            lead[j + 1] = (1.0 + u * self.alpha[j]) * lead[j] - ub[j - 1] * ub[j - 1] * lead[j - 1]
        return f, c, lead

    def shrink(self, factor: Any) -> None:
        """The sums, times a factor."""
        for i in self.code.span(0, self.p):
            self.mean[i] = self.mean[i] * factor
            for j in self.code.span(0, i + 1):
                self.second[i, j] = self.second[i, j] * factor

    def finish(self, scale: Any, out: Any) -> Any:
        """Means from sums, in the axes of y and B as they were given."""
        code, p = self.code, self.p
        size = code.cell(0.0)
        for i in code.span(0, p):
            self.mean[i] = self.mean[i] * scale * self.head
            for j in code.span(0, i + 1):
                self.second[i, j] = self.second[i, j] * scale
                size.value = size.value + code.absolute(self.second[i, j])
            self.second[i, i] = self.second[i, i] + self.unit
        last = max(p - 2, 0)
        for n in code.span(0, last + 1):
            at = last - n
            reflect_vector(code, p, at, self.mean, self.v, at, self.tau[at])
            reflect(code, p, 0, at, self.second, self.v, at, self.tau[at])
        for i in code.span(0, p):
            out[i] = self.mean[i]
            for j in code.span(0, i + 1):
                out[p + triangle(i, j)] = self.second[i, j]
        return size.value < HUGE


class Dense:
    """Any B, as it is: O(p^3) for each u, which is the cheaper way if there is only one. Not for rules that search."""

    def __init__(self, code: Any, p: int, y: Any, b: Any) -> None:
        self.code, self.p, self.y, self.b = code, p, y, b
        self.x, self.second = code.array(p), code.array(p, p)
        self.lower, self.inverse_pivots = code.array(p, p), code.array(p)

    def clear(self) -> None:
        """There is one u, hence nothing to add to."""

    def solve(self, u: Any) -> tuple[Any, Any]:
        """1 / |I + u B| and y' (I + u B)^-1 y, from I + u B = L D L'. Leaves the unit L^-1 and 1 / D."""
        code, p, lower = self.code, self.p, self.lower
        scaled, z = code.array(p), code.array(p)
        det, quadratic = code.cell(1.0), code.cell(0.0)
        for i in code.span(0, p):
            for j in code.span(0, i):
                past = code.total(0, j, lambda n, j=j: scaled[n] * lower[j, n])
                scaled[j] = u * self.b[i, j] - past  # L_ij D_j
            for j in code.span(0, i):
                lower[i, j] = scaled[j] * self.inverse_pivots[j]
            past = code.total(0, i, lambda n, i=i: scaled[n] * lower[i, n])
            pivot = 1.0 + u * self.b[i, i] - past
            self.inverse_pivots[i] = 1.0 / pivot
            det.value = det.value * pivot
            z[i] = self.y[i] - code.total(0, i, lambda n, i=i: lower[i, n] * z[n])
            quadratic.value = quadratic.value + z[i] * z[i] * self.inverse_pivots[i]
        for i in code.span(0, p):
            self.x[i] = z[i] * self.inverse_pivots[i]
        self._invert()
        return 1.0 / det.value, quadratic.value

    def is_accurate(self, u: Any, inverse_det: Any) -> Any:
        """Where no pivot is lost in the rounding of u B, and the determinant is in range."""
        code, p, lost = self.code, self.p, self.code.cell(0.0)
        size = u * code.total(0, p, lambda i: self.b[i, i]) * (1.0 / _CANCELLED)
        for i in code.span(0, p):
            lost.value = code.where(size * self.inverse_pivots[i] < 1.0, lost.value, 1.0)
        return (inverse_det > 1.0 / HUGE) & (lost.value < 1.0)

    def _invert(self) -> None:
        """Replace L, below its diagonal of ones, by its inverse."""
        code, lower = self.code, self.lower
        for i in code.span(1, self.p):
            for j in code.span(0, i):
                inner = code.total(j + 1, i, lambda n, i=i, j=j: lower[i, n] * lower[n, j])
                lower[i, j] = -lower[i, j] - inner

    def add(self, weight: Any, u: Any, inverse_det: Any) -> None:
        """The moments at u."""
        code, p, lower, pivots = self.code, self.p, self.lower, self.inverse_pivots
        x, scaled = code.array(p), code.array(p, p)
        for i in code.span(0, p):
            x[i] = self.x[i] + code.total(i + 1, p, lambda n, i=i: lower[n, i] * self.x[n])
            for j in code.span(0, i):
                scaled[i, j] = lower[i, j] * pivots[i]
        for i in code.span(0, p):
            self.x[i] = x[i]
            for j in code.span(0, i):
                rest = code.total(i + 1, p, lambda n, i=i, j=j: scaled[n, i] * lower[n, j])
                self.second[i, j] = weight * (u * x[i] * x[j] - scaled[i, j] - rest)
            rest = code.total(i + 1, p, lambda n, i=i: scaled[n, i] * lower[n, i])
            self.second[i, i] = weight * (u * x[i] * x[i] - pivots[i] - rest)
        for i in code.span(0, p):
            self.x[i] = self.x[i] * u * weight

    def finish(self, scale: Any, out: Any) -> Any:
        """Means from sums."""
        code, p = self.code, self.p
        size = code.cell(0.0)
        for i in code.span(0, p):
            out[i] = self.x[i] * scale
            for j in code.span(0, i):
                out[p + triangle(i, j)] = self.second[i, j] * scale
            out[p + triangle(i, i)] = self.second[i, i] * scale + 1.0
            size.value = size.value + code.absolute(self.second[i, i])
        return size.value < HUGE


class Diagonal:
    """B diagonal already: features are independent given u. Of the second moments only the diagonal is kept."""

    def __init__(self, code: Any, p: int, y: Any, b: Any) -> None:
        self.code, self.p, self.y, self.b = code, p, y, b
        self.y2, self.t = code.array(p), code.array(p)
        self.mean, self.second = code.array(p), code.array(p)
        for i in code.span(0, p):
            self.y2[i] = y[i] * y[i]
        self.square = code.total(0, p, lambda i: self.y2[i])
        self.trace = code.total(0, p, lambda i: b[i])
        self.along = code.total(0, p, lambda i: self.y2[i] * b[i]) / (self.square + 1e-300)

    def clear(self) -> None:
        """Sums of nothing."""
        for i in self.code.span(0, self.p):
            self.mean[i] = self.second[i] = 0.0

    def solve(self, u: Any) -> tuple[Any, Any]:
        """1 / |I + u B| and y' (I + u B)^-1 y. Leaves t_i = 1 / (1 + u b_i), by products and one division."""
        code, p, t = self.code, self.p, self.t
        grow = code.array(p)
        product = code.cell(1.0)
        for i in code.span(0, p):
            grow[i] = 1.0 + u * self.b[i]
            t[i] = product.value
            product.value = product.value * grow[i]
        inverse_det = 1.0 / product.value
        product.value = inverse_det
        for n in code.span(0, p):
            i = p - 1 - n
            t[i] = t[i] * product.value
            product.value = product.value * grow[i]
        return inverse_det, code.total(0, p, lambda i: self.y2[i] * t[i])

    def is_accurate(self, u: Any, inverse_det: Any) -> Any:
        """Where the determinant is in range: nothing cancels here."""
        return inverse_det > 1.0 / HUGE

    def slopes(self, u: Any) -> Slopes:
        """``solve`` with derivatives in u."""
        code, p, t = self.code, self.p, self.t
        inverse_det, quadratic = self.solve(u)
        bt = code.array(p)
        for i in code.span(0, p):
            bt[i] = self.b[i] * t[i]
        return Slopes(
            inverse_det,
            quadratic,
            -code.total(0, p, lambda i: self.y2[i] * t[i] * bt[i]),
            2.0 * code.total(0, p, lambda i: self.y2[i] * t[i] * bt[i] * bt[i]),
            code.total(0, p, lambda i: bt[i]),
            -code.total(0, p, lambda i: bt[i] * bt[i]),
        )

    def add(self, weight: Any, u: Any, inverse_det: Any) -> None:
        """Add the moments at u: here u x^2 - t, for x = t y."""
        share = weight * u
        for i in self.code.span(0, self.p):
            t = self.t[i]
            part = share * t
            self.mean[i] = self.mean[i] + part
            self.second[i] = self.second[i] + (part * self.y2[i] - weight) * t

    def shrink(self, factor: Any) -> None:
        """The sums, times a factor."""
        for i in self.code.span(0, self.p):
            self.mean[i] = self.mean[i] * factor
            self.second[i] = self.second[i] * factor

    def finish(self, scale: Any, out: Any) -> Any:
        """Means from sums."""
        code, p = self.code, self.p
        size = code.cell(0.0)
        for i in code.span(0, p):
            out[i] = self.mean[i] * scale * self.y[i]
            second = self.second[i] * scale
            out[p + i] = second + 1.0
            size.value = size.value + code.absolute(second)
        return size.value < HUGE


class Noiseless:
    """B = 0: the clean value is the measured one, and all depends on u alone."""

    def __init__(self, code: Any, p: int, y: Any) -> None:
        self.code, self.p, self.y = code, p, y
        self.square = code.total(0, p, lambda i: y[i] * y[i])
        self.u = code.cell(0.0)

    def clear(self) -> None:
        """Sums of nothing."""
        self.u.value = self.code.lanes(0.0)

    def solve(self, u: Any) -> tuple[Any, Any]:
        """1 and |y|^2."""
        return self.code.lanes(1.0), self.square

    def add(self, weight: Any, u: Any, inverse_det: Any) -> None:
        """Add the moments at u."""
        self.u.value = self.u.value + weight * u

    def shrink(self, factor: Any) -> None:
        """The sums, times a factor."""
        self.u.value = self.u.value * factor

    def finish(self, scale: Any, out: Any) -> Any:
        """Means from sums."""
        u, y = self.u.value * scale, self.y
        for i in self.code.span(0, self.p):
            out[i] = u * y[i]
            for j in self.code.span(0, i + 1):
                out[self.p + triangle(i, j)] = out[i] * y[j]
        return self.square < HUGE


def triangle(i: Any, j: Any) -> Any:
    """Place of element (i, j) in a lower triangle stored row by row."""
    return i * (i + 1) // 2 + j
