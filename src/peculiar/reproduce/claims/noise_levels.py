"""Whether it pays to know the errors."""

from __future__ import annotations

import math
from collections.abc import Sequence

from peculiar.reproduce.base import Comparison, Numbers
from peculiar.reproduce.claims.p_values import are_known, read_p_values
from peculiar.reproduce.contenders import OURS

FAR_BELOW = 0.002
"""A method that is not below base by more than this is as good."""

SIGNIFICANT = 0.01

SMALL_ERRORS = 1.0
"""Error variances up to this are small."""

NEAR_SMALL, NEAR = 0.005, 0.02
"""How near to the oracle our methods should be: for small errors, and for larger ones."""


def compare(numbers: Numbers) -> tuple[Comparison, ...]:
    """The paper's claim about its method, and our claims about ours, in and out of sample."""
    comparisons: list[Comparison] = []
    for sample, methods in numbers["samples"].items():
        comparisons.append(_paper(numbers["levels"], sample, methods))
        comparisons.extend(_ours(numbers["levels"], sample, methods))
    return tuple(comparisons)


def _paper(levels: Sequence[float], sample: str, methods: Numbers) -> Comparison:
    structured, base = methods["structured"], methods["base"]
    above, p_values = structured["above_base"], read_p_values(structured["p_value"])
    worst = min(range(len(levels)), key=lambda i: above[i])
    if above[worst] < 0.0:
        text = (
            f"It is farthest below base for errors in [0, {levels[worst]:g}]: {structured['mean'][worst]:.3f} against "
            f"{base['mean'][worst]:.3f}{_in_brackets(p_values[worst])}."
        )
    else:
        text = f"It is below base at no level; at the largest it is {above[-1]:.3f} above{_in_brackets(p_values[-1])}."
    return Comparison(
        f"structured e less base, {sample}",
        "systematic and increasingly significant improvement",
        ", ".join(f"{value:+.3f}" for value in above),
        _all_known(p_values[-1:], min(above) > 0.0 and p_values[-1] < SIGNIFICANT),
        text,
    )


def _ours(levels: Sequence[float], sample: str, methods: Numbers) -> list[Comparison]:
    """The better of tail and outlier probability, level by level."""
    best = [max(OURS, key=lambda name: methods[name]["mean"][i]) for i in range(len(levels))]
    above = [methods[name]["above_base"][i] for i, name in enumerate(best)]
    p_values = read_p_values(methods[name]["p_value"][i] for i, name in enumerate(best))
    lost = [methods["oracle"]["mean"][i] - methods[name]["mean"][i] for i, name in enumerate(best)]
    allowed = [NEAR_SMALL if level <= SMALL_ERRORS else NEAR for level in levels]
    largest = range(len(levels))[-2:]
    too_far = [level for level, a, b in zip(levels, lost, allowed, strict=True) if a > b]
    is_never_below = min(above) >= -FAR_BELOW
    return [
        Comparison(
            f"better of tail and outlier probability less base, {sample}",
            "",
            ", ".join(f"{value:+.4f} ({name})" for value, name in zip(above, best, strict=True)),
            is_never_below,
            f"Never below base by more than {FAR_BELOW}."
            if is_never_below
            else f"Below base by {-min(above):.4f}, more than the {FAR_BELOW} we allow.",
        ),
        Comparison(
            f"is that significant for the largest errors, {sample}?",
            "",
            ", ".join(f"[0, {levels[i]:g}]: p = {p_values[i]:.2g}" for i in largest)
            if are_known(p_values[i] for i in largest)
            else "one realisation is too few for a test",
            _all_known(
                [p_values[i] for i in largest],
                all(above[i] > 0.0 and p_values[i] < SIGNIFICANT for i in largest),
            ),
            f"Paired t-tests; we ask for p < {SIGNIFICANT}. The better of the two is chosen from the same areas.",
        ),
        Comparison(
            f"what it loses against the oracle, {sample}",
            "",
            ", ".join(f"{value:.4f}" for value in lost),
            not too_far,
            f"Within {NEAR_SMALL} for error variances up to {SMALL_ERRORS:g}, and within {NEAR} for larger ones."
            if not too_far
            else f"More than we allow for errors in {', '.join(f'[0, {level:g}]' for level in too_far)}.",
        ),
    ]


def _all_known(p_values: Sequence[float], verdict: bool) -> bool | None:
    return verdict if are_known(p_values) else None


def _in_brackets(p_value: float) -> str:
    return f" (p = {p_value:.2g})" if math.isfinite(p_value) else ""
