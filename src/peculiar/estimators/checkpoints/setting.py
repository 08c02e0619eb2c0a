"""Where a fit keeps what it has found so far, and how often."""

from __future__ import annotations

import math
import os
from dataclasses import dataclass
from numbers import Integral, Real
from typing import Any

from peculiar.errors import SettingError


@dataclass(frozen=True)
class Checkpoint:
    """A file from which a fit that was stopped goes on: ``fit(X, checkpoint=Checkpoint("fit.ckpt"))``.

    The same call goes on from the file if there is one, and has the same result, to the last bit, as if it had never
    been stopped. A path stands for a checkpoint with the default settings.

    Parameters
    ----------
    path : path-like
        Name of the file. It is written whole or not at all.
    every_iterations : int, optional
        Write after so many iterations.
    every_minutes : float, default=1.0
        Write when so many minutes have passed, after the iteration that is being done then. What is written when a fit
        is stopped (Ctrl-C, SIGTERM, an error) does not depend on it, so that nothing but a crash costs more than an
        iteration.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> import numpy as np
    >>> from peculiar import Checkpoint, RobustMixture
    >>> X = np.random.default_rng(0).normal(size=(200, 2))
    >>> checkpoint = Checkpoint(Path(tempfile.mkdtemp()) / "fit.ckpt", every_iterations=5)
    >>> model = RobustMixture(2, random_state=0, tol=1e-3).fit(X, checkpoint=checkpoint)

    The second time nothing is computed: the file has the result.

    >>> again = RobustMixture(2, random_state=0, tol=1e-3).fit(X, checkpoint=checkpoint)
    >>> bool((again.locations_ == model.locations_).all())
    True
    """

    path: str | os.PathLike[str]
    every_iterations: int | None = None
    every_minutes: float = 1.0

    def __post_init__(self) -> None:
        path: Any = self.path
        if not isinstance(path, str | os.PathLike) or not os.fspath(path):
            raise SettingError(
                f"checkpoint must be the name of a file, or a Checkpoint, not {self.path!r}"
            )
        often: Any = self.every_iterations
        if often is not None and (
            isinstance(often, bool) or not isinstance(often, Integral) or often < 1
        ):
            raise SettingError(
                f"every_iterations must be a whole number, 1 or more, or None, not {often!r}"
            )
        minutes: Any = self.every_minutes
        is_number = isinstance(minutes, Real) and not isinstance(minutes, bool)
        if not is_number or not 0.0 < float(minutes) <= math.inf:
            raise SettingError(f"every_minutes must be a number above 0, not {minutes!r}")

    @classmethod
    def of(cls, given: Any) -> Checkpoint:
        """What a user gave: a path, or one of these."""
        return given if isinstance(given, Checkpoint) else cls(given)
