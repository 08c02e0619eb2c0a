"""The frame, the second waist of the package: all that a rule for u sees of a row and a component.

``B`` is the noise and ``y`` the residual of a row, both in units of the scatter of a component. Which scatter, which
kind of noise and which missing features they came from cannot be seen from here. Given u, the clean value less the
location, in these units, has

    mean x = (I + u B)^-1 y,    covariance B (I + u B)^-1 = [I - (I + u B)^-1] / u.

The careful kernels have the same waist with B diagonal: two short vectors, the residual ``e`` and the noise ``b``.
"""

from __future__ import annotations

from typing import Any, NamedTuple, Protocol


class Slopes(NamedTuple):
    """What :meth:`SearchedFrame.slopes` gives."""

    inverse_det: Any
    quadratic: Any
    quadratic_first: Any
    quadratic_second: Any
    log_det_first: Any
    log_det_second: Any


class Frame(Protocol):
    """Residual and noise of some rows in units of a component: what every rule for u asks."""

    def solve(self, u: Any) -> tuple[Any, Any]:
        """1 / |I + u B| and y' (I + u B)^-1 y."""
        ...

    def clear(self) -> None:
        """Begin new sums of moments."""
        ...

    def add(self, weight: Any, u: Any, inverse_det: Any) -> None:
        """Add weight * u x and weight * [u x x' - (I + u B)^-1] to the sums. ``solve(u)`` comes first."""
        ...

    def finish(self, scale: Any, out: Any) -> Any:
        """Put scale times the sums into ``out``; returns where they are in range.

        They are E[u x], and then E[u x x' + u B (I + u B)^-1]: a lower triangle, row by row.
        """
        ...


class NoisyFrame(Frame, Protocol):
    """A frame with noise, in which rounding may matter."""

    def is_accurate(self, u: Any, inverse_det: Any) -> Any:
        """Where rounding has not spoilt the answer. ``solve(u)`` comes first."""
        ...


class SummedFrame(Frame, Protocol):
    """A frame for sums over several u.

    Attributes
    ----------
    square : lanes
        |y|^2.
    """

    square: Any

    def shrink(self, factor: Any) -> None:
        """Multiply the sums by a factor."""
        ...


class SearchedFrame(NoisyFrame, SummedFrame, Protocol):
    """A frame in which the range or the peak of the posterior of u has to be looked for.

    Attributes
    ----------
    trace : lanes
        That of B.
    along : lanes
        y' B y / |y|^2.
    """

    trace: Any
    along: Any

    def slopes(self, u: Any) -> Slopes:
        """``solve(u)``, with the first two derivatives in u of log |I + u B| and of y' (I + u B)^-1 y."""
        ...


class CentredFrame(SearchedFrame, Protocol):
    """A frame that knows where to look."""

    def near_peak(self, law: Any) -> Any:
        """A u near the peak of the posterior; ``law`` has a ``dof`` and a ``shape``."""
        ...
