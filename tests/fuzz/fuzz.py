"""``make fuzz``: damaged files for every reader and for model files, for two minutes.

A reader may read what is left of a file, or refuse it with one of our errors; anything else is found: another error, a
message that fills more than a screen, a warning, or a crash, which ends a process of its own::

    python -m tests.fuzz.fuzz --seconds 120 [TARGET ...]
"""

import argparse
import multiprocessing
import os
import sys
import tempfile
import time
import traceback
import warnings
from pathlib import Path

from hypothesis import HealthCheck, Phase, settings
from hypothesis import given as with_data
from hypothesis import seed as seeded

from tests.fuzz.damage import damaged
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


def check(form, path):
    """Read a file in all ways; PeculiarError is fine, anything else is not."""
    from peculiar.catalogue import count_rows, list_columns, list_tables, read
    from peculiar.errors import PeculiarError
    from peculiar.estimators.plain import PlainMixture

    ways = [lambda: PlainMixture.load(path)] if form == "model" else [
        lambda: list_tables(path, format=form),
        lambda: list_columns(path, format=form),
        lambda: count_rows(path, format=form),
        lambda: read(path, format=form),
    ]  # fmt: skip
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


def run(form, given, until, number, folder):
    """Damage and read until the time is over; what was read last is left in the folder."""
    _limit_memory()
    path = Path(folder) / f"last.{form}"
    count = 0

    def one(content):
        nonlocal count
        count += 1
        path.write_bytes(content)
        check(form, path)

    try:
        while time.monotonic() < until:
            number += 1
            seeded(number)(BATCH(with_data(damaged(given, form))(one)))()
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


def fuzz(names, seconds, number):
    """Each target in a process of its own, one after another; the number of targets that failed."""
    available = seeds()
    unknown = set(names) - set(available)
    if unknown:
        raise SystemExit(f"no target {min(unknown)!r}; there are {', '.join(available)}")
    names = names or list(available)
    failed = 0
    with tempfile.TemporaryDirectory() as folder:
        for name in names:
            until = time.monotonic() + seconds / len(names)
            arguments = (name, available[name], until, number, folder)
            process = multiprocessing.get_context("fork").Process(target=run, args=arguments)
            process.start()
            process.join(seconds / len(names) + HANGS)
            if process.is_alive():
                process.kill()
                process.join()
            failed += _report(name, process.exitcode, Path(folder))
    return failed


def _report(name, code, folder):
    if code == 0:
        count = (folder / f"count.{name}").read_text()
        print(f"{name}: {count} damaged files, all read or refused")
        return 0
    kept = Path(f"fuzz-{name}.bin")
    kept.write_bytes((folder / f"last.{name}").read_bytes())
    what = "see above" if code == 1 else f"the process ended with {code}"
    print(f"{name}: FOUND ({what}); the file is kept as {kept}")
    return 1


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description="Damaged files for every reader.")
    parser.add_argument("targets", nargs="*")
    parser.add_argument("--seconds", type=float, default=120.0, help="for all targets together")
    parser.add_argument("--seed", type=int, default=int(time.time()))
    options = parser.parse_args()
    print(f"seed {options.seed}")
    sys.exit(fuzz(options.targets, options.seconds, options.seed) > 0)
