"""Where tasks are run: in threads of this process, or on the cluster of the current client."""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from peculiar.backends.dask.tasks import Delayed, in_one_layer, mapped, once
from peculiar.errors import ClusterError, PeculiarError

SHARE = 0.5
"""Of the memory of the workers, so much may be filled with rows; the rest is for work, and for those who share it."""


AT_A_TIME = 64
"""Partitions that are made together when one that fails is looked for."""


def compute(
    task: Delayed, parts: Sequence[Delayed] = (), numbers: Iterable[int] | None = None
) -> Any:
    """What a task gives; see :func:`compute_all`."""
    (result,) = compute_all([task], parts, numbers)
    return result


def compute_all(
    tasks: Sequence[Delayed], parts: Sequence[Delayed] = (), numbers: Iterable[int] | None = None
) -> list[Any]:
    """What each of some tasks gives.

    Parameters
    ----------
    tasks : sequence of Delayed
    parts : sequence of Delayed
        The partitions that they need: if there is an error, it is one of these that is looked for.
    numbers : iterable of int, optional
        Those of the partitions, if these are only some of all.

    Returns
    -------
    list

    Raises
    ------
    ClusterError
        If a partition cannot be made, or so many workers died at it that the scheduler does not try again.
    """
    import dask

    try:
        with _naming():
            return list(dask.compute(*tasks))
    except PeculiarError:
        raise
    except Exception as error:
        failing = find_failing(parts)
        if failing is None:
            raise
        number = failing if numbers is None else list(numbers)[failing]
        raise ClusterError(
            f"partition {number} cannot be made: {type(error).__name__}: {error}"
        ) from error


def find_failing(parts: Sequence[Delayed]) -> int | None:
    """The first partition that cannot be made, as the error of a task does not say which it needed."""
    import dask

    for start in range(0, len(parts), AT_A_TIME):
        some = parts[start : start + AT_A_TIME]
        if not _works(dask.compute, mapped(_touch, "touch", some)):
            alone = (i for i, part in enumerate(some) if not _works(dask.compute, [part]))
            return next((start + i for i in alone), None)
    return None


def _works(function: Callable[..., Any], arguments: Sequence[Any]) -> bool:
    try:
        function(*arguments)
    except Exception:  # noqa: BLE001 (whatever it is)
        return False
    return True


def _touch(_part: Any) -> None:
    """Something to ask of a partition that sends nothing here."""


def persist(tasks: Sequence[Delayed]) -> list[Delayed]:
    """The same tasks, computed from now on and kept where they were computed.

    If a worker is lost, what it kept is computed again from the graph.
    """
    import dask

    return in_one_layer(dask.persist(*tasks))


def fits(n_bytes: int) -> bool:
    """Whether rows of this size can be kept in the memory of the workers, or here if there are none."""
    return n_bytes < SHARE * _memory()


def _memory() -> float:
    """Bytes of memory that the workers may use together; free memory, if the work is done in this process."""
    client = _client()
    if client is None:
        return _free_memory()
    limits = [worker["memory_limit"] for worker in _workers(client)]
    return sum(limit or _free_memory() for limit in limits) if limits else _free_memory()


def _workers(client: Any) -> list[dict[str, Any]]:
    try:
        info = client.scheduler_info(
            n_workers=-1
        )  # later versions tell of five unless they are asked for all
    except TypeError:
        info = client.scheduler_info()
    return list(info["workers"].values())


def _client() -> Any:
    """The client that computes, if it is one of a cluster."""
    from dask.base import get_scheduler

    return getattr(get_scheduler(), "__self__", None)


def _free_memory() -> float:
    try:
        return float(os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE"))
    except (AttributeError, ValueError, OSError):  # not on every system
        return 2e9


def _why_killed(error: Any) -> str:
    task, limit = str(error.task), getattr(error, "allowed_failures", None)
    ours = re.match(r"peculiar-([a-z]+)-(\d+)-", task)
    what = f"partition {ours[2]} ({ours[1]})" if ours else f"the task {task}"
    allowed = (
        ""
        if limit is None
        else f", more than distributed.scheduler.allowed-failures={limit} allows"
    )
    return (
        f"{what}: the workers that computed it died, one after the other{allowed}. (Or another did it, which they held "
        "beside this one.) Often it is memory: make partitions smaller, or give the workers more; "
        "dask.config.set({'distributed.scheduler.allowed-failures': 10}) before the cluster is made lets it be tried "
        "more often"
    )


def _why_alone(error: Any) -> str:
    return (
        f"there has been no worker for {error.timeout:g} s: all were lost, or none has come. Start workers and ask "
        "again (a fit with a checkpoint goes on where it was); "
        "dask.config.set({'distributed.scheduler.no-workers-timeout': '1 hour'}) before the cluster is made lets it "
        "wait longer"
    )


_REASONS: dict[str, Callable[[Any], str]] = {
    "KilledWorker": _why_killed,
    "NoWorkerError": _why_alone,
}
"""By the name of the error: Dask is not imported for this."""


def each_on_cluster(
    work: Callable[[int, Any], Any],
    numbered: Sequence[tuple[int, Any]],
    tell: Callable[[Any], None] = lambda _thing: None,
) -> Iterator[Any]:
    """Work on numbered things on the cluster of the current client; what it gives, in their order.

    The cluster may do the last of them first: who wants to know how far it is must be told of each.

    Parameters
    ----------
    work : callable
        Called with the number and the thing; may be done twice if a worker is lost.
    numbered : sequence of (int, object)
    tell : callable, optional
        Called with each thing when it is done, in any order.

    Yields
    ------
    object
    """
    from dask.distributed import as_completed

    numbers, things = zip(*numbered, strict=True) if numbered else ((), ())
    shared = [once(work, "work")] * len(numbers)
    tasks = mapped(_apply, "piece", shared, numbers, things, numbers=numbers)
    futures = _client().compute(tasks)
    places, results, n_yielded = {future.key: i for i, future in enumerate(futures)}, {}, 0
    try:
        for future in as_completed(futures):
            place = places[future.key]
            with _naming():
                results[place] = future.result()
            tell(things[place])
            while n_yielded in results:
                yield results.pop(n_yielded)
                n_yielded += 1
    finally:
        _client().cancel(futures)


def _apply(work: Callable[[int, Any], Any], number: int, thing: Any) -> Any:
    return work(number, thing)


@contextlib.contextmanager
def _naming() -> Iterator[None]:
    """Say it in words if the scheduler gives up."""
    try:
        yield
    except Exception as error:
        reason = _REASONS.get(type(error).__name__)
        if reason is None:
            raise
        raise ClusterError(reason(error)) from error
