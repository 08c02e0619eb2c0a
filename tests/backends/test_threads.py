"""Threads are kept between calls; nobody may notice."""

import multiprocessing
import subprocess
import sys
import threading
import time
from concurrent.futures import wait

import pytest

from peculiar.backends import threads
from peculiar.backends.threads import in_threads


def test_results_come_in_order():
    def slow_first(part):
        time.sleep(0.02 if part == 0 else 0.0)
        return part * part

    assert in_threads(slow_first, range(9), 3) == [i * i for i in range(9)]


def test_threads_are_kept():
    names = set()
    barrier = threading.Barrier(2)

    def note(_):
        barrier.wait(timeout=30.0)  # so that both have to come
        names.add(threading.current_thread().ident)

    for _ in range(5):
        in_threads(note, range(4), 2)
    assert len(names) == 2


def test_no_more_threads_than_wanted():
    at_work, most, lock = 0, 0, threading.Lock()

    def work(_):
        nonlocal at_work, most
        with lock:
            at_work += 1
            most = max(most, at_work)
        time.sleep(0.002)
        with lock:
            at_work -= 1

    in_threads(work, range(8), 4)
    assert most <= 4
    most = 0
    in_threads(work, range(20), 2)
    assert most <= 2


def test_an_error_ends_all_work():
    begun, ended = [], []

    def work(part):
        begun.append(part)
        time.sleep(0.005)
        ended.append(part)
        if part == 1:
            raise ArithmeticError("one part fails")

    with pytest.raises(ArithmeticError):
        in_threads(work, range(100), 2)
    assert sorted(begun) == sorted(ended)
    assert len(begun) < 100
    assert in_threads(str, range(3), 2) == ["0", "1", "2"]


def test_an_interrupt_ends_all_work(monkeypatch):
    begun, ended, waits = [], [], []

    def work(part):
        begun.append(part)
        time.sleep(0.005)
        ended.append(part)

    def interrupted(futures, **options):
        waits.append(options)
        if options:  # the caller is waiting for the first error
            time.sleep(0.02)
            raise KeyboardInterrupt
        return wait(futures, **options)

    monkeypatch.setattr(threads, "wait", interrupted)
    with pytest.raises(KeyboardInterrupt):
        in_threads(work, range(100), 2)
    assert len(waits) == 2
    assert sorted(begun) == sorted(ended)
    assert 0 < len(begun) < 100


def test_work_within_work_does_not_wait_for_ever():
    def outer(part):
        return sum(in_threads(lambda inner: inner * part, range(4), 2))

    assert in_threads(outer, range(6), 2) == [6 * part for part in range(6)]


def _squares(_):
    return in_threads(lambda part: part * part, range(6), 2)


@pytest.mark.skipif(
    "fork" not in multiprocessing.get_all_start_methods(), reason="there is no fork here"
)
@pytest.mark.filterwarnings("ignore:.*fork:DeprecationWarning")  # that is what is tested
def test_a_forked_process_has_threads_of_its_own():
    expected = _squares(None)  # the threads of this process are there, then
    with multiprocessing.get_context("fork").Pool(2) as pool:
        assert pool.map_async(_squares, range(4)).get(timeout=60.0) == [expected] * 4


def test_threads_do_not_keep_python_from_ending():
    code = "from peculiar.backends.threads import in_threads\nprint(in_threads(abs, range(4), 2))"
    ended = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=120, check=True
    )
    assert ended.stdout.strip() == "[0, 1, 2, 3]"
    assert ended.stderr == ""
