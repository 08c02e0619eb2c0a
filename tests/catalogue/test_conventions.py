"""Which column is the error of which: every convention, every doubt."""

import pytest

from peculiar.catalogue import needed_columns, pair_errors
from peculiar.errors import CatalogueError

CONVENTIONS = [
    # column, its error(s), kind
    ("Jmag", ["e_Jmag"], "std"),  # VizieR
    ("Plx", ["E_Plx", "e_Plx"], "upper/lower"),  # VizieR, asymmetric
    ("parallax", ["parallax_error"], "std"),  # Gaia
    ("psfMag_u", ["psfMagErr_u"], "std"),  # SDSS
    ("petroR50_r", ["petroR50Err_r"], "std"),
    ("psfFlux_g", ["psfFluxIvar_g"], "ivar"),
    ("flux_g", ["flux_ivar_g"], "ivar"),  # Legacy Surveys
    ("flux", ["flux_ivar"], "ivar"),
    ("u_mag", ["u_mag_err"], "std"),
    ("u", ["u_err"], "std"),
    ("B_mag", ["B_err"], "std"),
    ("B_mag", ["B_magerr"], "std"),
    ("u_mag", ["sig_u"], "std"),
    ("B", ["B_magerr"], "std"),
    ("gMeanPSFMag", ["gMeanPSFMagErr"], "std"),  # Pan-STARRS
    ("MAG_AUTO", ["MAGERR_AUTO"], "std"),  # SExtractor
    ("FLUX_APER_1", ["FLUXERR_APER_1"], "std"),
    ("x1", ["sig_x1"], "std"),
    ("x1", ["sigma_x1"], "std"),
    ("x1", ["x1_sigma"], "std"),
    ("x1", ["x1_unc"], "std"),
    ("Flux1000", ["Unc_Flux1000"], "std"),  # Fermi
    ("koi_period", ["koi_period_err1", "koi_period_err2"], "upper/lower"),  # NASA Exoplanet Archive
    ("pl_rade", ["pl_radeerr1", "pl_radeerr2"], "upper/lower"),
    ("mass", ["mass_err_upper", "mass_err_lower"], "upper/lower"),
    ("w1mpro", ["w1sigmpro"], "std"),  # WISE
    ("j_m", ["j_cmsig"], "std"),  # 2MASS
    ("flux", ["flux_variance"], "variance"),
    ("RA", ["ra_error"], "std"),  # case does not matter where nobody else can be meant
]


@pytest.mark.parametrize(("column", "errors", "kind"), CONVENTIONS, ids=str)
def test_convention(column, errors, kind):
    (pair,) = pair_errors(["name", column, *errors, "other"], [column]).columns
    assert list(pair.names) == errors
    assert pair.kind == kind
    assert pair.found_by


@pytest.mark.parametrize(
    "stranger", ["u_mag", "u_", "err", "mag_errata", "mag_error_flag", "e_magnitude"]
)
def test_what_is_no_error(stranger):
    with pytest.raises(CatalogueError, match=r"^no error was found for 'mag'"):
        pair_errors(["mag", stranger], ["mag"])


def test_a_leading_u_is_the_u_band():
    with pytest.raises(CatalogueError, match=r"^no error was found for 'flux'"):
        pair_errors(["flux", "u_flux"], ["flux"])


def test_upper_and_lower_case_are_different_bands():
    names = ["U", "u", "U_err", "u_err"]
    assert [pair.names for pair in pair_errors(names, ["U", "u"]).columns] == [
        ("U_err",),
        ("u_err",),
    ]
    with pytest.raises(CatalogueError, match="no error was found for 'U'"):
        pair_errors(["U", "u", "u_err"], ["U"])


def test_the_whole_name_goes_before_a_part_of_it():
    (pair,) = pair_errors(["u_mag", "u_mag_err", "u_err"], ["u_mag"]).columns
    assert pair.names == ("u_mag_err",)


