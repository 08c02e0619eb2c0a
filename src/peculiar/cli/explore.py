"""``peculiar explore``: a ranked list as a live page, to decide on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from peculiar.cli import options as option
from peculiar.cli.console import Screen
from peculiar.cli.kinds import FILE, Names
from peculiar.cli.report import require_bokeh

EPILOG = """\
\b
Examples (after `peculiar demo --out demo`):
  peculiar explore demo/ranking.csv --model demo/model.peculiar
  peculiar explore demo/ranking.csv --port 8000 --no-browser
"""


@click.command(epilog=EPILOG, short_help="A ranked list as a live page, on this computer.")
@click.argument("ranked", type=FILE)
@click.option("--model", type=FILE, help="As for `peculiar report`.")
@click.option(
    "--port",
    type=click.IntRange(1, 65535),
    metavar="N",
    help="The port to serve it at.  [default: 5007, or a free one]",
)
@click.option("--browser/--no-browser", default=True, help="Whether to open it in the browser.")
@click.option("--top", type=click.IntRange(min=1), metavar="N", help="As for `peculiar report`.")
@click.option("--show", type=Names(), default=(), help="As for `peculiar report`.")
@option.debug_option
def command(ranked: Path, model: Path | None, port: int | None, **options: Any) -> None:
    """Serve a page about the objects of RANKED, for this computer only, until Ctrl-C.

    It is the page of `peculiar report`, and more: marks and notes are saved at once, in RANKED.marks.jsonl, and survive
    a crash; the other objects can be put in the order of their likeness to those marked; the image of all objects is
    binned again when you zoom; objects can be sent to TOPCAT or Aladin.
    """
    require_bokeh()
    from peculiar.explore.live import prepare, serve

    screen = Screen()
    with screen.hearing_warnings(), screen.working(f"reading {ranked.name}"):
        desk, html = prepare(ranked, model, top=options["top"], show=options["show"])

    def begun(address: str) -> None:
        screen.say(f"{ranked.name} is at {address} (Ctrl-C stops it)")
        screen.say(f"Marks are kept in {desk.marks.path}")
        if options["browser"]:
            import webbrowser

            webbrowser.open(address)

    try:
        serve(desk, html, port, begun)
    except KeyboardInterrupt:
        screen.say("Stopped.")
