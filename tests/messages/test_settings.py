"""Errors about settings and given parameters."""

import numpy as np
import pytest

from peculiar import RobustMixture
from peculiar.engines import Exact
from peculiar.errors import PeculiarError, SettingError
from tests.messages.helpers import good_table, mixture

WHOLE = r"must be a whole number, 1 or more, not"


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_components": 0}, rf"^n_components {WHOLE} 0$"),
        ({"n_components": -3}, rf"^n_components {WHOLE} -3$"),
        ({"n_components": 2.5}, rf"^n_components {WHOLE} 2\.5$"),
        ({"n_components": 2.0}, rf"^n_components {WHOLE} 2\.0$"),
        ({"n_components": True}, rf"^n_components {WHOLE} True$"),
        (
            {"n_components": "3"},
            r"^n_components='3' is unknown; give a whole number, 'mml' or 'bic'$",
        ),
        ({"n_components": None}, rf"^n_components {WHOLE} None$"),
        ({"max_iter": 0}, rf"^max_iter {WHOLE} 0$"),
        ({"max_iter": 1e3}, rf"^max_iter {WHOLE} 1000\.0$"),
        ({"n_init": 0}, rf"^n_init {WHOLE} 0$"),
        ({"tol": -1.0}, r"^tol must be a number, 0 or more, not -1\.0$"),
        ({"tol": np.nan}, r"^tol must be a number, 0 or more, not nan$"),
        ({"tol": np.inf}, r"^tol must be a number, 0 or more, not inf$"),
        ({"tol": "small"}, r"^tol must be a number, 0 or more, not 'small'$"),
        ({"accelerate": "yes"}, r"^accelerate must be True or False, not 'yes'$"),
        ({"accelerate": 1}, r"^accelerate must be True or False, not 1$"),
        ({"tol": None}, r"^tol must be a number, 0 or more, not None$"),
        ({"dof": 0}, r"^dof must be positive \(1e-10 to 1e\+15, or inf for a Gaussian\), not 0$"),
        ({"dof": -1.0}, r"^dof must be positive \(.*\), not -1$"),
        ({"dof": np.nan}, r"^dof must be positive \(.*\), not nan$"),
        ({"dof": 1e300}, r"^dof must be positive \(.*or inf for a Gaussian\), not 1e\+300$"),
        ({"dof": [3.0, -2.0], "n_components": 2}, r"^dof must be positive \(.*\), not -2$"),
        ({"dof": "foo"}, r"^dof='foo' is unknown; give 'estimate', 'shared' or numbers$"),
        (
            {"dof": [3.0, 4.0, 5.0], "n_components": 2},
            r"^dof has shape \(3,\); give one number, or one for each of 2 components$",
        ),
        ({"dof": [[3.0]]}, r"^dof has shape \(1, 1\); give one number, or one for each of 1 comp"),
        ({"dof": ["a"]}, r"^dof must be numbers, not \['a'\]$"),
        (
            {"engine": "foo"},
            r"^engine='foo' is unknown; choose one of 'exact', 'structured', 'factorized', 'monte_carlo', 'map'$",
        ),
        (
            {"engine": object},
            r"^engine must be a name or an object with a method 'summarise', not <class 'object'>$",
        ),
        (
            {"engine": Exact},
            r"^engine must be a name or an object with a method 'summarise', not <c",
        ),
        ({"engine": None}, r"^engine must be a name or an object with a method 'summarise', not N"),
        ({"scatter": "tied"}, r"^scatter='tied' is unknown; choose one of 'full', 'diag', 'auto'$"),
        ({"scatter": 3}, r"^scatter must be a name or an object with a method 'nearest', not 3$"),
        ({"init": "foo"}, r"^init='foo' is unknown; 'kmeans' is there, or give locations_init$"),
        (
            {"random_state": "x"},
            r"^random_state must be None, a whole number \(0 or more\), a Generator or a RandomState, not 'x'$",
        ),
        (
            {"random_state": -1},
            r"^random_state must be None, a whole number \(0 or more\), .* not -1$",
        ),
        ({"n_jobs": 0}, r"^n_jobs must be None or a whole number \(-1: all cores\), not 0$"),
        (
            {"n_jobs": "all"},
            r"^n_jobs must be None or a whole number \(-1: all cores\), not 'all'$",
        ),
    ],
)
def test_settings(settings, message):
    X, *_ = good_table()
    with pytest.raises(SettingError, match=message) as caught:
        mixture(**settings).fit(X)
    assert isinstance(caught.value, ValueError)


def test_settings_are_checked_before_the_data():
    with pytest.raises(SettingError, match="max_iter"):
        mixture(max_iter=0).fit("not a table")


@pytest.mark.parametrize("value", [np.int64(2), 2])
def test_numpy_numbers_are_numbers(value):
    X, *_ = good_table()
    model = mixture(value, tol=np.float32(1e-2), max_iter=np.int32(300)).fit(X)
    assert model.locations_.shape == (2, 3)


