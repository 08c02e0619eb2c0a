"""The smallest count that is enough."""

from __future__ import annotations

from collections.abc import Callable


def smallest_passing(
    passes: Callable[[int], bool],
    *,
    hint: int,
    most: int,
    slack: float = 0.0,
    exhausted: Callable[[], bool] = lambda: False,
) -> int | None:
    """The smallest count in 1 ... most for which ``passes``, or None.

    Once a count passes, larger ones are taken to pass. The search leaves the hint with doubling strides and then
    bisects, until the count is known to a part ``slack`` of itself; a hint that is exactly right costs two calls. When
    ``exhausted``, the smallest count known to pass is returned.
    """
    low, high = _bracket(passes, min(hint, most), most, exhausted)
    while high is not None and high - low > max(1.0, slack * high) and not exhausted():
        middle = (low + high) // 2
        if passes(middle):
            high = middle
        else:
            low = middle
    return high


def _bracket(
    passes: Callable[[int], bool], hint: int, most: int, exhausted: Callable[[], bool]
) -> tuple[int, int | None]:
    """The largest count known to fail (0 always does), and the smallest known to pass."""
    if not passes(hint):
        low, stride = hint, max(1, hint // 4)
        while low < most and not exhausted():
            count = min(low + stride, most)
            if passes(count):
                return low, count
            low, stride = count, 2 * stride
        return low, None
    high, stride = hint, 1
    while high > 1 and not exhausted():
        count = max(high - stride, 1)
        if not passes(count):
            return count, high
        high, stride = count, 2 * stride
    return 0, high
