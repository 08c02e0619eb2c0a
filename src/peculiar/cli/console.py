"""What a command shows: results on standard output, remarks and progress on standard error."""

from __future__ import annotations

import contextlib
import logging
import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import click

from peculiar.cli.long_tables import long_table
from peculiar.cli.printable import printable
from peculiar.cli.streams import WIDEST, named, remark, width_of

if TYPE_CHECKING:
    from rich.console import Console

WIDTH = 100
"""Of text that goes into a pipe or a file, where nobody says how wide it is. Tables are as wide as they need there."""

FOLDED = 16
"""Places that a column of words keeps at least; a longer word is folded."""

LINES = "    \n    \n -- \n    \n -- \n    \n    \n    \n"
"""Of tables: below the header and between sections, in plain ASCII, which every terminal has."""


def narrowest(cells: Sequence[str], *, is_whole: bool) -> int:
    """Places of the screen that a column needs: those of its cells, or of the longest of their words."""
    from rich.cells import cell_len

    if is_whole:
        return max(map(cell_len, cells))
    return min(max(cell_len(word) for cell in cells for word in (cell.split() or [""])), FOLDED)


class Screen:
    """Where a command prints.

    Parameters
    ----------
    as_json : bool
        Whether standard output is for one JSON object only.
    quiet : bool
        Whether nothing is to be shown at all, but warnings and errors.
    writes : bool
        Whether the command writes files: it then goes on if nobody reads what is shown.
    """

    def __init__(self, *, as_json: bool = False, quiet: bool = False, writes: bool = False) -> None:
        self.as_json = as_json
        self.quiet = quiet
        self.is_lost = False
        context = click.get_current_context(silent=True)
        self._run: Any = None if context is None else context.find_root().obj
        if self._run is not None:
            self._run.writes = writes
        self.warnings: list[str] = []
        self._out: Console | None = None

    @property
    def is_silent(self) -> bool:
        """Whether text for people is not wanted."""
        return self.as_json or self.quiet or self.is_lost

    @contextlib.contextmanager
    def _showing(self) -> Iterator[None]:
        """Note that nothing can be shown any more, and go on if there are files to be written."""
        try:
            yield
        except OSError as error:
            if self._run is None or not self._run.writes:
                raise named(error) from None
            self.is_lost = True
            self._run.lost = error

    def say(self, text: str = "", *, indent: int = 0) -> None:
        """A line of the result, wrapped at the width of the screen; all of it so far to the right."""
        if not self.is_silent:
            from rich.text import Text

            console = self._console()
            with self._showing():
                for line in Text(printable(text)).wrap(console, console.width - indent):
                    console.print(" " * indent + line.plain.rstrip(), markup=False, highlight=False)

    def lines(self, text: str) -> None:
        """Lines of the result, as they are."""
        if not self.is_silent:
            with self._showing():
                print(printable(text))

    def table(
        self,
        columns: Mapping[str, Sequence[str]],
        *,
        to_the_left: Sequence[str] = (),
        whole: Sequence[str] = (),
        line_after: int = 0,
    ) -> None:
        """Columns by name; a line is drawn below so many rows, if there are more.

        On a narrow screen columns are folded, but for those in ``whole``. In a pipe none are, up to ``WIDEST`` places.
        """
        if self.is_silent:
            return
        shown = {
            name: [printable(cell, one_line=True) for cell in cells]
            for name, cells in columns.items()
        }
        width = width_of(sys.stdout, WIDEST)
        if rows := [] if line_after else long_table(shown, to_the_left, width):
            self.lines("\n".join(rows))
            return
        from rich.box import Box
        from rich.table import Table
        from rich.text import Text

        table = Table(
            box=Box(LINES), show_edge=False, pad_edge=False, padding=(0, 1), collapse_padding=True
        )
        least = 2 * (len(columns) - 1)
        for name, cells in shown.items():
            justify: Any = "left" if name in to_the_left else "right"
            head, no_wrap = printable(name, one_line=True), name in whole
            needed = narrowest([head, *cells], is_whole=no_wrap)
            table.add_column(
                Text(head), justify=justify, overflow="fold", no_wrap=no_wrap, min_width=needed
            )
            least += needed
        n_rows = len(next(iter(columns.values()), ()))
        for number, row in enumerate(zip(*shown.values(), strict=True), 1):
            is_end = number == line_after and number < n_rows
            table.add_row(*map(Text, row), end_section=is_end)
        with self._showing():
            _console(max(width, least)).print(table)

    def json(self, content: Mapping[str, Any]) -> None:
        """The one JSON object."""
        if self.as_json and not self.is_lost:
            from peculiar.report import to_json

            with self._showing():
                print(to_json(content))

    def _console(self) -> Console:
        if self._out is None:
            self._out = _console(width_of(sys.stdout, WIDTH))
        return self._out

    @contextlib.contextmanager
    def hearing_warnings(self) -> Iterator[None]:
        """Warnings of the library as remarks on standard error, each once."""
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            try:
                yield
            finally:
                texts = [str(warning.message) for warning in caught]
        for text in dict.fromkeys(texts):
            self.warnings.append(text)
            remark(f"peculiar: warning: {printable(text)}")

    @contextlib.contextmanager
    def working(self, what: str) -> Iterator[Work]:
        """Show that something is being done, as long as the block lasts: live, or in a log if it takes long."""
        with _quiet_log() as listen:
            if self.quiet:
                yield Work()
                return
            if not sys.stderr.isatty():
                from peculiar.cli.progress import Lines

                with Lines(what) as lines:
                    listen(lines.remark)
                    yield lines
                return
            from peculiar.cli.bar import Bar

            with Bar(what) as bar:
                listen(bar.remark)
                yield bar


