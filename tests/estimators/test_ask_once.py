"""A table is checked once for each method that the user calls, and passed over no more often than needed."""

import inspect
import warnings

import numpy as np
import pytest

from peculiar import OutlierDetector, RobustMixture, validation
from peculiar.backends import MemoryBackend
from peculiar.catalogue.recipe import Recipe
from peculiar.cli.demo import FEATURES, as_catalogue
from peculiar.datasets import make_colours
from peculiar.errors import MissingNoiseWarning
from peculiar.estimators.judging import fit_to_judge
from peculiar.report import rank
from tests.estimators.helpers import measured

X, X_STD = measured(80)
ROWS = {"X": X, "X_std": X_STD}


def mixture():
    return RobustMixture(2, wild_fraction="estimate", tol=1e-2, random_state=0)


@pytest.fixture(scope="module")
def fitted():
    return {
        "mixture": mixture().fit(**ROWS),
        "detector": OutlierDetector(mixture=mixture()).fit(**ROWS),
    }


def methods_that_take_rows(kind):
    """Public methods with an argument X."""
    members = inspect.getmembers(kind, inspect.isroutine)
    return [
        name
        for name, member in members
        if not name.startswith("_") and "X" in inspect.signature(member).parameters
    ]


ASKING = [
    (which, name)
    for which, kind in (("mixture", RobustMixture), ("detector", OutlierDetector))
    for name in methods_that_take_rows(kind)
    if not name.startswith(("fit", "partial_fit", "from_"))
    and name != "report"  # which asks about some once more
]
FITTING = [(RobustMixture, name) for name in ("fit", "partial_fit", "fit_predict")]
FITTING += [(OutlierDetector, "fit"), (OutlierDetector, "fit_predict")]


@pytest.fixture
def checks(monkeypatch):
    """Numbers of rows that were checked, check by check."""
    counted, real = [], validation.check_values

    def check_values(estimator, X, **settings):
        counted.append(len(X))
        return real(estimator, X, **settings)

    monkeypatch.setattr(validation, "check_values", check_values)
    return counted


def test_all_methods_are_here():
    names = {name for _, name in ASKING}
    assert {"score_samples", "predict", "p_values", "explain", "error_tolerance", "bic"} <= names


@pytest.mark.parametrize(("which", "name"), ASKING)
def test_a_question_checks_the_table_once(fitted, checks, which, name):
    getattr(fitted[which], name)(**ROWS)
    assert checks == [len(X)]


@pytest.mark.parametrize(("kind", "name"), FITTING)
def test_a_fit_checks_the_table_once(checks, kind, name):
    estimator = (
        mixture() if kind is RobustMixture else OutlierDetector(mixture=mixture(), score="density")
    )
    getattr(estimator, name)(**ROWS)
    assert checks == [len(X)]


def test_a_detector_around_a_mixture_checks_the_table_once(fitted, checks):
    OutlierDetector.from_mixture(fitted["mixture"], **ROWS, score="weight")
    assert checks == [len(X)]


@pytest.mark.parametrize(("which", "name"), ASKING)
def test_forgotten_errors_are_noticed_at_the_line_of_the_caller(fitted, which, name):
    method = getattr(fitted[which], name)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        method(X)
        line = inspect.currentframe().f_lineno - 1
    (warning,) = (one for one in caught if one.category is MissingNoiseWarning)
    assert (warning.filename, warning.lineno) == (__file__, line)


@pytest.mark.parametrize("has_strange_group", [False, True])
def test_a_ranking_asks_no_more_than_it_needs(checks, monkeypatch, has_strange_group):
    """3,000 objects, four features, three components: after the fit, one check of all rows, at most 8 passes."""
    catalogue = as_catalogue(make_colours(3000, n_peculiar=30, random_state=1))
    rows = Recipe(FEATURES).measure(catalogue)
    model = RobustMixture(3, wild_fraction="estimate", tol=1e-2, random_state=1)
    fit_to_judge(model, 2.0, **rows.arguments())
    assert checks == [3000]
    checks.clear()
    model.groups_["is_ordinary"][0] = not has_strange_group
    detector = OutlierDetector.from_mixture(model)
    pairs, real = [], MemoryBackend.describe

    def describe(self, engine, params, **settings):
        pairs.append(self.obs.n_rows * params.n_components)
        return real(self, engine, params, **settings)

    monkeypatch.setattr(MemoryBackend, "describe", describe)
    monkeypatch.setattr(
        RobustMixture, "from_parameters", lambda *_, **__: pytest.fail("a mixture was made")
    )
    found = rank(detector, rows)
    assert len(found.order) == 3000
    assert checks == [3000]
    assert np.sum(pairs) <= 8 * 3000 * 3
