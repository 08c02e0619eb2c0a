"""Model files: sealed documents (:mod:`peculiar.sealed`) of numbers, text and arrays."""

from __future__ import annotations

import dataclasses
import math
import os
from collections.abc import Mapping
from typing import Any

import numpy as np

from peculiar.errors import ModelFileError
from peculiar.sealed import Kind, checksum_of, read_sealed, short, write_sealed

MODEL = Kind("model", 1, ModelFileError, "copy or save it again")


def save_content(path: str | os.PathLike[str], content: dict[str, Any]) -> None:
    """Write a model file, whole or not at all.

    Parameters
    ----------
    path : path-like
    content : dict
        It may contain numbers, strings, None, lists, dicts and arrays.
    """
    write_sealed(path, MODEL, _plain(content))


def load_content(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a model file; :class:`~peculiar.errors.ModelFileError` if it is damaged or not a model file.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    dict
    """
    return read_sealed(path, MODEL)


def digest(content: dict[str, Any]) -> str:
    """The checksum that a model file with this content has.

    Parameters
    ----------
    content : dict
        As for :func:`save_content`.

    Returns
    -------
    str
    """
    return checksum_of(_plain(content))


def restore_alternative(stored: Any, known: Mapping[str, Any]) -> Any:
    """An engine or scatter structure from its name and settings; a plain name is left as it is."""
    if not isinstance(stored, dict):
        return stored
    if stored.get("name") not in known or not isinstance(stored.get("settings"), dict):
        raise ModelFileError(
            f"the file asks for {short(stored.get('name'))}, which this version does not have"
        )
    return dataclasses.replace(known[stored["name"]], **stored["settings"])


def restore_numbers(stored: Any) -> Any:
    """The same, with 'inf', '-inf' and 'nan' turned back into numbers."""
    match stored:
        case dict():
            return {key: restore_numbers(item) for key, item in stored.items()}
        case list():
            return [restore_numbers(item) for item in stored]
        case "inf" | "-inf" | "nan":
            return float(stored)
    return stored


def _plain(value: Any) -> Any:
    """JSON's types only. Floats keep every digit; those JSON lacks become 'inf', '-inf', 'nan'."""
    match value:
        case dict():
            return {str(key): _plain(item) for key, item in value.items()}
        case list() | tuple():
            return [_plain(item) for item in value]
        case _ if hasattr(value, "__array__"):
            return _plain(np.asarray(value).tolist())
        case float() if not math.isfinite(value):
            return str(value)
        case None | bool() | int() | float() | str():
            return value
        case _ if (
            dataclasses.is_dataclass(value)
            and not isinstance(value, type)
            and hasattr(value, "name")
        ):
            return {"name": value.name, "settings": _plain(dataclasses.asdict(value))}
    raise ModelFileError(f"{type(value).__name__} cannot be stored in a model file: {value!r}")
