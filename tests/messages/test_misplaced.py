"""What is given in the wrong place, or is no array: errors as y, tables, rows in another order."""

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from astropy.table import QTable, Table
from astropy.utils.masked import Masked

from peculiar import OutlierDetector, Transformed
from peculiar.errors import InputError
from tests.messages.helpers import good_table, mixture, named, refused

AS_Y = (
    r"^y is ignored, but this one has the shape of errors, {} \(row 0 is .*\); give errors by name, {}=\.\.\., and "
    r"leave y out$"
)
STD = AS_Y.format(r"\(30, 3\)", "X_std")


@pytest.mark.parametrize("method", ["fit", "fit_predict", "score"])
def test_errors_in_the_place_of_y(method):
    X, X_std, X_cov = good_table()
    model = mixture().fit(X) if method == "score" else mixture()
    for errors in (X_std, X_std.tolist(), named(X_std), X_std.astype(np.float32)):
        with pytest.raises(InputError, match=STD):
            getattr(model, method)(X, errors)
    with pytest.raises(InputError, match=AS_Y.format(r"\(30, 3, 3\)", "X_cov")):
        getattr(model, method)(X, X_cov)


@pytest.mark.parametrize("method", ["fit", "fit_predict"])
@pytest.mark.parametrize("model", [OutlierDetector(1), Transformed(None, mixture())])
def test_errors_in_the_place_of_y_of_others(model, method):
    X, X_std, _ = good_table()
    with pytest.raises(InputError, match=STD):
        getattr(model, method)(X, X_std)


@pytest.mark.parametrize("method", ["predict", "score_samples", "predict_proba", "bic"])
def test_methods_without_y_take_no_second_argument(method):
    X, X_std, _ = good_table()
    with pytest.raises(TypeError, match="positional argument"):
        getattr(mixture().fit(X), method)(X, X_std)


def test_labels_in_the_place_of_y_are_ignored():
    X, *_ = good_table()
    for y in (
        np.arange(30),
        np.arange(30)[:, None],
        [["a", "b", "c"]] * 30,
        np.ones((30, 2)),
        [[1], [1, 2]],
    ):
        mixture().fit(X, y)


@pytest.mark.parametrize("kind", [Table, QTable])
def test_an_astropy_table(kind):
    X, *_ = good_table()
    table = kind(X, names=["u", "g", "r"])
    refused(
        rf"^X is an astropy {kind.__name__} with the columns u, g, r, not an array of features; "
        r"peculiar\.catalogue\.measure makes features and their errors of tables and files: "
        r"sky = measure\(table, 'u, g'\), then fit\(\*\*sky\.arguments\(\)\)$",
        table,
    )
    refused(rf"^X_std is an astropy {kind.__name__} with the columns u, g, r", X, X_std=table)
    refused(r"^X is a structured array with the columns u, g, r, not", np.asarray(table))


def test_other_things_that_are_no_arrays():
    X, *_ = good_table()
    refused(r"^X is a dict of columns with the columns a, b, not", {"a": X[:, 0], "b": X[:, 1]})
    refused(r"^X is text \('stars\.fits'\), not an array .* measure", "stars.fits")
    refused(r"^X is a LazyFrame, which has no rows yet; collect\(\) it", pl.DataFrame(X).lazy())


@pytest.mark.parametrize("masked", [np.ma.masked_array, Masked], ids=["numpy", "astropy"])
def test_masked_errors(masked):
    X, X_std, _ = good_table()
    mask = np.zeros(X.shape, dtype=bool)
    mask[4, 1] = True
    hidden = mixture().fit(np.where(mask, np.nan, X), X_std=X_std)
    both = mixture().fit(masked(X, mask=mask), X_std=masked(X_std, mask=mask))
    assert np.array_equal(both.locations_, hidden.locations_)
    refused(
        r"^row 4, column 1: the value [-\d.]+ has an error that is masked; give 0 if it is exact, inf",
        X,
        X_std=masked(X_std, mask=mask),
    )


# ------------------------------------------------------------------------------ the order of rows


def labelled(array, index):
    return pd.DataFrame(array, columns=list("ugr"), index=index)


def test_errors_with_the_rows_in_another_order():
    X, X_std, _ = good_table()
    names = [f"star{i}" for i in range(30)]
    table, errors = labelled(X, names), labelled(X_std, names)
    message = (
        r"^X_std has the rows of X in another order, by their index: row 0 is 'star29', in X it is 'star0'; "
        r"give X_std\.loc\[X\.index\]$"
    )
    refused(message, table, X_std=errors[::-1])
    model = mixture().fit(table, X_std=errors[::-1].loc[table.index])
    assert np.array_equal(model.locations_, mixture().fit(X, X_std=X_std).locations_)
    for method in ("predict", "score_samples", "score"):
        with pytest.raises(InputError, match=message):
            getattr(model, method)(table, X_std=errors[::-1])
    # also with labels that pandas gave by itself
    refused(
        r"^X_std has the rows of X in another order, by their index: row 0 is 29, in X it is 0",
        labelled(X, range(30)),
        X_std=labelled(X_std, range(30))[::-1],
    )


