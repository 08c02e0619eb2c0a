"""What each number of components costs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from peculiar.errors import InputError
from peculiar.plot.axes import drawing, legend_above
from peculiar.report.asking import mixture_in
from peculiar.report.costs import CRITERIA, costs_above_least
from peculiar.report.palette import INK, LINES

STYLES = dict(zip(CRITERIA, zip(LINES, ("o-", "s--", "^:"), strict=False), strict=False))


class SelectionDisplay:
    """What each number of components costs, above the cheapest, and which number was chosen.

    Make it with :meth:`from_estimator`; the constructor takes plain numbers.

    Parameters
    ----------
    table : structured ndarray
        ``RobustMixture.selection_``: a line for each number of components.
    n_components : int, optional
        The number that was chosen.

    Attributes
    ----------
    ax_, figure_
        What was drawn on.
    lines_ : dict of Line2D
        Costs in nats above the least, by criterion. BIC and ICL are halved, to be in nats as well.
    chosen_ : Line2D
        At the chosen number.

    Examples
    --------
    >>> import numpy as np
    >>> from peculiar.plot import SelectionDisplay
    >>> table = np.array(
    ...     [(1, 250.0), (2, 230.0), (3, 236.0)], dtype=[("n_components", int), ("bic", float)]
    ... )
    >>> shown = SelectionDisplay(table, n_components=2).plot(criteria=["bic"])
    >>> shown.lines_["bic"].get_ydata()
    array([10.,  0.,  3.])
    """

    def __init__(self, table: Any, *, n_components: int | None = None) -> None:
        self.table = table
        self.n_components = n_components

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None, **options: Any) -> Self:
        """Draw how the number of components was found.

        Parameters
        ----------
        estimator : OutlierDetector or RobustMixture
            Fitted with ``n_components="mml"`` or ``"bic"``.
        ax : matplotlib.axes.Axes, optional
        **options
            As for :meth:`plot`.

        Returns
        -------
        SelectionDisplay
        """
        mixture = mixture_in(estimator)
        if not hasattr(mixture, "selection_"):
            raise InputError(
                f"the number of components was given, not found (n_components={mixture.n_components!r}): there is "
                "nothing to compare. Fit with n_components='mml' or 'bic'"
            )
        return cls(mixture.selection_, n_components=mixture.n_components_).plot(ax, **options)

    def plot(self, ax: Any = None, *, criteria: Sequence[str] | None = None) -> Self:
        """Draw it.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            None makes a new figure.
        criteria : sequence of str, optional
            Some of ``"message_length"``, ``"bic"`` and ``"icl"``; None draws all three.

        Returns
        -------
        SelectionDisplay
        """
        table = np.sort(self.table, order="n_components")
        with drawing(ax, 7.6, 5.0) as axes:
            self.ax_, self.figure_, self.lines_ = axes, axes.figure, {}
            if self.n_components is not None:
                look = {"color": INK, "lw": 9, "alpha": 0.12, "zorder": 0}
                self.chosen_ = axes.axvline(self.n_components, label="chosen", **look)
            for criterion in criteria or CRITERIA:
                (self.lines_[criterion],) = axes.plot(
                    table["n_components"],
                    costs_above_least(table, criterion),
                    STYLES[criterion][1],
                    color=STYLES[criterion][0],
                    label=CRITERIA[criterion][0],
                    lw=2.0,
                    ms=7,
                )
            self._scale(table["n_components"])
            legend_above(axes, 4)
        return self

    def _scale(self, numbers: Any) -> None:
        """Costs of a few nats and of thousands, both readable; whole numbers below."""
        from matplotlib.ticker import MaxNLocator, ScalarFormatter

        self.ax_.set_yscale("symlog", linthresh=10.0)
        self.ax_.set_ylim(bottom=-1.0)
        self.ax_.yaxis.set_major_formatter(ScalarFormatter())
        self.ax_.xaxis.set_major_locator(MaxNLocator(integer=True))
        self.ax_.set_xlim(numbers.min() - 0.5, numbers.max() + 0.5)
        self.ax_.grid(axis="y")
        self.ax_.set(xlabel="components", ylabel="nats above the least")
