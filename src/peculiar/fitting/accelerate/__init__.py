"""Longer steps than EM's: a quasi-Newton method that takes EM for its metric.

An EM step solves the problem in which the hidden quantities are known. To first order it is the gradient of the bound,
divided by the information that complete data would carry,

    step = information^-1 gradient.

Where much is hidden (overlapping components, large errors, a dof near infinity) the curvature of the bound is only a
small part of that information, and EM crawls. The change of the gradient along the steps taken shows how small, and
limited-memory BFGS turns that into longer steps. The gradient comes with the sums of the E-step, so that an
extrapolated step costs what a plain one costs.

``coordinates`` has the parameters as a flat vector, ``information`` what complete data would tell about them,
``extrapolation`` the steps. Whether a step is kept is decided in :mod:`peculiar.fitting.loop`, which makes the
plain one where the bound would fall.
"""

from peculiar.fitting.accelerate.extrapolation import Extrapolation, Memory

__all__ = ["Extrapolation", "Memory"]
