"""From arguments to an exit code: runs a command, and turns errors into messages."""

from __future__ import annotations

import io
import sys
from dataclasses import dataclass, field

import click

from peculiar.cli import CANNOT, DEFECT, DONE, USAGE
from peculiar.cli.commands import commands
from peculiar.cli.printable import printable
from peculiar.errors import PeculiarError, SettingError


@dataclass
class Run:
    """What a command may want to know about how it was called.

    Attributes
    ----------
    arguments : list of str
    is_debugging : bool
        Whether errors are to be shown with their traceback.
    """

    arguments: list[str] = field(default_factory=list)
    is_debugging: bool = False


def run(arguments: list[str]) -> int:
    """Run the command that the arguments ask for; the exit code."""
    state = Run(arguments)
    for stream in (sys.stdout, sys.stderr):
        # Names of objects, on a terminal without their letters.
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    try:
        # Not click's main: that leaves with 1 when nobody reads on, which here says that the input cannot be used.
        with commands.make_context("peculiar", list(arguments), obj=state) as context:
            commands.invoke(context)
        sys.stdout.flush()
    except click.exceptions.Exit as end:  # after --help, or --version
        return end.exit_code
    except click.ClickException as error:
        error.show()
        return USAGE
    except BrokenPipeError:
        raise
    except Exception as error:
        if state.is_debugging:
            raise
        return _report(error)
    return DONE


def _report(error: Exception) -> int:
    """Say what went wrong; the exit code."""
    if isinstance(error, PeculiarError | OSError | MemoryError):
        print(f"peculiar: {printable(_sentence(error))}", file=sys.stderr)
        return USAGE if isinstance(error, SettingError) else CANNOT
    print(
        f"peculiar: this should not have happened, please report it: {type(error).__name__}: {error}\n"
        "(the same command with --debug shows where)",
        file=sys.stderr,
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
