"""Results that an :class:`~peculiar.OutlierDetector` returns."""

from peculiar.estimators.results import Discoveries
from peculiar.population import Explanation

__all__ = ["Discoveries", "Explanation"]
