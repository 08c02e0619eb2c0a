"""Compile the parts of a kernel to bare LLVM code, and optimise only the whole.

By itself Numba optimises each function together with all that it calls and makes machine code of it, then does the same
for its caller, and so on up to the entry point: what lies five calls deep is optimised five times, and of the results
only the last is ever run. Here a part is left as it is, and an entry point is linked to all its parts. The optimiser
sees everything once, in the entry point, where it may inline as it likes.

All of this is private to Numba. Where it has moved, ``PARTS`` and ``WHOLE`` are Numba's own pipeline, which takes
longer for the same results.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from numba.core import codegen
from numba.core.compiler import Compiler, Flags
from numba.core.environment import lookup_environment

_ENVIRONMENT = (
    "_ZN08NumbaEnv"  # how the names begin of what Numba keeps for a function beside its code
)
_IDLE = ("inline_closure_likes", "inline_overloads", "nopython_rewrites")
"""Passes for what no kernel has: closures, overloads to be inlined as Python, and whole arrays in an expression."""

_NEEDED = (
    "_optimize_functions",
    "_optimize_final_module",
    "_finalize_final_module",
    "_get_module_for_linking",
)


class _NoEngine:
    """Numba's code generator, but that it does not look for the code of a part among that which can run."""

    def __init__(self, generator: Any) -> None:
        self._generator = generator

    def __getattr__(self, name: str) -> Any:
        return getattr(self._generator, name)

    def set_env(self, name: str, environment: Any) -> None:
        """The entry point does it, where the code will be."""


class _Library(codegen.JITCodeLibrary):  # type: ignore[misc]  # Numba has no types
    """Code on its way to machine code."""

    def _optimize_functions(self, ll_module: Any) -> None:
        """Only say how data are laid out: what else is done here, the optimiser of the whole does again."""
        ll_module.data_layout = self._codegen._data_layout  # noqa: SLF001 (see above)


class _Part(_Library):
    """Code that is never run from here: the entry point links it, and has it optimised."""

    def finalize(self) -> None:
        """Leave it as it is; what it calls is linked by the entry point, too."""
        self._raise_if_finalized()
        self._finalize_dynamic_globals()
        self._finalized = True

    def alone(self) -> Any:
        """Its code, without that of what it calls."""
        return super()._get_module_for_linking()

    def _get_module_for_linking(self) -> Any:
        """Its code with all that it calls, for entry points of Numba's own kind."""
        module = self.alone().clone()
        for library in _with_parts(self._linking_libraries, {self}):
            module.link_in(_code_of(library), preserve=True)
        return module

    @property
    def codegen(self) -> Any:
        """For those who want to put something beside the code."""
        return _NoEngine(self._codegen)

    def get_pointer_to_function(self, name: str) -> int:
        """There is none."""
        self._ensure_finalized()
        return 0


class _Whole(_Library):
    """An entry point with all its parts."""

    def finalize(self) -> None:
        """Link all parts, however deep, each of them once."""
        libraries: list[Any] = self._linking_libraries
        for library in _with_parts(libraries, set()):
            if hasattr(library, "_reload_init"):  # Numba 0.60 has none
                self._reload_init.update(library._reload_init)  # noqa: SLF001 (see above)
            self._final_module.link_in(_code_of(library), preserve=True)
        libraries.clear()
        super().finalize()

    def _optimize_final_module(self) -> None:
        """Once: Numba's first round is there for references that are counted, and kernels have none."""
        made = self._codegen._module_pass_manager()  # noqa: SLF001 (see above)
        if not isinstance(made, tuple):  # an older Numba
            super()._optimize_final_module()
            return
        manager, builder = made
        with self._recorded_timings.record("Module passes", builder):
            manager.run(self._final_module, builder)

    def _finalize_final_module(self) -> None:
        super()._finalize_final_module()
        for variable in self._final_module.global_variables:
            if variable.name.startswith(_ENVIRONMENT):
                environment = lookup_environment(variable.name)
                if environment is not None:
                    self._codegen.set_env(variable.name, environment)


def _with_parts(libraries: list[Any], seen: set[Any]) -> Iterator[Any]:
    """Libraries and all that they call, each after a caller: the linker drops what nobody has asked for yet."""
    for library in libraries:
        if library not in seen:
            seen.add(library)
            yield library
            if isinstance(library, _Part):
                yield from _with_parts(library._linking_libraries, seen)  # noqa: SLF001 (see above)


def _code_of(library: Any) -> Any:
    """What is to be linked of a library, if its parts are linked by themselves."""
    return library.alone() if isinstance(library, _Part) else library._get_module_for_linking()  # noqa: SLF001 (see above)


class _Flags(Flags):  # type: ignore[misc]  # as above
    """Compile options that are quickly compared: Numba looks for what it knows of an operator under them, each time."""

    def __hash__(self) -> int:
        return 0  # Numba's own is the same for all, too

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Flags) and self._values == other._values


def _pipeline(library: type[codegen.JITCodeLibrary]) -> type[Compiler]:
    """Numba's pipeline, with another kind of library."""

    class Pipeline(Compiler):  # type: ignore[misc]  # as above
        def __init__(self, *arguments: Any) -> None:
            quick = [_Flags(x) if isinstance(x, Flags) else x for x in arguments]
            super().__init__(*quick)

        def define_pipelines(self) -> Any:
            state = self.state
            if state.library is None:
                state.library = library(state.targetctx.codegen(), state.func_id.func_qualname)
                state.library.enable_object_caching()
            made = super().define_pipelines()
            for manager in made:
                manager.passes = [x for x in manager.passes if x[0].name() not in _IDLE]
            return made

    return Pipeline


_is_known = all(hasattr(codegen.JITCodeLibrary, name) for name in _NEEDED)
PARTS: type[Compiler] = _pipeline(_Part) if _is_known else Compiler
WHOLE: type[Compiler] = _pipeline(_Whole) if _is_known else Compiler
