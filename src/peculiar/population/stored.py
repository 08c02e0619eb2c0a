"""Model files: JSON text with a version and a checksum. Nothing in them is ever executed.

::

    {
        "format": "peculiar model",
        "format_version": 1,
        "written_by": "peculiar 0.1.0",
        "sha256": "...",
        "content": {...},
    }
"""

from __future__ import annotations

import dataclasses
import hashlib
import json
import math
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np

from peculiar._version import __version__
from peculiar.errors import ModelFileError
from peculiar.files import write_whole

FORMAT = "peculiar model"
FORMAT_VERSION = 1
QUOTES = "'\""


def save_content(path: str | os.PathLike[str], content: dict[str, Any]) -> None:
    """Write a model file, whole or not at all.

    Parameters
    ----------
    path : path-like
    content : dict
        It may contain numbers, strings, None, lists, dicts and arrays.
    """
    plain = _plain(content)
    document = {
        "format": FORMAT,
        "format_version": FORMAT_VERSION,
        "written_by": f"peculiar {__version__}",
        "sha256": _checksum(plain),
        "content": plain,
    }
    write_whole(path, json.dumps(document, indent=1, allow_nan=False) + "\n")


def load_content(path: str | os.PathLike[str]) -> dict[str, Any]:
    """Read a model file; :class:`~peculiar.errors.ModelFileError` if it is damaged or not a model file.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    dict
    """
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"), parse_constant=_refuse)
        content = document.get("content") if isinstance(document, dict) else None
        checksum = _checksum(content)
    except (ValueError, RecursionError) as error:
        raise ModelFileError(
            f"{path} is not a complete peculiar model file ({error}); truncated or not a model? Copy or save it again"
        ) from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise ModelFileError(f"{path} is not a peculiar model file (no 'format': {FORMAT!r} in it)")
    version = document.get("format_version")
    if not isinstance(version, int) or version < 1:
        raise ModelFileError(f"{path} is damaged: format_version is {_short(version)}")
    if version > FORMAT_VERSION:
        writer = _short(document.get("written_by")).strip(QUOTES)
        raise ModelFileError(
            f"{path} has format {_short(version)} (written by {writer}), this is "
            f"peculiar {__version__}, which reads up to format {FORMAT_VERSION}; upgrade peculiar"
        )
    if not isinstance(content, dict) or document.get("sha256") != checksum:
        raise ModelFileError(
            f"{path} is damaged: its content does not match its checksum; copy or save it again"
        )
    return content


def writer_of(path: str | os.PathLike[str]) -> str:
    """The version that wrote a model file, as the file says. The checksum does not cover this text.

    Parameters
    ----------
    path : path-like
        A file that :func:`load_content` has read.

    Returns
    -------
    str
    """
    said = json.loads(Path(path).read_text(encoding="utf-8")).get("written_by")
    return said[:80] if isinstance(said, str) and said.isprintable() else "somebody unknown"


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
    return _checksum(_plain(content))


def restore_alternative(stored: Any, known: Mapping[str, Any]) -> Any:
    """An engine or scatter structure from its name and settings; a plain name is left as it is."""
    if not isinstance(stored, dict):
        return stored
    if stored.get("name") not in known or not isinstance(stored.get("settings"), dict):
        raise ModelFileError(
            f"the file asks for {_short(stored.get('name'))}, which this version does not have"
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


def _checksum(plain: Any) -> str:
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


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


def _short(stored: Any, longest: int = 80) -> str:
    """What a file says, as far as a message quotes it."""
    text = repr(stored)
    return text if len(text) <= longest else text[: longest - 3] + "..."


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
