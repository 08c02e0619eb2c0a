"""Where the strange groups are, in every feature."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from peculiar.plot.axes import drawing, legend_above
from peculiar.report.palette import FAINT, ORDINARY, group_style
from peculiar.report.profiles import profiles


class GroupDisplay:
    """Centre and spread of each component in every feature, compared with the ordinary population.

    A feature is a place on the horizontal axis. 0 is the mean of the ordinary components together, 1 their spread:
    features of all units are beside each other.

    Make it with :meth:`from_estimator`; the constructor takes plain numbers.

    Parameters
    ----------
    centres, spreads : array-like of shape (K, d)
        In units of the ordinary population.
    group : array-like of str of shape (K,)
        Letter of a strange group; empty for an ordinary component.
    n_objects, share : array-like of shape (K,)
        Expected number of objects, and their share.
    feature_names : sequence of str

    Attributes
    ----------
    ax_, figure_
        What was drawn on.
    bars_ : list of ErrorbarContainer
        A component each, strange groups last: their centres, with bars of one spread.

    Examples
    --------
    >>> from peculiar.plot import GroupDisplay
    >>> shown = GroupDisplay(
    ...     [[0.0, 0.0], [3.0, -2.0]],
    ...     [[1.0, 1.0], [2.0, 0.5]],
    ...     group=["", "A"],
    ...     n_objects=[90, 10],
    ...     share=[0.9, 0.1],
    ...     feature_names=["u - r", "g - r"],
    ... ).plot()
    >>> shown.bars_[1].get_label(), shown.bars_[1].lines[0].get_ydata()
    ('strange group A: 10 objects (10 %)', array([ 3., -2.]))
    """

    def __init__(
        self,
        centres: Any,
        spreads: Any,
        *,
        group: Any,
        n_objects: Any,
        share: Any,
        feature_names: Sequence[str],
    ) -> None:
        self.centres = np.asarray(centres, dtype=np.float64)
        self.spreads = np.asarray(spreads, dtype=np.float64)
        self.group = np.asarray(group)
        self.n_objects = np.asarray(n_objects)
        self.share = np.asarray(share)
        self.feature_names = list(feature_names)

    @classmethod
    def from_estimator(cls, estimator: Any, *, ax: Any = None) -> Self:
        """Draw the components of a fit.

        Parameters
        ----------
        estimator : OutlierDetector or RobustMixture
            Fitted, with ``groups_``.
        ax : matplotlib.axes.Axes, optional

        Returns
        -------
        GroupDisplay
        """
        return cls(**profiles(estimator)._asdict()).plot(ax)

    def plot(self, ax: Any = None) -> Self:
        """Draw it.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            None makes a new figure.

        Returns
        -------
        GroupDisplay
        """
        n_features = len(self.feature_names)
        order = np.lexsort((-self.n_objects, self.group))
        with drawing(ax, max(7.6, 0.55 * n_features + 3.0), 5.2) as axes:
            self.ax_, self.figure_ = axes, axes.figure
            for edge in (-1.0, 1.0):
                axes.axhline(edge, color=FAINT, lw=1.0, ls=(0, (5, 2.5)), zorder=0)
            axes.axhline(0.0, color=FAINT, lw=1.6, zorder=0)
            self.bars_ = [self._draw(place, k) for place, k in enumerate(order)]
            turned = sum(map(len, self.feature_names)) > 60
            look = {"rotation": 40, "ha": "right", "rotation_mode": "anchor"} if turned else {}
            axes.set_xticks(range(n_features), self.feature_names, **look)
            axes.set_xlim(-0.5, n_features - 0.5)
            axes.set_ylabel("above the ordinary mean, in ordinary spreads")
            legend_above(axes, 2)
        return self

    def _draw(self, place: int, k: int) -> Any:
        letter, order = str(self.group[k]), sorted({*self.group} - {""}, key=lambda a: (len(a), a))
        colour, marker = group_style(order.index(letter)) if letter else (ORDINARY, "o")
        what = f"strange group {letter}" if letter else "ordinary"
        shift = 0.5 * ((place + 0.5) / len(self.group) - 0.5)  # beside each other, to be seen
        return self.ax_.errorbar(
            np.arange(len(self.feature_names)) + shift,
            self.centres[k],
            self.spreads[k],
            fmt=marker,
            color=colour,
            ms=9 if letter else 6,
            elinewidth=2.4 if letter else 1.4,
            mec="white",
            label=f"{what}: {self.n_objects[k]:,.0f} objects ({100 * self.share[k]:.2g} %)",
        )
