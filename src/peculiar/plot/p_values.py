"""The p-values of all objects: whether they are what they should be, and how many are discoveries."""

from __future__ import annotations

from typing import Any, Self

import numpy as np

from peculiar.estimators.thresholds import check_probability
from peculiar.plot.axes import drawing, legend_above
from peculiar.population.calibration import count_small
from peculiar.population.discoveries import by_p_values
from peculiar.report.asking import ask
from peculiar.report.palette import INK, ORDINARY, OUTLIER
from peculiar.report.words import count_in_words


class PValueDisplay:
    """Histogram of p-values, with the level that they would have if every object were ordinary.

    Below it stands how many small p-values are expected and seen. A few more than expected at the smallest levels are
    outliers. Many more at 0.1 mean that errors are underestimated, that the ordinary objects have heavier tails than
    the model, or that there are strange groups.

    Make it with :meth:`from_estimator`; the constructor takes plain numbers.

    Parameters
    ----------
    p_values : array-like of shape (n,)
    is_discovery : array-like of bool of shape (n,), optional

    Attributes
    ----------
    ax_, figure_
        What was drawn on.
    bars_ : list of BarContainer
        Discoveries, and above them the others.
    level_ : Line2D
        Number of objects in each bar if all were ordinary.
    text_ : Text
        How many small p-values are expected and seen.

    Examples
    --------
    >>> import numpy as np
    >>> from peculiar.plot import PValueDisplay
    >>> p = np.append(np.linspace(0.001, 0.999, 97), [1e-9, 1e-8, 1e-7])
    >>> shown = PValueDisplay(p, is_discovery=p < 1e-6).plot(bins=10)
    >>> shown.level_.get_ydata()[0], [int(bar.get_height()) for bar in shown.bars_[0]][:2]
    (10.0, [3, 0])
    """

    def __init__(self, p_values: Any, *, is_discovery: Any = None) -> None:
        self.p_values = np.asarray(p_values, dtype=np.float64)
        nobody = np.zeros(len(self.p_values), bool)
        self.is_discovery = nobody if is_discovery is None else np.asarray(is_discovery)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        *,
        X_std: Any = None,
        X_cov: Any = None,
        fdr: float = 0.05,
        ax: Any = None,
        **options: Any,
    ) -> Self:
        """Draw the p-values of a table.

        Parameters
        ----------
        estimator : OutlierDetector or RobustMixture
            Fitted.
        X, X_std, X_cov
            As for :meth:`~peculiar.OutlierDetector.fit`.
        fdr : float, default=0.05
            False-discovery rate of the discoveries.
        ax : matplotlib.axes.Axes, optional
        **options
            As for :meth:`plot`.

        Returns
        -------
        PValueDisplay
        """
        check_probability("fdr", fdr)
        asked = ask(estimator, X, X_std, X_cov)
        p = np.exp(asked.population.tail(asked.obs).log_p)
        return cls(p, is_discovery=by_p_values(p, fdr).mask).plot(ax, **options)

    def plot(self, ax: Any = None, *, bins: int = 20) -> Self:
        """Draw it.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            None makes a new figure.
        bins : int, default=20

        Returns
        -------
        PValueDisplay
        """
        with drawing(ax, 7.6, 5.2) as axes:
            self.ax_, self.figure_ = axes, axes.figure
            self._draw_bars(np.linspace(0.0, 1.0, bins + 1))
            level = len(self.p_values) / bins
            self.level_ = axes.axhline(level, color=INK, lw=1.8, ls=(0, (5, 2.5)), zorder=3)
            self.level_.set_label("expected if all were ordinary")
            axes.set(xlim=(0.0, 1.0), ylabel="objects")
            self.text_ = axes.set_xlabel(f"p-value\n{self._seen()}")
            legend_above(axes, 3)
        return self

    def _draw_bars(self, edges: Any) -> None:
        found, rest = (
            np.histogram(self.p_values[chosen], edges)[0]
            for chosen in (self.is_discovery, ~self.is_discovery)
        )
        look = {"width": np.diff(edges), "align": "edge", "ec": "white", "lw": 0.8}
        label = f"discovery: {found.sum():,}"
        self.bars_ = [
            self.ax_.bar(edges[:-1], found, color=OUTLIER, label=label, **look),
            self.ax_.bar(
                edges[:-1], rest, bottom=found, color=ORDINARY, alpha=0.75, label="other", **look
            ),
        ]

    def _seen(self) -> str:
        """The small p-values in words, a part for each level."""
        with np.errstate(divide="ignore"):
            table = count_small(np.log(self.p_values))
        parts = [
            f"p ≤ {p:g}: {count_in_words(expected)} expected, {count_in_words(seen)} seen"
            for p, expected, seen in table.tolist()[:3]
        ]
        return "\n".join(parts)
