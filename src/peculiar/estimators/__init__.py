"""The scikit-learn faces: they check what is given, ask a population, and unpack what it answers.

====================  ===========================================================================
``mixture``           :class:`RobustMixture`
``detector``          :class:`OutlierDetector`
``rows``              from what a user gives to rows that a population can be asked about
``search``            from settings and rows to the best mixture
``starts``            where a fit starts
``fit_warnings``      what the user has to know of a fit that went less than well
``progress``          what a fit says on its way
``documents``         a mixture as the content of a model file
``thresholds``        where to draw the line between inliers and outliers
====================  ===========================================================================
"""

from peculiar.estimators.detector import OutlierDetector
from peculiar.estimators.mixture import RobustMixture

__all__ = ["OutlierDetector", "RobustMixture"]
