"""Results that an :class:`~peculiar.OutlierDetector` returns."""

from peculiar.population import Discoveries, Explanation

__all__ = ["Discoveries", "Explanation"]
