"""Catalogues of LSDB go in and come out: written, read back, resumed, with empty partitions, one partition alone."""

import json
import pickle

import numpy as np
import pandas as pd
import pytest

import peculiar.lsdb
from peculiar.catalogue import count_rows, list_columns, measure, read
from peculiar.errors import CatalogueError
from peculiar.lsdb import judging
from tests.lsdb.helpers import FEATURES, MARKS, cells, computed, lsdb, make_catalog, stars

pytestmark = MARKS

SIMPLE = peculiar.RobustMixture.from_parameters([1.0], [[18.0]], [[[1.0]]], 3.0)


@pytest.fixture(scope="module")
def scored(sky, model):
    return peculiar.lsdb.score(sky, model)


@pytest.fixture(scope="module")
def found(scored):
    return computed(scored)


def test_the_folder_is_a_catalogue_for_everybody(folder, sky, memory):
    table = read(folder)
    assert {"objid", "u", "u_err", "_healpix_29", "source_file"} < set(table.colnames)
    for name in ("objid", "u", "l_u"):
        np.testing.assert_array_equal(np.ma.filled(table[name], np.nan), cells(memory, name))
    assert count_rows(folder) == len(sky) == 1500
    assert "float64" in {info.dtype for info in list_columns(folder)}


def test_scores_are_written_and_read_back(scored, found, tmp_path, model):
    model.save(tmp_path / "sky.peculiar")
    path = tmp_path / "scores"
    scored.write_catalog(path, resume=True, progress_bar=False)
    back = lsdb.open_catalog(path)
    assert computed(back).equals(found)
    about = back.hc_structure.catalog_info.extra_dict()
    stored = json.loads((tmp_path / "sky.peculiar").read_text())
    assert about["peculiar_model_sha256"] == stored["sha256"]
    assert about["peculiar_features"] == FEATURES
    assert about["peculiar_version"] == peculiar.__version__
    assert about["peculiar_call"] == "peculiar.lsdb.score('sky', model, keep='names')"
    assert about["peculiar_errors"] == "u: u_err, r: r_err, g: g_err"
    assert "u: 3 values are missing" in about["peculiar_notes"]
    np.testing.assert_array_equal(read(path)["p_value"], cells(found, "p_value"))


def test_a_model_file_is_enough(sky, model, found, tmp_path):
    path = tmp_path / "sky.peculiar"
    model.save(path)
    one = peculiar.lsdb.score(sky, path, compute_single_partition=True, partition_index=0)
    assert computed(one).equals(found[: len(computed(one))])


def test_an_interrupted_writing_goes_on(scored, found, tmp_path, monkeypatch):
    """Partitions that are done are not done again."""
    judged, work = [], judging.judge_rows

    def judge_rows(population, obs, **how):
        if len(judged) == 2:
            raise KeyboardInterrupt
        judged.append(obs.n_rows)
        return work(population, obs, **how)

    monkeypatch.setattr(judging, "judge_rows", judge_rows)
    with pytest.raises(KeyboardInterrupt):
        scored.write_catalog(tmp_path, resume=True, progress_bar=False)
    with pytest.raises(CatalogueError, match="unfinished HATS catalogue"):
        read(tmp_path)
    monkeypatch.setattr(
        judging, "judge_rows", lambda *given, **how: judged.append(1) or work(*given, **how)
    )
    scored.write_catalog(tmp_path, resume=True, progress_bar=False)
    assert len(judged) == scored.npartitions
    assert computed(lsdb.open_catalog(tmp_path)).equals(found)


def test_empty_partitions_are_no_trouble(sky, model, memory):
    some = sky.query("ra < 20")
    lengths = [len(computed(part)) for part in some.partitions]
    assert 0 in lengths
    found = computed(peculiar.lsdb.score(some, model, keep="all"))
    rows = memory[cells(memory, "ra") < 20]
    np.testing.assert_array_equal(cells(found, "objid"), cells(rows, "objid"))
    fitted = peculiar.lsdb.fit(
        some, "g - r", estimator=peculiar.RobustMixture(1, wild_fraction=0.01)
    )
    here = peculiar.RobustMixture(1, wild_fraction=0.01)
    here.fit(**measure(rows, "g - r").arguments())
    assert fitted.lower_bound_ == pytest.approx(here.lower_bound_, abs=1e-9)


