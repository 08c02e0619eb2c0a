"""Warnings: what happened, to which component, and what to do about it."""

import warnings

import numpy as np
import pytest
from sklearn.exceptions import ConvergenceWarning

from peculiar import RobustMixture
from peculiar.errors import CollapsedScatterWarning, MissingNoiseWarning
from tests.messages.helpers import good_table, mixture


def collapsed_components(caught):
    """The numbers in the one warning there was."""
    (warning,) = [w for w in caught if w.category is CollapsedScatterWarning]
    assert warning.filename == __file__  # it points at the caller
    head, _, tail = str(warning.message).partition(" collapsed in some direction and was held at ")
    assert tail == (
        "1e-5 of the spread of the data: duplicated rows, errors that are too large, or too many components?"
    )
    prefix = "the scatter of component "
    assert head.startswith(prefix)
    return {int(number) for number in head.removeprefix(prefix).split(", ")}


def assert_finite(model, X):
    for name in ("weights_", "locations_", "scatters_", "lower_bounds_"):
        assert np.isfinite(getattr(model, name)).all(), name
    assert np.linalg.eigvalsh(model.scatters_).min() > 0
    assert np.isfinite(model.score_samples(X)).all()


def test_a_hundred_duplicates():
    rng = np.random.default_rng(0)
    X = np.vstack([rng.standard_normal((200, 2)), np.tile([[7.0, 7.0]], (100, 1))])
    with pytest.warns(CollapsedScatterWarning) as caught:
        model = mixture(2).fit(X)
    k = int(model.predict([[7.0, 7.0]])[0])
    assert collapsed_components(caught) == {k}
    assert_finite(model, X)
    np.testing.assert_allclose(model.locations_[k], [7.0, 7.0], atol=1e-6)
    np.testing.assert_allclose(model.locations_[1 - k], X[:200].mean(axis=0), atol=0.2)
    np.testing.assert_allclose(np.sort(model.weights_), [1 / 3, 2 / 3], atol=1e-3)


def test_a_linear_relation():
    X, *_ = good_table()
    X[:, 2] = 2 * X[:, 0] - X[:, 1] + 3
    with pytest.warns(CollapsedScatterWarning) as caught:
        model = mixture().fit(X)
    assert collapsed_components(caught) == {0}
    assert_finite(model, X)


def test_a_repeated_column():
    X, *_ = good_table()
    with pytest.warns(CollapsedScatterWarning):
        model = mixture().fit(X[:, [0, 1, 0]])
    assert_finite(model, X[:, [0, 1, 0]])


def test_two_rows():
    X = np.array([[0.0, 0.0], [1.0, 2.0]])
    with pytest.warns(CollapsedScatterWarning):
        model = mixture(2).fit(X)
    assert_finite(model, X)


def test_few_values_many_times():
    X = np.random.default_rng(0).integers(0, 2, (100, 2))
    with pytest.warns(CollapsedScatterWarning) as caught:
        model = mixture(4).fit(X)
    assert collapsed_components(caught) == {0, 1, 2, 3}
    assert_finite(model, X)


@pytest.mark.filterwarnings("ignore::peculiar.errors.CollapsedScatterWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_more_features_than_rows():
    X = np.random.default_rng(0).standard_normal((15, 20))
    assert_finite(mixture(max_iter=30).fit(X), X)
    assert_finite(mixture(2, max_iter=30).fit(X), X)


def test_errors_forgotten_at_predict():
    X, X_std, X_cov = good_table()
    message = (
        r"^this model was fitted with errors \(X_std or X_cov\) and is now given none: values are taken as exact\. "
        r"Give X_std=0 as an array if that is meant$"
    )
    model = mixture().fit(X, X_std=X_std)
    for method in ("score_samples", "score", "predict", "predict_proba", "robust_weights"):
        with pytest.warns(MissingNoiseWarning, match=message) as caught:
            getattr(model, method)(X)
        assert [w.filename for w in caught] == [__file__], method
    for method in ("predict_latent", "bic", "aic"):
        with pytest.warns(MissingNoiseWarning, match=message) as caught:
            getattr(model, method)(X)
        assert [w.filename for w in caught] == [__file__], method
    with pytest.warns(MissingNoiseWarning, match=message):
        mixture().fit(X, X_cov=X_cov).predict(X)


def test_errors_remembered_at_predict():
    X, X_std, _ = good_table()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        mixture().fit(X, X_std=X_std).score(X, X_std=np.zeros_like(X))
        mixture().fit(X).score(X, X_std=X_std)
        mixture().fit(X).score(X)
        RobustMixture.from_parameters([1.0], [[0.0] * 3], [np.eye(3)], 3).score(X)


def test_not_converged():
    X, *_ = good_table()
    with pytest.warns(
        ConvergenceWarning,
        match=r"^EM did not converge in 1 iterations \(an unknown amount per row is still to be gained, tol 0\)",
    ):
        mixture(max_iter=1, tol=0).fit(X)