def _console(width: int) -> Console:
    from peculiar.cli.plain import PlainConsole

    return PlainConsole(width=width, highlight=False)


class Work:
    """Something that takes time, told to nobody."""

    def aims_at(self, tol: float, max_iter: int) -> None:
        """When a fit will stop."""

    def has_rows(self, n: int) -> None:
        """How many rows each iteration of a fit has."""

    def steps(self, done: int, n: int, what: str) -> None:
        """So many steps are done, of so many; what comes next."""

    def rows(self, done: int, n: int) -> None:
        """So many rows are done."""

    def tolerances(self, done: int, n: int) -> None:
        """The error tolerances of so many discoveries are known."""

    def on_iteration(self, iteration: int, bound: float, change: float) -> None:
        """A fit went on."""

    def on_pass(self, n_components: int, n_passes: int, length: float) -> None:
        """A fit went on, on its way down to fewer components."""

    def on_level(self, row: Any, criterion: str, n_iter: int) -> None:
        """A number of components was tried."""

    def on_amount(self, done: int, most: int) -> None:
        """An amount of shrinkage was tried."""


@contextlib.contextmanager
def _quiet_log() -> Iterator[Callable[[Callable[[str], None]], None]]:
    """The library's log (that kernels are being compiled) goes to whoever listens, and else nowhere."""
    handler = _Handler()
    log = logging.getLogger("peculiar")
    log.addHandler(handler)
    before, log.propagate = log.propagate, False
    try:
        yield handler.set_target
    finally:
        log.removeHandler(handler)
        log.propagate = before


class _Handler(logging.Handler):
    def __init__(self) -> None:
        super().__init__()
        self.target: Callable[[str], object] = len  # nobody listens

    def set_target(self, target: Callable[[str], object]) -> None:
        self.target = target

    def emit(self, record: logging.LogRecord) -> None:
        self.target(record.getMessage().removeprefix("peculiar: "))


def refuse_silence(*, quiet: bool, as_json: bool, writes: bool) -> None:
    """Usage error for a command that would show nothing and leave nothing."""
    if quiet and not as_json and not writes:
        raise click.UsageError(
            "--quiet without a file to write would leave no result; leave out --quiet, or name a file"
        )
