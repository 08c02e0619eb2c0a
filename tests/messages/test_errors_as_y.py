"""Errors in the place of y, in all the forms that tables have."""

import numpy as np
import pandas as pd
import pytest
from astropy.table import Table

from peculiar.errors import InputError
from tests.messages.helpers import good_table, mixture


def nullable(X_std):
    frame = pd.DataFrame(X_std).astype("Float64")
    frame.iloc[0, 0] = pd.NA
    return frame


@pytest.mark.parametrize(
    "form",
    [
        lambda X_std: X_std.astype(object),
        nullable,
        Table,
        lambda X_std: dict(enumerate(X_std.T)),
    ],
    ids=["objects", "nullable", "astropy", "dict"],
)
def test_other_forms_of_errors(form):
    X, X_std, _ = good_table()
    with pytest.raises(
        InputError, match=r"^y is ignored, but this one has the shape of errors.*X_std=\.\.\."
    ):
        mixture().fit(X, form(X_std))


def test_words_of_the_same_shape_are_ignored():
    X, X_std, _ = good_table()
    mixture().fit(X, np.full(X_std.shape, "star", dtype=object))
