"""Pictures of a fitted model and of what it found, in the manner of scikit-learn's displays.

Each display is made from a fitted detector or mixture by ``from_estimator``, or from plain numbers by its constructor;
``plot(ax=None)`` draws it, into axes of yours or a figure of its own, and keeps what it drew (``ax_``, ``figure_``, and
the artists). All numbers come from ``peculiar.report``; here they are only drawn. Colours are told apart by
colour-blind people. Matplotlib is needed: ``pip install '.[plot]'``.

- :class:`OutlierDisplay`: discoveries with their error ellipses, over the components, in two of the features.
- :class:`SurpriseDisplay`: why one object is strange, feature by feature.
- :class:`PValueDisplay`: the p-values of all objects, and whether they are what they should be.
- :class:`GroupDisplay`: where the strange groups are, in every feature.
- :class:`SelectionDisplay`: what each number of components costs.
- :class:`ConvergenceDisplay`: the log-likelihood after each iteration.
"""

from peculiar.plot.convergence import ConvergenceDisplay
from peculiar.plot.groups import GroupDisplay
from peculiar.plot.outliers import OutlierDisplay
from peculiar.plot.p_values import PValueDisplay
from peculiar.plot.selection import SelectionDisplay
from peculiar.plot.surprises import SurpriseDisplay

__all__ = [
    "ConvergenceDisplay",
    "GroupDisplay",
    "OutlierDisplay",
    "PValueDisplay",
    "SelectionDisplay",
    "SurpriseDisplay",
]
