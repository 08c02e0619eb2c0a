"""Marks of the objects of a ranked list, in a file beside it."""

from __future__ import annotations

import os
import re
import uuid
from collections.abc import Collection, Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from peculiar.errors import MarksError
from peculiar.triage.keys import fingerprint
from peculiar.triage.log import Line, append_line, read_lines

MARKS = ("interesting", "artefact", "unsure", "none")
"""What an object may be marked as; "none" takes a mark away."""

LONGEST_NOTE = 10_000
"""Characters of a note."""

_NOT_TEXT = re.compile(
    "[^\t\n\r\x20-\x7e\x85\xa0-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]"
)  # not in XML
_KIND, _VERSION = "peculiar marks", 1
_EVENT, _UNDO = ("id", "time", "window", "key", "mark", "note"), ("undo", "time", "window")
_SHORT = 64  # characters of all but keys and notes


class Mark(NamedTuple):
    """What a person thinks of an object.

    Attributes
    ----------
    mark : {"interesting", "artefact", "unsure", "none"}
        "none" with a note: only the note is kept.
    note : str
    time : str
        When it was made, in UTC (ISO 8601).
    """

    mark: str
    note: str
    time: str


class Event(NamedTuple):
    """A line in the history of an object.

    Attributes
    ----------
    id : str
    key : str
        Of the object.
    mark : str
    note : str
    time : str
        In UTC (ISO 8601).
    window : str
        Who made it.
    is_undone : bool
        Whether it was taken back later.
    """

    id: str
    key: str
    mark: str
    note: str
    time: str
    window: str
    is_undone: bool


