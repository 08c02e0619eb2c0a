"""The frame for rules that look at one u only."""

from __future__ import annotations

from typing import Any

from peculiar.kernels.lanes.frames import CANCELLED, HUGE, triangle


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
        size = u * code.total(0, p, lambda i: self.b[i, i]) * (1.0 / CANCELLED)
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
