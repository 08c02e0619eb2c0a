"""``peculiar report``: a ranked list as a page to look at and to send, in one file."""

from __future__ import annotations

from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from peculiar.cli import options as option
from peculiar.cli.console import Screen
from peculiar.cli.kinds import FILE, Names
from peculiar.errors import CatalogueError
from peculiar.install import how_to_install

EPILOG = """\
\b
Examples (after `peculiar demo --out demo`):
  peculiar report demo/ranking.csv --model demo/model.peculiar --out page.html
  peculiar report demo/ranking.csv --show planted --top 50 --out short.html
"""


@click.command(epilog=EPILOG, short_help="A ranked list as a page, in one file that works offline.")
@click.argument("ranked", type=FILE)
@click.option(
    "--model",
    type=FILE,
    help="The model that made the list (rank --save-model): shows components, clean positions with their covariances, "
    "and what would be ordinary.",
)
@click.option(
    "--out",
    type=FILE,
    default=Path("report.html"),
    show_default=True,
    help="The file to write.",
)
@click.option(
    "--top",
    type=click.IntRange(min=1),
    metavar="N",
    help="How many objects are listed one by one.  [default: all discoveries; at least 1000, at most 4000]",
)
@click.option(
    "--show",
    type=Names(),
    default=(),
    help="Columns of the catalogue that the table of the page offers, too.",
)
@option.overwrite_option
@option.quiet_option
@option.debug_option
def command(ranked: Path, model: Path | None, out: Path, **options: Any) -> None:
    """Write a page about the objects of RANKED, which `peculiar rank --out` or `peculiar score --out` wrote.

    The page is one file. It works from disk and without a network, and asks no other computer for anything: send it to
    whoever is to decide. It shows the objects with their error ellipses and clean positions, why each is strange,
    strange groups, and how far the list can be trusted.
    """
    from peculiar.cli.targets import check_targets

    require_bokeh()
    overwrite = options["overwrite"]
    sources = [ranked] if model is None else [ranked, model]
    check_targets({}, {"--out": out}, overwrite=overwrite, sources=sources)
    screen = Screen(quiet=options["quiet"], writes=True)
    from peculiar.explore import write_report
    from peculiar.report.scene import read_scene

    with screen.hearing_warnings(), screen.working(f"reading {ranked.name}"):
        scene = read_scene(ranked, model, top=options["top"], show=options["show"])
    for sentence in scene.absent:
        screen.say(f"note: {sentence}")
    with screen.working(f"writing {out.name}"):
        write_report(scene, out)
    size = out.stat().st_size / 1e6
    screen.say(
        f"Written: {out} ({scene.objects.n:,} of {scene.n_rows:,} objects one by one, {size:.1f} MB); open it in a "
        "browser."
    )


def require_bokeh() -> None:
    """CatalogueError if Bokeh, which draws the page, is not installed."""
    if find_spec("bokeh") is None:
        raise CatalogueError(
            f"the page is drawn by Bokeh, which is not installed: {how_to_install('explore')}"
        )
