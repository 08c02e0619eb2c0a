"""The folder beside an output in which a long run keeps what is done, for the same run to go on after it was killed."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import IO, Any

from peculiar.catalogue.formats.several import place_of
from peculiar.catalogue.many import find_places
from peculiar.errors import OutputError
from peculiar.files import naming_full_disk, write_whole

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # on Windows
    fcntl = None

_ABOUT, _LOCK = "run.json", "lock"


@dataclass(frozen=True)
class RunFolder:
    """Where a run keeps what is done.

    Attributes
    ----------
    path : Path
    kept : dict
        What was decided when the run began, and holds when it goes on.
    is_continued : bool
        Whether an earlier run began here.
    others : tuple of Path
        Folders of other runs with the same output, which nobody has finished.
    """

    path: Path
    kept: Mapping[str, Any]
    is_continued: bool = False
    others: tuple[Path, ...] = ()


@contextlib.contextmanager
def run_folder(
    out: Path | None, identity: Mapping[str, Any], kept: Mapping[str, Any]
) -> Iterator[RunFolder]:
    """The folder of a run. It is removed when the block ends without an error, and else stays for the next time.

    Parameters
    ----------
    out : Path or None
        The file that will be written. Without one the folder is a temporary one, and never stays.
    identity : dict
        What makes a run the same: plain values. With others the folder is another one.
    kept : dict
        What a new run decides; a run that goes on keeps what was decided.

    Yields
    ------
    RunFolder
        OutputError if another process works in it.
    """
    if out is None:
        with tempfile.TemporaryDirectory(prefix="peculiar-") as folder:
            yield RunFolder(Path(folder), kept)
        return
    text = json.dumps(identity, sort_keys=True)
    digest = hashlib.sha256(text.encode()).hexdigest()
    start = f".{out.name}.parts-"
    path = out.parent / f"{start}{digest[:12]}"
    others = tuple(sorted(each for each in out.parent.glob(f"{start}*") if each != path))
    with _alone(path, out):
        with naming_full_disk(out, out.parent):
            known = _decided(path, identity, kept)
            if known is None:
                _empty(path)
                write_whole(path / _ABOUT, json.dumps({"identity": identity, "kept": kept}))
        yield RunFolder(path, kept if known is None else known, known is not None, others)
        _remove(path, out.parent / f".{out.name}.removed-{digest[:12]}")


@contextlib.contextmanager
def _alone(path: Path, out: Path) -> Iterator[None]:
    """The folder is there, and no other process works in it; OutputError if one does.

    The system takes the lock away when a process ends, however it ends. Where there is no such lock, nobody is refused.
    """
    if fcntl is None:
        path.mkdir(exist_ok=True)
        yield
        return
    file = None
    while file is None:
        file = _locked(path, out)
    with file:
        yield


def _locked(path: Path, out: Path) -> IO[bytes] | None:
    """The lock of a folder, which is made if need be; None if whoever had it has just removed the folder."""
    with naming_full_disk(out, out.parent), contextlib.ExitStack() as opened:
        path.mkdir(exist_ok=True)
        try:
            file = opened.enter_context((path / _LOCK).open("ab"))
        except FileNotFoundError:
            return None
        _lock(file.fileno(), out)
        if not _is_same(file.fileno(), path / _LOCK):
            return None
        opened.pop_all()
        return file


def _lock(number: int, out: Path) -> None:
    assert fcntl is not None, "else nobody asks"
    try:
        fcntl.flock(number, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        raise OutputError(
            f"another process is making this list ({out}) now; wait until it has ended, or choose another --out"
        ) from None
    except OSError:
        return  # a disk that has no locks, as some in a network


def _is_same(number: int, path: Path) -> bool:
    """Whether the file of that name is still the one that is open."""
    try:
        return os.path.samestat(os.fstat(number), path.stat())
    except FileNotFoundError:
        return False


def _empty(path: Path) -> None:
    """Remove all that is in a folder, but for the lock."""
    for each in path.iterdir():
        if each.is_dir():
            shutil.rmtree(each, ignore_errors=True)
        elif each.name != _LOCK:
            each.unlink()


def _remove(path: Path, aside: Path) -> None:
    """Remove a folder. It gets another name first: whoever comes meanwhile finds all of it or nothing."""
    shutil.rmtree(aside, ignore_errors=True)
    path.rename(aside)
    shutil.rmtree(aside)


def _decided(
    path: Path, identity: Mapping[str, Any], new: Mapping[str, Any]
) -> dict[str, Any] | None:
    """What the same run decided when it began; None if there was none, or what it left is damaged."""
    try:
        said = json.loads((path / _ABOUT).read_text(encoding="utf-8"))
        kept, asked = said["kept"], said["identity"]
    except (OSError, ValueError, KeyError, TypeError):
        return None
    is_same = asked == json.loads(json.dumps(identity)) and isinstance(kept, dict)
    return kept if is_same and set(kept) == set(new) else None


def files_of(path: Path, table: int | str | None = None) -> Sequence[Sequence[str | int]]:
    """Which files a catalogue is made of, and how long and old they are: another content is another catalogue."""
    places = find_places(path, table) or (place_of(path, table),)
    about = [(place, place.path.resolve(), place.path.stat()) for place in places]
    return [
        [str(full), str(place.table), stat.st_size, stat.st_mtime_ns] for place, full, stat in about
    ]
