"""More conventions for errors; errors of several sigma, in per cent, rounded to 0; correlations called rho."""

import numpy as np
import pytest
from astropy.table import Table

from peculiar.catalogue import measure, pair_errors
from peculiar.catalogue.recipe import Recipe
from peculiar.errors import CatalogueError

TABLE = {"x": [10.0, 20.0], "x_err": [0.2, 0.4]}


@pytest.mark.parametrize(
    ("names", "column", "error", "rule"),
    [
        (["id", "f_F160W", "e_F160W"], "f_F160W", ("e_F160W",), "e_X for f_X"),
        (["v", "v_errp", "v_errn"], "v", ("v_errp", "v_errn"), "X_errp and X_errn"),
        (["RV", "e_RV_stat", "e_RV_sys"], "RV", ("e_RV_stat",), "e_X_stat"),
        (["MgFe", "errMg", "SiFe", "errSi"], "MgFe", ("errMg",), "errX for XFe"),
        (["Teff", "errTeff"], "Teff", ("errTeff",), "errX"),
        (["r_psfFlux", "r_psfFluxErr", "g_psfFlux"], "r_psfFlux", ("r_psfFluxErr",), "Xerr"),
        (["beta", "standard_error", "p"], "beta", ("standard_error",), "standard_error for beta"),
        (["beta.exposure", "se.exposure", "se.outcome"], "beta.exposure", ("se.exposure",), "seY for betaY"),
        (["beta", "se"], "beta", ("se",), "seY for betaY"),
    ],
)  # fmt: skip
def test_conventions(names, column, error, rule):
    (pair,) = pair_errors(names, [column]).columns
    assert (pair.names, pair.found_by) == (error, rule)


def test_e_x_is_the_error_of_x_where_there_is_one():
    names = ["F160W", "f_F160W", "e_F160W"]
    assert pair_errors(names, ["F160W"]).columns[0].names == ("e_F160W",)
    with pytest.raises(CatalogueError, match=r"^e_F160W may be the error of 'f_F160W' or of F160W"):
        pair_errors(names, ["f_F160W"])


# ------------------------------------------------------------------------------ correlations


ZIRCONS = {"a": [1.0, 2.0], "a_err": [0.1, 0.1], "b": [3.0, 4.0], "b_err": [0.2, 0.2], "RHO": [0.5, -0.5]}  # fmt: skip


@pytest.mark.parametrize("name", ["RHO", "rho", "err_corr"])
def test_the_correlation_of_two_columns(name):
    table = {**ZIRCONS}
    table[name] = table.pop("RHO")
    sky = measure(table, "a, b")
    np.testing.assert_allclose(sky.X_cov[:, 0, 1], [0.01, -0.01])
    assert sky.pairing.rows()[-1] == {
        "column": "a, b",
        "error": name,
        "kind": "correlation",
        "found by": f"{name}, with two columns",
    }


def test_a_rho_that_is_no_correlation():
    three = {**ZIRCONS, "c": [1.0, 2.0], "c_err": [0.1, 0.1]}
    assert measure(three, "a, b, c").X_cov is None
    assert measure({**ZIRCONS, "RHO_err": [0.1, 0.1]}, "a, b").X_cov is None
    assert measure(ZIRCONS, "a, b", covariances={("b", "a"): None}).X_cov is None
    density = Table(ZIRCONS)
    density["RHO"].unit = "g / cm3"
    with pytest.raises(
        CatalogueError, match=r"^column 'RHO' is in g / cm3, and a correlation has no unit; .*=none"
    ):
        measure(density, "a, b")
    too_large = {**ZIRCONS, "RHO": [5.5, 1.0]}
    with pytest.raises(
        CatalogueError, match=r"^row 0, column 'RHO': .* 5\.5, outside of \[-1, 1\].*--cov a,b=none"
    ):
        measure(too_large, "a, b")


def test_a_correlation_that_is_given():
    table = {**ZIRCONS, "c": [1.0, 2.0], "c_err": [0.1, 0.1]}
    sky = measure(table, "a, b, c", covariances={("a", "b"): "corr:RHO"})
    np.testing.assert_allclose(sky.X_cov[:, 0, 1], [0.01, -0.01])
    with pytest.raises(CatalogueError, match="has no column 'RH'; did you mean RHO"):
        measure(table, "a, b, c", covariances={("a", "b"): "corr:RH"})


# ------------------------------------------------------------------------------ what the numbers mean


