"""What every rule for u leaves: sums over the scales it looks at."""

from __future__ import annotations

from typing import Any, NamedTuple

from peculiar.kernels.lanes.waist import Frame


class ScaleSums(NamedTuple):
    """Sums over scales, each by its weight, in units of e^height. Those of the moments are left in the frame.

    A rule that looks at one scale only has the total 1.
    """

    height: Any
    total: Any
    u: Any
    log_u: Any


def sums_at(code: Any, log_prob: Any, u: Any, log_u: Any) -> ScaleSums:
    """Those of a rule that looks at one scale only."""
    return ScaleSums(log_prob, code.lanes(1.0), u, log_u)


def only(frame: Frame, u: Any, inverse_det: Any) -> None:
    """Leave the moments at one u, which ``frame.solve`` has seen, in the frame."""
    frame.clear()
    frame.add(1.0, u, inverse_det)
