"""A cluster of this computer, or one that is there already."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from importlib.util import find_spec
from typing import NamedTuple

from peculiar.backends.dask.ctrl_c import ctrl_c_ignored, ctrl_c_later, deaf_to_ctrl_c
from peculiar.errors import ClusterError
from peculiar.install import how_to_install

ALONE = "5 minutes"
"""How long a local cluster that has lost all of its workers, and cannot start others, waits for one: not for ever."""


class Cluster(NamedTuple):
    """A cluster that is used now.

    Attributes
    ----------
    n_workers : int
    dashboard : str
        Address of the page on which its work can be watched; empty if there is none.
    """

    n_workers: int
    dashboard: str


@contextlib.contextmanager
def local_cluster(n_workers: int) -> Iterator[Cluster]:
    """So many processes of this computer, each with one thread, which nobody outside it can reach."""
    _require()
    from dask import config
    from dask.distributed import Client, LocalCluster

    has_dashboard = find_spec("bokeh") is not None
    alone = "distributed.scheduler.no-workers-timeout"
    with config.set({alone: config.get(alone, None) or ALONE}):
        opened = contextlib.ExitStack()
        try:
            with ctrl_c_later(), deaf_to_ctrl_c():
                cluster = opened.enter_context(
                    LocalCluster(
                        n_workers=n_workers,
                        threads_per_worker=1,
                        host="127.0.0.1",
                        dashboard_address="127.0.0.1:0",  # any port that is free, also if nothing is shown
                        scheduler_kwargs={"dashboard": has_dashboard},
                        silence_logs=50,  # what a user has to know is said by errors
                    )
                )
            opened.enter_context(Client(cluster))
            _stop_watching_memory()
            yield Cluster(n_workers, cluster.dashboard_link if has_dashboard else "")
        finally:
            with ctrl_c_ignored():  # it takes seconds, and half of it leaves processes behind
                opened.close()


def _stop_watching_memory() -> None:
    """The scheduler measures how long Python tidies its memory up; a Ctrl-C during that would be shown, and lost."""
    with contextlib.suppress(ImportError):
        from distributed.gc import disable_gc_diagnosis

        disable_gc_diagnosis(force=True)


@contextlib.contextmanager
def cluster_at(address: str) -> Iterator[Cluster]:
    """A cluster by the address of its scheduler: ``tcp://10.0.0.7:8786``."""
    _require()
    from dask.distributed import Client

    try:
        client = Client(address)
    except (OSError, ValueError) as error:
        raise ClusterError(f"no scheduler of Dask answers at {address}: {error}") from None
    with client:
        yield Cluster(len(client.nthreads()), client.dashboard_link)


def _require() -> None:
    if find_spec("distributed") is None:
        raise ClusterError(
            f"a cluster needs Dask's distributed, which is not installed: {how_to_install('dask')}"
        )
