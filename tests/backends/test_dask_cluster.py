"""Workers in other processes: nothing is lost in transport, and a fit survives workers that are killed."""

import contextlib
import os
import random
import signal
import threading
import time
import warnings
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from peculiar import OutlierDetector, RobustMixture
from peculiar.errors import ClusterError

da = pytest.importorskip("dask.array", reason="dask.array is not installed (the extra 'dask')")
distributed = pytest.importorskip("distributed", reason="distributed is not installed")

pytestmark = [
    # A worker that is killed leaves sockets, and threads of distributed that find them closed.
    pytest.mark.filterwarnings("ignore::ResourceWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnhandledThreadExceptionWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


def stars(n):
    rng = np.random.default_rng(0)
    errors = 10 ** rng.uniform(-2, 0, size=(n, 2))
    values = rng.standard_t(6, size=(n, 2)) + 4.0 * rng.integers(0, 2, size=(n, 1))
    values += errors * rng.normal(size=(n, 2))
    values[rng.random((n, 2)) < 0.05] = np.nan
    return values, errors


X, ERRORS = stars(21_000)
"""More rows than are taken into memory."""


def table(chunk=1800):
    return {
        "X": da.from_array(X, chunks=(chunk, 2)),
        "X_std": da.from_array(ERRORS, chunks=(chunk, 2)),
    }


def fitted(**given):
    settings = {"max_iter": 6, "tol": 0.0, "random_state": 0, "wild_fraction": "estimate"}
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)
        return RobustMixture(2, **settings).fit(**given)


@contextlib.contextmanager
def workers(n):
    with (
        distributed.LocalCluster(
            n_workers=n,
            threads_per_worker=1,
            host="127.0.0.1",
            dashboard_address="127.0.0.1:0",  # any port that is free
            scheduler_kwargs={"dashboard": False},
            silence_logs=50,
        ) as cluster,
        distributed.Client(cluster),
    ):
        yield cluster


def test_processes_give_what_this_one_gives():
    import dask

    with dask.config.set(scheduler="synchronous"):
        here = fitted(**table())
    detector = OutlierDetector.from_mixture(here)
    wanted = detector.p_values(X[:300], X_std=ERRORS[:300])
    with workers(2):
        there = fitted(**table())
        some = {name: array[:300] for name, array in table().items()}
        p = detector.p_values(**some).compute()
    np.testing.assert_array_equal(there.lower_bounds_, here.lower_bounds_)
    np.testing.assert_array_equal(there.scatters_, here.scatters_)
    np.testing.assert_array_equal(p, wanted)


class Piece(NamedTuple):
    """As long as its span, and wherever it is written that others are done."""

    span: range
    told: Path


def leave_the_rest_for_later(number, piece, _advance):
    """After two pieces, one for each worker, wait until somebody has heard that one is done."""
    began = piece.told.with_name(f"began-{number}")
    began.touch()
    until = time.monotonic() + 20.0
    while len(list(began.parent.glob("began-*"))) > 2 and not piece.told.exists():
        assert time.monotonic() < until, "nobody has heard of the pieces that are done"
        time.sleep(0.01)
    return number


def test_pieces_are_told_of_when_they_are_done_and_given_in_their_order(tmp_path):
    """Dask may begin with the last: the bar stood still until all were done."""
    from peculiar.report.in_parts import map_on_cluster

    told, lengths = tmp_path / "told", []
    pieces = [(number, Piece(range(10 * number), told)) for number in range(8)]

    def advance(n_rows):
        lengths.append(n_rows)
        told.touch()

    with workers(2):
        found = list(map_on_cluster(leave_the_rest_for_later, pieces, advance))
    assert found == list(range(8))
    assert sorted(lengths) == [10 * number for number in range(8)]


def test_without_workers_nobody_waits_for_ever():
    import dask

    limit = {"distributed.scheduler.no-workers-timeout": "0.5s"}
    with dask.config.set(limit), workers(1) as cluster:
        cluster.scale(0)
        with pytest.raises(ClusterError, match=r"no worker for 0\.5 s: .* Start workers"):
            fitted(**table())


def _timeout_of(dask_scheduler):
    return dask_scheduler.no_workers_timeout


def test_a_local_cluster_has_a_limit_unless_the_user_has_set_one():
    import dask

    from peculiar.backends.dask.local import local_cluster

    name = "distributed.scheduler.no-workers-timeout"
    for given, wanted in ((None, 300.0), ("7s", 7.0)):
        with dask.config.set({name: given}), local_cluster(1):
            client = distributed.default_client()
            assert client.run_on_scheduler(_timeout_of) == wanted


def _is_deaf():
    return signal.SIGINT in signal.pthread_sigmask(signal.SIG_BLOCK, ())


@pytest.mark.skipif(not hasattr(signal, "pthread_sigmask"), reason="no masks of signals")
def test_workers_do_not_hear_ctrl_c_also_those_that_come_later():
    from peculiar.backends.dask.local import local_cluster

    heard = signal.getsignal(signal.SIGINT)
    with local_cluster(1):
        client = distributed.default_client()
        assert all(client.run(_is_deaf).values())
        client.restart()
        assert all(client.run(_is_deaf).values())
        assert not _is_deaf()
        assert signal.getsignal(signal.SIGINT) is heard
    assert signal.getsignal(signal.SIGINT) is heard


def test_ctrl_c_while_a_cluster_is_started_is_heard_then(monkeypatch):
    from peculiar.backends.dask import local

    closed = []

    class Starting(contextlib.ExitStack):
        def __init__(self, **_):
            super().__init__()
            signal.raise_signal(signal.SIGINT)
            self.callback(closed.append, True)

    monkeypatch.setattr("dask.distributed.LocalCluster", Starting)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    try:
        with pytest.raises(KeyboardInterrupt), local.local_cluster(1):
            pass
    finally:
        signal.signal(signal.SIGINT, before)
    assert closed == [True]


def kill_one(cluster, after):
    """After some seconds, the process of one of the workers."""
    time.sleep(after)
    ids = [nanny.process.pid for nanny in cluster.workers.values() if nanny.process is not None]
    with contextlib.suppress(ProcessLookupError):
        os.kill(random.choice([number for number in ids if number]), signal.SIGKILL)


@contextlib.contextmanager
def killing(cluster, after):
    killer = threading.Thread(target=kill_one, args=(cluster, after))
    killer.start()
    yield
    killer.join()


@pytest.mark.slow
def test_a_worker_that_is_killed_changes_no_bit():
    moments = np.random.default_rng().random(10)
    with workers(2) as cluster:
        started = time.monotonic()
        wanted = fitted(**table())
        seconds = time.monotonic() - started
        for moment in moments:
            with killing(cluster, moment * seconds):
                again = fitted(**table())
            np.testing.assert_array_equal(again.lower_bounds_, wanted.lower_bounds_)
            np.testing.assert_array_equal(again.scatters_, wanted.scatters_)
        detector = OutlierDetector.from_mixture(wanted)
        started = time.monotonic()
        some = {name: array[:2000].rechunk((200, 2)) for name, array in table().items()}
        p = detector.p_values(**some).compute()
        seconds = time.monotonic() - started
        for moment in moments:
            with killing(cluster, moment * seconds):
                again = detector.p_values(**some).compute()
            np.testing.assert_array_equal(again, p)


@pytest.mark.slow
def test_a_partition_that_kills_its_workers_is_given_up_and_named():
    import dask

    from peculiar import Partitions
    from peculiar.estimators.partition_work import Measured

    def night(number):
        if number == 3:
            os.kill(os.getpid(), signal.SIGKILL)
        return Measured(X[:100], ERRORS[:100])

    parts = [
        dask.delayed(night)(number, dask_key_name=f"peculiar-read-{number}-night")
        for number in range(5)
    ]
    # Dask suspects each task that a dying worker holds: here the one it computes, and the next.
    limit = {"distributed.scheduler.allowed-failures": 1}
    message = r"partition [34] \((read|check)\): the workers .* died.*allowed-failures=1 allows"
    with dask.config.set(limit), workers(1), pytest.raises(ClusterError, match=message):
        fitted(X=Partitions(parts, 2))
