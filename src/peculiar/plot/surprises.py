"""Why one object is strange, feature by feature."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from peculiar.plot.axes import drawing
from peculiar.report.palette import FAINT, HIGH, INK, LOW
from peculiar.report.reasons import reason
from peculiar.report.words import probability_in_words, with_error


class SurpriseDisplay:
    """How surprising each feature of one object is, given the others; the most surprising at the top.

    Make it with :meth:`from_estimator`; the constructor takes plain numbers.

    Parameters
    ----------
    surprise : array-like of shape (d,)
        As in :class:`~peculiar.outliers.Explanation`. A missing feature, of minus infinity, is not drawn.
    sign : array-like of shape (d,)
        1 where the value is too high, -1 where it is too low.
    values, errors : array-like of shape (d,), optional
        As measured: written beside the bars.
    feature_names : sequence of str, optional
    p_value : float, optional
        Written above.

    Attributes
    ----------
    ax_, figure_
        What was drawn on.
    bars_ : BarContainer
        From the least surprising feature to the most.
    texts_ : list of Text
        Sides and values, in the same order.

    Examples
    --------
    >>> from peculiar.plot import SurpriseDisplay
    >>> shown = SurpriseDisplay([0.3, 7.5], [1, -1], feature_names=["u - r", "g - r"]).plot()
    >>> [text.get_text() for text in shown.texts_], [float(b.get_width()) for b in shown.bars_]
    (['▲ high', '▼ low'], [0.3, 7.5])
    """

    def __init__(
        self,
        surprise: Any,
        sign: Any,
        *,
        values: Any = None,
        errors: Any = None,
        feature_names: Sequence[str] | None = None,
        p_value: float | None = None,
    ) -> None:
        self.surprise = np.asarray(surprise, dtype=np.float64)
        self.sign = np.asarray(sign)
        self.values = values
        self.errors = np.zeros(len(self.surprise)) if errors is None else errors
        numbered = [f"x{j}" for j in range(len(self.surprise))]
        self.feature_names = numbered if feature_names is None else list(feature_names)
        self.p_value = p_value

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        *,
        X_std: Any = None,
        X_cov: Any = None,
        row: int = 0,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the surprises of one object.

        Parameters
        ----------
        estimator : OutlierDetector or RobustMixture
            Fitted.
        X, X_std, X_cov
            As for :meth:`~peculiar.OutlierDetector.fit`.
        row : int, default=0
            Which object of the table.
        ax : matplotlib.axes.Axes, optional
        **options
            As for :meth:`plot`.

        Returns
        -------
        SurpriseDisplay
        """
        because = reason(estimator, X, X_std, X_cov, row=row)
        return cls(**because._asdict()).plot(ax, **options)

    def plot(self, ax: Any = None, *, name: str = "", most: int = 12) -> Self:
        """Draw it.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            None makes a new figure.
        name : str, optional
            Of the object, for the title.
        most : int, default=12
            Features to show, at most: the most surprising.

        Returns
        -------
        SurpriseDisplay
        """
        order = np.argsort(self.surprise, kind="stable")
        order = order[np.isfinite(self.surprise[order])][-most:]
        with drawing(ax, 7.6, 1.5 + 0.42 * max(len(order), 2)) as axes:
            self.ax_, self.figure_ = axes, axes.figure
            places, length = np.arange(len(order)), self.surprise[order]
            colours = [HIGH if side > 0 else LOW for side in self.sign[order]]
            self.bars_ = axes.barh(places, length, color=colours, height=0.68, zorder=2)
            self.texts_ = [self._write(place, j) for place, j in enumerate(order)]
            axes.set_yticks(places, [self.feature_names[j] for j in order])
            axes.tick_params(axis="y", length=0)
            axes.grid(axis="x", color=FAINT)
            axes.axvline(0.0, color=INK, lw=1.0, zorder=3)
            axes.set(
                xlabel="surprise, given the other features  (-log density)", title=self._title(name)
            )
            axes.margins(x=0.28, y=0.04)
            axes.set_xlim(left=min(0.0, 1.15 * length.min(initial=0.0)))
        return self

    def _write(self, place: int, j: int) -> Any:
        side = "▲ high" if self.sign[j] > 0 else "▼ low"
        if self.values is not None:
            side = f"{side}: {with_error(self.values[j], self.errors[j])}"
        start = max(float(self.surprise[j]), 0.0)
        return self.ax_.annotate(
            side, (start, place), (6, 0), textcoords="offset points", va="center", color=INK
        )

    def _title(self, name: str) -> str:
        p = "" if self.p_value is None else f"p = {probability_in_words(self.p_value)}"
        return "   ".join(part for part in (name, p) if part)
