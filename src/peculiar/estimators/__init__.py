"""The scikit-learn faces: they check what is given, ask a population, and unpack what it answers.

====================  ===========================================================================
``mixture``           :class:`RobustMixture`
``detector``          :class:`OutlierDetector`
``transformed``       :class:`Transformed`: a model behind a scaler or a PCA
``affine``            what these do to errors
``plain``             a mixture without scikit-learn: what the first has below its face
``mixture_of``        the mixture that a detector fits
``judging``           who is ordinary in a fitted mixture, and what looks wrong
``rows``              from what a user gives to rows that a population can be asked about
``elsewhere``         rows that stay where they are: what is asked of them
``scans``             those of files
``partitions``        those of Dask; ``partition_work`` is what is done with one partition
``training``          a number for each row, wherever these are
``search``            from settings and rows to the best mixture
``starts``            where a fit starts
``checkpoints``       fits that survive
``pieces``            what ``partial_fit`` does with rows that come once
``fit_warnings``      what the user has to know of a fit that went less than well
``progress``          what a fit says on its way
``documents``         a mixture as the content of a model file
``thresholds``        where to draw the line between inliers and outliers
====================  ===========================================================================
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from peculiar.estimators.checkpoints.setting import Checkpoint
    from peculiar.estimators.detector import OutlierDetector
    from peculiar.estimators.mixture import RobustMixture
    from peculiar.estimators.partitions import Partitions
    from peculiar.estimators.transformed import Transformed

__all__ = ["Checkpoint", "OutlierDetector", "Partitions", "RobustMixture", "Transformed"]

_HOMES = {
    "Checkpoint": "checkpoints.setting",
    "OutlierDetector": "detector",
    "Partitions": "partitions",
    "RobustMixture": "mixture",
    "Transformed": "transformed",
}


def __getattr__(name: str) -> Any:
    # On first use: what stands beside them does without scikit-learn, which takes more than a second to load.
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
