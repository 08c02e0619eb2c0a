"""``peculiar reproduce``: the experiments of the paper."""

from __future__ import annotations

import time
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import click

from peculiar.cli.console import Screen
from peculiar.cli.options import debug_option, folder_option, seed_option
from peculiar.errors import MissingDataError, PeculiarError
from peculiar.files import check_writable
from peculiar.install import how_to_install
from peculiar.reproduce import NAMES, find

EPILOG = """\
\b
Experiments:
  illustration  figure 2: what errors hide
  convergence   figure 3: five ways to do the same sum
  noise-levels  figure 4: does it pay to know the errors?
  lymphography  figure 5: a table that was not simulated
  quasars       figure 6: are quasars of high redshift outliers?

\b
Example:
  peculiar reproduce illustration --quick --out paper
"""


@click.command(epilog=EPILOG, short_help="Repeat the experiments of the paper.")
@click.argument("names", metavar="[NAME]...", nargs=-1, type=click.Choice(NAMES))
@folder_option("reproduction", "run")
@click.option(
    "--quick",
    is_flag=True,
    help="Run a smaller version, in a few minutes: fewer realisations, objects and starts.",
)
@seed_option("seed", 0, "Seed of all random numbers.")
@debug_option
def command(names: tuple[str, ...], out: Path, quick: bool, seed: int) -> None:
    """Repeat experiments of the paper (Sun, Kabán and Raychaudhury 2007): all, or those of the given NAMEs.

    Each writes NAME.json (all numbers, settings and seed), NAME.csv and NAME.png; index.html puts our numbers beside
    the paper's. The real data are found through the environment variable PECULIAR_DATA, or fetched.
    """
    from peculiar.reproduce.documents import (
        PAGE,
        carry_out,
        prepare,
        refuse_strangers,
        written_by,
    )

    if find_spec("matplotlib") is None:
        raise PeculiarError(f"figures need matplotlib: {how_to_install('plot')}")
    wanted = tuple(name for name in NAMES if name in names or not names)
    screen = Screen(writes=True)
    out.mkdir(parents=True, exist_ok=True)  # a folder that cannot be made is better known now
    for name in (PAGE, *(name for each in wanted for name in written_by(each))):
        check_writable(out / name)
    refuse_strangers(out, wanted)
    try:
        experiments = prepare(wanted, quick=quick, seed=seed)
    except MissingDataError as error:
        others = [name for name in NAMES if find(name).load is None]
        hint = f"(No data are needed for: peculiar reproduce {' '.join(others)})"
        raise MissingDataError(f"{error}\n{hint}") from None
    for experiment in experiments:
        started = time.monotonic()
        with screen.working(experiment.name) as work:
            document = carry_out(experiment, out, work.steps)
        screen.lines(f"{experiment.name} ({experiment.source}): {experiment.title}")
        _show(screen, document["comparisons"])
        minutes, seconds = divmod(round(time.monotonic() - started), 60)
        screen.lines(f"{f'{minutes} min ' if minutes else ''}{seconds} s\n")
    screen.lines(f"Written to {out}: NAME.json, NAME.csv, NAME.png, and {PAGE} about them.")


def _show(screen: Screen, comparisons: list[dict[str, Any]]) -> None:
    """What is compared, and what became of it."""
    words = {True: ": holds", False: ": does not hold", None: ""}
    for entry in comparisons:
        screen.say(f"- {entry['quantity']}{words[entry['agrees']]}")
        if entry["paper"]:
            screen.say(f"paper: {entry['paper']}", indent=2)
        screen.say(f"here: {entry['here']}", indent=2)
        screen.say(entry["sentence"], indent=2)
