"""Real catalogues, where they are at hand: the folder is in the environment variable PECULIAR_DATA."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from peculiar.catalogue import measure, read
from tests.real_data import needs_data, real

pytestmark = needs_data


def test_colours_of_quasars():
    path = real("sdss_dr3_quasars.csv.gz")
    sky = measure(path, [f"{band}_mag - r_mag" for band in "ugiz"])
    assert sky.X.shape == (46_420, 4)
    assert sky.notes == ()
    table = read(path, columns=[f"{band}_err" for band in "ugriz"])
    own = np.stack([table[f"{band}_err"] for band in "ugiz"], axis=1)
    expected = np.square(own)[:, :, None] * np.eye(4) + np.square(table["r_err"])[:, None, None]
    assert_allclose(sky.X_cov, expected, rtol=1e-13)
    assert_allclose(np.median(sky.X, axis=0), [0.396, 0.157, -0.140, -0.222], atol=6e-4)


def test_names_of_quasars_stay_text():
    table = read(real("sdss_dr3_quasars.csv.gz"), columns=["name", "J_mag"])
    assert table["name"][0] == "000009.26+151754.5"
    assert len(set(table["name"])) == 46_420
    assert int((~table["J_mag"].mask).sum()) == 6_192


def test_the_full_covariance_of_supernovae():
    path = real("jla_supernovae.csv.gz")
    columns = ("mb", "x1", "color")
    shared = {("mb", "x1"): "cov_m_s", ("mb", "color"): "cov_m_c", ("x1", "color"): "cov_s_c"}
    sky = measure(path, columns, covariances=shared)
    table = read(path)
    assert_allclose(
        sky.X_cov[:, range(3), range(3)],
        np.square(np.stack([table[f"{name}_err"] for name in columns], axis=1)),
        rtol=1e-14,
    )
    for (a, b), name in shared.items():
        assert_array_equal(sky.X_cov[:, columns.index(a), columns.index(b)], table[name])
    assert np.linalg.eigvalsh(sky.X_cov).min() == pytest.approx(1.4e-4, rel=0.05)


def test_kepler():
    path = real("kepler_koi.csv.gz")
    logs = ("period", "duration", "depth", "prad", "srad")
    features = ", ".join([*(f"log10(koi_{name})" for name in logs), "koi_steff", "koi_slogg"])
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        sky = measure(path, features)
    assert sky.X.shape == (9_564, 7)
    assert {pair.kind for pair in sky.pairing.columns} == {"upper/lower"}
    table = read(path)
    upper, lower = table["koi_steff_err1"].filled(np.nan), table["koi_steff_err2"].filled(np.nan)
    seen = ~np.isnan(sky.X[:, 5])
    assert_allclose(sky.X_std[seen, 5], np.sqrt((upper**2 + lower**2) / 2)[seen])
    assert any(
        "koi_period: 7 values are missing because the error is exactly 0" in note
        for note in sky.notes
    )
    assert any("the error of koi_prad is more than 30% of it in" in str(w.message) for w in caught)
    complete = ~np.isnan(sky.X).any(axis=1)
    assert 8_700 < complete.sum() <= 8_992
