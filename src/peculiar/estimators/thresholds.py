"""Where to draw the line between inliers and outliers, on the scale of a score."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from numbers import Real
from typing import Any, ClassVar, Protocol

import numpy as np

from peculiar.errors import SettingError
from peculiar.estimators.training import Numbers


class Threshold(Protocol):
    """A way to choose the offset of a detector from its training rows."""

    needs_rows: ClassVar[bool]

    def offset(self, score: str, scores: Numbers | None, log_p: Numbers | None) -> float:
        """The score from which on a row is an inlier.

        Parameters
        ----------
        score : str
            Name of the score.
        scores, log_p : Numbers or None
            Scores and log p-values of the training rows, if there are any.
        """
        ...


@dataclass(frozen=True)
class ByRate:
    """As many training rows are outliers as control of the false-discovery rate finds."""

    fdr: float
    needs_rows: ClassVar[bool] = True

    def offset(self, score: str, scores: Numbers | None, log_p: Numbers | None) -> float:
        """The largest p-value of a discovery; for other scores, the one that leaves as many rows below."""
        assert log_p is not None, "it needs rows"
        assert scores is not None, "it needs rows"
        found = log_p.found(self.fdr)
        return just_above(found.log_p) if score == "tail" else _below(scores, found.n)


@dataclass(frozen=True)
class ByShare:
    """A given share of the training rows are outliers."""

    contamination: float
    needs_rows: ClassVar[bool] = True

    def offset(self, score: str, scores: Numbers | None, log_p: Numbers | None) -> float:
        """A quantile of the scores, as scikit-learn's detectors take it."""
        assert scores is not None, "it needs rows"
        return scores.percentile(100.0 * self.contamination)


@dataclass(frozen=True)
class ByPValue:
    """Rows up to this p-value are outliers."""

    p: float
    needs_rows: ClassVar[bool] = False

    def offset(self, score: str, scores: Numbers | None, log_p: Numbers | None) -> float:
        """Its logarithm; for other scores, the one that leaves as many training rows below."""
        if score == "tail":
            return just_above(math.log(self.p))
        if scores is None or log_p is None:
            raise SettingError(
                f"a p-value is a threshold for score='tail'; with score={score!r} it takes training rows to "
                "translate it"
            )
        return _below(scores, log_p.n_up_to(math.log(self.p)))


def choose_threshold(fdr: Any = None, contamination: Any = None, p: Any = None) -> Threshold:
    """The one that was asked for."""
    given = {"fdr": fdr, "contamination": contamination, "p": p}
    chosen = [name for name, value in given.items() if value is not None]
    if len(chosen) != 1:
        what = " and ".join(chosen) if chosen else "none"
        raise SettingError(f"give one of fdr, contamination and p to set a threshold, not {what}")
    (name,) = chosen
    value = check_probability(name, given[name], 0.5 if name == "contamination" else 1.0)
    kinds: dict[str, Callable[[float], Threshold]] = {
        "fdr": ByRate,
        "contamination": ByShare,
        "p": ByPValue,
    }
    return kinds[name](value)


def check_rarity(rarity: Any) -> float:
    """A rarity, if it is one: a number that is not negative, perhaps inf."""
    if not isinstance(rarity, Real) or not float(rarity) >= 0.0:
        raise SettingError(f"rarity must be a number from 0 on, or inf, not {rarity!r}")
    return float(rarity)


def check_probability(name: str, value: Any, most: float = 1.0) -> float:
    """A number above 0, and at most 1 (or what is said)."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not 0.0 < float(value) <= most:
        raise SettingError(f"{name} must be a number above 0 and not above {most:g}, not {value!r}")
    return float(value)


def just_above(score: float) -> float:
    """An offset for which a row with this very score is still an outlier."""
    return float(np.nextafter(score, np.inf))


def _below(scores: Numbers, n: int) -> float:
    """An offset that leaves n rows below."""
    return float(np.nextafter(scores.nth(0), -np.inf)) if n == 0 else just_above(scores.nth(n - 1))
