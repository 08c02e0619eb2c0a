"""The command line: one file per command. Each parses, calls the library, and prints.

Nothing heavy is imported before a command runs, so that ``peculiar --help`` answers at once.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from importlib.util import find_spec

DONE, CANNOT, USAGE, DEFECT, PIPE, STOPPED = 0, 1, 2, 3, 141, 130
"""Exit codes: what ``peculiar --help`` says they mean."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``peculiar``.

    Parameters
    ----------
    arguments : sequence of str, optional
        Arguments of the command line; those of the process if None.

    Returns
    -------
    int
        The exit code: 0 done, 1 the input cannot be used, 2 wrong usage, 3 a defect of peculiar, 130 stopped by Ctrl-C.
    """
    if any(find_spec(package) is None for package in ("click", "rich")):
        print("peculiar: the command line needs: pip install 'peculiar[cli]'", file=sys.stderr)
        return CANNOT
    from peculiar.cli.running import run

    try:
        return run(list(sys.argv[1:] if arguments is None else arguments))
    except KeyboardInterrupt:
        print("peculiar: stopped", file=sys.stderr)
        return STOPPED
    except BrokenPipeError:  # `peculiar ... | head`: nobody reads on, which is no error
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return PIPE
