"""What the live page asks, and the answers: images of a part of the scatter, marks, orders, exports."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Collection, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from peculiar.arrays import Floats
from peculiar.errors import SettingError
from peculiar.explore.colours import as_levels
from peculiar.explore.content import packed
from peculiar.report.scene import Scene
from peculiar.report.scene.bulk import FINEST, bin_numbers, count_pairs
from peculiar.triage import Marks, export, order_by_likeness, resembles, send_table

FORMATS = {"csv": "text/csv", "vot": "application/x-votable+xml"}
"""In which marks can be exported, by the extension."""


class Desk:
    """Answers for the live page about one ranked list. It knows nothing of servers.

    Parameters
    ----------
    ranked : path-like
        The file of the list. Marks are kept beside it.
    scene : Scene
        Of this list.
    """

    def __init__(self, ranked: str | os.PathLike[str], scene: Scene) -> None:
        self.ranked, self.scene = Path(ranked), scene
        self.marks = Marks(ranked, scene.keys)
        self._place = {key: at for at, key in enumerate(scene.objects.key)}

    def image(self, x: int, y: int, low: Sequence[float], high: Sequence[float]) -> dict[str, Any]:
        """All objects in a part of the plane of two features, binned.

        Parameters
        ----------
        x, y : int
            The features to the right and upwards.
        low, high : (float, float)
            The corners of the part.

        Returns
        -------
        dict
            ``image``, packed for the page, and ``n``, how many objects are in it.
        """
        d, ends = self.scene.values.shape[1], np.array([low, high], dtype=np.float64)
        is_part = ends.shape == (2, 2) and np.isfinite(ends).all() and (ends[0] < ends[1]).all()
        if not (x in range(d) and y in range(d) and is_part):  # 0.5 is in none
            raise SettingError(f"there is no part {low} to {high} of features {x} and {y}")
        right, up = (
            bin_numbers(self.scene.values[:, int(j)], ends[0, i], ends[1, i], FINEST)
            for i, j in enumerate((x, y))
        )
        counts = count_pairs(right, up, FINEST)
        return {"image": packed(as_levels(counts), "u1"), "n": int(counts.sum())}

    def keep(self, events: Sequence[dict[str, Any]]) -> dict[str, Any]:
        """Keep marks that were made in a window; on the disk when this returns.

        Parameters
        ----------
        events : sequence of dict
            As :meth:`peculiar.triage.Marks.add` takes them; it may be empty.

        Returns
        -------
        dict
            ``events``: all that were made so far, in every window.
        """
        if events:
            self.marks.add(events)
        return {"events": self.marks.events()}

    def order(self, like: Sequence[str], hide: Sequence[str]) -> dict[str, Any]:
        """The listed objects in another order: those that resemble some first, without those that resemble others.

        Parameters
        ----------
        like, hide : sequence of str
            Keys of objects. Those that are not listed do not count.

        Returns
        -------
        dict
            ``order``: positions in the list of the page; ``n_hidden``: how many were left out.
        """
        clean, error = self._clean()
        first, last = self._places(like), self._places(hide)
        order = order_by_likeness(clean, error, like=first)
        hidden = resembles(clean, error, last)
        hidden[first] = False
        return {"order": order[~hidden[order]].tolist(), "n_hidden": int(hidden.sum())}

    def _places(self, keys: Sequence[str]) -> list[int]:
        return [self._place[key] for key in keys if key in self._place]

    def _clean(self) -> tuple[Floats, Floats]:
        """Clean values of the listed objects and their errors; as measured, if the list has none."""
        objects = self.scene.objects
        values, covariance = objects.clean, objects.clean_covariance
        if values is None:
            values, covariance = objects.values, objects.covariance
        if covariance is None:
            return values, np.zeros_like(values)
        return values, np.sqrt(np.diagonal(covariance, axis1=1, axis2=2))

    def export(self, extension: str) -> bytes:
        """The marked objects with all their columns, as a file of some format.

        Parameters
        ----------
        extension : {"csv", "vot"}
        """
        table, keys = self._table()
        with tempfile.TemporaryDirectory(prefix="peculiar-") as folder:
            path = Path(folder) / f"marks.{extension}"
            export(self.marks.load(), path, table=table, keys=keys)
            return path.read_bytes()

    def send(self, keys: Collection[str] | None = None, to: str | None = None) -> dict[str, Any]:
        """Send objects to TOPCAT, Aladin or another program at the SAMP hub of this computer.

        Parameters
        ----------
        keys : collection of str, optional
            Of the objects; the listed ones if None.
        to : str, optional
            The name of the program; otherwise all that take tables.

        Returns
        -------
        dict
            ``to``: the programs that have them.
        """
        table, known = self._table()
        wanted = frozenset(self._place if keys is None else keys)
        rows = [at for at, key in enumerate(known) if key in wanted]
        if not rows:
            raise SettingError("there is nothing to send: no object is marked, or chosen")
        return {"to": send_table(table[rows], name=self.scene.title, to=to)}

    def _table(self) -> tuple[Any, list[str]]:
        """The whole list with all its columns, read when it is asked for; and its keys."""
        from peculiar.catalogue import read
        from peculiar.triage import object_keys

        table = read(self.ranked)
        return table, object_keys(table)
