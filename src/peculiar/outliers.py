"""Results that an :class:`~peculiar.OutlierDetector` returns."""

from peculiar.estimators.results import Discoveries
from peculiar.population import Explanation
from peculiar.population.certificate import certificate, certificates

__all__ = ["Discoveries", "Explanation", "certificate", "certificates"]
