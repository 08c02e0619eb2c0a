"""docs/benchmarks.md, written anew from the results; what stands below the marker is kept."""

from __future__ import annotations

import shutil
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from benchmarks.losses import sentences
from benchmarks.solution import n_rows
from benchmarks.table import Table, write_whole
from benchmarks.views import bar_table, peer_tables, place_table, solution_tables

MARKER = "<!-- Written by hand below this line, and kept. -->"
FIGURE = "benchmarks_cost.png"

INTRODUCTION = """\
# Benchmarks

Written by `make bench`; only what stands below the marker in its source is kept. {kind}

| | |
| --- | --- |
| date | {date} |
| processor | {processor} |
| system | {system} |
| revision | {revision} |
| packages | {ours} |
| peers | {peers} |

Every contender runs in a process of its own, on one thread (pygmmis starts a process per core; all are counted), in
double precision, on the same rows, from the same start, with its stopping rule switched off. The rows are Student-t
clusters (dof 5) of unit scatter with errors from 0.1 to 1, different for every value. The cost of an iteration is what
many iterations cost more than one, so that set-up and compilation cancel; the least of several repeats counts. The
reference is extreme deconvolution (XD) in batched NumPy (`benchmarks/reference_xd.py`), which runs at the speed of the
C program. Ratios are CPU times against it in the same run: absolute times mean little on another machine.
"""

PEERS = """\
## One iteration

CPU and wall: seconds per iteration per million (object × component). Peak MB: of the whole process; fit MB: of it,
what the fit added to libraries and data. Log-likelihood: mean per row of the parameters after {iterations} iterations,
computed independently of all contenders. Those that fit the same model should agree; models differ in what they reach.
scikit-learn and studenttmixture know nothing of errors; their ratio is still against the reference, which does.
"""

SOLUTION = """\
## Time to solution

From one start (overlapping clusters, N={n:,}, K=5, d=4) to within 10⁻⁴ per row of the best log-likelihood that anybody
fitting the same model reached. `>`: not reached; the cost is that of the longest run tried.
"""

SCALING = f"""\
## Growth

CPU time of one iteration per million (object × component). Lines are level where the cost is proportional to N and K.

![Cost of an iteration against N, K and d](_static/{FIGURE})
"""

PLACES = """\
## Rows in memory, in files, on workers

A pass makes the sums of an EM step of three components in four features, with independent errors and a wild tail. Files
are Parquet in the cache of the disk; workers are processes of one thread, which share the machine with scheduler and
client. Peak MB: of the process that asks; in memory the rows are its own, workers have memory of theirs.
"""

BARS = """\
## Bars

What we ask of ourselves, and what was measured. None is asserted as a test: machines differ.
"""

LOSSES = """\
## Where we lose
"""

NOTES = f"""\
{MARKER}

## Notes
"""


def write_page(path: Path, parts: Mapping[str, Any], figure: Path) -> None:
    """Write the page from results, and copy the figure beside it."""
    kept = notes_of(path.read_text(encoding="utf-8")) if path.exists() else NOTES
    if figure.exists():
        target = path.parent / "_static" / FIGURE
        target.parent.mkdir(exist_ok=True)
        shutil.copyfile(figure, target)
    write_whole(path, compose(parts, has_figure=figure.exists()) + kept)


def notes_of(text: str) -> str:
    """The marker and what follows it."""
    _, found, below = text.partition(MARKER)
    return found + below if found else NOTES


def compose(parts: Mapping[str, Any], *, has_figure: bool) -> str:
    """Everything above the marker."""
    machine, quick = parts["machine"], parts["quick"]
    kind = "**A quick run: small problems, so the numbers are hints.**" if quick else ""
    sections = [INTRODUCTION.format(kind=kind, **machine)]
    if bars := parts.get("bars"):
        sections += [BARS, bar_table(bars).markdown()]
    if peers := parts.get("peers"):
        sections += [PEERS.format(iterations=3 if quick else 5), *map(_titled, peer_tables(peers))]
    if solution := parts.get("solution"):
        sections += [SOLUTION.format(n=n_rows(quick)), *map(_titled, solution_tables(solution))]
    if has_figure:
        sections += [SCALING]
    if places := parts.get("places"):
        sections += [PLACES, place_table(places).markdown()]
    lost = sentences(bars or [], parts.get("peers") or [], parts.get("solution") or [])
    sections += [LOSSES, "".join(f"- {line}\n" for line in lost) or "Nowhere in this run.\n"]
    return "\n".join(sections) + "\n"


def _titled(table: Table) -> str:
    return f"### {table.title}\n\n{table.markdown()}"
