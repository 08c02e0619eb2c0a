"""Discoveries with their error ellipses, over the components of the model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Self

import numpy as np

from peculiar.arrays import Floats, Ints
from peculiar.errors import SettingError
from peculiar.plot.axes import drawing, legend_above
from peculiar.report.outlines import outline, radius_of
from peculiar.report.palette import CLEAN, INK, ORDINARY, OUTLIER, OUTLIER_MARKER, group_style
from peculiar.report.positions import positions

LEVELS = (0.68, 0.95)
"""Shares of a Gaussian within the outlines of a component."""

MANY = 4000
"""More ordinary objects than this are drawn as a density, not as points."""


class OutlierDisplay:
    """Objects in the plane of two features: discoveries with their error ellipses, over the components.

    Make it with :meth:`from_estimator`; the constructor takes plain numbers.

    Parameters
    ----------
    values : array-like of shape (n, 2)
        As measured; a row with a missing value is not drawn.
    covs : array-like of shape (n, 2, 2), optional
        Error covariances.
    is_discovery : array-like of bool of shape (n,), optional
    p_values : array-like of shape (n,), optional
        They say which discoveries are the strangest. Without them, the first ones are.
    group : array-like of str of shape (n,), optional
        Letter of the strange group that each object belongs to; empty for none.
    clean, clean_covs : array-like of shape (n, 2) and (n, 2, 2), optional
        Clean values and their covariances.
    locations, scatters : array-like of shape (K, 2) and (K, 2, 2), optional
        Of the components.
    component_groups : array-like of str of shape (K,), optional
        Letter of each component that is a strange group.
    feature_names : pair of str

    Attributes
    ----------
    ax_, figure_
        What was drawn on.
    bulk_ : PathCollection or QuadMesh
        Ordinary objects: points, or a density where there are many.
    points_ : dict of PathCollection
        Discoveries, by the letter of their group.
    ellipses_ : dict of PolyCollection
        Errors of the same, one standard deviation; under ``"ordinary"`` those of ordinary objects, if asked for.
    components_ : list of Line2D
        Outlines that hold 68 % and 95 % of a Gaussian with the scatter of each component.
    clean_points_, clean_ellipses_, arrows_ : PathCollection, PolyCollection, Quiver
        Clean positions, their one-sigma errors, and arrows from the measured positions to them, if asked for.

    Examples
    --------
    >>> import numpy as np
    >>> from peculiar import OutlierDetector
    >>> from peculiar.plot import OutlierDisplay
    >>> rng = np.random.default_rng(0)
    >>> errors = rng.uniform(0.1, 1.0, size=(300, 2))
    >>> X = rng.normal(size=(300, 2)) + errors * rng.normal(size=(300, 2))
    >>> X[0], errors[0] = [8.0, -8.0], 0.3
    >>> detector = OutlierDetector(1).fit(X, X_std=errors)
    >>> shown = OutlierDisplay.from_estimator(detector, X, X_std=errors)
    >>> shown.points_[""].get_offsets().data
    array([[ 8., -8.]])
    """

    def __init__(
        self,
        values: Any,
        *,
        covs: Any = None,
        is_discovery: Any = None,
        p_values: Any = None,
        group: Any = None,
        clean: Any = None,
        clean_covs: Any = None,
        locations: Any = None,
        scatters: Any = None,
        component_groups: Any = None,
        feature_names: Sequence[str] = ("x0", "x1"),
    ) -> None:
        n = len(values)
        self.values = np.asarray(values, dtype=np.float64)
        self.covs = covs
        self.is_discovery = np.zeros(n, bool) if is_discovery is None else np.asarray(is_discovery)
        self.p_values = np.arange(n) if p_values is None else np.asarray(p_values)
        self.group = np.full(n, "") if group is None else np.asarray(group)
        self.clean, self.clean_covs = clean, clean_covs
        self.locations = np.empty((0, 2)) if locations is None else np.asarray(locations)
        self.scatters = np.empty((0, 2, 2)) if scatters is None else np.asarray(scatters)
        n_components = len(self.locations)
        self.component_groups = np.full(n_components, "")
        if component_groups is not None:
            self.component_groups = np.asarray(component_groups)
        self.feature_names = tuple(feature_names)

    @classmethod
    def from_estimator(
        cls,
        estimator: Any,
        X: Any,
        *,
        X_std: Any = None,
        X_cov: Any = None,
        features: Sequence[int | str] = (0, 1),
        fdr: float = 0.05,
        ax: Any = None,
        clean: bool = False,
        **options: Any,
    ) -> Self:
        """Draw the discoveries of a table.

        Parameters
        ----------
        estimator : OutlierDetector or RobustMixture
            Fitted. Of a mixture all components are ordinary, unless it knows of strange groups.
        X, X_std, X_cov
            As for :meth:`~peculiar.OutlierDetector.fit`.
        features : pair of int or str, default=(0, 1)
            The two features, by number or name.
        fdr : float, default=0.05
            False-discovery rate of the discoveries.
        ax : matplotlib.axes.Axes, optional
        clean : bool, default=False
            Whether to draw clean positions, and arrows to them.
        **options
            As for :meth:`plot`.

        Returns
        -------
        OutlierDisplay
        """
        seen = positions(estimator, X, X_std, X_cov, features=features, fdr=fdr, with_clean=clean)
        return cls(**seen._asdict()).plot(ax, clean=clean, **options)

    def plot(
        self,
        ax: Any = None,
        *,
        ellipses: Any = "discoveries",
        clean: bool = False,
        most: int = 50,
        legend: bool = True,
    ) -> Self:
        """Draw it.

        Parameters
        ----------
        ax : matplotlib.axes.Axes, optional
            None makes a new figure.
        ellipses : {"discoveries", "all"}, sequence of int or None, default="discoveries"
            Whose error ellipses to draw: of the discoveries, of all objects, of these rows, or of nobody.
        clean : bool, default=False
            Whether to draw clean positions of the same objects, with their errors, and arrows to them.
        most : int, default=50
            Discoveries that have ellipses and arrows, at most: the strangest.
        legend : bool, default=True

        Returns
        -------
        OutlierDisplay
        """
        self._check(ellipses, clean=clean)
        with drawing(ax, 8.4, 6.2) as axes:
            self.ax_, self.figure_ = axes, axes.figure
            limits = self._limits(ellipses)
            self._draw_bulk(limits)
            self._draw_components()
            self._draw_discoveries()
            self._draw_errors(ellipses, most)
            if clean:
                self._draw_clean(self._rows_with_ellipses(ellipses, most))
            axes.set(xlabel=self.feature_names[0], ylabel=self.feature_names[1])
            axes.set(xlim=limits[:, 0], ylim=limits[:, 1])
            if legend:
                legend_above(axes, 2)
        return self

    # ------------------------------------------------------------------------------ which rows

    def _check(self, ellipses: Any, *, clean: bool) -> None:
        if isinstance(ellipses, str) and ellipses not in ("discoveries", "all"):
            raise SettingError(
                f"ellipses={ellipses!r}: give 'discoveries', 'all', some row numbers, or None"
            )
        if clean and (self.clean is None or self.clean_covs is None):
            raise SettingError(
                "the clean values are not known: give clean=True to from_estimator, or clean= and clean_covs= to "
                "the constructor"
            )

    def _strangest(self, most: int) -> Ints:
        found = np.flatnonzero(self.is_discovery)
        return found[np.argsort(self.p_values[found], kind="stable")[:most]]

    def _rows_with_ellipses(self, whose: Any, most: int) -> Ints:
        rows: Ints = np.arange(0) if whose is None else self._strangest(most)
        if isinstance(whose, str) and whose == "all":
            rows = np.concatenate([np.flatnonzero(~self.is_discovery), rows])
        elif whose is not None and not isinstance(whose, str):
            rows = np.asarray(whose, dtype=np.int64)
        return rows[~np.isnan(self.values[rows]).any(axis=1)]

    def _limits(self, whose: Any) -> Floats:
        """What to show, (2, 2), low and high: discoveries, chosen rows, and ordinary objects but for a few far out."""
        ordinary = self.values[~self.is_discovery]
        parts = [self.values[self.is_discovery]]
        if len(ordinary):
            parts.append(np.nanquantile(ordinary, [0.002, 0.998], axis=0))
        if whose is not None and not isinstance(whose, str):
            rows = self._rows_with_ellipses(whose, 0)
            reach = np.zeros((len(rows), 2))
            if self.covs is not None:
                reach = np.sqrt(np.diagonal(np.asarray(self.covs)[rows], axis1=1, axis2=2))
            parts += [self.values[rows] - reach, self.values[rows] + reach]
        shown = np.vstack(parts)
        low, high = np.nanmin(shown, axis=0), np.nanmax(shown, axis=0)
        room = 0.06 * np.where(high > low, high - low, 1.0)
        return np.stack([low - room, high + room])

    # --------------------------------------------------------------------------------- drawing

    def _draw_bulk(self, limits: Floats) -> None:
        x, y = self.values[~self.is_discovery].T
        if len(x) <= MANY:
            size = 18 if len(x) <= MANY // 4 else 7
            self.bulk_ = self.ax_.scatter(
                x, y, s=size, c=ORDINARY, lw=0, alpha=0.7, label="ordinary"
            )
            return
        counted = {"bins": 140, "range": limits.T, "cmin": 1, "norm": "log", "cmap": "Greys"}
        self.bulk_ = self.ax_.hist2d(x, y, **counted)[3]
        self.ax_.scatter([], [], s=60, c=ORDINARY, marker="s", lw=0, label="ordinary, by density")

    def _draw_components(self) -> None:
        self.components_ = []
        for location, scatter, letter in zip(
            self.locations, self.scatters, self.component_groups, strict=True
        ):
            colour, dashes = (INK, "-") if not letter else (self._style(letter)[0], (0, (5, 2)))
            for share, width in zip(LEVELS, (2.0, 1.1), strict=True):
                edge = outline(location, scatter, radius_of(share))
                (line,) = self.ax_.plot(*edge.T, color=colour, ls=dashes, lw=width, zorder=7)
                line.set_path_effects(_seen_on_points())
                self.components_.append(line)
            if letter:
                self._name_group(letter, edge, colour)
        if len(self.locations) and not self.component_groups.all():
            self.ax_.plot([], [], color=INK, lw=2.0, label="ordinary component (68 %, 95 %)")

    def _name_group(self, letter: str, edge: Floats, colour: str) -> None:
        """The letter of a group, at the top of its outline."""
        self.ax_.annotate(
            letter,
            edge[np.argmax(edge[:, 1])],
            color=colour,
            size=17,
            weight="bold",
            ha="center",
            va="bottom",
            zorder=10,
            annotation_clip=True,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.8, "pad": 1.0},
        )

    def _style(self, letter: str) -> tuple[str, str]:
        """Colour and shape of a group, by the place of its letter among all."""
        letters = sorted({*self.group, *self.component_groups} - {""}, key=lambda a: (len(a), a))
        return (OUTLIER, OUTLIER_MARKER) if not letter else group_style(letters.index(letter))

    def _draw_discoveries(self) -> None:
        self.points_ = {}
        found = self.is_discovery
        size = 46 if found.sum() <= 200 else 16 if found.sum() <= 2000 else 4
        for letter in sorted(set(self.group[found]), key=lambda a: (len(a), a)):
            chosen = found & (self.group == letter)
            colour, marker = self._style(letter)
            what = f"discovery in group {letter}" if letter else "discovery"
            label = f"{what}: {chosen.sum():,}"
            x, y = self.values[chosen].T
            style = {"s": size, "c": colour, "marker": marker, "ec": "white", "zorder": 6}
            self.points_[letter] = self.ax_.scatter(
                x, y, lw=0.7 if size > 20 else 0.1, label=label, **style
            )

    def _draw_errors(self, whose: Any, most: int) -> None:
        self.ellipses_ = {}
        if self.covs is None:
            return
        rows = self._rows_with_ellipses(whose, most)
        ordinary = rows[~self.is_discovery[rows]]
        if len(ordinary):
            faint = {"facecolors": "none", "edgecolors": ORDINARY, "alpha": 0.3, "zorder": 2}
            self.ellipses_["ordinary"] = self._ellipses(ordinary, self.values, self.covs, **faint)
        for letter in self.points_:
            own = rows[self.is_discovery[rows] & (self.group[rows] == letter)]
            colour, _ = self._style(letter)
            look = {"facecolors": f"{colour}2e", "edgecolors": colour, "zorder": 5}
            self.ellipses_[letter] = self._ellipses(own, self.values, self.covs, **look)

    def _draw_clean(self, rows: Ints) -> None:
        clean = np.asarray(self.clean)
        here, move = self.values[rows], (clean - self.values)[rows]
        look = {"facecolors": f"{CLEAN}33", "edgecolors": CLEAN, "zorder": 7}
        self.clean_ellipses_ = self._ellipses(rows, clean, self.clean_covs, **look)
        exactly = {"angles": "xy", "scale_units": "xy", "scale": 1.0}
        self.arrows_ = self.ax_.quiver(
            *here.T, *move.T, color=CLEAN, width=0.003, headwidth=5, zorder=8, **exactly
        )
        style = {"s": 26, "c": "white", "ec": CLEAN, "lw": 1.5, "zorder": 9}
        self.clean_points_ = self.ax_.scatter(*clean[rows].T, label="clean value", **style)

    def _ellipses(self, rows: Ints, centres: Floats, covs: Any, **look: Any) -> Any:
        from matplotlib.collections import PolyCollection

        edges = [outline(centres[i], covs[i], n_points=61) for i in rows]
        return self.ax_.add_collection(PolyCollection(edges, lw=1.0, **look), autolim=False)


def _seen_on_points() -> list[Any]:
    """A white rim, by which a line is seen among many points."""
    from matplotlib.patheffects import Normal, Stroke

    return [Stroke(linewidth=3.6, foreground="white", alpha=0.8), Normal()]
