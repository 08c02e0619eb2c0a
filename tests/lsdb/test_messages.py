"""What cannot be used is refused with a message that says what, where, and a way out."""

import re

import numpy as np
import pytest

import peculiar.lsdb
from peculiar import RobustMixture
from peculiar.errors import (
    CatalogueError,
    InputError,
    MissingNoiseWarning,
    ModelFileError,
    PeculiarError,
    SettingError,
)
from tests.lsdb.helpers import MARKS, computed, lsdb, make_catalog, stars

pytestmark = MARKS

SIMPLE = RobustMixture.from_parameters([1.0], [[18.0]], [[[1.0]]], 3.0)


@pytest.fixture(scope="module")
def catalog():
    return make_catalog(stars(60), rows=20)


def refused(kind, *words, function=peculiar.lsdb.score, given, **options):
    with pytest.raises(kind) as caught:
        function(*given, **options)
    assert isinstance(caught.value, PeculiarError)
    for word in words:
        assert word in str(caught.value)


def test_what_is_no_catalogue():
    words = ("dict is no catalogue of LSDB", "lsdb.open_catalog", "peculiar.scan")
    refused(InputError, *words, given=({}, SIMPLE), features="r")
    refused(InputError, *words, function=peculiar.lsdb.fit, given=({}, "r"))


def test_features_are_said_once(catalog):
    fit, scan = peculiar.lsdb.fit, peculiar.lsdb.scan(catalog, "r")
    refused(InputError, "features are needed", function=fit, given=(catalog,))
    refused(InputError, "features was given beside a scan", function=fit, given=(scan, "r"))
    refused(InputError, "sigma was given beside a scan", function=fit, given=(scan,), sigma=2)
    refused(
        InputError,
        "sigma=2 was given beside a recipe",
        function=peculiar.lsdb.scan,
        given=(catalog, scan.recipe),
        sigma=2,
    )
    refused(ModelFileError, "how its 1 features are made", "features=", given=(catalog, SIMPLE))


def test_a_model_of_other_features(catalog):
    words = ("gives 2 features (r, g)", "the model was fitted to 1")
    refused(InputError, *words, given=(catalog, SIMPLE), features="r, g")


def test_what_cannot_be_fitted(catalog):
    words = "estimator must be a RobustMixture or an OutlierDetector, not str"
    refused(InputError, words, function=peculiar.lsdb.fit, given=(catalog, "r"), estimator="mml")


@pytest.mark.parametrize("keep", ["objid", ["lost"]])
def test_columns_that_are_not_there(catalog, keep):
    words = ("keep=", "'names', 'all', or some of objid, ra")
    refused(InputError, *words, given=(catalog, SIMPLE), features="r", keep=keep)


def test_columns_that_were_not_opened(tmp_path):
    make_catalog(stars(60), rows=20).write_catalog(
        tmp_path / "sky", as_collection=False, progress_bar=False
    )
    some = lsdb.open_catalog(tmp_path / "sky", columns=["ra", "dec", "r"])
    words = ("r_err", "were not opened", "columns='all'")
    refused(CatalogueError, *words, given=(some, SIMPLE), features="r")


def test_a_bad_row_is_named():
    table = stars(60)
    table.loc[table["ra"].idxmin(), "r_err"] = -0.1
    catalog = make_catalog(table, rows=20)
    with pytest.raises(
        CatalogueError, match="column 'r_err': an error cannot be negative"
    ) as caught:
        peculiar.lsdb.score(catalog, SIMPLE, features="r")
    found = re.match(
        r"partition (\d+) \(Norder=(\d), Npix=(\d+)\), row (\d+) of it", str(caught.value)
    )
    number, order, pixel, row = map(int, found.groups())
    for part in (catalog.partitions[number], catalog.get_partition(order, pixel)):
        assert computed(part)["r_err"].iloc[row] == -0.1


def test_a_refused_error_of_zero_is_named():
    table = stars(60)
    place = table["ra"].idxmax()
    table["r_err"] = np.where(np.arange(60) == place, 0.0, 0.1)
    catalog = make_catalog(table, rows=20)
    words = ("row ", "of partition ", "(Norder=", "column r_err: the error is exactly 0")
    refused(CatalogueError, *words, given=(catalog, SIMPLE), features="r", zero_errors="refuse")


def test_a_catalogue_without_rows(catalog):
    refused(CatalogueError, "has no rows", given=(catalog.query("ra > 400"), SIMPLE), features="r")


def test_errors_that_the_model_had(catalog):
    model = RobustMixture(1, tol=1e-3).fit(np.arange(9.0)[:, None], X_std=np.ones((9, 1)))
    with pytest.warns(MissingNoiseWarning):
        peculiar.lsdb.score(catalog, model, features="r", no_error=["r"])


def test_discoveries_need_p_values(catalog):
    of = peculiar.lsdb.discoveries
    refused(InputError, "no column p_value", "peculiar.lsdb.score", function=of, given=(catalog,))
    refused(SettingError, "'bh' or 'storey'", function=of, given=(catalog,), method="bayes")
    refused(SettingError, "fdr", function=of, given=(catalog,), fdr=2.0)
