"""Results that an :class:`~peculiar.OutlierDetector` returns."""

from peculiar.estimators.results import Discoveries
from peculiar.population import Explanation
from peculiar.population.certificate import certificate, certificates
from peculiar.population.in_parts import Line, discoveries_in_parts

__all__ = [
    "Discoveries",
    "Explanation",
    "Line",
    "certificate",
    "certificates",
    "discoveries_in_parts",
]
