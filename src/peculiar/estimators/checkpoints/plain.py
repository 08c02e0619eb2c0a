"""States and results as JSON's types, to the last bit, and back."""

from __future__ import annotations

import base64
import dataclasses
import math
from typing import Any

import numpy as np

from peculiar.fitting.accelerate.coordinates import Coordinates
from peculiar.fitting.accelerate.extrapolation import Memory, Point
from peculiar.fitting.loop import FitResult, State
from peculiar.fitting.select.descend import Descent, Settled
from peculiar.model.params import MixtureParams
from peculiar.model.stats import SufficientStats

KINDS: dict[str, type[Any]] = {
    kind.__name__: kind
    for kind in (
        State,
        MixtureParams,
        SufficientStats,
        Memory,
        Coordinates,
        Point,
        FitResult,
        Descent,
        Settled,
    )
}
"""All that a checkpoint may hold."""

FLOATS = np.dtype("<f8")
"""How the numbers of an array are stored, on any machine."""


def to_plain(value: Any) -> Any:
    """JSON's types only.

    Examples
    --------
    >>> to_plain((1, float("inf"), None))
    [1, {'number': 'inf'}, None]
    >>> to_plain(np.zeros((1, 1)))
    {'shape': [1, 1], 'floats': 'AAAAAAAAAAA='}
    """
    match value:
        case np.generic():
            return to_plain(value.item())
        case float() if not math.isfinite(value):
            return {"number": str(value)}
        case None | bool() | int() | float() | str():
            return value
        case np.ndarray():
            coded = base64.b64encode(np.ascontiguousarray(value, dtype=FLOATS).tobytes())
            return {"shape": list(value.shape), "floats": coded.decode("ascii")}
    kind = type(value).__name__
    if KINDS.get(kind) is type(value):
        return {"kind": kind} | {name: to_plain(getattr(value, name)) for name in _fields(value)}
    return [to_plain(item) for item in value]


def from_plain(plain: Any) -> Any:
    """The other way round; KeyError, TypeError or ValueError for what was never written.

    Examples
    --------
    >>> from_plain(to_plain((1, float("inf"), None)))
    (1, inf, None)
    """
    match plain:
        case {"kind": str(kind), **fields}:
            return KINDS[kind](**{str(name): from_plain(field) for name, field in fields.items()})
        case {"shape": list(shape), "floats": str(coded)}:
            numbers = np.frombuffer(base64.b64decode(coded, validate=True), dtype=FLOATS)
            return numbers.astype(np.float64).reshape(shape)
        case {"number": str(text)}:
            return float(text)
        case dict():
            raise ValueError(f"nothing is known of {', '.join(map(repr, plain))[:80]}")
        case list():
            return tuple(from_plain(item) for item in plain)
    return plain


def _fields(value: Any) -> tuple[str, ...]:
    if dataclasses.is_dataclass(value):
        return tuple(field.name for field in dataclasses.fields(value))
    names: tuple[str, ...] = value._fields
    return names
