"""What columns of errors mean, and what becomes of values of which nothing is known."""

import numpy as np
import pytest
from astropy import units as u
from astropy.table import MaskedColumn, Table
from numpy.testing import assert_allclose, assert_array_equal

from peculiar.catalogue import measure
from peculiar.errors import CatalogueError

NAN = np.nan


def test_inverse_variances():
    measured = measure({"f": [1.0, 2.0, 3.0], "f_ivar": [4.0, 0.0, 25.0]}, "f")
    assert_allclose(measured.X[:, 0], [1.0, NAN, 3.0])
    assert_allclose(measured.X_std[[0, 2], 0], [0.5, 0.2])
    assert measured.notes == (
        "f: 1 value is missing because the inverse variance is 0 or missing (f_ivar)",
    )


def test_variances():
    assert measure({"f": [1.0], "f_variance": [0.25]}, "f").X_std == 0.5


@pytest.mark.parametrize("sign", [1, -1])
def test_upper_and_lower_errors(sign):
    # The mean of the two variances.
    measured = measure(
        {"p": [1.0, 2.0], "p_err1": [0.3, 0.0], "p_err2": [0.4 * sign, 0.2 * sign]}, "p"
    )
    assert_allclose(measured.X_std[:, 0], [np.sqrt(0.125), np.sqrt(0.02)])
    assert measured.notes == ()


def test_one_error_for_all():
    assert_array_equal(measure({"z": [1.0, 2.0]}, "z", errors={"z": 0.01}).X_std, [[0.01], [0.01]])


def test_values_without_an_error_are_missing():
    table = Table(
        {"f": [1.0, 2.0, 3.0], "f_err": MaskedColumn([0.1, 0.2, np.inf], mask=[False, True, False])}
    )
    measured = measure(table, "f")
    assert_allclose(measured.X[:, 0], [1.0, NAN, NAN])
    assert measured.notes == ("f: 2 values are missing because the error is missing (f_err)",)


class TestZeroErrors:
    table = {"f": [1.0, 2.0, 3.0, NAN], "f_err": [0.1, 0.0, 0.2, 0.0]}  # noqa: RUF012

    def test_missing(self):
        measured = measure(self.table, "f")
        assert_allclose(measured.X[:, 0], [1.0, NAN, 3.0, NAN])
        assert measured.notes == (
            (
                "f: 1 value is missing because the error is exactly 0 (f_err), unlike others; "
                "--zero-errors exact keeps them"
            ),
        )

    def test_exact(self):
        measured = measure(self.table, "f", zero_errors="exact")
        assert_allclose(measured.X_std[:3, 0], [0.1, 0.0, 0.2])
        assert measured.X[1, 0] == 2.0
        assert measured.notes == ("f: 1 value is taken as exact, with an error of 0 (f_err)",)

    def test_refuse(self):
        with pytest.raises(
            CatalogueError,
            match=r"^row 1, column f_err: the error is exactly 0 \(in 1 rows in all\)",
        ):
            measure(self.table, "f", zero_errors="refuse")

    def test_all_zero_is_exact(self):
        measured = measure({"f": [1.0, 2.0], "f_err": [0.0, 0.0]}, "f", zero_errors="refuse")
        assert_array_equal(measured.X_std, [[0.0], [0.0]])

    def test_all_zero_is_said(self):
        table = {"f": [1.0, 2.0, 3.0], "f_err": [0.0, 0.0, np.nan]}
        assert measure(table, "f").notes[-1] == (
            "f: 2 values are taken as exact because all errors are 0 (f_err); if they are not known, --error f=NUMBER "
            "gives one"
        )
        assert (
            len(measure(table, "f", zero_errors="exact").notes) == 1
        )  # of the error that is missing

    def test_no_such_choice(self):
        with pytest.raises(
            CatalogueError, match=r"^zero_errors='keep': must be one of missing, exact, refuse$"
        ):
            measure(self.table, "f", zero_errors="keep")


class TestSentinels:
    def test_asked_for(self):
        table = {"f": [1.0, -9999.0, 3.0], "f_err": [0.1, 0.1, 99.0]}
        measured = measure(table, "f", missing=[-9999, 99])
        assert_allclose(measured.X[:, 0], [1.0, NAN, NAN])
        assert measured.notes[:2] == (
            "f: 1 value is missing, as asked for",
            "f_err: 1 value is missing, as asked for",
        )
        assert table["f"][1] == -9999.0

    @pytest.mark.parametrize(
        "missing", ["-9999,99", ["-9999", "99"], (-9999, 99.0), np.array([-9999, 99])]
    )
    def test_as_the_command_line_has_them(self, missing):
        measured = measure({"f": [1, -9999, 99], "f_err": [0.1] * 3}, "f", missing=missing)
        assert_allclose(measured.X[:, 0], [1.0, NAN, NAN])

    def test_in_single_precision(self):
        table = {"f": np.array([1.0, 99.99], dtype=np.float32), "f_err": [0.1, 0.1]}
        assert np.isnan(measure(table, "f", missing=[99.99]).X[1, 0])

    def test_words(self):
        measured = measure(
            {"f": ["1.5", "n.d.", "-99"], "f_err": [0.1] * 3}, "f", missing=["n.d.", -99]
        )
        assert_allclose(measured.X[:, 0], [1.5, NAN, NAN])

    def test_not_asked_for_they_are_kept_and_remarked_on(self):
        measured = measure({"f": [1.0, -9999.0, 3.0, -9999.0], "f_err": [0.1] * 4}, "f")
        assert measured.X[1, 0] == -9999.0
        assert measured.notes == (
            "f: 2 values are -9999; if that means 'missing', say --missing -9999",
        )

    def test_nonsense(self):
        with pytest.raises(CatalogueError, match=r"^missing=None: give numbers or words"):
            measure({"f": [1.0], "f_err": [0.1]}, "f", missing=[None])


