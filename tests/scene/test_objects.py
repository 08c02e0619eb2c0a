"""The listed objects: against the table they come from, and against the model asked directly."""

import warnings

import numpy as np
import pytest

from peculiar import OutlierDetector, RobustMixture
from peculiar.catalogue.recipe import Recipe
from peculiar.report.scene import read_scene
from peculiar.triage import object_keys
from peculiar.triage.keys import fingerprint
from tests.scene.made import make_catalogue, make_ranked


def test_they_are_the_strangest_by_rank(made, scene):
    objects = scene.objects
    assert objects.n == 60
    np.testing.assert_array_equal(objects.rank, np.arange(1, 61))
    np.testing.assert_array_equal(objects.p, np.sort(made.ranked["p_value"])[:60])
    assert list(objects.name) == [f"star {row}" for row in objects.row]
    assert list(objects.key) == object_keys(made.ranked)[:60]
    assert scene.fingerprint == fingerprint(object_keys(made.ranked))


def test_values_and_covariances_are_those_of_the_catalogue(made, scene):
    measured = made.recipe.measure(made.table)
    rows = scene.objects.row
    np.testing.assert_allclose(scene.objects.values, measured.X[rows])
    np.testing.assert_allclose(scene.objects.covariance, measured.X_cov[rows])
    assert np.all(scene.objects.covariance[:, 0, 1] > 0)  # both colours have the error of r


def test_clean_values_are_those_of_the_model(made, scene):
    measured = made.recipe.measure(made.table)
    rows = scene.objects.row
    clean, cov = made.model.predict_latent(
        measured.X[rows], X_cov=measured.X_cov[rows], return_cov=True
    )
    np.testing.assert_allclose(scene.objects.clean, clean, rtol=1e-9)
    np.testing.assert_allclose(scene.objects.clean_covariance, cov, rtol=1e-9)


def test_the_order_of_the_rows_does_not_matter(made, scene):
    shuffled = made.ranked[np.random.default_rng(0).permutation(len(made.ranked))]
    again = read_scene(shuffled, made.model, top=60)
    assert again.objects.key == scene.objects.key
    assert again.fingerprint == scene.fingerprint


def test_what_is_expected_of_a_normal_population_is_its_regression():
    """One normal component, independent errors: E[w_0 | x_1] by the textbook."""
    from peculiar.report.scene.asked import ask

    scatter = np.array([[2.0, 0.9], [0.9, 1.0]])
    model = RobustMixture.from_parameters([1.0], [[1.0, 2.0]], [scatter], [np.inf])
    x, variance = np.array([[5.0, 2.5], [0.0, 0.0]]), np.array([[0.3, 0.5], [0.1, 2.0]])
    expected = ask(model, x, variance[:, :, None] * np.eye(2)).expected
    for row, s, found in zip(x, variance, expected):
        first = 1.0 + 0.9 / (1.0 + s[1]) * (row[1] - 2.0)
        second = 2.0 + 0.9 / (2.0 + s[0]) * (row[0] - 1.0)
        np.testing.assert_allclose(found, [first, second], rtol=1e-9)


def test_a_sentinel_is_missing():
    columns = make_catalogue()
    columns["r"][8] = columns["g"][8] = np.nan  # the rest of it is known
    made = make_ranked(columns)
    scene = read_scene(made.ranked, made.model, top=len(made.ranked))
    at = list(scene.objects.row).index(50)
    assert np.isnan(scene.objects.values[at, 0])
    assert not np.isnan(scene.objects.values[at, 1])
    nothing = list(scene.objects.row).index(8)
    assert scene.objects.sentence[nothing].startswith("Nothing is known of this object")


def test_a_feature_that_is_a_column_of_the_catalogue():
    """Then the list does not repeat it, and has its sentinels."""
    columns = make_catalogue()
    columns["u"], columns["g"] = columns["u"] - columns["r"], columns["g"] - columns["r"]
    columns["u"][50] = -9999.0
    made = make_ranked(columns, Recipe("u, g", missing=(-9999.0,)))
    assert "peculiar_u" not in made.ranked.colnames
    scene = read_scene(made.ranked, made.model, top=400)
    assert np.nanmin(scene.objects.values) > -100
    assert scene.features.low[0] > -100
    measured = made.recipe.measure(made.table)
    np.testing.assert_allclose(
        scene.objects.covariance, _diagonal(measured.X_std[scene.objects.row])
    )


def _diagonal(std):
    return np.square(std)[:, :, None] * np.eye(std.shape[1])


def test_neighbours_are_the_nearest_by_a_plain_loop(scene):
    objects = scene.objects
    error = np.sqrt(np.diagonal(objects.clean_covariance, axis1=1, axis2=2))
    for at in (0, 7, 30):
        distance = [
            np.mean(
                (objects.clean[i] - objects.clean[at]) ** 2
                / (error[i] ** 2 + error[at] ** 2 + (0.1 * scene.features.spread) ** 2)
            )
            for i in range(objects.n)
        ]
        distance[at] = np.inf
        assert list(objects.neighbours[at]) == list(np.argsort(distance)[:5])


def test_columns_that_were_asked_for(scene):
    assert list(scene.objects.shown) == ["kind", "r"]
    assert set(scene.objects.shown["kind"]) == {"ordinary"}
    assert scene.objects.shown["r"].dtype == float


def test_a_detector_will_do_as_a_model(made):
    measured = made.recipe.measure(made.table)
    mixture = RobustMixture(2, wild_fraction="estimate", max_iter=3, tol=1e-2)
    detector = OutlierDetector(mixture=mixture)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        detector.fit(measured.X, X_cov=measured.X_cov)
    scene = read_scene(made.ranked, detector, top=5)
    assert scene.components.location.shape == (2, 2)


@pytest.mark.parametrize("kind", [".fits", ".parquet", ".ecsv", ".vot"])
def test_a_file_says_the_same_as_the_table(made, scene, tmp_path, kind):
    from peculiar.catalogue import write

    path = tmp_path / f"ranked{kind}"
    write(made.ranked, path)
    again = read_scene(path, made.model, top=60, show=("kind", "r"))
    assert again.title == path.name
    assert again.objects.sentence == scene.objects.sentence
    np.testing.assert_allclose(again.objects.covariance, scene.objects.covariance)
    np.testing.assert_array_equal(again.trust.histogram, scene.trust.histogram)
    assert again.groups == scene.groups
    assert again.absent == scene.absent == ()


def test_a_colour_is_one_under_any_name(scene):
    made = make_ranked(make_catalogue(), Recipe("ur = u - r, gr = g - r", missing=(-9999.0,)))
    renamed = read_scene(made.ranked, made.model, top=12).objects.sentence
    for said, plain in zip(renamed, scene.objects.sentence, strict=False):
        assert said.replace("ur is", "u - r is").replace("gr is", "g - r is") == plain
        assert "mag redder" in said or "mag bluer" in said
        assert "its other colours" in said
