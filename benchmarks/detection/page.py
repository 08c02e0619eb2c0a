"""docs/detection.md and its picture, written anew from the results; what stands below the marker is kept."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.detection.run import OURS
from benchmarks.page import MARKER
from benchmarks.table import Column, Table, show_number, text_column, write_whole

FIGURE = "detection.png"

INTRODUCTION = """\
# How good the list is

Written by `python -m benchmarks detection --page docs/detection.md`; only what stands below the marker in its source is
kept.

Catalogues with known strange objects, which no detector is told. AUC: how often a strange object comes before an
ordinary one. AP: average precision, the share of strange objects among those before each of them. First 50: the share
of strange objects among the first 50 of the list. `peculiar` is `OutlierDetector(random_state=0)`, all else default;
`K = ...` gives it the number of components. Found: discoveries at a false-discovery rate of 5 %, and how many of them
are strange by the labels of the table. The others know of no errors; they have their default settings.
CPU: seconds for fit and scores of the whole table, kernels compiled. Quasars: 4,000 of them. Satimage-2, errors: 2,000
of its rows, with simulated errors of up to half a standard deviation of each feature.
"""


def tables(rows: Sequence[dict[str, Any]]) -> list[Table]:
    """One for each task."""
    columns = [
        text_column("detector", "detector"),
        *(
            Column(heading, lambda row, key=key: show_number(row[key], ".3f"))
            for heading, key in (("AUC", "auc"), ("AP", "ap"))
        ),
        Column("first 50", lambda row: show_number(row["first"], ".2f")),
        Column("components (strange)", _components),
        Column("found at 5 % (right)", _found),
        Column("CPU s", lambda row: show_number(row["seconds"], ".1f")),
    ]
    names = list(dict.fromkeys(row["task"] for row in rows))
    return [Table.of(name, columns, [row for row in rows if row["task"] == name]) for name in names]


def _components(row: dict[str, Any]) -> str:
    return f"{row['n_components']} ({row['n_groups']})" if "n_components" in row else "-"


def _found(row: dict[str, Any]) -> str:
    return f"{row['n_found']} ({row['n_right']})" if "n_found" in row else "-"


def bars(rows: Sequence[dict[str, Any]]) -> Table:
    """What we ask of ourselves: the default near the best K, little change with K, not far below the best peer."""
    lines = []
    for name in ("UMi: non-members", "Leo1: non-members", "quasars: z > 2.5"):
        ap = {row["detector"]: row["ap"] for row in rows if row["task"] == name}
        if not ap:
            continue
        some = [ap[f"K = {k}"] for k in (2, 3, 5, 8)]
        peers = [value for peer, value in ap.items() if peer not in OURS]
        allowed = 0.05 if name.startswith("quasars") else 0.03
        best = max(value for ours, value in ap.items() if ours in OURS)
        checks = [
            ("default below the best K", best - ap["peculiar"], 0.03),
            ("change from K = 2 to 8", max(some) - min(some), 0.08),
        ]
        if peers:
            checks.append(("default below the best peer", max(peers) - ap["peculiar"], allowed))
        lines += [
            {"task": name, "what": what, "value": value, "bar": bar, "holds": value <= bar}
            for what, value, bar in checks
        ]
    columns = [
        text_column("task", "task"),
        text_column("AP", "what"),
        Column("measured", lambda row: show_number(row["value"], ".3f")),
        Column("bar", lambda row: show_number(row["bar"], ".2f")),
        Column("", lambda row: "" if row["holds"] else "missed"),
    ]
    return Table.of("Bars", columns, lines)


def write_page(path: Path, rows: Sequence[dict[str, Any]]) -> None:
    """The page, and its picture beside the other static files."""
    kept = path.read_text().partition(MARKER)[2] if path.exists() else "\n"
    parts = [INTRODUCTION, f"![Average precision](_static/{FIGURE})\n"]
    parts += [f"## {table.title}\n\n{table.markdown()}" for table in (*tables(rows), bars(rows))]
    write_whole(path, "\n".join(parts) + "\n" + MARKER + kept)
    plot(rows, path.parent / "_static" / FIGURE)


def plot(rows: Sequence[dict[str, Any]], path: Path) -> None:
    """Average precision of every detector on every task."""
    import matplotlib as mpl
    from matplotlib.figure import Figure

    names = list(dict.fromkeys(row["task"] for row in rows))
    with mpl.rc_context({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False}):
        figure = Figure(figsize=(8, 0.55 * len(names) + 1.6), layout="constrained")
        axes = figure.add_subplot()
        styles = {"peculiar": ("#b2182b", "D", 60)}
        for row in rows:
            is_ours = row["detector"] in OURS
            colour, mark, size = styles.get(
                row["detector"], ("#e08f83" if is_ours else "#777777", "o" if is_ours else "x", 28)
            )
            place = len(names) - 1 - names.index(row["task"])
            axes.scatter(
                row["ap"], place + (0.12 if is_ours else -0.12), c=colour, marker=mark, s=size
            )
        axes.set_yticks(range(len(names)), names[::-1])
        axes.set_xlabel("average precision")
        axes.set_xlim(0, 1.02)
        axes.grid(axis="x", color="#dddddd")
        axes.set_axisbelow(True)
        for label, (colour, mark, size) in {
            "peculiar, default": styles["peculiar"],
            "with K given": ("#e08f83", "o", 28),
            "peers, without errors": ("#777777", "x", 28),
        }.items():
            axes.scatter([], [], c=colour, marker=mark, s=size, label=label)
        figure.legend(loc="outside upper left", ncols=3, frameon=False)
        path.parent.mkdir(parents=True, exist_ok=True)
        figure.savefig(path, dpi=150, metadata={"Software": None})
