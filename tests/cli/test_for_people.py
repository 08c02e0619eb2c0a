"""A ranked list says what its columns are, whichever way it was made: by the command, or by one call in Python."""

import inspect
import warnings
from pathlib import Path

import astropy.units as u
import numpy as np
import pytest
from astropy.io.votable import parse
from astropy.io.votable.ucd import check_ucd
from astropy.table import Table
from numpy.testing import assert_array_equal

import peculiar as package
from peculiar import read
from peculiar.catalogue import measure, write
from peculiar.cli.rank import command
from peculiar.errors import CatalogueError, PropagationWarning, SettingError
from tests.cli.conftest import FEATURES, QUICK

QUICKLY = {"n_components": 1, "tol": 1e-3, "n_jobs": 1}
OF_THE_SCREEN = {
    "memory",
    "workers",
    "scheduler",
    "dry_run",
    "top",
    "groups",
    "show",
    "out",
    "plain",
    "save_model",
    "overwrite",
}
OF_THE_SCREEN |= {"as_json", "quiet", "debug"}
NEW = {"u_r", "u_r_err", "u_r_clean", "u_r_clean_err", "u_r_surprise", "p_value", "group"}


@pytest.fixture(scope="module")
def in_units(catalogue, tmp_path_factory):
    """The catalogue as FITS, in magnitudes."""
    rows = read(catalogue)
    for name in ("u", "g", "r", "u_err", "g_err", "r_err"):
        rows[name].unit = u.mag
    path = tmp_path_factory.mktemp("units") / "catalogue.fits"
    write(rows, path)
    return path


def assert_same_table(found, expected):
    assert found.colnames == expected.colnames
    for name in expected.colnames:
        assert_array_equal(found[name].astype(str), expected[name].astype(str), err_msg=name)
        assert found[name].unit == expected[name].unit
        assert found[name].description == expected[name].description
        assert found[name].meta.get("ucd") == expected[name].meta.get("ucd")


@pytest.mark.parametrize("kind", ["path", "table"])
def test_one_call_gives_what_the_command_writes(peculiar, in_units, tmp_path, kind):
    done = peculiar("rank", in_units, *QUICK, "--out", tmp_path / "a.ecsv")
    assert done.code == 0, done.err
    ours = package.rank(in_units if kind == "path" else read(in_units), FEATURES, **QUICKLY)
    assert isinstance(ours, Table)
    theirs = read(tmp_path / "a.ecsv")
    assert_same_table(ours, theirs)
    for key in ("MADE_BY", "FEATURES", "FDR"):
        assert ours.meta[key] == theirs.meta[key]
    assert "peculiar.rank(" in ours.meta["COMMAND"]
    assert "'u - r, g - r', n_components=1, tol=0.001, n_jobs=1)" in ours.meta["COMMAND"]


def test_with_some_rows_and_options(peculiar, catalogue, tmp_path):
    options = ["--where", "r < 20", "--no-error", "r", "--method", "storey", "--order", "mixed"]
    done = peculiar("rank", catalogue, *QUICK, *options, "--out", tmp_path / "a.ecsv")
    assert done.code == 0, done.err
    ours = package.rank(
        str(catalogue),
        ["u - r", "g - r"],
        where="r < 20",
        no_error=["r"],
        method="storey",
        order="mixed",
        **QUICKLY,
    )
    assert_same_table(ours, read(tmp_path / "a.ecsv"))
    assert_array_equal(ours["name"], read(catalogue)["name"][ours["row"]])


def test_keyword_arguments_are_the_options_with_the_same_defaults():
    options = {option.name.rstrip("_"): option for option in command.params}
    keywords = inspect.getfullargspec(package.rank).kwonlydefaults
    assert set(keywords) == set(options) - OF_THE_SCREEN - {"catalogue", "features"}
    given = command.make_context("rank", ["a.csv", "--features", "u"]).params
    for name, usual in keywords.items():
        assert (given[options[name].name] or usual) == usual, name  # None and () say nothing


def test_bad_arguments_are_refused(catalogue):
    with pytest.raises(SettingError, match="method='no' is unknown"):
        package.rank(catalogue, FEATURES, method="no")
    with pytest.raises(CatalogueError, match="no row of 300 is chosen"):
        package.rank(catalogue, FEATURES, where="r < 0")
    with pytest.raises(CatalogueError, match="there is no column 'q'"):
        package.rank(read(catalogue), "q - r")


