"""The scikit-learn face of outlier detection: p-values, discoveries and explanations from a fitted mixture."""

from peculiar.detector.estimator import OutlierDetector

__all__ = ["OutlierDetector"]