def test_errors_of_two_sigma():
    np.testing.assert_allclose(measure(TABLE, "x", sigma=2).X_std[:, 0], [0.1, 0.2])
    both = {"x": [1.0], "x_err1": [0.2], "x_err2": [-0.2]}
    np.testing.assert_allclose(measure(both, "x", sigma=2).X_std, [[0.1]])
    inverse = {"x": [1.0], "x_ivar": [25.0]}
    np.testing.assert_allclose(measure(inverse, "x", sigma=2).X_std, [[0.2]])  # what it says
    np.testing.assert_allclose(measure(TABLE, "x", errors={"x": 0.3}, sigma=2).X_std[0], 0.3)


def test_errors_in_per_cent():
    np.testing.assert_allclose(measure(TABLE, "x", percent=True).X_std[:, 0], [0.02, 0.08])
    np.testing.assert_allclose(measure(TABLE, "x", percent=True, sigma=2).X_std[:, 0], [0.01, 0.04])
    given = measure({**TABLE, "x": [-10.0, 20.0]}, "x", errors={"x": "percent:x_err"})
    np.testing.assert_allclose(given.X_std[:, 0], [0.02, 0.08])
    assert given.pairing.columns[0].kind == "percent"


ROUNDED = {"x": [1.0, 2.0, 3.0, 4.0], "x_err": [0.0, 0.01, 0.02, 0.04]}


def test_an_error_floor():
    sky = measure(ROUNDED, "x", error_floor=0.015)
    np.testing.assert_allclose(sky.X_std[:, 0], [0.015, 0.015, 0.02, 0.04])
    assert sky.notes == ("x: 2 errors (x_err) are raised to the floor 0.015, 1 of them from 0",)
    sky = measure(ROUNDED, "x", error_floor={"x": 0.005})
    assert sky.notes == ("x: 1 error (x_err) is raised from 0 to the floor 0.005",)


def test_zeros_that_look_rounded():
    (note,) = measure(ROUNDED, "x").notes
    assert note == (
        "x: 1 value is missing because the error is exactly 0 (x_err), unlike others; --zero-errors exact takes them "
        "literally. The errors are multiples of 0.01, so that 0 looks rounded: --error-floor x=0.005 keeps the values, "
        "with that error"
    )
    with pytest.raises(
        CatalogueError, match=r"The errors are multiples of 0\.01, so that 0 looks rounded"
    ):
        measure(ROUNDED, "x", zero_errors="refuse")
    for errors in (
        [0.0, 0.01371234567, 0.02, 0.04],
        [0.0, 0.71, 0.84, 0.93],
        [0.0, 0.01, 0.01, 0.01],
    ):
        (note,) = measure({**ROUNDED, "x_err": errors}, "x").notes
        assert note.endswith("--zero-errors exact keeps them")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"sigma": 0}, r"^sigma=0: errors are a positive number of standard deviations, such as 2$"),
        ({"sigma": -1.0}, "^sigma=-1"),
        ({"error_floor": -1}, r"^error_floor=-1: must be a number from 0 on, in the unit of the column$"),
        ({"error_floor": {"x": np.nan}}, "^error_floor=nan of x: must be"),
        ({"error_floor": {"xx": 1}}, "^an error floor was given for 'xx', which no feature uses; did you mean x"),
    ],
)  # fmt: skip
def test_what_cannot_be(options, message):
    with pytest.raises(CatalogueError, match=message):
        measure(TABLE, "x", **options)


def test_a_recipe_remembers():
    recipe = Recipe("x", sigma=2.0, percent=True, error_floor={"x": 0.05}, limits={"x": None})
    assert Recipe.from_plain(recipe.plain()) == recipe
    np.testing.assert_allclose(recipe.measure(TABLE).X_std[:, 0], [0.05, 0.05])
    assert not {"sigma", "percent", "error_floor", "limits"} & set(Recipe("x").plain())
    wrong = [{"sigma": "2"}, {"sigma": -1.0}, {"percent": 1}, {"error_floor": [1]}]
    for entry in [*wrong, {"limits": {"x": 1}}]:
        with pytest.raises(CatalogueError):
            Recipe.from_plain({"features": "x", **entry})


def test_an_error_that_may_be_of_the_abundance_or_of_the_ratio():
    with pytest.raises(
        CatalogueError, match=r"errMg may be the error of 'MgFe' or of Mg; decide with"
    ):
        pair_errors(["MgFe", "errMg", "Mg"], ["MgFe"])
