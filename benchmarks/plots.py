"""Cost of an iteration against objects, components and features, on log-log axes."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from benchmarks.costs import per_million_pairs
from benchmarks.scaling import Rows, points_of

STYLES: dict[str, dict[str, Any]] = {
    "astroml": {"color": "#8c8c8c", "marker": "v"},
    "pygmmis": {"color": "#8c8c8c", "marker": "s"},
    "numpy_xd": {"color": "black", "marker": "o", "linestyle": "--"},
    "peculiar_exact": {"color": "#c0392b", "marker": "o"},
    "peculiar_structured": {"color": "#e08a1e", "marker": "o"},
    "peculiar_xd": {"color": "#2471a3", "marker": "o"},
}
NAMES = {"N": "objects N", "K": "components K", "d": "features d"}


def plot_costs(rows: Rows, path: Path) -> None:
    """Three panels with one scale; where cost grows in proportion to N and K, lines are level."""
    import matplotlib as mpl

    mpl.use("Agg")
    from matplotlib import pyplot as plt

    figure, axes = plt.subplots(1, 3, figsize=(10.5, 4.1), layout="constrained", sharey=True)
    for ax, axis in zip(axes, NAMES, strict=True):
        _draw(ax, rows, axis)
    axes[0].set_ylabel("CPU seconds per iteration\nper million (object × component)")
    handles, labels = axes[0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="outside lower center", ncols=6, frameon=False, fontsize=9)
    path.parent.mkdir(parents=True, exist_ok=True)
    figure.savefig(path, dpi=110)
    plt.close(figure)


def _draw(ax: Any, rows: Rows, axis: str) -> None:
    for name, style in STYLES.items():
        chosen = points_of(rows, name, axis)
        if chosen:
            sizes = [row[axis] for row in chosen]
            costs = [per_million_pairs(row["cpu"], row["N"] * row["K"]) for row in chosen]
            ax.plot(sizes, costs, label=chosen[0]["label"], linewidth=1.5, markersize=4.5, **style)
    ax.set(xscale="log", yscale="log", xlabel=NAMES[axis])
    ticks = sorted({row[axis] for row in rows if row["axis"] == axis})
    ax.set_xticks(ticks, [short(tick) for tick in ticks])
    ax.tick_params(axis="x", which="minor", bottom=False, labelbottom=False)
    ax.yaxis.set_major_formatter("{x:g}")
    ax.yaxis.set_minor_formatter(lambda y, _: f"{y:g}" if f"{y:e}"[0] in "25" else "")
    ax.set_title(_held(rows, axis), fontsize=9, color="#555555")
    ax.grid(visible=True, which="major", color="#dddddd", linewidth=0.7)
    ax.grid(visible=True, which="minor", axis="y", color="#eeeeee", linewidth=0.5)
    ax.spines[["top", "right"]].set_visible(False)


def short(count: int) -> str:
    """A count with k for thousands and M for millions."""
    for unit, letter in ((1_000_000, "M"), (1_000, "k")):
        if count >= unit:
            return f"{count / unit:g}{letter}"
    return str(count)


def _held(rows: Rows, axis: str) -> str:
    """What stays the same along an axis."""
    row = next((row for row in rows if row["axis"] == axis), None)
    if row is None:
        return ""
    return ", ".join(f"{name} = {row[name]:,}" for name in NAMES if name != axis)
