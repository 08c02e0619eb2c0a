"""Documents in JSON with a version and a checksum: written whole, and read only if nothing in them has changed.

::

    {
        "format": "peculiar model",
        "format_version": 1,
        "written_by": "peculiar 0.1.0",
        "sha256": "...",
        "content": {...},
    }

Nothing in them is ever executed.
"""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from peculiar._version import __version__
from peculiar.errors import PeculiarError
from peculiar.files import write_whole

QUOTES = "'\""


@dataclass(frozen=True)
class Kind:
    """A kind of document.

    Attributes
    ----------
    name : str
        What it holds, in a word.
    version : int
        Of the format that is written; older ones can be read.
    error : type of PeculiarError
        What is raised for a file that cannot be used.
    way_out : str
        What to do about a damaged one.
    """

    name: str
    version: int
    error: type[PeculiarError]
    way_out: str

    @property
    def format(self) -> str:
        """What the file says of itself."""
        return f"peculiar {self.name}"


def write_sealed(path: str | os.PathLike[str], kind: Kind, content: dict[str, Any]) -> None:
    """Write a document, whole or not at all.

    Parameters
    ----------
    path : path-like
    kind : Kind
    content : dict
        Of JSON's types, with finite numbers.
    """
    document = {
        "format": kind.format,
        "format_version": kind.version,
        "written_by": f"peculiar {__version__}",
        "sha256": checksum_of(content),
        "content": content,
    }
    write_whole(path, json.dumps(document, indent=1, allow_nan=False) + "\n")


def read_sealed(path: str | os.PathLike[str], kind: Kind) -> dict[str, Any]:
    """The content of a document; the error of its kind if it is damaged, or something else.

    Parameters
    ----------
    path : path-like
    kind : Kind

    Returns
    -------
    dict
    """
    error, name = kind.error, kind.name
    try:
        document = json.loads(Path(path).read_text(encoding="utf-8"), parse_constant=_refuse)
        content = document.get("content") if isinstance(document, dict) else None
        checksum = checksum_of(content)
    except (ValueError, RecursionError) as reason:
        way_out = kind.way_out[0].upper() + kind.way_out[1:]
        raise error(
            f"{path} is not a complete peculiar {name} file ({reason}); truncated or not a {name}? {way_out}"
        ) from None
    if not isinstance(document, dict) or document.get("format") != kind.format:
        raise error(f"{path} is not a peculiar {name} file (no 'format': {kind.format!r} in it)")
    version = document.get("format_version")
    if not isinstance(version, int) or version < 1:
        raise error(f"{path} is damaged: format_version is {short(version)}")
    if version > kind.version:
        writer = short(document.get("written_by")).strip(QUOTES)
        raise error(
            f"{path} has format {short(version)} (written by {writer}), this is "
            f"peculiar {__version__}, which reads up to format {kind.version}; upgrade peculiar"
        )
    if not isinstance(content, dict) or document.get("sha256") != checksum:
        raise error(f"{path} is damaged: its content does not match its checksum; {kind.way_out}")
    return content


def writer_of(path: str | os.PathLike[str]) -> str:
    """The version that wrote a document, as the file says. The checksum does not cover this text.

    Parameters
    ----------
    path : path-like
        A file that :func:`read_sealed` has read.

    Returns
    -------
    str
    """
    said = json.loads(Path(path).read_text(encoding="utf-8")).get("written_by")
    return said[:80] if isinstance(said, str) and said.isprintable() else "somebody unknown"


def short(stored: Any, longest: int = 80) -> str:
    """What a file says, as far as a message quotes it."""
    text = repr(stored)
    return text if len(text) <= longest else text[: longest - 3] + "..."


def checksum_of(plain: Any) -> str:
    """That of a document with this content, of JSON's types."""
    text = json.dumps(plain, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _refuse(constant: str) -> None:
    raise ValueError(f"{constant} is not JSON")
