"""asinh magnitudes: for fluxes whose errors are too large for a logarithm."""

import warnings

import numpy as np
import pytest
from numpy.testing import assert_allclose

from peculiar.catalogue import measure
from peculiar.errors import CatalogueError, PropagationWarning


def fluxes(n=200, seed=0):
    """Sources of all brightnesses with an error of 1; some come out negative."""
    rng = np.random.default_rng(seed)
    return {"flux": rng.uniform(-1, 30, n) + rng.normal(size=n), "flux_err": np.ones(n)}


def test_bright_sources_have_ordinary_magnitudes():
    table = {"flux": [1e6, 1e4], "flux_err": [1.0, 1.0]}
    sky = measure(table, "asinhmag(flux, 1), m = -2.5 * log10(flux)")
    assert_allclose(sky.X[:, 0], sky.X[:, 1], atol=1e-7)
    assert sky.units == ("mag", "")


def test_sdss():
    # Lupton et al.: a flux of 0 has magnitude -2.5 log10(b), 24.63 for the softening 1.4e-10 of the u band
    sky = measure({"f": [0.0, 1e-9], "f_err": [1e-10, 1e-10]}, "asinhmag(f, 1.4e-10)")
    assert_allclose(sky.X[:, 0], [24.6347, 22.4793], atol=5e-4)
    assert_allclose(sky.X_std[0, 0], 2.5 / np.log(10) * 1e-10 / 2.8e-10, rtol=1e-12)


def test_negative_fluxes_have_magnitudes_and_faint_ones_no_warning():
    table = fluxes()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        sky = measure(table, "asinhmag(flux, 1.042)")
    assert np.isfinite(sky.X).all()
    assert sky.notes == ()
    drawn = np.random.default_rng(1).normal(size=40_000)
    flux = np.array([0.0, 2.0, 10.0])
    found = measure({"flux": flux, "flux_err": np.ones(3)}, "asinhmag(flux, 1.042)").X_std[:, 0]
    magnitudes = np.arcsinh((flux[:, None] + drawn) / 2.084) * 2.5 / np.log(10)
    assert_allclose(found, magnitudes.std(axis=1), rtol=0.2)


def test_a_logarithm_of_faint_sources_names_the_cures():
    message = (
        r"first-order propagation is not valid for errors that large\. The cure is to work in flux itself, whose "
        r"errors are as they were measured \(in flux\), or in asinhmag\(flux, 1\); or leave such rows out$"
    )
    with pytest.warns(PropagationWarning, match=message):
        measure(fluxes(), "log10(flux)")


def test_a_softening_that_is_too_small():
    message = r"the error of flux is more than 30% of it and of 3b in .*, or a larger b; or leave"
    with pytest.warns(PropagationWarning, match=message):
        measure(fluxes(), "asinhmag(flux, 0.1)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("asinhmag(flux)", r"^'\)' where a comma and the softening b of asinhmag\(flux, b\) should be"),
        ("asinhmag(flux, 0)", r"^b of asinhmag\(flux, b\) has to be positive"),
        ("asinhmag(flux, -1)", r"^b of asinhmag\(flux, b\) has to be positive"),
        ("asinhmag(flux, flux)", r"^this has to be a number"),
        ("asinhmag(flux, 1", r"^this '\(' is not closed"),
        ("asinhmag(flux, 1, 2)", r"^',' where an operator or '\)' should be"),
    ],
)  # fmt: skip
def test_refused(text, message):
    with pytest.raises(CatalogueError, match=message):
        measure(fluxes(), text)
