"""The frame for scatters that are small beside the noise, in some direction or in all.

In units of such a scatter the noise is huge there, and what the row says of other directions is lost in rounding.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from peculiar.kernels.lanes.frames import HUGE, Tridiagonal, triangle
from peculiar.kernels.lanes.waist import Slopes

_SINGULAR = 1e-6
"""Pivots so many times smaller than the variances they are left of: the covariance is close to singular."""

_CANCELLED = 3e5
"""Pivots of H that are so many times smaller than its parts have lost too many digits to rounding."""

_DEPTH = 30.0
"""A peak of the posterior of log u so much lower than another does not matter."""


class WholeCovariance:
    """Sigma / u + S = C C' for one u after another, and the residual z = C^-1 r in its units.

    Parameters
    ----------
    code
    p : int
    residual : array
        r, in the units of the data.
    scatter : array
        Sigma.
    variance, covariance : callable
        ``variance(i)`` is S_ii, and ``covariance(i, j)`` is S_ij for j < i.
    """

    def __init__(
        self,
        code: Any,
        p: int,
        residual: Any,
        scatter: Any,
        variance: Callable[[Any], Any],
        covariance: Callable[[Any, Any], Any],
    ) -> None:
        self.code, self.p, self.residual, self.scatter = code, p, residual, scatter
        self.variance, self.covariance = variance, covariance
        self.lower, self.inverse_pivots, self.z = code.array(p, p), code.array(p), code.array(p)
        self.is_regular: Any = None

    def take(self, inverse_u: Any) -> Any:
        """Leave C, one over its diagonal, z, and where the covariance is far from singular; returns |z|^2."""
        code, lower, lost = self.code, self.lower, self.code.cell(0.0)
        for i in code.span(0, self.p):
            for j in code.span(0, i):
                past = code.total(0, j, lambda n, i=i, j=j: lower[i, n] * lower[j, n])
                element = inverse_u * self.scatter[i, j] + self.covariance(i, j)
                lower[i, j] = (element - past) * self.inverse_pivots[j]
            whole = inverse_u * self.scatter[i, i] + self.variance(i)
            pivot = whole - code.total(0, i, lambda n, i=i: lower[i, n] * lower[i, n])
            is_large = pivot > _SINGULAR * whole
            lost.value = code.where(is_large, lost.value, 1.0)
            self.inverse_pivots[i] = 1.0 / code.sqrt(code.where(is_large, pivot, whole))
            past = code.total(0, i, lambda n, i=i: lower[i, n] * self.z[n])
            self.z[i] = (self.residual[i] - past) * self.inverse_pivots[i]
        self.is_regular = lost.value < 1.0
        return code.total(0, self.p, lambda i: self.z[i] * self.z[i])

    def height(self, inverse_u: Any, dof: Any) -> Any:
        """Twice the log of the posterior of log u, but for a constant."""
        code, square, root = self.code, self.take(inverse_u), self.code.cell(1.0)
        for i in code.span(0, self.p):
            root.value = root.value * self.inverse_pivots[i]
        log_root = code.log(code.maximum(root.value, 1.0 / HUGE))
        return 2.0 * log_root - square - dof * (code.log(inverse_u) + 1.0 / inverse_u)


class Balanced(Tridiagonal):
    """Any noise, in units of the whole covariance T = Sigma / u_0 + S = C C' for a u_0 where the posterior is.

    With M = C^-1 Sigma C^-T / u_0, whose eigenvalues are between 0 and 1, and t = u / u_0, the covariance for any u is

        Sigma / u + S = C [t I + (1 - t) M] C' / t,

    where nothing is large. Let H be what is in brackets, z = C^-1 r for the residual r, and A = C^-1 L. Then

        |I + u B| = |H| u_0^p |C|^2 / |L|^2,        y' (I + u B)^-1 y = z' H^-1 z / u_0,
        u x = A' t H^-1 z,        u x x' - (I + u B)^-1 = A' [t H^-1 z z' H^-1 - H^-1] A / u_0,

    so that the moments are those of :class:`Tridiagonal` with H in the place of I + u B, and t in that of u.

    Parameters
    ----------
    whole : WholeCovariance
    factor : array
        L.
    square : lanes
        |y|^2.
    law
        Has the ``dof`` and the ``shape`` of the posterior; None if u is 1.
    """

    def __init__(self, whole: WholeCovariance, factor: Any, square: Any, law: Any) -> None:
        code, p, lower = whole.code, whole.p, whole.lower
        at_one = whole.take(code.lanes(1.0))
        self.inverse_centre = self.inverse_peak = code.lanes(1.0)
        if law is not None:
            self._find_centre(whole, at_one, square, law)
            whole.take(self.inverse_centre)
        self.is_regular, self.a = whole.is_regular, code.array(p, p)
        m, det = code.array(p, p), code.cell(1.0)
        for i in code.span(0, p):
            ratio = factor[i, i] * whole.inverse_pivots[i]
            det.value = det.value * ratio * ratio * self.inverse_centre
            for j in code.span(0, i + 1):
                past = code.total(j, i, lambda n, i=i, j=j: lower[i, n] * self.a[n, j])
                self.a[i, j] = (factor[i, j] - past) * whole.inverse_pivots[i]
            for j in code.span(0, i + 1):
                inner = code.total(0, j + 1, lambda n, i=i, j=j: self.a[i, n] * self.a[j, n])
                m[i, j] = inner * self.inverse_centre
        self.inverse_unit_det = det.value
        super().__init__(code, p, whole.z, m)
        self.spread, self.square = self.trace, square
        self.along = code.maximum((square + 1e-300) / (at_one + 1e-300) - 1.0, 0.0)
        self.trace = self.along * float(p)

    def _find_centre(self, whole: WholeCovariance, at_one: Any, square: Any, law: Any) -> None:
        """The peak if the noise were none, or nearly all that there is; or between them, if both may matter.

        The mean of u gives the peak with the larger u the more weight.
        """
        code = whole.code
        noisy, free = ((law.dof + x) / (2.0 * law.shape) for x in (at_one, square))
        gain = whole.height(noisy, law.dof) - whole.height(free, law.dof)
        lead = code.log(free / noisy)
        both_matter = (gain < 2.0 * _DEPTH) & (gain > -2.0 * (_DEPTH + lead))
        self.inverse_peak = code.where(gain > 0.0, noisy, free)
        between = code.sqrt(noisy) * code.sqrt(free)
        self.inverse_centre = code.where(both_matter, between, self.inverse_peak)

    def near_peak(self, law: Any) -> Any:
        """The peak if the noise were none, or nearly all that there is: whichever is the higher."""
        return 1.0 / self.inverse_peak

    def solve(self, u: Any) -> tuple[Any, Any]:
        """1 / |I + u B| and y' (I + u B)^-1 y."""
        t = u * self.inverse_centre
        inverse_det, quadratic = self._solve(t, 1.0 - t)
        return inverse_det * self.inverse_unit_det, quadratic * self.inverse_centre

    def is_accurate(self, u: Any, inverse_det: Any) -> Any:
        """Where the covariance is far from singular, no pivot is lost, and the determinant is in range."""
        t = u * self.inverse_centre
        size = (t + self.code.absolute(1.0 - t) * self.spread) * (1.0 / _CANCELLED)
        return (inverse_det > 1.0 / HUGE) & self._pivots_above(size) & self.is_regular

    def slopes(self, u: Any) -> Slopes:
        """``solve`` with derivatives in u."""
        t, rate = u * self.inverse_centre, self.inverse_centre
        f = self._slopes(t, 1.0 - t, 1.0, -1.0)
        return Slopes(
            f.inverse_det * self.inverse_unit_det,
            f.quadratic * rate,
            f.quadratic_first * rate * rate,
            f.quadratic_second * rate * rate * rate,
            f.log_det_first * rate,
            f.log_det_second * rate * rate,
        )

    unit = 0.0

    def add(self, weight: Any, u: Any, inverse_det: Any) -> None:
        """Add the moments at u."""
        t, share = u * self.inverse_centre, inverse_det / self.inverse_unit_det
        self._add(weight * share, t, t * share * self.length, t, 1.0 - t)

    def finish(self, scale: Any, out: Any) -> Any:
        """Means from sums, in units of the scatter."""
        code, p, a = self.code, self.p, self.a
        in_range = self._turn_back(scale)
        whole, half = code.array(p, p), code.array(p, p)
        for i in code.span(0, p):
            for j in code.span(0, i + 1):
                whole[i, j] = whole[j, i] = self.second[i, j] * self.inverse_centre
        for i in code.span(0, p):
            for j in code.span(0, p):
                half[i, j] = code.total(j, p, lambda n, i=i, j=j: whole[i, n] * a[n, j])
        for i in code.span(0, p):
            out[i] = code.total(i, p, lambda n, i=i: a[n, i] * self.mean[n])
            for j in code.span(0, i):
                out[p + triangle(i, j)] = code.total(i, p, lambda n, i=i, j=j: a[n, i] * half[n, j])
            inner = code.total(i, p, lambda n, i=i: a[n, i] * half[n, i])
            out[p + triangle(i, i)] = inner + 1.0
        return in_range
