"""From arguments to an exit code: runs a command, and turns errors into messages."""

from __future__ import annotations

import contextlib
import sys
from dataclasses import dataclass, field

import click

from peculiar.cli import CANNOT, DEFECT, DONE, USAGE
from peculiar.cli.commands import commands
from peculiar.cli.completion import answer
from peculiar.cli.printable import printable
from peculiar.cli.streams import ClosedError, named, remark, silence_output, with_notes
from peculiar.errors import PeculiarError, SettingError


@dataclass
class Run:
    """What a command may want to know about how it was called.

    Attributes
    ----------
    arguments : list of str
    is_debugging : bool
        Whether errors are to be shown with their traceback.
    writes : bool
        Whether files are written: the work then goes on if nothing can be shown.
    lost : OSError or None
        Why something could not be shown.
    """

    arguments: list[str] = field(default_factory=list)
    is_debugging: bool = False
    writes: bool = False
    lost: OSError | None = None


def run(arguments: list[str]) -> int:
    """Run the command that the arguments ask for; the exit code."""
    state = Run(arguments)
    if (answered := answer(commands)) is not None:
        return answered
    try:
        # Not click's main: that leaves with 1 when nobody reads on, which here says that the input cannot be used.
        with commands.make_context("peculiar", list(arguments), obj=state) as context:
            commands.invoke(context)
        return _finish(state)
    except click.exceptions.Exit as end:  # after --help, or --version
        return end.exit_code
    except click.ClickException as error:
        with contextlib.suppress(OSError):
            error.show()
        return USAGE
    except BrokenPipeError:
        raise
    except Exception as error:
        if state.is_debugging:
            raise
        return _report(error)


def _finish(state: Run) -> int:
    """Show what is still to be shown; the exit code of a command that went well."""
    try:
        if state.lost is None:
            sys.stdout.flush()
    except OSError as error:
        if not state.writes:
            raise named(error) from None
        state.lost = error
    if state.lost is None:
        return DONE
    silence_output()
    if isinstance(state.lost, BrokenPipeError | ClosedError):
        return DONE  # nobody wants to see it, and the files are there
    remark(f"peculiar: all files are written, but not all could be shown: {state.lost.strerror}")
    return CANNOT


def _report(error: Exception) -> int:
    """Say what went wrong, below what has been shown; the exit code."""
    from peculiar.catalogue.columns.names import cut

    try:
        sys.stdout.flush()
    except OSError:
        silence_output()  # what is left in it would be tried again in the end
    if isinstance(error, PeculiarError | OSError | MemoryError):
        remark(printable(with_notes(f"peculiar: {_sentence(error)}", error)))
        return USAGE if isinstance(error, SettingError) else CANNOT
    what = cut(f"{type(error).__name__}: {error}", 400)
    remark(
        f"peculiar: this should not have happened, please report it: {printable(what)}\n"
        "(the same command with --debug shows where)"
    )
    return DEFECT


def _sentence(error: BaseException) -> str:
    if isinstance(error, MemoryError):
        return (
            f"there is not enough memory ({error})" if str(error) else "there is not enough memory"
        )
    if isinstance(error, OSError) and error.strerror:
        return f"{error.filename}: {error.strerror}" if error.filename else error.strerror
    return str(error)