def test_two_candidates():
    with pytest.raises(CatalogueError) as caught:
        pair_errors(["flux", "flux_err", "flux_ivar"], ["flux"])
    assert str(caught.value) == (
        "'flux' has 2 columns that may be its error; decide with one of (--error flux=...)\n"
        "  flux_err  (std, by X_err): errors={'flux': 'flux_err'}\n"
        "  flux_ivar  (ivar, by X_ivar): errors={'flux': 'ivar:flux_ivar'}"
    )


@pytest.mark.parametrize("column", ["z", "z_mag"])
def test_an_error_that_may_be_of_the_redshift_or_of_the_magnitude(column):
    # The published table of the SDSS DR3 quasars: z is the redshift, sig_z belongs to z_mag.
    other = {"z": "z_mag", "z_mag": "z"}[column]
    with pytest.raises(CatalogueError) as caught:
        pair_errors(["z", "z_mag", "sig_z"], [column])
    assert str(caught.value) == (
        f"sig_z may be the error of {column!r} or of {other}; decide with errors={{{column!r}: 'sig_z'}} "
        f"(--error {column}=sig_z), or name another column there"
    )
    (pair,) = pair_errors(["z", "z_mag", "sig_z"], [column], errors={column: "sig_z"}).columns
    assert pair.names == ("sig_z",)


def test_no_doubt_if_the_magnitude_has_its_own():
    names = ["z", "z_err", "z_mag", "z_mag_err"]
    assert [p.names for p in pair_errors(names, ["z", "z_mag"]).columns] == [
        ("z_err",),
        ("z_mag_err",),
    ]


def test_flux_and_magnitude_cannot_share_an_error():
    with pytest.raises(
        CatalogueError, match=r"^B_err may be the error of 'B_mag' or of B_flux; decide"
    ):
        pair_errors(["B_mag", "B_flux", "B_err"], ["B_mag"])


def test_ucds():
    ucds = {
        "Bjohnson": "phot.mag;em.opt.B;meta.main",
        "sb": "stat.error;phot.mag;em.opt.B",
        "V": "phot.mag;em.opt.V",
    }
    (pair,) = pair_errors(list(ucds), ["Bjohnson"], ucds=ucds).columns
    assert (pair.names, pair.found_by) == (("sb",), "UCD stat.error")
    with pytest.raises(CatalogueError, match=r"^no error was found for 'V'"):
        pair_errors(list(ucds), ["V"], ucds=ucds)
    twice = ucds | {"sb2": ucds["sb"]}
    with pytest.raises(CatalogueError, match=r"^'Bjohnson' has 2 columns that may be its error"):
        pair_errors(list(twice), ["Bjohnson"], ucds=twice)


