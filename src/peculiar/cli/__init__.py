"""The command line: one file per command. Each parses, calls the library, and prints."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence

from peculiar._version import __version__
from peculiar.cli import demo
from peculiar.errors import PeculiarError


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``peculiar``; returns the exit code (0 done, 1 the input cannot be used, 2 wrong usage).

    Parameters
    ----------
    arguments : sequence of str, optional
        Those of the process if None.

    Returns
    -------
    int
    """
    parser = argparse.ArgumentParser(
        prog="peculiar",
        description="Finds the objects in a catalogue that are really strange, not merely badly measured.",
    )
    parser.add_argument("--version", action="version", version=f"peculiar {__version__}")
    commands = parser.add_subparsers(title="commands", required=True, metavar="COMMAND")
    demo.add_parser(commands)
    options = parser.parse_args(arguments)
    try:
        options.run(options)
    except (PeculiarError, OSError) as error:
        print(f"peculiar: {error}", file=sys.stderr)
        return 1
    except KeyboardInterrupt:
        print("peculiar: stopped", file=sys.stderr)
        return 130
    return 0
