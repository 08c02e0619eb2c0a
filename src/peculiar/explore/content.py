"""The scene as text that the scripts of the page read: plain JSON, with arrays as base64."""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats
from peculiar.explore.axes import Axes, strangeness
from peculiar.explore.colours import (
    CLEAN,
    ORDINARY,
    SELECTED,
    STRANGENESS,
    as_levels,
    group_colour,
    shape_of,
)
from peculiar.report.scene import Scene
from peculiar.triage.marks import LONGEST_NOTE


def content_of(scene: Scene, axes: Axes) -> dict[str, Any]:
    """What the scripts need to know, in plain types.

    Parameters
    ----------
    scene : Scene
    axes : Axes
    """
    return {
        "title": scene.title,
        "list": {"objects": scene.n_rows, "sha256": scene.fingerprint},
        "longest_note": LONGEST_NOTE,
        "features": {"names": scene.features.names, "units": scene.features.units},
        "axes": _axes(axes),
        "objects": _objects(scene, axes),
        "components": _components(scene, axes),
        "colours": {
            "selected": SELECTED,
            "clean": CLEAN,
            "ordinary": ORDINARY,
            "strangeness": STRANGENESS,
        },
        "groups": [_group(card) for card in scene.groups],
        "trust": _trust(scene),
    }


def as_json(content: dict[str, Any]) -> str:
    r"""JSON that can stand within a script element: no character there ends it.

    Examples
    --------
    >>> as_json({"name": "</script><!--"})
    '{"name":"\\u003c/script\\u003e\\u003c!--"}'
    """
    text = json.dumps(content, separators=(",", ":"), allow_nan=False)
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def packed(array: Any, dtype: str = "f8") -> dict[str, Any]:
    """An array for ``data.js``: its type, shape and bytes.

    Examples
    --------
    >>> packed([1, 2], "u1")
    {'dtype': 'u1', 'shape': (2,), 'base64': 'AQI='}
    """
    little = np.ascontiguousarray(array, dtype=np.dtype(dtype).newbyteorder("<"))
    return {
        "dtype": dtype,
        "shape": little.shape,
        "base64": base64.b64encode(little.tobytes()).decode("ascii"),
    }


def _axes(axes: Axes) -> dict[str, Any]:
    pairs = sorted(axes.images)
    return {
        "labels": axes.labels,
        "low": [float(low) for low in axes.low],
        "high": [float(high) for high in axes.high],
        "first": axes.first,
        "pairs": pairs,
        "images": packed(np.stack([as_levels(axes.images[pair]) for pair in pairs]), "u1"),
    }


def _objects(scene: Scene, axes: Axes) -> dict[str, Any]:
    objects, d = scene.objects, len(axes.labels)
    return {
        "rank": packed(objects.rank, "i4"),
        "row": packed(objects.row, "i4"),
        "key": objects.key,
        "name": objects.name,
        "p": packed(objects.p),
        "q": packed(objects.q),
        "tolerance": packed(objects.tolerance, "f4"),
        "group": objects.group,
        "main": packed(objects.main, "i4"),
        "side": packed(objects.side, "i4"),
        "place": packed(axes.place(objects)),
        "covariance": _triangles(objects.covariance, d),
        "clean": _maybe(_clean_place(scene, d)),
        "clean_covariance": _triangles(objects.clean_covariance, d),
        "surprise": _maybe(objects.surprise, "f4"),
        "expected": _maybe(objects.expected, "f4"),
        "sentence": objects.sentence,
        "neighbours": packed(objects.neighbours, "i4"),
        "ra": _maybe(objects.ra),
        "dec": _maybe(objects.dec),
        "shown": {name: _column(cells) for name, cells in objects.shown.items()},
    }


def _maybe(array: NDArray[Any] | None, dtype: str = "f8") -> dict[str, Any] | None:
    return None if array is None else packed(array, dtype)


def _clean_place(scene: Scene, n_axes: int) -> Floats | None:
    clean = scene.objects.clean
    if clean is None or clean.shape[1] == n_axes:
        return clean
    return np.column_stack([clean, strangeness(scene.objects)])


def _triangles(covariance: Floats | None, n_axes: int) -> dict[str, Any] | None:
    """The lower triangles of matrices, row by row; an axis that is no feature has no variance."""
    if covariance is None:
        return None
    more = n_axes - covariance.shape[1]
    padded = np.pad(covariance, ((0, 0), (0, more), (0, more)))
    rows, columns = np.tril_indices(n_axes)
    return packed(padded[:, rows, columns], "f4")


def _column(cells: NDArray[Any]) -> Any:
    return packed(cells) if cells.dtype.kind == "f" else [str(cell) for cell in cells]


def _components(scene: Scene, axes: Axes) -> dict[str, Any] | None:
    found = scene.components
    if found is None:
        return None
    more = len(axes.labels) - found.location.shape[1]
    return {
        "location": packed(np.pad(found.location, ((0, 0), (0, more)))),
        "scatter": _triangles(found.scatter, len(axes.labels)),
        "share": [float(share) for share in found.share],
        "group": found.group,
        "colour": [group_colour(letter) for letter in found.group],
    }


def _group(card: Any) -> dict[str, Any]:
    return {
        "letter": card.letter,
        "n_members": card.n_members,
        "n_listed": card.n_listed,
        "centre": [None if np.isnan(value) else value for value in card.centre],
        "betrayed_by": card.betrayed_by,
        "typical": card.typical,
        "strangest": card.strangest,
        "colour": group_colour(card.letter),
        "shape": shape_of(card.letter),
    }


def _trust(scene: Scene) -> dict[str, Any]:
    trust = scene.trust
    return {
        "n": trust.n,
        "log_p": packed(trust.log_p),
        "fdr": trust.fdr,
        "method": trust.method,
        "share": trust.share,
        "alpha": trust.alpha,
        "multiplier": trust.multiplier,
    }
