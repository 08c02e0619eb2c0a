"""What a backend has to answer."""

from __future__ import annotations

from typing import Protocol

from peculiar.engines.base import Engine
from peculiar.model.params import MixtureParams
from peculiar.model.stats import SufficientStats


class Backend(Protocol):
    """Rows, somewhere: calls the engine on batches of them and adds what it returns."""

    def summarise(self, engine: Engine, params: MixtureParams) -> SufficientStats:
        """Expected sums over all rows."""
        ...