class Marks:
    """Marks of the objects of a ranked list: interesting, artefact or unsure, with a note.

    They are in ``<list>.marks.jsonl``, beside the list: a line for every mark, on the disk before :meth:`set` returns.
    Lines are only added, so a crash costs nothing, and several programs may mark objects of the same list at once.

    Parameters
    ----------
    ranked : path-like
        The file of the ranked list. Only its name is used.
    keys : collection of str
        Of all objects of the list (:func:`object_keys`).

    Attributes
    ----------
    path : Path
        The file with the marks.

    Raises
    ------
    MarksError
        The file is damaged, or has the marks of another list.

    Examples
    --------
    >>> import tempfile
    >>> marks = Marks(tempfile.mkdtemp() + "/stars.fits", ["0:Vega", "1:Mira"])
    >>> marks.set("1:Mira", "interesting", "varies")
    >>> {key: mark.mark for key, mark in marks.load().items()}
    {'1:Mira': 'interesting'}
    >>> marks.undo()
    '1:Mira'
    >>> marks.load()
    {}
    """

    def __init__(self, ranked: str | os.PathLike[str], keys: Collection[str]) -> None:
        given = Path(ranked)
        self.path = given.with_name(f"{given.name}.marks.jsonl")
        self._keys = frozenset(keys)
        self._list = {"objects": len(self._keys), "sha256": fingerprint(self._keys)}
        self._events()

    def load(self) -> dict[str, Mark]:
        """The mark of each object that has one, or a note, as the file says now.

        Returns
        -------
        dict
            From key to :class:`Mark`.
        """
        marks = {
            event.key: Mark(event.mark, event.note, event.time)
            for event in self._events()
            if not event.is_undone
        }
        return {key: mark for key, mark in marks.items() if mark.mark != "none" or mark.note}

    def set(self, key: str, mark: str, note: str = "", *, window: str = "") -> None:
        """Mark an object; on the disk when this returns.

        Parameters
        ----------
        key : str
        mark : {"interesting", "artefact", "unsure", "none"}
        note : str, optional
        window : str, optional
            Who does so: :meth:`undo` takes back marks of the same window only.
        """
        self._check(key, mark, note)
        event = {"id": uuid.uuid4().hex, "time": _now(), "window": window}
        event |= {"key": key, "mark": mark, "note": _as_text(note)}
        append_line(self.path, lambda lines: [*self._header(lines), event])

    def add(self, events: Iterable[Line]) -> None:
        """Take over marks that were made elsewhere: in a browser, or in the file that the report downloads.

        Parameters
        ----------
        events : iterable of dict
            Lines of a file of marks, in their order. What is known already, by its ``id``, is not added again.
        """
        given = {_what(event): event for event in map(self._checked, events)}

        def find(lines: list[Line]) -> list[Line]:
            known = {_what(line) for line in lines}
            new = [event for what, event in given.items() if what not in known]
            return [*self._header(lines), *new]

        append_line(self.path, find)

    def events(self) -> list[Line]:
        """All lines of the file but the first, as they are: what :meth:`add` takes.

        Returns
        -------
        list of dict
        """
        lines = read_lines(self.path)
        self._replay(lines)
        return lines[1:]

    def undo(self, *, window: str = "") -> str | None:
        """Take back the last mark that was made in this window and is not taken back yet.

        Parameters
        ----------
        window : str, optional

        Returns
        -------
        str or None
            The key of the object; None if there is nothing to take back.
        """
        undone: list[Event] = []

        def find(lines: list[Line]) -> list[Line]:
            own = [e for e in self._replay(lines) if e.window == window and not e.is_undone]
            undone.extend(own[-1:])
            return [{"undo": event.id, "time": _now(), "window": window} for event in own[-1:]]

        if self.path.exists():
            append_line(self.path, find)
        return undone[0].key if undone else None

    def history(self, key: str) -> list[Event]:
        """All marks that an object was ever given, the oldest first, with those that were taken back.

        Parameters
        ----------
        key : str

        Returns
        -------
        list of Event
        """
        return [event for event in self._events() if event.key == key]

    def _events(self) -> list[Event]:
        return self._replay(read_lines(self.path))

    def _replay(self, lines: list[Line]) -> list[Event]:
        if lines:
            self._check_header(lines[0])
        undone = {str(line["undo"]) for line in lines if "undo" in line}
        return [
            self._event(i, line, undone)
            for i, line in enumerate(lines[1:], start=2)
            if "undo" not in line
        ]

    def _event(self, number: int, line: Line, undone: Collection[str]) -> Event:
        cells = [line.get(name) for name in Event._fields[:-1]]
        if not all(isinstance(cell, str) for cell in cells) or line["mark"] not in MARKS:
            raise MarksError(
                f"{self.path}, line {number}: this is no mark; remove the line in an editor to go on with the others"
            )
        id_, key, mark, note, time, window = map(str, cells)
        return Event(id_, key, mark, note, time, window, id_ in undone)

    def _header(self, lines: list[Line]) -> list[Line]:
        """The first line, if it is not there yet; else a check of it."""
        if not lines:
            return [{"kind": _KIND, "version": _VERSION, "list": self._list}]
        self._check_header(lines[0])
        return []

    def _check_header(self, line: Line) -> None:
        if line.get("kind") != _KIND or line.get("version") != _VERSION:
            raise MarksError(
                f"{self.path} is no file of marks that this version knows (version {_VERSION}); move it away"
            )
        if line.get("list") != self._list:
            raise MarksError(
                f"{self.path} has the marks of another list: its objects are not those of {self._list['objects']:,} "
                "rows and names here; move it away, or go back to the list that it was made for"
            )

    def _checked(self, event: Line) -> Line:
        """A line from elsewhere, with nothing but what belongs in it."""
        names = _UNDO if "undo" in event else _EVENT
        cells = {name: event.get(name) for name in names}
        for name, cell in cells.items():
            if not isinstance(cell, str) or (name not in ("key", "note") and len(cell) > _SHORT):
                raise MarksError(f"{name}={str(cell)[:_SHORT]!r} is not what a mark has there")
        if names is _EVENT:
            self._check(*(str(cells[name]) for name in ("key", "mark", "note")))
            cells["note"] = _as_text(str(cells["note"]))
        return cells

    def _check(self, key: str, mark: str, note: str) -> None:
        if mark not in MARKS:
            names = ", ".join(repr(name) for name in MARKS)
            raise MarksError(f"mark={mark!r} is unknown; choose one of {names}")
        if key not in self._keys:
            raise MarksError(f"there is no object {key!r} in this list (see object_keys)")
        if len(note) > LONGEST_NOTE:
            raise MarksError(
                f"the note has {len(note):,} characters; at most {LONGEST_NOTE:,} are kept"
            )


def _what(line: Line) -> tuple[str, Any]:
    """What a line is about: a mark, by its id, or the undoing of one."""
    return ("undo", line["undo"]) if "undo" in line else ("id", line.get("id"))


def _as_text(note: str) -> str:
    return _NOT_TEXT.sub("\N{REPLACEMENT CHARACTER}", note)


def _now() -> str:
    return datetime.now(UTC).isoformat(timespec="milliseconds")
