"""The robust mixture as a scikit-learn estimator."""

from peculiar.mixture.estimator import RobustMixture

__all__ = ["RobustMixture"]
