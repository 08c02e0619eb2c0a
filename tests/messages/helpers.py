"""Small tables that are all right, for tests to break in one place each."""

import numpy as np
import pandas as pd
import pytest

from peculiar import RobustMixture
from peculiar.errors import InputError

NAMES = ["u", "g", "r"]


def good_table():
    """Values, errors, covariances: 30 rows of 3 features."""
    rng = np.random.default_rng(0)
    X = rng.standard_normal((30, 3))
    X_std = rng.uniform(0.1, 0.5, X.shape)
    return X, X_std, X_std[:, :, None] ** 2 * np.eye(3)


def named(array, names=NAMES):
    return pd.DataFrame(array, columns=list(names))


def mixture(n_components=1, **settings):
    return RobustMixture(n_components, **{"tol": 1e-3, "random_state": 0, **settings})


def refused(message, X, *, model=None, kind=InputError, **fit):
    """That the fit is refused with just this message."""
    with pytest.raises(kind, match=message) as caught:
        (model or mixture()).fit(X, **fit)
    assert isinstance(caught.value, ValueError)


def replaced(array, place, value):
    copy = array.copy()
    copy[place] = value
    return copy
