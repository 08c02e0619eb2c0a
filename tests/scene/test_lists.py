"""Lists of all kinds: what they lack is absent, and what is no list is refused."""

import numpy as np
import pytest

from peculiar.catalogue import write
from peculiar.errors import CatalogueError, ModelFileError
from peculiar.report.scene import read_scene
from peculiar.report.scene.columns import find_columns
from tests.scene.made import known_model, make_catalogue, make_ranked


def absent(scene):
    return " ".join(scene.absent)


def test_without_a_model(made):
    scene = read_scene(made.ranked)
    assert scene.components is None
    assert scene.objects.expected is None
    assert "give the model with --model" in absent(scene)
    assert scene.objects.sentence[0].startswith(
        "Its u - r is redder than that of objects with its other"
    )
    np.testing.assert_allclose(
        np.sqrt(np.diagonal(scene.objects.clean_covariance, axis1=1, axis2=2))[0, 0],
        made.ranked["u_r_clean_err"][0],
    )
    assert scene.groups[0].n_members == 8
    assert scene.objects.covariance[0, 0, 1] > 0  # from the recipe in the metadata


def test_csv_keeps_no_metadata(made, tmp_path):
    write(made.ranked, tmp_path / "ranked.csv")
    scene = read_scene(tmp_path / "ranked.csv")
    assert scene.features.names == ("u_r", "g_r")
    assert "without correlations" in absent(scene)
    assert "says nothing of its catalogue and its command" in absent(scene)
    assert scene.objects.covariance[0, 0, 1] == 0.0
    assert np.count_nonzero(scene.objects.is_discovery) == 13
    assert scene.objects.main[0] == -1 or scene.objects.side[0] != 0
    with_model = read_scene(tmp_path / "ranked.csv", made.model)
    assert with_model.features.names == ("u - r", "g - r")
    assert with_model.objects.covariance[0, 0, 1] > 0
    assert "without correlations" not in absent(with_model)


def test_values_without_errors():
    from peculiar.catalogue.recipe import Recipe

    columns = {name: cells for name, cells in make_catalogue().items() if "err" not in name}
    made = make_ranked(
        columns, Recipe("u - r, g - r", no_error=("u", "g", "r"), missing=(-9999.0,))
    )
    scene = read_scene(made.ranked, made.model)
    assert scene.objects.covariance is None
    assert scene.trust.noise is None
    assert scene.trust.pulls is None
    assert "no error ellipses, no pulls and no calibration by noise" in absent(scene)


def test_without_the_columns_that_were_added(made):
    few = made.ranked.copy()
    few.remove_columns([name for name in few.colnames if "_clean" in name or "surprise" in name])
    few.remove_columns(
        ["ra", "group", "error_tolerance", "main_feature", "is_discovery", "q_value"]
    )
    scene = read_scene(few)
    assert scene.objects.clean is None
    assert scene.groups == ()
    assert np.isnan(scene.objects.tolerance).all()
    assert np.count_nonzero(scene.objects.is_discovery) == 13
    assert "SIMBAD" in absent(scene)
    assert "u_r_clean" in absent(scene)


def test_a_catalogue_that_has_columns_of_our_names():
    columns = make_catalogue()
    columns |= {"rank": np.full(400, 77), "p_value": np.full(400, 0.5), "u_r": np.full(400, 5.0)}
    made = make_ranked(columns)
    scene = read_scene(made.ranked, made.model)
    assert scene.objects.rank[0] == 1
    assert scene.objects.p[0] < 1e-6
    assert np.nanmax(scene.objects.values[:, 0]) != 5.0


def test_no_ranked_list(made):
    with pytest.raises(CatalogueError, match="no column 'rank', so this is no ranked list"):
        read_scene(made.table)
    with pytest.raises(CatalogueError, match="the list has no objects"):
        read_scene(made.ranked[:0])
    with pytest.raises(CatalogueError, match="no feature is in this list"):
        find_columns(["rank", "row", "p_value"])


def test_a_model_of_another_list(made):
    from peculiar import RobustMixture
    from peculiar.catalogue.recipe import Recipe

    other = known_model(Recipe("u - g, g - r"))
    with pytest.raises(
        ModelFileError, match="fitted to u - g, g - r, but the list has u - r, g - r"
    ):
        read_scene(made.ranked, other)
    single = RobustMixture.from_parameters([1.0], [[0.0]], [[[1.0]]], [30.0])
    with pytest.raises(ModelFileError, match="model of another list"):
        read_scene(made.ranked, single)


def test_storeys_share_is_kept():
    from peculiar.population.discoveries import ordinary_share

    made = make_ranked(make_catalogue(), fdr=0.1, method="storey")
    trust = read_scene(made.ranked).trust
    assert (trust.fdr, trust.method) == (0.1, "storey")
    assert trust.share == ordinary_share(np.asarray(made.ranked["p_value"]))


def test_no_discovery_is_none_at_the_rate_of_the_list():
    last = read_scene(make_ranked(make_catalogue(), fdr=0.1).ranked).objects.sentence[-1]
    assert "no discovery at a false-discovery rate of 10 %: ordinary objects" in last


def test_groups_name_their_members(made):
    scene = read_scene(made.ranked, made.model)
    card, objects = scene.groups[0], scene.objects
    assert card.letter == "A"
    assert card.n_members == card.n_listed == 8
    assert {objects.row[at] for at in card.strangest} <= set(range(8))
    assert (
        objects.rank[list(card.strangest)].tolist()
        == sorted(objects.rank[i] for i in range(objects.n) if objects.group[i] == "A")[:3]
    )
    distance = np.square((objects.clean - card.centre) / scene.features.spread).mean(axis=1)
    members = [i for i in range(objects.n) if objects.group[i] == "A"]
    assert list(card.typical) == sorted(members, key=lambda i: distance[i])[:3]
    assert dict(card.betrayed_by) == {"g - r": "high", "u - r": "high"}


def test_a_card_names_each_feature_once(made):
    ranked = made.ranked.copy()
    members = np.flatnonzero(ranked["group"] == "A")
    ranked["main_feature"][members] = "u - r"
    ranked["main_side"][members] = ["high", "low"] * 4
    assert read_scene(ranked, made.model).groups[0].betrayed_by == (("u - r", "high or low"),)


def test_positions_in_hours_are_no_positions():
    columns = make_catalogue()
    columns["ra"] = ["12:34:56.7"] * len(columns["dec"])
    scene = read_scene(make_ranked(columns).ranked)
    assert scene.objects.ra is None
    assert "columns of these names, and rank again" in absent(scene)
