"""``peculiar completion``: the tab key completes commands, options and files."""

from __future__ import annotations

import os

import click
from click.shell_completion import ShellComplete, get_completion_class

from peculiar.cli import DONE
from peculiar.cli.options import debug_option

SHELLS = ("bash", "zsh", "fish")

VARIABLE = "_PECULIAR_COMPLETE"
"""Through which a shell asks, as click has it."""

EPILOG = """\
\b
Examples (put the line into ~/.bashrc or ~/.zshrc, or the output into fish's folder of completions):
  peculiar completion bash
  peculiar completion zsh
  peculiar completion fish

\b
  eval "$(peculiar completion bash)"
"""


@click.command(epilog=EPILOG, short_help="What makes the tab key complete commands.")
@click.argument("shell", type=click.Choice(SHELLS))
@debug_option
@click.pass_context
def command(ctx: click.Context, shell: str) -> None:
    """Print the script that makes the tab key of SHELL complete commands, options and files."""
    words = _words(ctx.find_root().command, shell)
    # Not words.source(): for bash that starts a bash to ask for its version.
    print(words.source_template % words.source_vars())


def answer(commands: click.Command) -> int | None:
    """Answer a shell that asks how a line may go on; the exit code, or None if no shell asks.

    Parameters
    ----------
    commands : click.Command
    """
    shell, _, what = os.environ.get(VARIABLE, "").partition("_")
    if shell not in SHELLS or what != "complete":
        return None
    print(_words(commands, shell).complete())
    return DONE


def _words(commands: click.Command, shell: str) -> ShellComplete:
    kind = get_completion_class(shell)
    assert kind is not None  # click knows all three
    return kind(commands, {}, "peculiar", VARIABLE)
