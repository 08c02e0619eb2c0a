"""The frame for clean values: moments of the noise, with the digits that small noise needs."""

from __future__ import annotations

from typing import Any

from peculiar.kernels.lanes.frames import Tridiagonal


class CleanTridiagonal(Tridiagonal):
    """The same for the clean value: moments of what the noise has added to it, e = y - x, without u.

    They are E[e] and E[e e' + B (I + u B)^-1]. About y, not about 0: where the noise is small, so are they, and the
    covariance that is the difference of the two keeps its digits.
    """

    unit = 0.0

    def sum_of_squares(self, total: Any) -> Any:
        """What the sums say of E[|w - mu|^2], w the clean value, in units of the scatter; ``total`` is their weight."""
        code = self.code
        about_y = code.total(0, self.p, lambda j: self.second[j, j])
        return self.square * (total - 2.0 * self.mean[0]) + about_y

    def add(self, weight: Any, u: Any, inverse_det: Any) -> None:
        """Add the moments at u.

        In the turned axes y has nothing but a first element, so that e_j = -x_j for the others, and e_0 is
        |y| (D_0 - D_1) / D_0. Below the diagonal B (I + u B)^-1 = [I - (I + u B)^-1] / u has -1 / u times the second
        matrix of ``Tridiagonal.add``. Differences of minors are written out, so that small noise keeps its digits:

            D_0 - E_j D_{j+1} = u [alpha_j E_j D_{j+1} - u beta_j^2 E_j D_{j+2} - u beta_{j-1}^2 E_{j-1} D_{j+1}].
        """
        code, p, d, ub, beta = self.code, self.p, self.minors, self.ub, self.beta
        share, slope = weight * inverse_det, inverse_det * self.length
        f, c, lead = self._factors(share, 1.0, u)
        e, h = code.array(p), code.cell(0.0)  # e, but for |y| / D_0
        e[0] = u * self.alpha[0] * d[1]
        if p > 1:
            e[0] = e[0] - ub[0] * ub[0] * d[2]
        for j in code.span(1, p):
            e[j] = -c[j] * d[j + 1]
        for j in code.span(0, p):
            self.mean[j] = self.mean[j] + share * e[j]
            self.second[j, j] = self.second[j, j] + self.alpha[j] * lead[j] * f[j]
            for i in code.span(j, p):
                self.second[i, j] = self.second[i, j] + share * slope * e[i] * e[j]
        for j in code.span(0, p - 1):
            pair = share * ub[j] * beta[j] * lead[j] * d[j + 2]
            self.second[j, j] = self.second[j, j] + pair
            self.second[j + 1, j + 1] = self.second[j + 1, j + 1] + pair
            h.value = lead[j] * beta[j]
            for i in code.span(j + 1, p - 1):
                self.second[i, j] = self.second[i, j] + h.value * f[i]
                h.value = h.value * ub[i]
            self.second[p - 1, j] = self.second[p - 1, j] + h.value * f[p - 1]
