"""Where compiled code is kept between processes; what if there is no place for it, or if it is damaged.

All of this leans on what is private to Numba. Where that has moved, Numba's own ways are left, and nobody notices but
those with a read-only home or a broken disk.
"""

from __future__ import annotations

import atexit
import hashlib
import logging
import os
import shutil
import stat
import tempfile
from collections.abc import Callable
from contextlib import suppress
from functools import lru_cache
from pathlib import Path
from typing import Any

from numba import config

_LOGGER = logging.getLogger("peculiar")


def with_cache(decorator: Callable[..., Any], function: Callable[..., Any], **options: Any) -> Any:
    """``decorator(cache=True, **options)(function)``, with the cache where there is a place for it.

    That is where Numba finds one: beside the sources, or in the user's cache. If it finds none (a read-only
    installation and no writable home), it is a private temporary folder, and if there is none either, nothing is kept.
    """
    try:
        return decorator(cache=True, **options)(function)
    except RuntimeError as error:
        if not _has_no_place(error):
            raise
    before = config.CACHE_DIR
    if folder := private_folder():
        try:
            config.CACHE_DIR = folder
            return decorator(cache=True, **options)(function)
        except RuntimeError as error:
            if not _has_no_place(error):
                raise
        finally:
            config.CACHE_DIR = before
    return decorator(**options)(function)


def _has_no_place(error: RuntimeError) -> bool:
    return "cannot cache function" in str(error)


@lru_cache
def private_folder() -> str:
    """A temporary folder that only this user can write to, the same for every process; empty if there is none.

    Code from it is executed, so a folder that somebody else has made, or can write to, is not used.
    """
    try:
        folder = Path(tempfile.gettempdir()) / f"peculiar-cache-{_user()}"
        with suppress(FileExistsError):
            folder.mkdir(mode=0o700)
        if not _is_private(folder):
            folder = Path(tempfile.mkdtemp(prefix="peculiar-cache-"))
            atexit.register(shutil.rmtree, folder, ignore_errors=True)
    except OSError:
        _LOGGER.warning(
            "peculiar: compiled code cannot be kept anywhere, so that every process compiles anew; set NUMBA_CACHE_DIR "
            "to a folder that can be written to"
        )
        return ""
    _LOGGER.warning(
        "peculiar: compiled code can be kept neither beside the package nor in your home; it is kept in %s. Set "
        "NUMBA_CACHE_DIR to a folder of yours to keep it for good",
        folder,
    )
    return str(folder)


def _user() -> int | str:
    return os.getuid() if hasattr(os, "getuid") else "shared"


def _is_private(folder: Path) -> bool:
    about = folder.lstat()
    if not hasattr(os, "getuid"):
        return False  # permissions mean little there
    is_open = about.st_mode & 0o077
    return stat.S_ISDIR(about.st_mode) and about.st_uid == os.getuid() and not is_open


# ------------------------------------------------------------------------------------ damage


def forgive_damage(cache: Any, cache_file: Any) -> None:
    """Let damaged files of a function's cache count as absent, so that it is compiled again.

    An index that cannot be read is empty. Machine code has a digest beside it: one wrong bit in it would end the
    process, not raise an error. What cannot be saved (a full disk) is not kept.
    """
    cache_file._load_index = _or_else(cache_file._load_index, dict)
    cache_file._load_data = _checked(cache_file._load_data, cache_file._data_path)
    cache_file._save_data = _with_digest(cache_file._save_data, cache_file._data_path)
    cache.load_overload = _or_else(cache.load_overload, lambda: None)
    cache.save_overload = _or_else(cache.save_overload, lambda: None, OSError)


def again_if_damaged(make: Callable[[], Any], index: Path | None) -> Any:
    """What ``make`` gives; if it fails, once more without the index of its cache."""
    try:
        return make()
    except Exception:
        if index is None or not index.exists():
            raise
        index.unlink()
        return make()


def _or_else(
    function: Callable[..., Any], otherwise: Callable[[], Any], kind: type[Exception] = Exception
) -> Callable[..., Any]:
    def forgiving(*arguments: Any) -> Any:
        try:
            return function(*arguments)
        except (
            kind
        ):  # whatever a damaged pickle, or machine code, can raise: there is no list of it
            return otherwise()

    return forgiving


def _with_digest(save: Callable[..., Any], path_of: Callable[[str], str]) -> Callable[..., Any]:
    def save_with_digest(name: str, data: Any) -> None:
        save(name, data)
        path = Path(path_of(name))
        _digest_of(path).write_text(hashlib.sha256(path.read_bytes()).hexdigest(), encoding="ascii")

    return save_with_digest


def _checked(load: Callable[..., Any], path_of: Callable[[str], str]) -> Callable[..., Any]:
    def load_checked(name: str) -> Any:
        path = Path(path_of(name))
        stored = _digest_of(path).read_bytes()
        if stored != hashlib.sha256(path.read_bytes()).hexdigest().encode():
            raise OSError("damaged")  # for Numba: not there
        return load(name)

    return load_checked


def _digest_of(path: Path) -> Path:
    return path.with_name(path.name + ".sha256")
