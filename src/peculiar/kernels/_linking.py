"""Compile the parts of a kernel to bare LLVM code, and optimise only the whole.

By itself Numba optimises each function together with all that it calls and makes machine code of it, then does the same
for its caller, and so on up to the entry point: what lies five calls deep is optimised five times, and of the results
only the last is ever run. Here a part is only linked to what it calls. The optimiser sees everything once, in the entry
point, where it may inline as it likes.

All of this is private to Numba. Where it has moved, ``PARTS`` and ``WHOLE`` are Numba's own pipeline, which takes
longer for the same results.
"""

from __future__ import annotations

from typing import Any

from numba.core import codegen
from numba.core.compiler import Compiler
from numba.core.environment import lookup_environment

_ENVIRONMENT = (
    "_ZN08NumbaEnv"  # how the names begin of what Numba keeps for a function beside its code
)
_NEEDED = ("_optimize_functions", "_optimize_final_module", "_finalize_final_module")


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
    """Code that is never run from here: it is linked to what it calls, and its caller has it optimised."""

    def _optimize_final_module(self) -> None:
        """Leave it."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._finalized = True

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


def _pipeline(library: type[codegen.JITCodeLibrary]) -> type[Compiler]:
    """Numba's pipeline, with another kind of library."""

    class Pipeline(Compiler):  # type: ignore[misc]  # as above
        def define_pipelines(self) -> Any:
            state = self.state
            if state.library is None:
                state.library = library(state.targetctx.codegen(), state.func_id.func_qualname)
                state.library.enable_object_caching()
            return super().define_pipelines()

    return Pipeline


_is_known = all(hasattr(codegen.JITCodeLibrary, name) for name in _NEEDED)
PARTS: type[Compiler] = _pipeline(_Part) if _is_known else Compiler
WHOLE: type[Compiler] = _pipeline(_Whole) if _is_known else Compiler
