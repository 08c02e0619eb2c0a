"""Workers in other processes give what this one gives, and a margin is scored with its catalogue."""

import numpy as np
import pytest

import peculiar.lsdb
from peculiar import RobustMixture
from tests.lsdb.helpers import FEATURES, MARKS, cells, computed, lsdb, make_catalog, stars

pytestmark = [*MARKS, pytest.mark.slow, pytest.mark.filterwarnings("ignore::ResourceWarning")]

MISSING = {"missing": [-9999]}


def test_processes_give_what_this_one_gives(tmp_path, sky, model):
    import distributed

    large = make_catalog(stars(24_000), rows=4000)
    mixture = RobustMixture(2, wild_fraction="estimate", max_iter=6, tol=0.0, random_state=0)
    here = fitted(large, mixture), computed(peculiar.lsdb.score(sky, model))
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, host="127.0.0.1", dashboard_address="127.0.0.1:0"
        ) as cluster,
        distributed.Client(cluster),
    ):
        there = fitted(large, mixture), computed(peculiar.lsdb.score(sky, model))
        scored = peculiar.lsdb.score(sky, model)
        scored.write_catalog(tmp_path / "scores", resume=True, progress_bar=False)
    np.testing.assert_array_equal(there[0].lower_bounds_, here[0].lower_bounds_)
    np.testing.assert_array_equal(there[0].scatters_, here[0].scatters_)
    assert there[1].equals(here[1])
    assert computed(lsdb.open_catalog(tmp_path / "scores")).equals(here[1])


def fitted(catalog, mixture):
    with pytest.warns(UserWarning, match="did not converge"):
        return peculiar.lsdb.fit(catalog, FEATURES, estimator=mixture, **MISSING)


def test_a_margin_is_scored_and_does_not_count(model, tmp_path):
    catalog = make_catalog(stars(), margin_threshold=3600.0)
    assert len(computed(catalog.margin)) > 10
    scored = peculiar.lsdb.score(catalog, model)
    found, beside = computed(scored), computed(scored.margin)
    p = dict(zip(cells(found, "objid"), cells(found, "p_value")))
    assert [p[name] for name in cells(beside, "objid")] == list(cells(beside, "p_value"))
    about = scored.margin.hc_structure.catalog_info.extra_dict()
    assert about["peculiar_features"] == FEATURES
    scored.write_catalog(tmp_path / "scores", progress_bar=False)
    np.testing.assert_array_equal(
        peculiar.read(tmp_path / "scores")["p_value"], cells(found, "p_value")
    )
    scan = peculiar.lsdb.scan(catalog, FEATURES, **MISSING)
    assert scan.n_rows == 1500