@pytest.mark.parametrize("file", ["a.fits", "a.vot", "a.ecsv"])
def test_columns_say_what_they_are(peculiar, in_units, tmp_path, file):
    path = tmp_path / file
    assert peculiar("rank", in_units, *QUICK, "--out", path, "-q").code == 0
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        theirs = Table.read(path)
    before, ranked = read(in_units).colnames, read(path)
    new = [name for name in ranked.colnames if name not in before]
    assert set(new) >= NEW
    for name in new:
        assert ranked[name].description, name
        ucd = ranked[name].meta["ucd"]
        assert check_ucd(ucd, check_controlled_vocabulary=True), (name, ucd)
    assert theirs["u_r_clean_err"].unit == u.mag
    assert theirs["u_r_surprise"].unit is None
    assert ranked["u_r_clean_err"].description == "error of the clean value of u - r"


def test_a_votable_says_what_made_it(peculiar, catalogue, model, tmp_path):
    path = tmp_path / "a.vot"
    assert peculiar("score", model, catalogue, "--out", path, "-q").code == 0
    infos = {info.name: info.value for info in parse(path).get_first_table().infos}
    assert infos["MADE_BY"].startswith("peculiar ")
    assert infos["COMMAND"].startswith("peculiar score ")
    assert {"MODEL", "CATALOG", "FEATURES", "FDR"} <= set(infos)


def test_names_that_look_alike_and_names_the_user_gave(table):
    ranked = package.rank(table, "u - g, u + g", **QUICKLY)
    assert {"u_g_clean", "u_g_2_clean"} <= set(ranked.colnames)
    assert ranked["u_g_2"].description == "u + g"
    ranked = package.rank(table, "size = u, u_err", no_error=["u_err"], **QUICKLY)
    assert {"size_clean_err", "u_err_err", "u_err_clean"} <= set(ranked.colnames)
    assert ranked["size"].description == "size = u"
    assert_array_equal(ranked["u_err_err"], 0.0)


def test_a_warning_points_at_the_line_that_called(table):
    table["u"], table["u_err"] = np.abs(table["u"]) + 0.1, np.full(60, 5.0)
    with pytest.warns(PropagationWarning) as caught:
        package.rank(table, "log10(u), g", **QUICKLY)
    assert {Path(warning.filename).name for warning in caught} == {Path(__file__).name}


def test_units_of_logarithms_are_said_in_words(tmp_path):
    rng = np.random.default_rng(0)
    stars = Table({"flux": rng.uniform(5, 9, 60), "flux_err": np.full(60, 0.1)})
    stars["flux"].unit = stars["flux_err"].unit = "Jy"
    made = measure(stars, "log10(flux)").to_table()
    assert made["log10_flux"].unit is None
    assert made["log10_flux"].description == "log10(flux), in log10(Jy)"
    assert made["log10_flux_err"].meta["ucd"] == "stat.error"


def test_measurements_go_round(catalogue):
    sky = measure(catalogue, "u - r, gr = g - r")
    made = sky.to_table()
    assert made.colnames == ["u_r", "u_r_err", "gr", "gr_err", "u_r_gr_corr"]
    assert made["gr"].description == "gr = g - r"
    again = measure(made, "u_r, gr")
    assert_array_equal(again.X, sky.X)
    seen = ~np.isnan(sky.X).any(axis=1)
    np.testing.assert_allclose(again.X_cov[seen], sky.X_cov[seen], rtol=1e-12)


def test_discoveries_are_a_table(catalogue):
    sky = measure(catalogue, FEATURES)
    mixture = package.RobustMixture(1, wild_fraction="estimate", tol=1e-3, random_state=0)
    detector = package.OutlierDetector(mixture=mixture).fit(**sky.arguments())
    found = detector.discoveries(**sky.arguments())
    made = found.to_table()
    assert_array_equal(made["is_discovery"], found.mask)
    assert_array_equal(made["q_value"], found.q_values)
    assert made.meta == {"METHOD": "bh", "THRESHOLD": found.threshold}
    assert all(made[name].description for name in made.colnames)
