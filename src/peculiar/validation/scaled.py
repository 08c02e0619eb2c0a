"""Values that were scaled, perhaps without their errors."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

import numpy as np

from peculiar.arrays import Floats
from peculiar.errors import ScaledValuesWarning
from peculiar.warn import warn_caller

_CLOSE = 1e-6

_ERRORS_ARE_SCALED = ContextVar("_ERRORS_ARE_SCALED", default=False)


@contextmanager
def errors_are_scaled() -> Iterator[None]:
    """Within it nobody is warned: errors are known to be scaled like the values."""
    token = _ERRORS_ARE_SCALED.set(True)
    try:
        yield
    finally:
        _ERRORS_ARE_SCALED.reset(token)


def warn_if_scaled(values: Floats) -> None:
    """Warn if every column has mean 0 and spread 1, the mark of a scaler, which never sees errors.

    Parameters
    ----------
    values : ndarray of shape (n, d)
        With errors; NaN where missing.
    """
    if _ERRORS_ARE_SCALED.get() or not _is_scaled(values):
        return
    warn_caller(
        "every column of X has mean 0 and spread 1, as if a scaler had made it, and scalers in a pipeline do not see "
        "the errors: are X_std and X_cov in the units of the scaled values? peculiar.Transformed(scaler, model) "
        "scales both",
        ScaledValuesWarning,
    )


def _is_scaled(values: Floats) -> bool:
    """Column by column, as most tables fail at the first."""
    for column in values.T:
        seen = column[~np.isnan(column)]
        if len(seen) < 2 or not abs(seen.mean()) <= _CLOSE:
            return False
        # StandardScaler divides by n, PCA with whiten=True by n - 1
        if not any(abs(seen.std(ddof=ddof) - 1.0) <= _CLOSE for ddof in (0, 1)):
            return False
    return True
