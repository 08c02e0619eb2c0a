"""A catalogue of LSDB gives the numbers of the same rows in memory."""

import numpy as np
import pytest

import peculiar.lsdb
from peculiar import OutlierDetector, RobustMixture
from peculiar.catalogue import measure
from peculiar.errors import CheckpointError
from peculiar.estimators.progress import listening
from peculiar.report import rank
from tests.checkpoints.helpers import Stop, StoppedError
from tests.lsdb.helpers import FEATURES, MARKS, cells, computed, make_catalog, stars

pytestmark = MARKS

MISSING = {"missing": [-9999]}


@pytest.fixture(scope="module")
def scan(sky):
    return peculiar.lsdb.scan(sky, FEATURES, **MISSING)


@pytest.fixture(scope="module")
def measured(memory):
    return measure(memory, FEATURES, **MISSING)


def test_features_are_those_of_memory(scan, measured):
    assert len(scan.partitions) > 4
    values, noise = scan.partitions.whole()
    np.testing.assert_array_equal(values, measured.X)
    np.testing.assert_array_equal(noise[0], measured.X_cov)
    assert scan.pairing == measured.pairing
    assert scan.notes == measured.notes
    assert any("flags limits" in note for note in scan.notes)
    assert any("error is exactly 0" in note for note in scan.notes)


def test_what_a_partition_has_may_mislead_it():
    """A flux that looks like a flag, errors that are all 0: true of each partition, but not of the whole."""
    table = stars(400)
    corner = table["ra"] < 20
    table["f_g"] = np.where(corner, 1.0, np.arange(400) + 0.5)
    table["r_err"] = np.where(corner, 0.0, 0.1)
    table["u_err"] = 0.0  # everywhere: exact
    catalog = make_catalog(table, rows=80)
    scan = peculiar.lsdb.scan(catalog, "g - u, r", **MISSING)
    here = measure(computed(catalog), "g - u, r", **MISSING)
    values, noise = scan.partitions.whole()
    assert "g" not in scan.pairing.limits
    assert np.isnan(values[:, 1]).any()
    assert not np.isnan(values[:, 0]).all()
    np.testing.assert_array_equal(values, here.X)
    np.testing.assert_array_equal(noise[0], here.X_std)
    assert scan.notes == here.notes


def test_a_fit_is_that_of_memory():
    """More rows than are taken into one place."""
    catalog = make_catalog(stars(24_000), rows=4000)
    scan = peculiar.lsdb.scan(catalog, FEATURES, **MISSING)
    mixture = RobustMixture(2, wild_fraction="estimate", max_iter=20, tol=1e-12, random_state=0)
    with pytest.warns(UserWarning, match="did not converge"):
        there = peculiar.lsdb.fit(scan, estimator=mixture)
    with pytest.warns(UserWarning, match="did not converge"):
        mixture.fit(**measure(computed(catalog), FEATURES, **MISSING).arguments())
    assert there.n_iter_ == mixture.n_iter_ == 20
    assert there.lower_bound_ == pytest.approx(mixture.lower_bound_, abs=1e-9)
    np.testing.assert_allclose(there.locations_, mixture.locations_, rtol=1e-9)
    assert there.recipe_ == scan.recipe
    assert there.groups_.shape == (2,)


@pytest.fixture(scope="module")
def scored(scan, model):
    return peculiar.lsdb.score(scan, model)


@pytest.fixture(scope="module")
def found(scored):
    return computed(scored)


def test_scores_are_those_of_memory(found, measured, model):
    log_p = OutlierDetector.from_mixture(model).score_samples(**measured.arguments())
    np.testing.assert_array_equal(cells(found, "log_p_value"), log_p)
    np.testing.assert_array_equal(cells(found, "p_value"), np.exp(log_p))
    ranked = rank(model, measured)
    order = np.argsort(ranked.verdict["row"])
    for name in set(found.columns) & set(ranked.verdict):
        one, other = cells(found, name), ranked.verdict[name][order]
        if one.dtype.kind == "f":
            np.testing.assert_allclose(one, other, rtol=1e-11)  # other lanes, other last digits
        else:
            np.testing.assert_array_equal(one, other)
    assert len(found) == 1500
    not_of_one_row = {"rank", "row", "q_value", "is_discovery", "error_tolerance"}
    assert set(ranked.verdict) - set(found.columns) == not_of_one_row


def test_discoveries_are_those_of_memory(found, measured, model, memory):
    scored = make_catalog(found)
    listed = peculiar.lsdb.discoveries(scored, fdr=0.1)
    here = OutlierDetector.from_mixture(model).discoveries(**measured.arguments(), fdr=0.1)
    there = computed(listed)
    assert 3 <= len(there) == here.mask.sum()
    np.testing.assert_array_equal(cells(there, "objid"), cells(memory, "objid")[here.mask])
    np.testing.assert_array_equal(cells(there, "q_value"), here.q_values[here.mask])
    said = listed.hc_structure.catalog_info.extra_dict()["peculiar_fdr"]
    assert said == f"0.1 (bh): {len(there)} discoveries among 1500"
    assert len(computed(peculiar.lsdb.discoveries(scored, fdr=1e-300))) == 0


def test_a_detector_is_fitted_too():
    catalog = make_catalog(stars(300), rows=100)
    detector = OutlierDetector(mixture=RobustMixture(1, wild_fraction=0.01, tol=1e-4))
    there = peculiar.lsdb.fit(catalog, FEATURES, estimator=detector, **MISSING)
    assert not hasattr(detector, "mixture_")
    arguments = measure(computed(catalog), FEATURES, **MISSING).arguments()
    here = detector.fit(**arguments)
    assert there.offset_ == pytest.approx(here.offset_, rel=1e-9)
    found = computed(peculiar.lsdb.score(catalog, there))
    np.testing.assert_allclose(cells(found, "p_value"), here.p_values(**arguments), rtol=1e-9)


@pytest.mark.parametrize("kind", [RobustMixture, OutlierDetector])
def test_a_fit_goes_on_from_its_checkpoint(scan, tmp_path, kind):
    estimator = kind(2, wild_fraction="estimate", random_state=0)
    fitted = peculiar.lsdb.fit(scan, estimator=estimator)
    mixture = getattr(fitted, "mixture_", fitted)
    path = tmp_path / "fit.ckpt"
    with pytest.raises(StoppedError), listening(Stop(3)):
        peculiar.lsdb.fit(scan, estimator=estimator, checkpoint=path)
    again = peculiar.lsdb.fit(scan, estimator=estimator, checkpoint=path)
    np.testing.assert_array_equal(getattr(again, "mixture_", again).scatters_, mixture.scatters_)
    np.testing.assert_array_equal(again.groups_, fitted.groups_)
    with pytest.raises(CheckpointError, match="n_components=2, here it is 1"):
        peculiar.lsdb.fit(
            scan, estimator=kind(1, wild_fraction="estimate", random_state=0), checkpoint=path
        )


def test_the_usual_mixture_is_that_of_the_command_line():
    catalog = make_catalog(stars(300), rows=100)
    there = peculiar.lsdb.fit(catalog, "g - r")
    ranked = peculiar.rank(computed(catalog), "g - r")
    found = computed(peculiar.lsdb.score(catalog, there, keep=["objid"]))
    by_object = dict(zip(ranked["objid"], ranked["p_value"]))
    expected = [by_object[objid] for objid in cells(found, "objid")]
    np.testing.assert_allclose(cells(found, "p_value"), expected, rtol=1e-9)
