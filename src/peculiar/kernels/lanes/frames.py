"""I + u B in axes that suit it: determinant, solution and moments for any u, on lanes.

Each class is a :class:`~peculiar.kernels.lanes.waist.Frame`.
"""

from __future__ import annotations

from typing import Any

from peculiar.kernels.lanes.householder import make_reflector, reflect, reflect_vector
from peculiar.kernels.lanes.waist import Slopes

HUGE = 1e290

CANCELLED = 1e5
"""Pivots of I + u B that are so many times smaller than u B have lost too many digits to rounding."""


class Tridiagonal:
    """Any B, turned once so that every u costs O(p): y along the first axis, B tridiagonal.

    With alpha the diagonal and beta the off-diagonal of B, the trailing minors D_i = det (f I + u B)[i:, i:] obey

        D_i = (f + u alpha_i) D_{i+1} - (u beta_i)^2 D_{i+2},        D_p = 1,

    so that |f I + u B| = D_0 and y' (f I + u B)^-1 y = |y|^2 D_1 / D_0: one division for each u. Here f is 1.
    """

    def __init__(self, code: Any, p: int, y: Any, b: Any) -> None:
        self.code, self.p = code, p
        self.alpha, self.beta = code.array(p), code.array(p)
        self.v, self.tau = code.array(p, p), code.array(p)
        self.minors, self.ub = code.array(p + 1), code.array(p)
        self.mean, self.second = code.array(p), code.array(p, p)
        self.trace = code.total(0, p, lambda i: b[i, i])
        self.tau[0], self.head = make_reflector(code, p, 0, lambda i: y[i], self.v, 0)
        self.length = self.square = self.head * self.head
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
        return self._solve(1.0, u)

    def _solve(self, f: Any, u: Any) -> tuple[Any, Any]:
        """1 / |f I + u B| and y' (f I + u B)^-1 y."""
        p, d, ub = self.p, self.minors, self.ub
        d[p] = 1.0
        d[p - 1] = f + u * self.alpha[p - 1]
        for n in self.code.span(0, p - 1):
            i = p - 2 - n
            ub[i] = -u * self.beta[i]
            d[i] = (f + u * self.alpha[i]) * d[i + 1] - ub[i] * ub[i] * d[i + 2]
        inverse_det = 1.0 / d[0]
        return inverse_det, self.length * d[1] * inverse_det

    def is_accurate(self, u: Any, inverse_det: Any) -> Any:
        """Where no pivot D_i / D_{i+1} is lost in the rounding of u B, and the determinant is in range."""
        return (inverse_det > 1.0 / HUGE) & self._pivots_above(u * self.trace * (1.0 / CANCELLED))

    def _pivots_above(self, size: Any) -> Any:
        """Where all pivots of the last solution are larger."""
        d, lost = self.minors, self.code.cell(0.0)
        for i in self.code.span(0, self.p):
            lost.value = self.code.where(size * d[i + 1] < d[i], lost.value, 1.0)
        return lost.value < 1.0

    def slopes(self, u: Any) -> Slopes:
        """``solve`` with derivatives in u."""
        return self._slopes(1.0, u, 0.0, 1.0)

    def _slopes(self, f: Any, u: Any, f_rate: float, u_rate: float) -> Slopes:
        """``_solve`` with derivatives along a line on which f and u have constant rates."""
        code, p, d = self.code, self.p, self.minors
        first, second = code.array(p + 1), code.array(p + 1)  # derivatives of the minors
        inverse_det, quadratic = self._solve(f, u)
        first[p] = second[p] = second[p - 1] = 0.0
        first[p - 1] = f_rate + u_rate * self.alpha[p - 1]
        for n in code.span(0, p - 1):
            i = p - 2 - n
            rise, square = f_rate + u_rate * self.alpha[i], self.beta[i] * self.beta[i]
            grow = f + u * self.alpha[i]
            inner = 2.0 * u_rate * d[i + 2] + u * first[i + 2]
            first[i] = rise * d[i + 1] + grow * first[i + 1] - u * square * inner
            inner = 2.0 * u_rate * u_rate * d[i + 2]
            inner = inner + u * (4.0 * u_rate * first[i + 2] + u * second[i + 2])
            second[i] = 2.0 * rise * first[i + 1] + grow * second[i + 1] - square * inner
        log_first, log_second = first[0] * inverse_det, second[0] * inverse_det
        ratio = d[1] * inverse_det
        ratio_first = first[1] * inverse_det - ratio * log_first
        ratio_second = second[1] * inverse_det - 2.0 * ratio_first * log_first - ratio * log_second
        return Slopes(
            inverse_det,
            quadratic,
            self.length * ratio_first,
            self.length * ratio_second,
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
        self._add(weight * inverse_det, u, u * inverse_det * self.length, 1.0, u)

    def _add(self, share: Any, scale: Any, slope: Any, f: Any, u: Any) -> None:
        """Add weight * scale * x and weight * [scale * x x' - (f I + u B)^-1]."""
        code, p, d, ub = self.code, self.p, self.minors, self.ub
        parts, c, lead = self._factors(share, f, u)
        h = code.cell(0.0)
        for j in code.span(0, p):
            self.mean[j] = self.mean[j] + scale * c[j] * parts[j]
            h.value = c[j] * c[j] * d[j + 1] * slope - lead[j]
            for i in code.span(j, p - 1):
                self.second[i, j] = self.second[i, j] + h.value * parts[i]
                h.value = h.value * ub[i]
            self.second[p - 1, j] = self.second[p - 1, j] + h.value * parts[p - 1]

    def _factors(self, share: Any, f: Any, u: Any) -> tuple[Any, Any, Any]:
        """share D_{j+1}, c_j and E_j of :meth:`add`."""
        code, p, d, ub = self.code, self.p, self.minors, self.ub
        parts, c, lead = code.array(p), code.array(p), code.array(p)
        for j in code.span(0, p):
            parts[j] = share * d[j + 1]
        c[0] = lead[0] = 1.0
        for j in code.span(0, p - 1):
            c[j + 1] = c[j] * ub[j]
        if p > 1:
            lead[1] = f + u * self.alpha[0]
        for j in code.span(1, p - 1):
            lead[j + 1] = (f + u * self.alpha[j]) * lead[j] - ub[j - 1] * ub[j - 1] * lead[j - 1]
        return parts, c, lead

    def shrink(self, factor: Any) -> None:
        """The sums, times a factor."""
        for i in self.code.span(0, self.p):
            self.mean[i] = self.mean[i] * factor
            for j in self.code.span(0, i + 1):
                self.second[i, j] = self.second[i, j] * factor

    def finish(self, scale: Any, out: Any) -> Any:
        """Means from sums, in the axes of y and B as they were given."""
        in_range = self._turn_back(scale)
        for i in self.code.span(0, self.p):
            out[i] = self.mean[i]
            for j in self.code.span(0, i + 1):
                out[self.p + triangle(i, j)] = self.second[i, j]
        return in_range

    def _turn_back(self, scale: Any) -> Any:
        """Make means of the sums, in the axes of y and B as they were given; returns where they are in range."""
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

    def near_peak(self, law: Any) -> Any:
        """The peak if the noise were none, or nearly all that there is: whichever is the higher."""
        code = self.code
        best, highest = code.lanes(1.0), code.lanes(-HUGE)
        for quadratic in (self.solve(code.lanes(1.0))[1], self.square):
            u = 2.0 * law.shape / (law.dof + quadratic)
            inverse_det, quadratic_there = self.solve(u)
            log_det = code.log(code.maximum(inverse_det, 1.0 / HUGE))
            height = law.shape * code.log(u) - 0.5 * (u * (law.dof + quadratic_there) - log_det)
            is_better = height > highest
            best, highest = code.where(is_better, u, best), code.where(is_better, height, highest)
        return best

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
