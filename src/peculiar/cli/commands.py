"""The list of commands, each loaded when it is needed."""

from __future__ import annotations

from importlib import import_module

import click

from peculiar._version import __version__
from peculiar.cli.options import debug_option

_LISTS, _PAGES = ("rank", "fit", "score"), ("report", "explore")
NAMES = (*_LISTS, *_PAGES, "info", "demo", "reproduce", "cite", "completion")
"""In the order of the help."""

EPILOG = """\
\b
Examples:
  peculiar demo --out demo
  peculiar info demo/catalogue.csv
  peculiar rank demo/catalogue.csv --features "u - r, g - r" -k 3

\b
Exit codes:
  0    done
  1    the input cannot be used: a file, a column, a value
  2    wrong usage: an option or a setting
  3    a defect of peculiar
  130  stopped by Ctrl-C, 129 and 143 by SIGHUP and SIGTERM; no half-written file is left behind
  141  nobody reads the output, and no file was asked for
"""


class Commands(click.Group):
    """Commands by name, from the file of that name."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Their names."""
        return list(NAMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, if there is one."""
        if cmd_name not in NAMES:
            return None
        command: click.Command = import_module(f"peculiar.cli.{cmd_name}").command
        return command


@click.group(
    cls=Commands,
    epilog=EPILOG,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.version_option(__version__, prog_name="peculiar", message="%(prog)s %(version)s")
@debug_option
def commands() -> None:
    """Finds the objects in a catalogue that are really strange, not merely badly measured."""
