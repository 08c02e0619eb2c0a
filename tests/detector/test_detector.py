"""OutlierDetector: scores, thresholds, and what it is built from."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from peculiar import OutlierDetector, RobustMixture
from peculiar.errors import InputError, SettingError
from tests.detector.helpers import clusters, detector

# -------------------------------------------------------------------------------------- scores


def test_scores_are_what_they_are_called(sky, fitted):
    mixture = fitted.mixture_
    for score, expected in {
        "tail": np.log(fitted.p_values(**sky.measured)),
        "density": mixture.score_samples(**sky.measured),
        "weight": np.log(mixture.robust_weights(**sky.measured)),
    }.items():
        one = OutlierDetector.from_mixture(mixture, score=score)
        assert_allclose(one.score_samples(**sky.measured), expected, rtol=1e-12)


@pytest.mark.parametrize("score", ["tail", "density", "weight"])
def test_planted_objects_have_low_scores(sky, fitted, score):
    one = OutlierDetector.from_mixture(fitted.mixture_, score=score)
    scores = one.score_samples(**sky.measured)
    assert np.median(scores[sky.is_outlier]) < np.quantile(scores[~sky.is_outlier], 0.01)


def test_p_values_of_the_ordinary_part_do_not_know_the_wild_one(sky, fitted):
    plain = fitted.mixture_.ordinary_part()
    assert plain.wild_fraction_ == 0.0
    assert fitted.mixture_.wild_fraction_ > 0.0
    theirs = plain.tail_probabilities(**sky.measured).log_p
    assert_array_equal(fitted.mixture_.tail_probabilities(**sky.measured).log_p, theirs)


def test_errors_of_p_values_are_small_for_candidates(sky, fitted):
    p, error = fitted.p_values(**sky.measured, return_error=True)
    assert_array_equal(p, fitted.p_values(**sky.measured))
    assert (error >= 0).all()
    assert (error <= 0.1 * p)[p < 0.05].all()


def test_predict_is_the_sign_of_the_decision_function(sky, fitted):
    decision = fitted.decision_function(**sky.measured)
    assert_allclose(decision, fitted.score_samples(**sky.measured) - fitted.offset_)
    assert_array_equal(fitted.predict(**sky.measured), np.where(decision < 0, -1, 1))


def test_fit_predict_is_fit_and_predict(sky, fitted):
    mixture = RobustMixture(3, wild_fraction="estimate", random_state=0)
    labels = OutlierDetector(mixture=mixture).fit_predict(**sky.measured)
    assert_array_equal(labels, fitted.predict(**sky.measured))


# ---------------------------------------------------------------------------------- thresholds


def test_the_threshold_is_that_of_the_discoveries(sky, fitted):
    found = fitted.discoveries(**sky.measured)
    assert_array_equal(fitted.predict(**sky.measured) == -1, found.mask)
    assert found.mask.sum() > 20


@pytest.mark.parametrize("score", ["tail", "density", "weight"])
def test_every_score_finds_as_many_as_the_rate_allows(sky, fitted, score):
    n = fitted.discoveries(**sky.measured, fdr=0.1).mask.sum()
    one = OutlierDetector.from_mixture(fitted.mixture_, **sky.measured, score=score, fdr=0.1)
    assert (one.predict(**sky.measured) == -1).sum() == n


def test_contamination_is_a_share_of_the_rows(sky):
    one = detector(sky, contamination=0.1)
    assert (one.predict(**sky.measured) == -1).mean() == pytest.approx(0.1, abs=1 / len(sky.X))


def test_thresholds_move_without_a_fit(sky, fitted):
    one = OutlierDetector.from_mixture(fitted.mixture_, **sky.measured)
    before = one.mixture_
    p = one.p_values(**sky.measured)
    for limit in (1e-6, 1e-3, 0.2):
        assert one.set_threshold(p=limit) is one
        assert_array_equal(one.predict(**sky.measured) == -1, p <= limit)
    one.set_threshold(contamination=0.25)
    assert (one.predict(**sky.measured) == -1).mean() == pytest.approx(0.25, abs=0.01)
    one.set_threshold(fdr=0.3)
    found = one.discoveries(**sky.measured, fdr=0.3)
    assert_array_equal(one.predict(**sky.measured) == -1, found.mask)
    assert one.mixture_ is before


def test_nothing_to_discover_leaves_a_threshold_below_all(sky):
    quiet = clusters(3, 0, n=300)
    one = detector(quiet)
    assert (one.predict(**quiet.measured) == 1).all()
    assert one.offset_ == pytest.approx(np.log(0.05 / 300))
    far = {"X": [[100.0, 100.0]], "X_std": [[0.1, 0.1]]}
    assert one.predict(**far) == [-1]
    for score in ("density", "weight"):
        other = OutlierDetector.from_mixture(one.mixture_, **quiet.measured, score=score)
        assert (other.predict(**quiet.measured) == 1).all()
        assert other.predict(**far) == [-1]


def test_discoveries_deeper_than_any_float():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.standard_normal((200, 2)), [[300.0, -300.0]]])
    std = np.full(X.shape, 0.1)
    mixture = RobustMixture(1, wild_fraction="estimate", dof=np.inf)
    one = OutlierDetector(mixture=mixture).fit(X, X_std=std)
    assert one.p_values(X, X_std=std)[-1] == 0.0
    assert np.isfinite(one.offset_)
    assert one.score_samples(X, X_std=std)[-1] < -1000.0
    assert_array_equal(np.flatnonzero(one.predict(X, X_std=std) == -1), [200])


def test_names_of_an_earlier_fit_are_forgotten(sky):
    one = OutlierDetector(1)
    one.fit(pd.DataFrame(sky.X, columns=["a", "b"]), X_std=sky.X_std)
    one.fit(sky.X, X_std=sky.X_std)
    assert not hasattr(one, "feature_names_in_")


def test_a_detector_without_rows_waits_for_a_threshold(sky, fitted):
    one = OutlierDetector.from_mixture(fitted.mixture_)
    assert one.mixture_ is fitted.mixture_
    with pytest.raises(SettingError, match=r"no threshold yet.*set_threshold\(p=...\)"):
        one.predict(**sky.measured)
    with pytest.raises(SettingError, match=r"made without rows.*give p, or rows"):
        one.set_threshold(fdr=0.1)
    one.set_threshold(p=0.01)
    assert one.offset_ == pytest.approx(np.log(0.01))
    with pytest.raises(SettingError, match="takes training rows to translate"):
        OutlierDetector.from_mixture(fitted.mixture_, score="weight").set_threshold(p=0.01)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({}, "give one of fdr, contamination and p to set a threshold, not none"),
        ({"fdr": 0.1, "p": 0.1}, "not fdr and p"),
        ({"fdr": 0.0}, "fdr must be a number above 0 and not above 1, not 0.0"),
        ({"p": 1.5}, "p must be a number above 0"),
        ({"contamination": 0.7}, "contamination must be a number above 0 and not above 0.5"),
        ({"contamination": "auto"}, "contamination must be a number"),
        ({"fdr": True}, "fdr must be a number"),
    ],
)
def test_thresholds_that_cannot_be(fitted, given, message):
    with pytest.raises(SettingError, match=message):
        fitted.set_threshold(**given)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"score": "mean"}, "score='mean' is unknown; choose one of 'tail', 'density', 'weight'"),
        ({"fdr": 2.0}, "fdr must be a number"),
        ({"contamination": -0.1}, "contamination must be a number"),
        ({"mixture": "exact"}, "mixture must be a RobustMixture, not 'exact'"),
    ],
)
def test_settings_that_cannot_be(sky, settings, message):
    with pytest.raises(SettingError, match=message):
        OutlierDetector(**settings).fit(**sky.measured)


def test_methods_that_cannot_be(sky, fitted):
    with pytest.raises(SettingError, match="method='holm' is unknown; choose one of 'bh'"):
        fitted.discoveries(**sky.measured, method="holm")
    plain = OutlierDetector.from_mixture(fitted.mixture_.ordinary_part())
    with pytest.raises(SettingError, match="no wild tail"):
        plain.discoveries(**sky.measured, method="bayes")


# ------------------------------------------------------------------------------------ mixtures


def test_the_mixture_given_is_not_changed(sky):
    mixture = RobustMixture(3, wild_fraction="estimate")
    one = OutlierDetector(mixture=mixture, random_state=5).fit(**sky.measured)
    assert not hasattr(mixture, "weights_")
    assert mixture.random_state is None
    again = clone(one).fit(**sky.measured)
    assert_array_equal(one.p_values(**sky.measured), again.p_values(**sky.measured))


def test_by_default_all_is_estimated():
    small = clusters(5, 15, n=200)
    one = OutlierDetector(random_state=0).fit(**small.measured)
    assert one.mixture is None
    assert one.mixture_.n_components == "mml"
    assert one.mixture_.n_components_ == 3
    assert one.mixture_.wild_fraction_ > 0.02


def test_threads_change_nothing(sky, fitted):
    two = OutlierDetector(
        mixture=RobustMixture(3, wild_fraction="estimate", random_state=0, n_jobs=2)
    ).fit(**sky.measured)
    assert_array_equal(two.p_values(**sky.measured), fitted.p_values(**sky.measured))
    assert_array_equal(two.error_tolerance(**sky.measured), fitted.error_tolerance(**sky.measured))


def test_the_callers_arrays_are_left_alone(sky, fitted):
    X, std = sky.X.copy(), sky.X_std.copy()
    for array in (X, std):
        array.flags.writeable = False
    fitted.explain(X, X_std=std)
    fitted.error_tolerance(X, X_std=std)
    fitted.p_values(X, X_std=std)
    assert_array_equal(X, sky.X)


def test_frames_keep_their_names(sky):
    names = ["u-r", "g-r"]
    X, std = (pd.DataFrame(a, columns=names) for a in (sky.X, sky.X_std))
    one = detector(replace(sky, X=X, X_std=std))
    assert list(one.feature_names_in_) == names
    plain = detector(sky)
    assert_array_equal(one.explain(X, X_std=std).surprise, plain.explain(**sky.measured).surprise)
    assert_array_equal(one.error_tolerance(X, X_std=std), plain.error_tolerance(**sky.measured))
    with pytest.raises(ValueError, match="feature names"):
        one.p_values(X[names[::-1]], X_std=std[names[::-1]])


def test_bad_rows_are_named(fitted):
    for verb in (fitted.p_values, fitted.explain, fitted.error_tolerance, fitted.discoveries):
        with pytest.raises(InputError, match=r"row 1, column 0: the error -1 is negative"):
            verb([[1.0, 1.0], [2.0, 2.0]], X_std=[[0.1, 0.1], [-1.0, 0.1]])


def test_calibration_counts_small_p_values(sky, fitted):
    table = fitted.calibration(**sky.measured)
    p = fitted.p_values(**sky.measured)
    assert_allclose(table["p"], [0.1, 0.01, 1e-3, 1e-4])
    assert_allclose(table["expected"], len(p) * table["p"])
    assert_array_equal(table["seen"], [(p <= level).sum() for level in table["p"]])
