"""`python -m benchmarks.detection [--out DIR] [--page FILE] [--only NAME]`."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from benchmarks.detection.page import bars, tables, write_page
from benchmarks.detection.run import run
from benchmarks.detection.tasks import tasks
from benchmarks.peers_venv import ROOT, ensure_peers
from benchmarks.table import write_json


def main(arguments: Sequence[str] | None = None) -> None:
    """Read the options, run, write."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks detection", description=__doc__)
    parser.add_argument("--out", type=Path, default=ROOT / "benchmarks" / "results" / "detection")
    parser.add_argument("--page", type=Path, help="the Markdown page to write, with its picture")
    parser.add_argument("--only", action="append", help="some tables (repeatable)")
    options = parser.parse_args(arguments)
    python = ensure_peers()
    wanted = [task for task in tasks() if not options.only or task.name in options.only]
    rows = [row for task in wanted for row in run(task, python)]
    for table in tables(rows):
        print(table.text())
    write_json(options.out / "detection.json", rows)
    if not options.only:
        print(bars(rows).text())
        if options.page:
            write_page(options.page, rows)


if __name__ == "__main__":
    main()
