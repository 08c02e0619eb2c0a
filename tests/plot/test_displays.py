"""Bars and curves have the heights that the model says."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from peculiar import OutlierDetector, RobustMixture
from peculiar.catalogue.recipe import Recipe
from peculiar.errors import InputError, PeculiarError
from peculiar.plot import (
    ConvergenceDisplay,
    GroupDisplay,
    PValueDisplay,
    SelectionDisplay,
    SurpriseDisplay,
)
from peculiar.ranking import fit_features


def test_p_values_are_counted(detector, sky):
    shown = PValueDisplay.from_estimator(detector, **sky, bins=10)
    p = detector.p_values(**sky)
    found, rest = ([bar.get_height() for bar in bars] for bars in shown.bars_)
    assert_array_equal(np.add(found, rest), np.histogram(p, 10, (0, 1))[0])
    assert sum(found) == 2
    assert shown.level_.get_ydata() == [20.2, 20.2]


def test_small_p_values_are_said_in_words(detector, sky):
    shown = PValueDisplay.from_estimator(detector, **sky)
    table = detector.calibration(**sky)
    for line in table[:3]:
        said = f"p ≤ {line['p']:g}: {line['expected']:.3g} expected, {line['seen']} seen"
        assert said in shown.text_.get_text()


def test_surprises_are_in_order(detector, sky):
    shown = SurpriseDisplay.from_estimator(detector, **sky, row=1, name="NGC 1")
    because = detector.explain(sky["X"][:2], X_std=sky["X_std"][:2])
    assert_allclose([bar.get_width() for bar in shown.bars_], np.sort(because.surprise[1]))
    assert [tick.get_text() for tick in shown.ax_.get_yticklabels()] == ["x0", "x1"]
    assert shown.texts_[-1].get_text() == "▼ low: -8.00 ± 0.10"
    assert shown.ax_.get_title().startswith("NGC 1   p = ")


def test_a_missing_feature_has_no_bar(detector, sky):
    shown = SurpriseDisplay.from_estimator(detector, **sky, row=5)
    assert [tick.get_text() for tick in shown.ax_.get_yticklabels()] == ["x0"]


def test_the_row_must_be_there(detector, sky):
    with pytest.raises(InputError, match="row=202: the table has 202 rows"):
        SurpriseDisplay.from_estimator(detector, **sky, row=202)


def test_convergence_is_that_of_the_fit(detector):
    shown = ConvergenceDisplay.from_estimator(detector)
    bounds = detector.mixture_.lower_bounds_
    assert_array_equal(shown.lines_[""].get_ydata(), bounds)
    gap = ConvergenceDisplay.from_estimator(detector, gap=True).lines_[""].get_ydata()
    assert_allclose(gap[:-1], (bounds[-1] - bounds)[:-1])
    assert np.isnan(gap[-1])  # the highest is not below itself


def test_a_model_without_a_course_or_a_choice_says_so(detector):
    given = RobustMixture.from_parameters([1.0], [[0.0]], [[[1.0]]], [5.0])
    with pytest.raises(InputError, match="the course of its fit"):
        ConvergenceDisplay.from_estimator(given)
    with pytest.raises(InputError, match=r"not found \(n_components=1\)"):
        SelectionDisplay.from_estimator(detector)
    with pytest.raises(InputError, match="strange groups"):
        GroupDisplay.from_estimator(given)


def test_costs_are_those_of_the_selection(sky):
    model = RobustMixture("bic", max_components=2, random_state=0).fit(**sky)
    shown = SelectionDisplay.from_estimator(model)
    table = model.selection_
    bic = table["bic"] / 2
    assert_array_equal(shown.lines_["bic"].get_xdata(), [1, 2])
    assert_allclose(shown.lines_["bic"].get_ydata(), bic - bic.min())
    assert_array_equal(shown.chosen_.get_xdata(), [model.n_components_] * 2)


def test_groups_are_in_units_of_the_ordinary():
    mixture = RobustMixture.from_parameters(
        [0.6, 0.3, 0.1],
        [[0.0, 10.0], [6.0, 10.0], [20.0, 4.0]],
        [np.diag([1.0, 4.0])] * 3,
        [20.0] * 3,
    )
    detector = OutlierDetector.from_mixture(mixture)
    dtype = [("group", "U1"), ("is_ordinary", bool), ("share", float), ("n_objects", float)]
    detector.groups_ = np.array(
        [("", True, 0.6, 60.0), ("", True, 0.3, 30.0), ("A", False, 0.1, 10.0)], dtype=dtype
    )
    shown = GroupDisplay.from_estimator(detector)
    rng = np.random.default_rng(0)
    first = rng.random(400_000) < 2 / 3
    sample = np.where(first, 0.0, 6.0) + rng.normal(size=first.size)
    strange = shown.bars_[-1]
    expected = (20.0 - sample.mean()) / sample.std(), (4.0 - 10.0) / 2.0
    assert_allclose(strange.lines[0].get_ydata(), expected, rtol=0.01)
    assert strange.get_label() == "strange group A: 10 objects (10 %)"
    (segments,) = (bars.get_segments() for bars in strange.lines[2])
    assert_allclose(np.ptp(segments[1][:, 1]) / 2, 1.0)


def test_without_matplotlib_it_is_said_how_to_get_it(monkeypatch):
    monkeypatch.setattr("peculiar.plot.axes.find_spec", lambda name: None)
    with pytest.raises(PeculiarError, match=r"pictures need matplotlib: pip install '.\[plot\]'"):
        ConvergenceDisplay([-3.0, -2.0]).plot()


def test_names_and_groups_of_a_model_file_are_kept(tmp_path):
    rng = np.random.default_rng(0)
    stars = {"u": rng.normal(size=80), "r": rng.normal(size=80)}
    stars |= {f"{band}_err": np.full(80, 0.1) for band in "ur"}
    recipe = Recipe("u - r, r")
    measured = recipe.measure(stars)
    settings = {"n_components": 1, "wild_fraction": "estimate", "random_state": 0}
    fit_features(measured, recipe, settings, 2.0).save(tmp_path / "stars.peculiar")
    model = RobustMixture.load(tmp_path / "stars.peculiar")
    shown = GroupDisplay.from_estimator(model)
    assert shown.feature_names == ["u - r", "r"]
    shown = SurpriseDisplay.from_estimator(model, **measured.arguments(), row=3)
    assert sorted(shown.feature_names) == ["r", "u - r"]
