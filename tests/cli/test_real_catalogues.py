"""Real catalogues from file to ranked list with one command each; their folder is in PECULIAR_DATA."""

import json

import pytest

from peculiar import read
from tests.real_data import needs_data, real

pytestmark = needs_data


@pytest.mark.slow
def test_quasars(peculiar, tmp_path):
    colours = "u_mag - r_mag, g_mag - r_mag, i_mag - r_mag, z_mag - r_mag"
    arguments = ["--features", colours, "-k", "3", "--show", "name,redshift"]
    done = peculiar(
        "rank", real("sdss_dr3_quasars.csv.gz"), *arguments, "--out", tmp_path / "q.fits"
    )
    assert done.code == 0, done.err
    names_of_files = ("Written", "errors are taken from")
    lines = [line for line in done.out.splitlines() if not any(w in line for w in names_of_files)]
    assert max(map(len, lines)) <= 100
    (glitch,) = (line for line in lines if "073228.13+382624.8  1.1367 " in line)  # in r
    assert int(glitch.split()[0]) <= 5
    ranked = read(tmp_path / "q.fits")
    assert len(ranked) == 46_420
    assert len(ranked.colnames) == 24 + 14 + 4 * 5
    assert (ranked["redshift"][:20] > 3).sum() >= 15
    top = ranked[:100]
    for row in top[top["phot_suspect"] == 1]:  # badly measured is not strange: it is another value
        name = row["main_feature"].replace(" - ", "_")
        assert row[f"{name}_err"] < 0.2


def test_supernovae_with_their_full_covariances(peculiar):
    shared = ["--cov", "mb,x1=cov_m_s", "--cov", "mb,color=cov_m_c", "--cov", "x1,color=cov_s_c"]
    features = "x1, color, brightness = mb - 5 * log10(zcmb)"
    arguments = ["--features", features, "--no-error", "zcmb", *shared, "-k", "1", "--json"]
    done = peculiar("rank", real("jla_supernovae.csv.gz"), *arguments)
    assert done.code == 0, done.err
    said = json.loads(done.out)
    assert said["n_objects"] == 740
    assert [row["kind"] for row in said["errors"]].count("covariance") == 3
    assert said["n_discoveries"] <= 5  # the sample was cut before


@pytest.mark.slow
def test_kepler_with_its_asymmetric_errors(peculiar):
    features = "period = log10(koi_period), depth = log10(koi_depth), radius = log10(koi_srad)"
    arguments = ["--features", features, "-k", "3", "--show", "kepoi_name", "--json"]
    done = peculiar("rank", real("kepler_koi.csv.gz"), *arguments)
    assert done.code == 0, done.err
    said = json.loads(done.out)
    assert {row["kind"] for row in said["errors"]} == {"upper/lower"}
    assert any("the error is exactly 0" in note for note in said["notes"])
    assert said["warnings"]
    assert all(name in done.err for name in ("koi_depth", "koi_srad"))
