"""The log-likelihood after each iteration."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Self

import numpy as np

from peculiar.errors import InputError
from peculiar.plot.axes import drawing, legend_above
from peculiar.report.asking import mixture_in
from peculiar.report.palette import LINES

DASHES = ("-", (0, (5, 2)), (0, (1, 1.2)), (0, (5, 1.5, 1, 1.5)))


class ConvergenceDisplay:
    """Mean log-likelihood per object, or the bound of it that an engine climbs, after each iteration.

    Make it with :meth:`from_estimator`; the constructor takes plain numbers.

    Parameters
    ----------
    curves : array-like or dict of array-like
        One curve; or several, by their names.

    Attributes
    ----------
    ax_, figure_
        What was drawn on.
    lines_ : dict of Line2D
        By name; one curve alone has the name ``""``.

    Examples
    --------
    >>> from peculiar.plot import ConvergenceDisplay
    >>> shown = ConvergenceDisplay({"exact": [-3.0, -2.5, -2.4], "map": [-3.0, -2.9]}).plot()
    >>> shown.lines_["exact"].get_ydata()
    array([-3. , -2.5, -2.4])
    """

    def __init__(self, curves: Any) -> None:
        named = curves if isinstance(curves, Mapping) else {"": curves}
        self.curves = {name: np.asarray(curve, dtype=np.float64) for name, curve in named.items()}

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None, **options: Any) -> Self:
        """Draw the course of a fit.

        Parameters
        ----------
        estimator : OutlierDetector or RobustMixture
            Fitted.
        ax : matplotlib.axes.Axes, optional
        **options
            As for :meth:`plot`.

        Returns
        -------
        ConvergenceDisplay
        """
        mixture = mixture_in(estimator)
        if not hasattr(mixture, "lower_bounds_"):
            raise InputError(
                "this model does not know the course of its fit: it was made from parameters, or read from a file"
            )
        return cls(mixture.lower_bounds_).plot(ax, **options)

    def plot(self, ax: Any = None, *, gap: bool = False) -> Self:
        """Draw it.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            None makes a new figure.
        gap : bool, default=False
            Whether to draw how far each curve is below the highest value of all, on a logarithmic axis, where the
            last iterations are seen as well as the first.

        Returns
        -------
        ConvergenceDisplay
        """
        best = max(float(np.nanmax(curve)) for curve in self.curves.values())
        with drawing(ax, 7.6, 5.0) as axes:
            self.ax_, self.figure_, self.lines_ = axes, axes.figure, {}
            for place, (name, curve) in enumerate(self.curves.items()):
                look = {"color": LINES[place % len(LINES)], "ls": DASHES[place % len(DASHES)]}
                height = np.where(curve < best, best - curve, np.nan) if gap else curve
                iterations = np.arange(1, len(curve) + 1)
                (self.lines_[name],) = axes.plot(iterations, height, lw=2.2, label=name, **look)
            what = "log-likelihood per object"
            axes.set(xlabel="iteration", ylabel=f"{what}, below the highest" if gap else what)
            if gap:
                axes.set_yscale("log")
            axes.grid(axis="y")
            if any(self.curves):
                legend_above(axes, 5)
        return self
