"""Where real catalogues are. None comes with the package: they are found on this computer, or fetched once."""

from __future__ import annotations

import os
from collections.abc import Iterable
from pathlib import Path

from peculiar.errors import MissingDataError
from peculiar.files import write_whole

FOLDER_VARIABLE = "PECULIAR_DATA"
"""Environment variable with the folder in which catalogues are."""


def find_file(names: Iterable[str], url: str) -> Path:
    """Path of a catalogue. Its names are tried in order; the file is fetched if none is found and no folder is set.

    Parameters
    ----------
    names : iterable of str
    url : str
        Where the last of the names can be fetched from.

    Returns
    -------
    Path
    """
    names = tuple(names)
    given = os.environ.get(FOLDER_VARIABLE)
    folder = Path(given) if given else _cache_folder()
    for name in names:
        if (folder / name).is_file():
            return folder / name
    if given:
        raise MissingDataError(
            f"{FOLDER_VARIABLE} is {given!r}, but there is no {' or '.join(names)}; fetch {url} into that folder, "
            "or unset the variable to have it fetched"
        )
    target = folder / names[-1]
    try:
        text = download(url)
        folder.mkdir(parents=True, exist_ok=True)
        write_whole(target, text)
    except OSError as error:
        raise MissingDataError(
            f"there is no {' or '.join(names)} in {folder}, and {url} could not be fetched ({error}); fetch it by "
            f"other means, and set {FOLDER_VARIABLE} to the folder it is in"
        ) from None
    return target


def download(url: str) -> str:
    """Fetch the text at an address; OSError if it cannot be fetched completely.

    Parameters
    ----------
    url : str

    Returns
    -------
    str
    """
    from http.client import HTTPException
    from urllib.request import urlopen

    try:
        with urlopen(url, timeout=60) as answer:  # noqa: S310 (our own https addresses)
            content: bytes = answer.read()
    except HTTPException as error:
        raise OSError(str(error) or "the connection broke") from error
    return content.decode("ascii", errors="replace")


def _cache_folder() -> Path:
    base = os.environ.get("XDG_CACHE_HOME")
    return (Path(base) if base else Path.home() / ".cache") / "peculiar"
