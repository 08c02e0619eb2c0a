"""Fits that are stopped, and what must be the same when they go on."""

import warnings

import numpy as np
from sklearn.exceptions import ConvergenceWarning

from peculiar import Checkpoint, RobustMixture
from peculiar.datasets import make_colours
from peculiar.errors import NotShrunkWarning
from peculiar.estimators.progress import listening

PARAMETERS = ("weights_", "locations_", "scatters_", "dofs_", "wild_fraction_")
FACTS = ("lower_bound_", "lower_bounds_", "n_iter_", "converged_", "pseudo_rows_", "_seed")
TABLES = ("selection_", "shrinkage_")


class StoppedError(Exception):
    """What a test stops a fit with."""


class Stop:
    """Hears of every iteration, pass and level, and stops the fit at one of them."""

    def __init__(self, at=None, error=StoppedError):
        self.at, self.error, self.heard = at, error, 0

    def _hear(self, *_):
        self.heard += 1
        if self.heard == self.at:
            raise self.error

    on_iteration = on_pass = on_level = on_amount = _hear


def sky(n=300):
    colours = make_colours(n, n_peculiar=8, random_state=1)
    return {"X": colours.X, "X_cov": colours.X_cov}


def fit(data, checkpoint=None, stop=None, **settings):
    """A mixture, fitted as far as it is let."""
    model = RobustMixture(**{"random_state": 0, "n_components": 2} | settings)
    with warnings.catch_warnings(), listening(stop or Stop()):
        warnings.simplefilter("ignore", ConvergenceWarning)
        warnings.simplefilter("ignore", NotShrunkWarning)
        return model.fit(**data, checkpoint=checkpoint)


def fit_with_stops(data, path, at, **settings):
    """A fit that is stopped again and again, each time after so many more steps; and how often it was."""
    steps, n_stops = iter(at), 0
    while True:
        try:
            stop = Stop(next(steps, None))
            return fit(data, Checkpoint(path, every_iterations=1), stop, **settings), n_stops
        except StoppedError:
            n_stops += 1


def count_steps(data, **settings):
    """How many steps are heard of in a whole fit, and its result."""
    stop = Stop()
    return fit(data, stop=stop, **settings), stop.heard


def assert_identical(one, other):
    """The same to the last bit, with all that the fit tells of itself."""
    for name in (*PARAMETERS, *FACTS):
        np.testing.assert_array_equal(getattr(one, name), getattr(other, name), err_msg=name)
    for name in TABLES:
        assert hasattr(one, name) == hasattr(other, name), name
        if hasattr(one, name):
            assert getattr(one, name).tolist() == getattr(other, name).tolist(), name