def test_errors_of_other_rows():
    X, X_std, _ = good_table()
    refused(
        r"^X_std has other rows than X, by their index: row 3 is 30, in X it is 3; give the rows of X, or "
        r"X_std\.to_numpy\(\) if only the labels differ$",
        labelled(X, [0, 1, 2, *range(3, 30)]),
        X_std=labelled(X_std, [0, 1, 2, *range(30, 57)]),
    )
    expected = mixture().fit(X, X_std=X_std).locations_
    selected = labelled(X, np.arange(30) * 2)  # of a longer table; the errors were computed
    assert np.array_equal(mixture().fit(selected, X_std=labelled(X_std, None)).locations_, expected)
    assert np.array_equal(mixture().fit(selected, X_std=X_std).locations_, expected)


def test_the_same_instants_in_two_time_zones():
    X, X_std, _ = good_table()
    utc = pd.date_range("2026-01-01", periods=30, freq="h", tz="UTC")
    table, errors = labelled(X, utc), labelled(X_std, utc.tz_convert("Europe/Oslo"))
    expected = mixture().fit(X, X_std=X_std).locations_
    assert np.array_equal(mixture().fit(table, X_std=errors).locations_, expected)
    refused(r"^X_std has the rows of X in another order, by their ", table, X_std=errors[::-1])


@pytest.mark.parametrize(
    "index",
    [
        pd.Index([pd.NA, *range(1, 30)], dtype="Int64"),
        pd.Index([np.nan, *range(1, 30)]),
        pd.Index([None, *(f"star{i}" for i in range(1, 30))], dtype=object),
        pd.DatetimeIndex([pd.NaT, *pd.date_range("2026-01-01", periods=29)]),
        pd.MultiIndex.from_arrays([np.full(30, 7), [np.nan, *range(1, 30)]]),
    ],
    ids=["Int64", "float", "text", "dates", "several"],
)
def test_missing_labels(index):
    X, X_std, _ = good_table()
    table, errors = labelled(X, index), labelled(X_std, index)
    swapped = errors.iloc[[0, 2, 1, *range(3, 30)]]
    refused(
        r"^X_std has the rows of X in another order, by their index: row 1 is .*2.*, in X it is .*1.*; "
        r"give X_std\.loc\[X\.index\]$",
        table,
        X_std=swapped,
    )
    refused(
        r"^X_std has the rows of X in another order, .*: row 0 is .*, in X it is .*(<NA>|nan|None|NaT)",
        table,
        X_std=errors[::-1],
    )
    mixture().fit(table, X_std=errors.set_axis(index.copy(deep=True)))


def test_labels_that_occur_more_than_once():
    X, X_std, _ = good_table()
    index = ["a", "a", *range(28)]
    refused(
        r"^X_std has the rows of X in another order, by their index: row 0 is 27, in X it is 'a'; labels occur more "
        r"than once and do not say which row is which: bring the rows to the order of X, and give "
        r"X_std\.to_numpy\(\)$",
        labelled(X, index),
        X_std=labelled(X_std, index)[::-1],
    )
    refused(
        r"^X_std has other rows than X, by their index: row 1 is 'b', in X it is 'a'",
        labelled(X, ["a", "a", "b", *range(27)]),
        X_std=labelled(X_std, ["a", "b", "b", *range(27)]),
    )


def test_weights_with_the_rows_in_another_order():
    X, *_ = good_table()
    weights = pd.Series(np.ones(30), index=[f"star{i}" for i in range(30)])
    table = labelled(X, weights.index)
    refused(r"^sample_weight has the rows of X in ano", table, sample_weight=weights[::-1])
    model = mixture().fit(table, sample_weight=weights)
    with pytest.raises(InputError, match=r"^sample_weight has the rows of X in another order"):
        model.score(table, sample_weight=weights[::-1])


@pytest.mark.parametrize(
    "frame", [lambda a: pl.DataFrame(a, schema=list("ugr")), lambda a: pa.table(dict(zip("ugr", a.T)))]
)  # fmt: skip
def test_polars_and_arrow(frame):
    X, X_std, _ = good_table()
    refused(r"^X_std has shape \(20, 3\), X has \(30, 3\); ", frame(X), X_std=frame(X_std[:20]))
    swapped = frame(X_std).select(["g", "u", "r"])
    refused(r"^X_std has the columns of X in another order: \['g'", frame(X), X_std=swapped)
    model = mixture().fit(frame(X), X_std=frame(X_std))
    assert np.array_equal(model.locations_, mixture().fit(X, X_std=X_std).locations_)
