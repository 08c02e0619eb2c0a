"""The one place where compile options are chosen.

* ``error_model="numpy"``: Python's check for division by zero keeps loops from vectorising.
* ``fastmath={"contract", "nsz"}``: fused multiply-add, nothing else. Infinities and NaN must survive (a dof
  may be infinite), and sums must not be reordered, or results would depend on the compiler's mood.
* ``nogil``: batches of rows run in plain Python threads (see ``docs/design/0004``).
* ``_nrt``: kernels allocate nothing, so nobody needs to count who holds an array. What counts references to the dozens
  of arrays that a kernel is given is longer than the kernel itself.
"""

from __future__ import annotations

import gc
import hashlib
import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache, lru_cache, partial
from pathlib import Path
from typing import Any

from numba import cfunc, njit, types
from numba.extending import overload

from peculiar.kernels._cache import again_if_damaged, forgive_damage, with_cache
from peculiar.kernels._linking import PARTS, WHOLE
from peculiar.kernels._references import by_reference, is_known

try:
    import fcntl
except ImportError:  # not on Windows: there every process compiles for itself
    fcntl = None  # type: ignore[assignment]

_LOGGER = logging.getLogger("peculiar")

_OPTIONS: dict[str, Any] = {
    "error_model": "numpy",
    "fastmath": {"contract", "nsz"},
    "nogil": True,
    "_nrt": False,
}

_AS_PART: dict[str, Any] = {
    "pipeline_class": PARTS,
    "no_cpython_wrapper": True,
    "no_cfunc_wrapper": True,
}


@lru_cache
def sources_stamp() -> str:
    """Digest of all kernel sources."""
    digest = hashlib.sha256()
    for path in sorted(Path(__file__).parent.rglob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()


def kernel(function: Callable[..., Any]) -> Any:
    """Compile a function that only other kernels call: from Python it cannot be called, it has no entry for that."""
    return _part(function, _OPTIONS)


def summing(function: Callable[..., Any]) -> Any:
    """Compile a sum of positive terms over an array: the only place where additions may be reordered.

    The compiler can then keep several partial sums and work on vectors. The order is fixed when it is compiled, so
    that results are the same in every call.
    """
    return _part(function, _OPTIONS | {"fastmath": {"contract", "nsz", "reassoc"}})


def _part(function: Callable[..., Any], options: dict[str, Any]) -> Any:
    """Compile once for each type of the arguments, without what is needed to be called from outside.

    To Numba a number that stands in the code is a type of its own; it would compile once for 0, and again for any.
    """
    dispatcher = njit(**_AS_PART, **options)(function)
    if not hasattr(dispatcher, "get_call_template"):
        return _in_python(dispatcher)
    find = dispatcher.get_call_template

    def find_for_any_number(arguments: Any, keywords: Any) -> Any:
        any_keywords = {name: types.unliteral(kind) for name, kind in dict(keywords).items()}
        return find(tuple(map(types.unliteral, arguments)), any_keywords)

    def keep(result: Any) -> None:
        dispatcher.overloads[tuple(result.signature.args)] = result

    def refuse(*_arguments: Any, **_keywords: Any) -> None:
        raise TypeError(
            f"{function.__name__} is called by other kernels only; its .py_func is Python"
        )

    dispatcher.get_call_template = find_for_any_number
    # Private to Numba: without them a call from Python, which is a mistake, would go to address 0.
    dispatcher.add_overload = keep
    dispatcher._compile_for_args = refuse
    return dispatcher


def _in_python(compiled: Any) -> Any:
    """With NUMBA_DISABLE_JIT a kernel is the function itself, and its Python the same."""
    if not hasattr(compiled, "py_func"):
        compiled.py_func = compiled
    return compiled


def row_kernel(function: Callable[..., Any]) -> Any:
    """Compile an entry point, and keep the machine code on disk for the next process.

    Numba looks only at the file of the entry point to tell whether its cache is fresh; a change in a
    kernel it calls would go unnoticed. So the stamp is replaced by a digest of all kernel sources.
    """
    dispatcher = _in_python(with_cache(njit, function, pipeline_class=WHOLE, **_OPTIONS))
    # What follows is private to Numba; if it moves, what is left is Numba's own, weaker stamp, and no message.
    kept: Any = getattr(dispatcher, "_cache", None)
    cache_file: Any = getattr(kept, "_cache_file", None)
    if hasattr(cache_file, "_source_stamp") and hasattr(cache_file, "_load_data"):
        cache_file._source_stamp = sources_stamp()
        forgive_damage(kept, cache_file)
    if hasattr(kept, "load_overload"):
        kept.load_overload = _announcing(kept.load_overload)
        dispatcher.compile = _in_turn(dispatcher.compile, _lock_of(dispatcher))
    return _Entry(dispatcher) if hasattr(dispatcher, "overloads") and is_known() else dispatcher


class _Entry:
    """An entry point that hands on named tuples by reference; all else is asked of Numba's own."""

    def __init__(self, dispatcher: Any) -> None:
        self._dispatcher = dispatcher

    def __call__(self, *arguments: Any) -> Any:
        packed = [by_reference(argument) for argument in arguments]
        return self._dispatcher(*packed)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._dispatcher, name)


