"""scikit-learn's metadata routing brings each row its own errors."""

import joblib
import numpy as np
import pytest
import sklearn
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import BaseEstimator, TransformerMixin, clone
from sklearn.model_selection import GridSearchCV, KFold, cross_val_score, cross_validate
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer

from tests.estimators.helpers import as_cov, assert_same_model, measured, quick


@pytest.fixture(autouse=True)
def routing():
    with sklearn.config_context(enable_metadata_routing=True):
        yield


@pytest.fixture
def table():
    """Rows in mixed order, the errors of which differ by orders of magnitude."""
    X, X_std = measured()
    order = np.random.default_rng(3).permutation(len(X))
    X_std *= np.logspace(-2, 1, len(X))[:, None]
    return X[order], X_std[order]


class Centre(TransformerMixin, BaseEstimator):
    """Subtracts the means; knows nothing of errors."""

    def fit(self, X, y=None):
        self.mean_ = X.mean(axis=0)
        return self

    def transform(self, X):
        return X - self.mean_


def requesting(names, **settings):
    """A mixture that asks for the metadata everywhere."""
    wanted = dict.fromkeys(names, True)
    model = quick(**settings).set_fit_request(**wanted).set_score_request(**wanted)
    noise = {name: True for name in wanted if name != "sample_weight"}
    return model.set_predict_request(**noise).set_predict_proba_request(**noise)


def test_pipeline_passes_errors_to_the_last_step(table):
    X, X_std = table
    weights = np.linspace(0.5, 2.0, len(X))
    pipeline = make_pipeline(Centre(), requesting(["X_std", "sample_weight"]))
    pipeline.fit(X, X_std=X_std, sample_weight=weights)
    centred = X - X.mean(axis=0)
    alone = quick().fit(centred, X_std=X_std, sample_weight=weights)
    assert_same_model(pipeline[-1], alone, rtol=0)
    assert_array_equal(
        pipeline.predict_proba(X, X_std=X_std), alone.predict_proba(centred, X_std=X_std)
    )
    assert_array_equal(pipeline.predict(X, X_std=X_std), alone.predict(centred, X_std=X_std))
    assert pipeline.score(X, X_std=X_std, sample_weight=weights) == alone.score(
        centred, X_std=X_std, sample_weight=weights
    )


def test_pipeline_passes_covariances(table):
    X, X_std = table
    pipeline = make_pipeline(FunctionTransformer(), requesting(["X_cov"]))
    pipeline.fit(X, X_cov=as_cov(X_std))
    assert_same_model(pipeline[-1], quick().fit(X, X_cov=as_cov(X_std)), rtol=0)


def test_cross_validation_slices_errors_with_the_rows(table):
    X, X_std = table
    weights = np.linspace(0.5, 2.0, len(X))
    splits = KFold(3, shuffle=True, random_state=1)
    scores = cross_val_score(
        requesting(["X_std", "sample_weight"], tol=1e-2),
        X,
        cv=splits,
        params={"X_std": X_std, "sample_weight": weights},
    )
    by_hand = []
    for train, test in splits.split(X):
        model = quick(tol=1e-2).fit(X[train], X_std=X_std[train], sample_weight=weights[train])
        by_hand.append(model.score(X[test], X_std=X_std[test], sample_weight=weights[test]))
    assert_allclose(scores, by_hand, rtol=1e-12)
    # with the errors of other rows it would show
    wrong = [
        quick(tol=1e-2)
        .fit(X[train], X_std=X_std[train])
        .score(X[test], X_std=X_std[train][: len(test)])
        for train, test in splits.split(X)
    ]
    assert np.abs(scores - wrong).min() > 0.01


@pytest.mark.filterwarnings("ignore:.*multi-threaded:DeprecationWarning")  # Python 3.12, of forks
def test_cross_validation_in_several_processes_and_with_covariances(table):
    X, X_std = table
    settings = {"cv": 2, "params": {"X_cov": as_cov(X_std)}}
    mixture = requesting(["X_cov"], tol=1e-2)
    one = cross_validate(mixture, X, **settings)["test_score"]
    # joblib's own processes would load all packages anew, for seconds each; these have them where there are forks.
    with joblib.parallel_config(backend="multiprocessing", n_jobs=2):
        two = cross_validate(mixture, X, **settings)["test_score"]
    assert_allclose(one, two, rtol=1e-12)


def test_grid_search_over_the_number_of_components(table):
    X, X_std = table
    search = GridSearchCV(requesting(["X_std"], tol=1e-2), {"n_components": [1, 2]}, cv=2)
    search.fit(X, X_std=X_std)
    assert search.best_params_ == {"n_components": 2}
    assert_same_model(search.best_estimator_, quick(tol=1e-2).fit(X, X_std=X_std), rtol=0)


def test_errors_nobody_asked_for_are_an_error(table):
    X, X_std = table
    with pytest.raises(ValueError, match="X_std"):
        cross_val_score(quick(), X, cv=2, params={"X_std": X_std})


def test_clone_and_parameters():
    model = quick(3, dof=[1.0, 2.0, np.inf], scatter="diag", locations_init=np.eye(3))
    copy = clone(model)
    assert copy is not model
    params, copied = model.get_params(), copy.get_params()
    assert params.keys() == copied.keys()
    assert_array_equal(params.pop("locations_init"), copied.pop("locations_init"))
    assert params == copied
    assert copy.set_params(n_components=2, dof=5.0) is copy
    assert (copy.n_components, copy.dof, model.n_components) == (2, 5.0, 3)
    with pytest.raises(ValueError, match="Invalid parameter 'k' for estimator RobustMixture"):
        copy.set_params(k=2)


def test_a_fitted_model_survives_joblib(tmp_path, table):
    X, X_std = table
    model = quick().fit(X, X_std=X_std)
    joblib.dump(model, tmp_path / "model.joblib")
    back = joblib.load(tmp_path / "model.joblib")
    assert_array_equal(back.score_samples(X, X_std=X_std), model.score_samples(X, X_std=X_std))
