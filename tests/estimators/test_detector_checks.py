"""What scikit-learn expects of an outlier detector, and of metadata on its way through pipelines."""

import numpy as np
import pytest
import sklearn
from numpy.testing import assert_array_equal
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import FunctionTransformer
from sklearn.utils.estimator_checks import parametrize_with_checks

from peculiar import OutlierDetector, RobustMixture

SCORE = "the setting is called score, and the check takes the attribute for a method"
NONE = "it wants outliers in a table that has none; with contamination=0.1 there are, and the check passes"


def expected_failures(estimator):
    """Checks that an estimator cannot pass, each with the reason."""
    takes_a_method = (
        "check_fit_score_takes_y",
        "check_n_features_in_after_fitting",
        "check_pipeline_consistency",
    )
    wants_outliers = ("check_outliers_fit_predict", "check_outliers_train")
    failures = dict.fromkeys(takes_a_method, SCORE)
    if estimator.contamination is None:
        failures |= dict.fromkeys(wants_outliers, NONE)
    return failures


ESTIMATORS = [
    OutlierDetector(1),
    OutlierDetector(1, wild_fraction=0.0, score="density", contamination=0.1),
]


@pytest.mark.filterwarnings("ignore::peculiar.errors.CollapsedScatterWarning")
@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
@parametrize_with_checks(ESTIMATORS, expected_failed_checks=expected_failures)
def test_scikit_learn(estimator, check):
    check(estimator)


def test_errors_travel_through_a_pipeline():
    rng = np.random.default_rng(0)
    std = rng.uniform(0.1, 1.0, (200, 2))
    X = rng.standard_normal((200, 2)) + std * rng.standard_normal((200, 2))
    X[0], std[0] = 9.0, 0.1
    with sklearn.config_context(enable_metadata_routing=True):
        detector = OutlierDetector(mixture=RobustMixture(1, wild_fraction="estimate"))
        detector.set_fit_request(X_std=True).set_predict_request(X_std=True)
        detector.set_decision_function_request(X_std=True)
        pipeline = make_pipeline(FunctionTransformer(), detector).fit(X, X_std=std)
        assert_array_equal(
            pipeline.predict(X, X_std=std), detector.fit(X, X_std=std).predict(X, X_std=std)
        )
        assert pipeline.decision_function(X, X_std=std)[0] < 0