def test_one_partition_alone(sky, model, found):
    scan = peculiar.lsdb.scan(sky, model.recipe_)
    parts = []
    for index in (0, sky.get_ordered_healpix_pixels()[1]):
        one = peculiar.lsdb.score(scan, model, compute_single_partition=True, partition_index=index)
        assert one.npartitions == 1
        parts.append(computed(one))
    n = len(parts[0])
    assert parts[0].equals(found[:n])
    assert parts[1].equals(found[n : n + len(parts[1])])


@pytest.mark.parametrize(
    ("keep", "kept"),
    [
        ("names", ["objid", "ra", "dec"]),
        (["l_u"], ["ra", "dec", "l_u"]),
        ([], ["ra", "dec"]),
        ("all", ["objid", "ra", "dec", "u_err", "u", "g_err", "g", "r_err", "r", "l_u"]),
    ],
)
def test_columns_that_are_kept(sky, model, keep, kept):
    scored = peculiar.lsdb.score(sky, model, keep=keep)
    assert list(scored.columns) == [*kept, *judging.SCORES]
    assert "keep=" in scored.hc_structure.catalog_info.extra_dict()["peculiar_call"]


def test_columns_of_the_same_name_are_not_lost():
    table = stars(100).assign(P_value=0.5, group="x")
    catalog = make_catalog(table, rows=50)
    scored = peculiar.lsdb.score(catalog, SIMPLE, features="r", keep=["P_value"])
    found = computed(scored)
    assert {"P_value", "peculiar_p_value", "group"} < set(found.columns)
    assert "outlier_probability" not in found.columns  # the model has no wild tail
    assert set(cells(found, "group")) == {""}
    assert (cells(found, "P_value") == 0.5).all()
    assert len(computed(peculiar.lsdb.discoveries(scored))) == 0


def test_the_catalogue_that_was_given_stays_as_it_is(sky, model):
    before = dict(sky.hc_structure.catalog_info)
    peculiar.lsdb.score(sky, model)
    peculiar.lsdb.score(sky, model, compute_single_partition=True)
    assert dict(sky.hc_structure.catalog_info) == before
    assert "p_value" not in sky.columns


def test_what_is_sent_to_workers_can_be(sky, model):
    scan = peculiar.lsdb.scan(sky, model.recipe_)
    measure = pickle.loads(pickle.dumps(scan.measure))
    assert measure == scan.measure


def test_columns_that_are_not_kept_in_arrow(model, found):
    plain = make_catalog(stars(), use_pyarrow_types=False)
    assert str(plain.dtypes["u"]) == "float64"
    there = computed(peculiar.lsdb.score(plain, model, keep=[]))
    np.testing.assert_array_equal(cells(there, "log_p_value"), cells(found, "log_p_value"))


def test_light_curves_go_along():
    """Columns with a table in each row are kept on request, and are no features."""
    import nested_pandas

    table, seen = stars(60), np.repeat(np.arange(60), 3)
    curves = pd.DataFrame({"t": np.arange(180.0), "flux": np.arange(180.0)}, index=seen)
    catalog = make_catalog(nested_pandas.NestedFrame(table).join_nested(curves, "lc"), rows=20)
    scored = peculiar.lsdb.score(catalog, SIMPLE, features="r", keep=["lc"])
    assert scored.nested_columns == ["lc"]
    np.testing.assert_array_equal(cells(computed(scored), "lc.t"), cells(computed(catalog), "lc.t"))
    with pytest.raises(CatalogueError, match="no column 'lc'"):
        peculiar.lsdb.score(catalog, SIMPLE, features="lc")
