"""Work on the partitions of a table: one task for each, and sums in a tree whose shape depends on their number only."""

from __future__ import annotations

import functools
import itertools
import operator
import uuid
from collections.abc import Callable, Iterable, Sequence
from typing import Any

FAN_IN = 8
"""So many sums are added by one task. The tree is the same for any number of workers, and so are the last digits."""

Delayed = Any
"""Of dask.delayed: what a task will give."""


def mapped(
    work: Callable[..., Any],
    name: str,
    *columns: Sequence[Any],
    numbers: Iterable[int] | None = None,
) -> list[Delayed]:
    """One task for each partition.

    Parameters
    ----------
    work : callable
        Called with one element of each column.
    name : str
        What the tasks do, as their names tell on the dashboard and in errors.
    *columns : sequence
        Delayed or plain objects, one for each partition.
    numbers : iterable of int, optional
        Those of the partitions, if these are only some of all.

    Returns
    -------
    list of Delayed
        In the order of the partitions.
    """
    from dask import delayed

    task, run = delayed(work, traverse=False), uuid.uuid4().hex[:12]
    return [
        task(*arguments, dask_key_name=f"peculiar-{name}-{number}-{run}")
        for number, *arguments in zip(numbers or itertools.count(), *columns, strict=False)
    ]


def once(thing: Any, name: str) -> Delayed:
    """Something that many tasks take, as one node of their graph.

    The scheduler knows how to make it, so that it is not lost with a worker.
    """
    from dask import delayed

    return delayed(thing, name=f"peculiar-{name}-{uuid.uuid4().hex[:12]}", traverse=False)


def in_tree(parts: Sequence[Delayed], add: Callable[[Any, Any], Any] = operator.add) -> Delayed:
    """All parts added, in their order."""
    from dask import delayed

    task, level, run = delayed(_add_all, traverse=False), 0, uuid.uuid4().hex[:12]
    row = list(parts)
    while len(row) > 1:
        groups = [row[start : start + FAN_IN] for start in range(0, len(row), FAN_IN)]
        row = [
            task(group, add, dask_key_name=f"peculiar-add-{level}.{number}-{run}")
            for number, group in enumerate(groups)
        ]
        level += 1
    return row[0]


def _add_all(parts: Sequence[Any], add: Callable[[Any, Any], Any]) -> Any:
    return functools.reduce(add, parts)


def as_one_layer(tasks: Sequence[Delayed]) -> list[Delayed]:
    """The same tasks, with a graph that is not taken apart again for each of the many that depend on them."""
    return _tasks_of(_flat(tasks), [task.key for task in tasks])


def copies(tasks: Sequence[Delayed]) -> list[Delayed]:
    """The same tasks under other names, down to what they read: they are computed apart.

    ``dask.graph_manipulation.clone`` would do it, but leaves tasks of the present kind (2024.12 and later) as they are.
    """
    graph, ending = _flat(tasks), uuid.uuid4().hex[:12]
    new = {key: _renamed(key, ending) for key in graph}
    copied = {new[key]: _with_names(value, new, new[key]) for key, value in graph.items()}
    return _tasks_of(copied, [new[task.key] for task in tasks])


def _flat(tasks: Sequence[Delayed]) -> dict[Any, Any]:
    from dask.highlevelgraph import HighLevelGraph
    from dask.utils import ensure_dict

    return dict(ensure_dict(HighLevelGraph.merge(*(task.__dask_graph__() for task in tasks))))


def _tasks_of(graph: dict[Any, Any], keys: list[Any]) -> list[Delayed]:
    from dask.delayed import Delayed as Task
    from dask.highlevelgraph import HighLevelGraph

    name = f"peculiar-graph-{uuid.uuid4().hex}"
    layers = HighLevelGraph.from_collections(name, graph)
    return [Task(key, layers, layer=name) for key in keys]


def _renamed(key: Any, ending: str) -> Any:
    if isinstance(key, tuple):
        return (f"{key[0]}-{ending}", *key[1:])
    return f"{key}-{ending}"


def _with_names(value: Any, new: dict[Any, Any], key: Any = None) -> Any:
    """A task that depends on others by their new names: an object that can do that, or a tuple with a function."""
    if hasattr(value, "substitute"):
        needed = {name: new[name] for name in value.dependencies if name in new}
        return value.substitute(needed, key=key)
    if type(value) is tuple and value and callable(value[0]):
        return (value[0], *(_with_names(part, new) for part in value[1:]))
    if type(value) is list:
        return [_with_names(part, new) for part in value]
    try:
        return new.get(value, value)
    except TypeError:  # something that is no name
        return value