class TestUnits:
    def gaia(self):
        return Table(
            {
                "ra": [10.0] * u.deg,
                "ra_error": [3.6] * u.mas,
                "g": [15.0] * u.mag,
                "g_error": [10.0] * u.mmag,
                "r": [14.0] * u.mag,
                "r_error": [0.01] * u.mag,
                "flux": [4.0] * u.Jy,
                "flux_ivar": [4.0] / u.Jy**2,
                "mjy": [1000.0] * u.mJy,
                "mjy_error": [10.0] * u.mJy,
                "bare": [1.0],
                "bare_error": [0.1],
            }
        )

    def test_errors_in_other_units(self):
        measured = measure(self.gaia(), "ra, g, flux")
        assert_allclose(measured.X_std, [[1e-6, 0.01, 0.5]])
        assert measured.units == ("deg", "mag", "Jy")

    def test_differences_in_other_units(self):
        measured = measure(self.gaia(), "flux - mjy")
        assert_allclose(measured.X, [[3.0]])
        assert_allclose(measured.X_std, [[np.hypot(0.5, 0.01)]])
        assert measured.units == ("Jy",)

    @pytest.mark.parametrize(
        ("feature", "unit"),
        [
            ("g - r", "mag"),
            ("g - 25", "mag"),
            ("flux / mjy", "Jy / mJy"),
            ("flux^2", "Jy2"),
            ("2*flux", "Jy"),
            ("1/flux", "1 / Jy"),
            ("sqrt(flux)", "Jy(1/2)"),
            ("log10(flux)", "log10(Jy)"),
            ("log10(flux) - 0.4*g", "mag"),
            ("flux - bare", ""),
            ("flux*bare", ""),
            ("bare", ""),
            ("log10(bare)", ""),
        ],
    )
    def test_of_expressions(self, feature, unit):
        assert measure(self.gaia(), feature).units == (unit,)

    def test_what_cannot_be_added(self):
        message = (
            r"^flux is in Jy, g in mag: they cannot be subtracted; are these the right columns\?$"
        )
        with pytest.raises(CatalogueError, match=message):
            measure(self.gaia(), "flux - g")

    def test_an_error_that_is_something_else(self):
        table = self.gaia()
        table["g_error"].unit = "Jy"
        with pytest.raises(
            CatalogueError,
            match=r"^column 'g_error' is in Jy, which cannot be converted to mag; is it",
        ):
            measure(table, "g")

    def test_magnitudes_of_a_system(self):
        table = Table(
            {
                "g": [15.0] * u.ABmag,
                "r": [14.0] * u.ABmag,
                "g_err": [0.1] * u.mag,
                "r_err": [10.0] * u.mmag,
            }
        )
        measured = measure(table, "g - r")
        assert measured.units == ("mag",)
        assert_allclose(measured.X_std, [[np.hypot(0.1, 0.01)]])


class TestCorrelations:
    def table(self, **changes):
        return {
            "a": [1.0, 2.0],
            "b": [3.0, 4.0],
            "a_error": [0.1, 0.2],
            "b_error": [0.3, 0.5],
            **changes,
        }

    def test_correlation(self):
        measured = measure(self.table(a_b_corr=[0.5, -1.0]), "a, b")
        assert_allclose(measured.X_cov[:, 0, 1], [0.5 * 0.1 * 0.3, -0.2 * 0.5])

    def test_covariance(self):
        measured = measure(self.table(c=[0.01, 0.0]), "b, a", covariances={("a", "b"): "c"})
        assert_allclose(measured.X_cov[:, 0, 1], [0.01, 0.0])

    def test_unknown_correlations(self):
        measured = measure(self.table(a_b_corr=[0.5, NAN]), "a, b")
        assert_allclose(measured.X_cov[:, 0, 1], [0.015, 0.0])
        assert measured.notes == (
            "a_b_corr: 1 value is missing where a and b are known; 0 is taken",
        )

    def test_no_correlation(self):
        message = r"^row 1, column 'a_b_corr': the errors of a and b cannot .* covariance 1.5, outside of \[-1, 1\]"
        with pytest.raises(CatalogueError, match=message):
            measure(self.table(a_b_corr=[0.5, 1.5]), "a, b")

    def test_no_covariance(self):
        message = r"^row 0, column 'c': the errors of a and b cannot .* 0.04, more than the product of their errors"
        with pytest.raises(CatalogueError, match=message):
            measure(self.table(c=[0.04, 0.0]), "a, b", covariances={("a", "b"): "c"})


def test_infinite_values_are_missing():
    measured = measure({"f": [1.0, np.inf], "f_err": [0.1, 0.1]}, "f")
    assert np.isnan(measured.X[1, 0])
    assert measured.notes == ("f: 1 value is infinite, and taken as missing",)


def test_integers_truths_and_big_endian_numbers():
    table = Table(
        {
            "a": np.array([1, 2], dtype=">i4"),
            "b": [True, False],
            "a_err": np.array([1, 1], dtype=">f4"),
        }
    )
    assert_array_equal(measure(table, "a, b", no_error=["b"]).X, [[1, 1], [2, 0]])


def test_quoted_columns_and_labels():
    measured = measure({"B-V": [1.0], "e_B-V": [0.1]}, "colour = 2 * `B-V`")
    assert measured.names == ("colour",)
    assert_allclose(measured.X_std, [[0.2]])
