"""Tables with names: pandas and polars go in, names come out, numbers are those of arrays."""

import numpy as np
import pandas as pd
import polars as pl
import pytest
from numpy.testing import assert_array_equal

from tests.estimators.helpers import assert_same_model, measured, quick


def pandas_frame(array, names):
    return pd.DataFrame(array, columns=names, index=np.arange(len(array))[::-1] * 7)


def polars_frame(array, names):
    return pl.DataFrame(array, schema=names)


@pytest.fixture(params=[pandas_frame, polars_frame], ids=["pandas", "polars"])
def frame(request):
    return request.param


def test_a_table_gives_the_same_numbers_as_an_array(frame):
    X, X_std = measured()
    table, errors = frame(X, ["u", "g"]), frame(X_std, ["e_u", "e_g"])
    named = quick().fit(table, X_std=errors)
    plain = quick().fit(X, X_std=X_std)
    assert_same_model(named, plain, rtol=0)
    assert named.feature_names_in_.tolist() == ["u", "g"]
    assert not hasattr(plain, "feature_names_in_")
    assert_array_equal(
        named.score_samples(table, X_std=errors), plain.score_samples(X, X_std=X_std)
    )


def test_nulls_are_missing(frame):
    X, X_std = measured()
    X[3, 1] = np.nan
    if frame is pandas_frame:
        table = frame(X, ["u", "g"]).convert_dtypes()
        errors = frame(X_std, ["e_u", "e_g"]).convert_dtypes()
        errors.iloc[3, 1] = pd.NA
    else:
        table = frame(X, ["u", "g"]).fill_nan(None)
        errors = frame(X_std, ["e_u", "e_g"])
    assert_same_model(quick().fit(table, X_std=errors), quick().fit(X, X_std=X_std), rtol=0)


def test_integers_with_nulls():
    rng = np.random.default_rng(0)
    X = rng.integers(0, 50, (100, 2)).astype(float)
    X[4, 0] = np.nan
    columns = {
        name: [None if np.isnan(x) else int(x) for x in X[:, j]] for j, name in enumerate("ab")
    }
    expected = quick(1).fit(X)
    assert_same_model(quick(1).fit(pl.DataFrame(columns)), expected, rtol=0)
    nullable = pd.DataFrame(columns, dtype="Int64")
    assert_same_model(quick(1).fit(nullable), expected, rtol=0)


def test_masked_values_are_missing():
    X, _ = measured()
    holes = np.random.default_rng(2).random(X.shape) < 0.1
    masked = np.ma.masked_array(np.where(holes, -999.0, X), mask=holes)
    assert_same_model(quick().fit(masked), quick().fit(np.where(holes, np.nan, X)), rtol=0)


def test_other_names_or_another_order_at_predict(frame):
    X, _ = measured()
    model = quick().fit(frame(X, ["u", "g"]))
    with pytest.raises(ValueError, match=r"(?s)must be in the same order as they were in fit"):
        model.predict(frame(X, ["g", "u"]))
    with pytest.raises(
        ValueError, match=r"(?s)unseen at fit time:\s*- r.*seen at fit time, yet now missing:\s*- g"
    ):
        model.score_samples(frame(X, ["u", "r"]))
    with pytest.warns(UserWarning, match="does not have valid feature names"):
        model.predict(X)


def test_errors_with_the_names_of_the_features_must_have_their_order(frame):
    X, X_std = measured()
    table = frame(X, ["u", "g"])
    swapped = frame(X_std[:, ::-1], ["g", "u"])
    message = (
        r"^X_std has the columns of X in another order: \['g', 'u'\], not \['u', 'g'\]; "
        r"give X_std\[X.columns\]$"
    )
    with pytest.raises(ValueError, match=message):
        quick().fit(table, X_std=swapped)
    model = quick().fit(table, X_std=swapped[["u", "g"]])
    with pytest.raises(ValueError, match=message):
        model.predict(table, X_std=swapped)
    assert_same_model(model, quick().fit(X, X_std=X_std), rtol=0)


def test_lists_floats32_and_integers():
    X, X_std = measured()
    expected = quick().fit(X, X_std=X_std)
    assert_same_model(quick().fit(X.tolist(), X_std=X_std.tolist()), expected, rtol=0)
    single = X.astype(np.float32)
    assert_same_model(quick().fit(single), quick().fit(single.astype(float)), rtol=0)
    whole = np.round(10 * X).astype(np.int16)
    assert_same_model(quick().fit(whole), quick().fit(whole.astype(float)), rtol=0)
