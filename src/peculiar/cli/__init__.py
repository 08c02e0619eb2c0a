"""The command line: one file per command. Each parses, calls the library, and prints.

Nothing heavy is imported before a command runs, so that ``peculiar --help`` answers at once.
"""

from __future__ import annotations

import sys
from collections.abc import Sequence
from importlib.util import find_spec

from peculiar.install import how_to_install

DONE, CANNOT, USAGE, DEFECT, PIPE, STOPPED = 0, 1, 2, 3, 141, 130
"""Exit codes: what ``peculiar --help`` says they mean."""

SIGNALLED = 128
"""To this the number of a signal is added, as shells do."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Run ``peculiar``.

    Parameters
    ----------
    arguments : sequence of str, optional
        Arguments of the command line; those of the process if None.

    Returns
    -------
    int
        The exit code: 0 done, 1 the input cannot be used, 2 wrong usage, 3 a defect of peculiar, 130 stopped by Ctrl-C,
        129 and 143 stopped by a signal, 141 nobody reads on.
    """
    if any(find_spec(package) is None for package in ("click", "rich")):
        print(
            f"peculiar: the command line needs click and rich: {how_to_install('cli')}",
            file=sys.stderr,
        )
        return CANNOT
    from peculiar.cli import streams
    from peculiar.cli.running import run

    streams.prepare_streams()
    try:
        with streams.hearing_signals():
            return run(list(sys.argv[1:] if arguments is None else arguments))
    except KeyboardInterrupt as stopped:
        streams.remark(streams.with_notes("peculiar: stopped", stopped))
        return STOPPED
    except streams.StoppedError as stopped:
        streams.remark(streams.with_notes("peculiar: stopped", stopped))
        return SIGNALLED + stopped.number
    except BrokenPipeError:  # `peculiar ... | head`: nobody reads on, which is no error
        streams.silence_output()
        return PIPE
