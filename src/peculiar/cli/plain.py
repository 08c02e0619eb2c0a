"""rich's console, but for one habit of it."""

from __future__ import annotations

from rich.console import Console


class PlainConsole(Console):
    """A console that leaves it to the command what happens when nobody reads on."""

    def on_broken_pipe(self) -> None:
        """Not rich's exit with 1, which would say that the input cannot be used."""
        raise BrokenPipeError
