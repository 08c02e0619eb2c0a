"""Whether there is a compiler: without it nothing can be fitted."""

from __future__ import annotations

from peculiar.errors import SettingError


def refuse_without_compiler() -> None:
    """SettingError if Numba was told not to compile: a part of the kernels is machine code, without a Python twin."""
    from numba import config

    if config.DISABLE_JIT:
        raise SettingError(
            "NUMBA_DISABLE_JIT is set, but fits and scores need compiled code; unset it (unset NUMBA_DISABLE_JIT) and "
            "start Python again"
        )
