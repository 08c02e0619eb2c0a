"""Errors about the weights of the rows, and what weights mean."""

import numpy as np
import pytest

from peculiar.errors import InputError
from tests.messages.helpers import good_table, mixture, refused, replaced


@pytest.mark.parametrize(
    ("weights", "message"),
    [
        (
            np.ones(29),
            r"^sample_weight has shape \(29,\), must be \(30,\): one weight for each row of X$",
        ),
        (np.ones((30, 1)), r"^sample_weight has shape \(30, 1\), must be \(30,\)"),
        (
            replaced(np.ones(30), 3, -2.0),
            r"^sample_weight of row 3 is -2\.0; weights must be finite and not negative \(0 leaves a row out\)$",
        ),
        (replaced(np.ones(30), 4, np.nan), r"^sample_weight of row 4 is nan; weights must be"),
        (replaced(np.ones(30), 4, np.inf), r"^sample_weight of row 4 is inf; weights must be"),
        (np.zeros(30), r"^sample_weight is zero for every row; nothing is left to fit$"),
        (["a"] * 30, r"^sample_weight cannot be read as an array of numbers: could not convert"),
    ],
)
def test_bad_weights(weights, message):
    X, *_ = good_table()
    refused(message, X, sample_weight=weights)
    if len(weights) == 30:
        with pytest.raises(InputError, match=message):
            mixture().fit(X).score(X, sample_weight=weights)


@pytest.mark.parametrize("weight", [1.0, 3.0, 1e-320, 1e308])
def test_only_ratios_of_weights_matter(weight):
    X, *_ = good_table()
    plain = mixture().fit(X)
    for given in (weight, np.full(30, weight)):
        model = mixture().fit(X, sample_weight=given)
        assert np.allclose(model.locations_, plain.locations_, rtol=1e-12)
        assert np.isclose(model.score(X, sample_weight=given), plain.lower_bound_, rtol=1e-12)
