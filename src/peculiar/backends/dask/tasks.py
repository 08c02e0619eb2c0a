"""Work on the partitions of a table: one task for each, and sums in a tree whose shape depends on their number only.

Graphs are put together here, and not by calls of ``dask.delayed``: these take a millisecond each, which is ten seconds
for each pass over 10,000 partitions.
"""

from __future__ import annotations

import functools
import itertools
import operator
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
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
        Delayed, or numbers and objects that are no containers, one for each partition.
    numbers : iterable of int, optional
        Those of the partitions, if these are only some of all.

    Returns
    -------
    list of Delayed
        In the order of the partitions.
    """
    run, counted = _new_name(), itertools.count() if numbers is None else numbers
    layer = {
        f"peculiar-{name}-{number}-{run}": (work, *map(_key_of, arguments))
        for number, arguments in zip(counted, zip(*columns, strict=True), strict=False)
    }
    return _tasks(layer, layer, itertools.chain(*columns))


def once(thing: Any, name: str) -> Delayed:
    """Something that many tasks take, as one node of their graph.

    The scheduler knows how to make it, so that it is not lost with a worker.
    """
    from dask import delayed

    return delayed(thing, name=f"peculiar-{name}-{_new_name()}", traverse=False)


def in_tree(parts: Sequence[Delayed], add: Callable[[Any, Any], Any] = operator.add) -> Delayed:
    """All parts added, in their order."""
    run, add_all = _new_name(), functools.partial(_add_all, add)
    layer, row = dict[str, Any](), [part.key for part in parts]
    for level in itertools.count():
        if len(row) == 1 and level:
            return _tasks(layer, row, parts)[0]
        groups = [row[start : start + FAN_IN] for start in range(0, len(row), FAN_IN)]
        row = [f"peculiar-add-{number}-{level}-{run}" for number in range(len(groups))]
        layer.update(zip(row, ((add_all, group) for group in groups), strict=True))
    raise AssertionError("a tree has a top")


def _add_all(add: Callable[[Any, Any], Any], parts: Sequence[Any]) -> Any:
    return functools.reduce(add, parts)


def copies(tasks: Sequence[Delayed]) -> list[Delayed]:
    """The same tasks under other names, down to what they read: they are computed apart.

    ``dask.graph_manipulation.clone`` would do it, but leaves tasks of the present kind (2024.12 and later) as they are.
    """
    graph, ending = _flat(tasks), _new_name()
    new = {key: _renamed(key, ending) for key in graph}
    copied = {new[key]: _with_names(value, new, new[key]) for key, value in graph.items()}
    return _tasks(copied, [new[task.key] for task in tasks], ())


def in_one_layer(tasks: Sequence[Delayed]) -> list[Delayed]:
    """The same tasks, with one graph for all of them: it need not be put together from many for every pass."""
    return _tasks(_flat(tasks), [task.key for task in tasks], ())


def graph_with(name: str, layer: Mapping[Any, Any], needed: Iterable[Any]) -> Any:
    """The graph of these tasks and of all that they need."""
    from dask.highlevelgraph import HighLevelGraph

    tasks = {id(task): task for task in needed if _is_task(task)}
    graphs = [(task, task.dask) for task in tasks.values()]  # some make it when they are asked
    different = {id(graph): task for task, graph in graphs}  # most have theirs in common
    return HighLevelGraph.from_collections(name, layer, list(different.values()))


def _tasks(layer: Mapping[Any, Any], keys: Iterable[Any], needed: Iterable[Any]) -> list[Delayed]:
    from dask.delayed import Delayed as Task

    name = f"peculiar-graph-{_new_name()}"
    graph = graph_with(name, layer, needed)
    return [Task(key, graph, layer=name) for key in keys]


def _new_name() -> str:
    return uuid.uuid4().hex[:12]


def _is_task(thing: Any) -> bool:
    return hasattr(thing, "__dask_graph__")


def _key_of(thing: Any) -> Any:
    return thing.key if _is_task(thing) else thing


def _flat(tasks: Sequence[Delayed]) -> dict[Any, Any]:
    from dask.utils import ensure_dict

    return dict(ensure_dict(graph_with(f"peculiar-graph-{_new_name()}", {}, tasks)))


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
