"""Covariances of errors as users give them: once, twice, in other units, and where they cancel."""

import numpy as np
import pytest
from astropy import units as u
from astropy.table import Table
from numpy.testing import assert_allclose

from peculiar.catalogue import measure, read, write
from peculiar.errors import CatalogueError


def table(**columns):
    n = 3
    given = {"a": [1.0, 2.0, 3.0], "a_err": [0.1] * n, "b": [2.0, 1.0, 5.0], "b_err": [0.2] * n}
    return Table(given | {"c": [0.01] * n} | columns)


def errors(covariances, **columns):
    return measure(table(**columns), "a - b", covariances=covariances).X_std[:, 0]


def test_a_covariance_given_both_ways_counts_once():
    once = errors({("a", "b"): "c"})
    assert_allclose(once, np.sqrt(0.01 + 0.04 - 0.02))
    assert_allclose(errors({("b", "a"): "c"}), once)
    assert_allclose(errors({("a", "b"): "c", ("b", "a"): "c"}), once)


def test_two_covariances_of_the_same_columns_are_refused():
    with pytest.raises(CatalogueError, match="both said to be the covariance of 'a' and 'b'"):
        errors({("a", "b"): "c", ("b", "a"): "d"}, d=[0.0] * 3)
    with pytest.raises(CatalogueError, match=r"the covariance of 'a' with itself.*variance:c"):
        errors({("a", "a"): "c"})


def test_covariances_have_units():
    sky = table()
    for name, unit in {"a": u.deg, "b": u.deg, "a_err": u.mas, "b_err": u.mas}.items():
        sky[name].unit = unit
    sky["c"].unit = u.mas**2
    found = measure(sky, "a, b", covariances={("a", "b"): "c"}).X_cov
    to_deg = (1 * u.mas).to_value(u.deg)
    assert_allclose(found[0], np.array([[0.01, 0.01], [0.01, 0.04]]) * to_deg**2)
    sky["c"].unit = u.s
    with pytest.raises(CatalogueError, match="column 'c' is in s, which cannot be converted to"):
        measure(sky, "a, b", covariances={("a", "b"): "c"})


def test_errors_that_cancel_are_no_reason_to_lose_a_value():
    rng = np.random.default_rng(0)
    b_err = rng.uniform(0.01, 1.0, 500)
    columns = {"a": rng.normal(size=500), "a_err": 3 * b_err, "b": rng.normal(size=500)}
    sky = Table(columns | {"b_err": b_err, "a_b_corr": np.ones(500)})
    found = measure(sky, "a - 3 * b")
    assert not np.isnan(found.X).any()
    assert found.X_std.max() < 1e-6
    assert not found.notes


def test_braces_in_the_name_of_a_column_are_just_braces():
    sky = Table({"f{r}": [1.0, np.inf, 2.0], "f{r}_err": [0.1] * 3})
    (note,) = measure(sky, "`f{r}`", errors={"f{r}": "f{r}_err"}).notes
    assert note.startswith("f{r}: 1 value is infinite")


def test_a_name_with_a_comma_in_a_table_with_tabs(tmp_path):
    sky = Table({"mag, AB": [1.5, 2.5], "e_mag": [0.1, 0.2]})
    write(sky, tmp_path / "sky.tsv")
    assert read(tmp_path / "sky.tsv").colnames == sky.colnames


def test_a_byte_order_mark_before_a_comment(tmp_path):
    (tmp_path / "sky.csv").write_bytes(b"\xef\xbb\xbf# from an archive\na,b\n1,2\n")
    assert read(tmp_path / "sky.csv").colnames == ["a", "b"]