TWO = {"n_components": 2}


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"weights_init": [1.0]}, r"^weights_init has shape \(1,\), must be \(2,\)$"),
        (
            {"weights_init": [0.5, 0.9]},
            r"^weights_init must be 0 or more and have sum 1, not \[0\.5 0\.9\] with sum 1\.4$",
        ),
        (
            {"weights_init": [1.5, -0.5]},
            r"^weights_init must be 0 or more and have sum 1, not \[",
        ),
        (
            {"weights_init": [0.5, np.nan]},
            r"^weights_init must be 0 or more and have sum 1, not",
        ),
        (
            {"weights_init": [1.0, 0.0]},
            r"^weights_init\[1\] is 0; a component that starts with nothing stays so\. Give a small w",
        ),
        ({"weights_init": "equal"}, r"^weights_init must be numbers, not 'equal'$"),
        (
            {"locations_init": [[0.0, 0.0]]},
            r"^locations_init has shape \(1, 2\), must be \(2, 3\)$",
        ),
        (
            {"locations_init": [0.0, 1.0]},
            r"^locations_init has shape \(2,\), must be \(n_components, n_features\)$",
        ),
        (
            {"locations_init": [[0, 0, 0], [0, 0, np.nan]]},
            r"^locations_init must be finite, not \[\[",
        ),
        (
            {"scatters_init": np.eye(3)},
            r"^scatters_init has shape \(3, 3\), must be \(2, 3, 3\): a matrix for each component$",
        ),
        (
            {"scatters_init": [np.eye(3), np.diag([1.0, 2.0, -3.0])]},
            r"^scatters_init\[1\] has the variances \[1\.0, 2\.0, -3\.0\]; they must be positive \(1e-300 to ",
        ),
        (
            {"scatters_init": [np.eye(3), np.eye(3) + 0.5 * np.eye(3, k=1)]},
            r"^scatters_init\[1\] is not symmetric: \[0, 1\] is 0\.5, \[1, 0\] is 0$",
        ),
        (
            {"scatters_init": [np.eye(3), np.ones((3, 3))]},
            r"^scatters_init\[1\] is not positive definite \(as correlations, its smallest eigenvalue is [-\d.e]+\)$",
        ),
        (
            {"scatters_init": np.full((2, 3, 3), np.inf)},
            r"^scatters_init\[0\] must be finite, not \[\[inf, inf, inf\]",
        ),
        ({"dofs_init": [3.0] * 3}, r"^dofs_init has shape \(3,\), must be a number or \(2,\)$"),
        ({"dofs_init": 0.0}, r"^dofs_init must be positive \(.*\), not 0$"),
    ],
)
def test_given_starts(settings, message):
    X, *_ = good_table()
    with pytest.raises(SettingError, match=message):
        mixture(2, **settings).fit(X)


@pytest.mark.parametrize(
    ("parameters", "message"),
    [
        (
            ([1.0], [[0.0]], [[[-1.0]]], 3),
            r"^scatters\[0\] has the variances \[-1\.0\]; they must be",
        ),
        (
            ([0.2], [[0.0]], [[[1.0]]], 3),
            r"^weights must be 0 or more and have sum 1, not \[0\.2\]",
        ),
        (([1.0], [[np.inf]], [[[1.0]]], 3), r"^locations must be finite, not \[\[inf\]\]$"),
        (([1.0], [[0.0]], [[[1.0]]], -3), r"^dofs must be positive \(.*\), not -3$"),
        (
            ([1.0], [[0.0]], [[[1.0]]], [3, 4]),
            r"^dofs has shape \(2,\), must be a number or \(1,\)$",
        ),
        (([1.0], [[0.0]], "x", 3), r"^scatters must be numbers, not 'x'$"),
    ],
)
def test_ready_models(parameters, message):
    with pytest.raises(SettingError, match=message):
        RobustMixture.from_parameters(*parameters)


@pytest.mark.parametrize("n_samples", [0, -1, 2.5, "3"])
def test_number_of_samples(n_samples):
    model = RobustMixture.from_parameters([1.0], [[0.0]], [[[1.0]]], 3)
    with pytest.raises(SettingError, match=rf"^n_samples {WHOLE} "):
        model.sample(n_samples)
    with pytest.raises(SettingError, match=r"^random_state must be None, .* not 'x'$"):
        model.sample(3, random_state="x")


def test_settings_of_engines():
    with pytest.raises(ValueError, match=r"^rtol must be between 1e-15 and 1e-3, not 0\.1$"):
        Exact(rtol=0.1)


def test_all_errors_are_value_errors():
    assert issubclass(PeculiarError, ValueError)
    assert issubclass(SettingError, PeculiarError)