@pytest.mark.parametrize(
    ("given", "names", "kind"),
    [
        ("s", ("s",), "std"),
        ("my_ivar", ("my_ivar",), "ivar"),
        ("std:my_ivar", ("my_ivar",), "std"),
        ("ivar:s", ("s",), "ivar"),
        ("variance:s", ("s",), "variance"),
        (("up", "lo"), ("up", "lo"), "upper/lower"),
        ("up,lo", ("up", "lo"), "upper/lower"),
        (0.01, (), "constant"),
        ("0.01", (), "constant"),
    ],
)
def test_errors_that_are_given(given, names, kind):
    available = ["x", "x_err", "s", "my_ivar", "up", "lo"]
    (pair,) = pair_errors(available, ["x"], errors={"x": given}).columns
    assert (pair.names, pair.kind, pair.found_by) == (names, kind, "given")


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"errors": {"x": "nope"}}, r"^the table has no column 'nope'; it has x, y, s$"),
        ({"errors": {"x": "ivar:nope"}}, r"^the table has no column 'nope'"),
        ({"errors": {"x": "a,b,c"}}, r"^the table has no column 'a'"),
        (
            {"errors": {"x": ["s", "s", "s"]}},
            r"^'x': an error is one column, or an upper and a lower one, not s, s, s$",
        ),
        (
            {"errors": {"x": -1.0}},
            r"^'x' cannot have an error of -1; if it is exact, say no_error \(--no-error\)$",
        ),
        ({"errors": {"x": 0}}, r"^'x' cannot have an error of 0; "),
        (
            {"errors": {"xx": "s"}},
            r"^an error was given for 'xx', which no feature uses; did you mean x\?$",
        ),
        (
            {"no_error": ["qq"]},
            r"^an error was given for 'qq', which no feature uses; the features use x$",
        ),
        (
            {"errors": {"x": "s"}, "no_error": "x"},
            r"^'x' is said to have the error 's', and also to be exact; choose one$",
        ),
        (
            {"errors": {"x": "s"}, "covariances": {("x", "y"): "s"}},
            r"^'s' is said to be the covariance of 'x' and 'y', but 'y' is not used, or is exact$",
        ),
        (
            {"errors": {"x": "s"}, "covariances": {("x", "y"): "nope"}},
            r"^the table has no column 'nope'",
        ),
    ],
)
def test_options_that_make_no_sense(options, message):
    with pytest.raises(CatalogueError, match=message):
        pair_errors(["x", "y", "s"], ["x"], **options)


def test_unpaired():
    with pytest.raises(CatalogueError) as caught:
        pair_errors(["flux", "flux_errr", "ra"], ["flux"])
    assert str(caught.value) == (
        "no error was found for 'flux'; did you mean flux_errr? Say which column it is, errors={'flux': COLUMN} "
        "(--error flux=COLUMN), or that it is exact, no_error=['flux'] (--no-error flux)"
    )


def test_a_column_is_not_suggested_as_its_own_error():
    with pytest.raises(CatalogueError, match=r"^no error was found for 'u_err'\. Say which"):
        pair_errors(["u", "u_err"], ["u_err"])


def test_correlations_of_gaia():
    names = [
        "ra",
        "dec",
        "pmra",
        "ra_error",
        "dec_error",
        "pmra_error",
        "ra_dec_corr",
        "dec_pmra_corr",
    ]
    pairing = pair_errors(names, ["pmra", "dec", "ra"])
    assert pairing.correlations == {("pmra", "dec"): "dec_pmra_corr", ("dec", "ra"): "ra_dec_corr"}
    assert set(pairing.needed()) == set(names)
    assert pair_errors(names, ["ra", "dec"], no_error=["ra"]).correlations == {}
    given = pair_errors(names, ["ra", "dec"], covariances={("dec", "ra"): "ra_dec_corr"})
    assert given.correlations == {}


def test_the_table_that_is_shown():
    names = ["mb", "mb_err", "x1", "s1", "z", "cov", "a", "a_err1", "a_err2"]
    pairing = pair_errors(
        names,
        ["mb", "x1", "z", "a"],
        errors={"x1": "s1", "z": 0.01},
        covariances={("mb", "x1"): "cov"},
    )
    assert str(pairing).splitlines() == [
        "column  error           kind         found by",
        "mb      mb_err          std          X_err",
        "x1      s1              std          given",
        "z       0.01            constant     given",
        "a       a_err1, a_err2  upper/lower  X_err1 and X_err2",
        "mb, x1  cov             covariance   given",
    ]
    assert pairing.rows()[0] == {
        "column": "mb",
        "error": "mb_err",
        "kind": "std",
        "found by": "X_err",
    }


def test_columns_that_are_needed():
    names = {"name": "", "u": "phot.mag", "s": "stat.error;phot.mag", "g": "", "e_g": ""}
    assert needed_columns("u - g, log10(u)", names) == ("u", "s", "g", "e_g")
    assert needed_columns("g", list(names), no_error=["g"]) == ("g",)