def _lock_of(dispatcher: Any) -> Path | None:
    """A file beside what Numba keeps on disk of a function; None if it keeps nothing."""
    folder = getattr(getattr(dispatcher, "_cache", None), "cache_path", None)
    return None if folder is None else Path(folder) / f"{dispatcher.py_func.__name__}.lock"


def _in_turn(compile_one: Callable[..., Any], lock: Path | None) -> Callable[..., Any]:
    """Let one process after another through: what the first has compiled, the others find on disk."""

    def compile_in_turn(signature: Any) -> Any:
        with alone(lock), no_collection():
            return compile_one(signature)

    return compile_in_turn


@contextmanager
def no_collection() -> Iterator[None]:
    """Let Python's collector of garbage rest.

    The compiler makes millions of small objects and keeps them; looking through them again and again takes a fifth of
    its time.
    """
    was_on = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


@contextmanager
def alone(lock: Path | None) -> Iterator[None]:
    """Wait until no other process holds the lock. Where there is no place for one, nobody waits."""
    if lock is None:
        yield
        return
    try:
        lock.parent.mkdir(parents=True, exist_ok=True)
        file = lock.open("w")
    except OSError:
        yield
        return
    with file:
        if fcntl is not None:
            with suppress(OSError):  # some network file systems have no locks
                fcntl.flock(file, fcntl.LOCK_EX)
        yield


def _announcing(load: Callable[..., Any]) -> Callable[..., Any]:
    """Say that somebody will have to wait, if there is nothing to load."""

    def load_or_say(*arguments: Any) -> Any:
        found = load(*arguments)
        if found is None:
            announce_compilation()
        return found

    return load_or_say


@cache
def announce_compilation() -> None:
    """Say it once in a process, for all that is compiled in it: who waits wants to know how long, not what for."""
    _LOGGER.warning(
        "peculiar: compiling for this machine, once, about a minute in all: the result is kept on disk"
    )


def callback(signature: Any) -> Any:
    """Compile a C function, whose address can be given to other kernels, and keep it on disk.

    Numba knows it again by its code and by the values it has from the function around it. All that differ by the
    latter share one index, in which two processes would give the same place to different code: hence the lock.
    """

    def compile_or_load(function: Callable[..., Any]) -> Any:
        twin = with_cache(njit, function)
        index = getattr(
            getattr(getattr(twin, "_cache", None), "_cache_file", None), "_index_path", None
        )
        compile_it = partial(cfunc, signature, pipeline_class=WHOLE)
        with alone(_lock_of(twin)), no_collection():
            return again_if_damaged(
                lambda: with_cache(compile_it, function, **_OPTIONS),
                None if index is None else Path(index),
            )

    return compile_or_load


def by_type(choices: Mapping[type, Any]) -> Any:
    """Make a function whose code is chosen by the type of its first argument, when it is compiled.

    ``choices`` maps named-tuple classes to kernels with the same arguments. Only what is used is
    compiled, and there is no branch left at run time.
    """

    def chosen(first: Any, *rest: Any) -> Any:
        return choices[type(first)](first, *rest)

    def choose(first: Any, *rest: Any) -> Any:
        implementation = choices.get(getattr(first, "instance_class", type(None)))
        if implementation is None:
            return None
        return implementation.py_func

    overload(chosen, strict=False, jit_options=_AS_PART | _OPTIONS)(choose)
    return chosen
