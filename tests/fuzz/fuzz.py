"""``make fuzz``: damaged files for every reader and for model files, for two minutes.

A reader may read what is left of a file, or refuse it with one of our errors; anything else is found: another error, a
message that fills more than a screen, a warning, a crash or a hang, each of which ends a process of its own::

    python -m tests.fuzz.fuzz --seconds 120 [TARGET ...]

``test_control.py`` holds it to that, with readers that are wrong on purpose.
"""

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
import traceback
import warnings
from functools import partial
from pathlib import Path

from hypothesis import HealthCheck, Phase, settings
from hypothesis import given as with_data
from hypothesis import seed as seeded

from tests.fuzz.damage import damaged, misfilled
from tests.fuzz.seeds import seeds

LONGEST = 1500
MEMORY = 4 << 30
HANGS = 60.0  # seconds beyond its time
BATCH = settings(
    max_examples=25,  # the time is looked at between batches
    deadline=None,
    database=None,
    phases=[Phase.generate],
    suppress_health_check=list(HealthCheck),
)


def ways_to_read(form, path):
    """All that reads a file."""
    from peculiar.catalogue import count_rows, list_columns, list_tables, read
    from peculiar.estimators.plain import PlainMixture

    if form == "model":
        return [lambda: PlainMixture.load(path)]
    return [
        partial(way, path, format=form) for way in (list_tables, list_columns, count_rows, read)
    ]


def check(ways):
    """PeculiarError is fine, anything else is not."""
    from peculiar.errors import PeculiarError

    for way in ways:
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                way()
        except PeculiarError as error:
            if len(str(error)) > LONGEST:
                raise AssertionError(f"a message of {len(str(error))} characters") from error
        except MemoryError:
            pass  # said as such, and the limit is ours


def run(form, given, ways, until, number, folder):
    """Damage and read until the time is over; what was read last is left in the folder."""
    _limit_memory()
    path = Path(folder) / f"last.{form}"
    contents = damaged(given, form) | misfilled(given) if form == "model" else damaged(given, form)
    count = 0

    def one(content):
        nonlocal count
        count += 1
        path.write_bytes(content)
        check(ways(form, path))

    try:
        while time.monotonic() < until:
            number += 1
            seeded(number)(BATCH(with_data(contents)(one)))()
    except Exception:  # noqa: BLE001 (whatever it is, it is found)
        traceback.print_exc()
        os._exit(1)
    (Path(folder) / f"count.{form}").write_text(str(count))
    os._exit(0)


def _limit_memory():
    """A file that asks for more than this is refused by the system, as MemoryError."""
    try:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    except (ImportError, ValueError):
        pass


def fuzz(targets, seconds, number, *, ways=ways_to_read, hangs=HANGS, kept=Path()):
    """Each target in a process of its own, one after another; the names of those that failed.

    ``targets`` maps names to files that are whole, and ``ways`` gives the ways to read a damaged one.
    """
    failed = []
    with tempfile.TemporaryDirectory() as folder:
        for name, given in targets.items():
            until = time.monotonic() + seconds / len(targets)
            arguments = (name, given, ways, until, number, folder)
            process = multiprocessing.get_context("fork").Process(target=run, args=arguments)
            process.start()
            process.join(seconds / len(targets) + hangs)
            if process.is_alive():
                process.kill()
                process.join()
            if not _is_clean(name, process.exitcode, Path(folder), kept):
                failed.append(name)
    return failed


def _is_clean(name, code, folder, kept):
    if code == 0:
        count = (folder / f"count.{name}").read_text()
        print(f"{name}: {count} damaged files, all read or refused", flush=True)
        return True
    file, last = kept / f"fuzz-{name}.bin", folder / f"last.{name}"
    what = "see above" if code == 1 else f"the process ended with {code}"
    if not last.exists():  # on a busy computer it may be killed before it has begun
        print(f"{name}: FOUND ({what}), before any file was read", flush=True)
        return False
    file.write_bytes(last.read_bytes())
    print(f"{name}: FOUND ({what}); the file is kept as {file}", flush=True)
    return False


def chosen(names):
    """The targets of these names; all if there are none."""
    available = seeds()
    if unknown := set(names) - set(available):
        raise SystemExit(f"no target {min(unknown)!r}; there are {', '.join(available)}")
    return {name: available[name] for name in names or available}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Damaged files for every reader.")
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--seconds", type=float, default=120.0, help="for all targets together")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    print(f"seed {options.seed}")
    sys.exit(bool(fuzz(chosen(options.targets), options.seconds, options.seed)))
