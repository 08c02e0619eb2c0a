"""What `fit` promises: where it starts, when it stops, what it leaves behind."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.exceptions import ConvergenceWarning

from peculiar import RobustMixture
from peculiar.estimators import search as search_module
from peculiar.model.params import from_scaled
from tests.estimators.helpers import (
    PARAMETERS,
    as_cov,
    assert_same_model,
    measured,
    plain,
    quick,
    two_clusters,
)

# ------------------------------------------------------------------------------------- stopping


def test_no_tolerance_runs_exactly_max_iter_iterations():
    X, X_std = measured()
    model = quick(tol=0, max_iter=20, accelerate=False)
    with pytest.warns(ConvergenceWarning, match="20 iterations"):
        model.fit(X, X_std=X_std)
    assert model.n_iter_ == len(model.lower_bounds_) == 20
    assert not model.converged_


def test_the_tolerance_is_per_row():
    X = two_clusters()
    once, many = quick(tol=1e-5).fit(X), quick(tol=1e-5).fit(np.repeat(X, 5, axis=0))
    assert once.converged_
    assert many.converged_
    assert abs(once.n_iter_ - many.n_iter_) < 20
    best = quick(tol=1e-10).fit(X).lower_bound_
    assert best - 2e-5 < once.lower_bound_ <= best
    assert best - 2e-5 < many.lower_bound_ <= best


def test_an_unfinished_fit_keeps_its_best_parameters():
    X, X_std = measured()
    message = (
        r"^EM did not converge in 3 iterations \(an unknown amount per row is still to be gained, tol 1e-12\); "
        r"the best parameters were kept\. Raise max_iter or tol$"
    )
    with pytest.warns(ConvergenceWarning, match=message) as caught:
        model = quick(max_iter=3, tol=1e-12).fit(X, X_std=X_std)
    assert caught[0].filename == __file__  # it points at the caller
    assert model.n_iter_ == 3
    assert all(np.isfinite(getattr(model, name)).all() for name in PARAMETERS)
    assert model.lower_bound_ == model.lower_bounds_.max()
    assert_allclose(model.score(X, X_std=X_std), model.lower_bound_, rtol=1e-12)


def test_an_unfinished_fit_says_what_is_missing():
    X, X_std = measured()
    with pytest.warns(
        ConvergenceWarning, match=r"\((\d|\.|e|-)+ per row is still to be gained"
    ) as caught:
        model = quick(max_iter=30, tol=1e-12, accelerate=False).fit(X, X_std=X_std)
    stated = float(str(caught[0].message).partition("(")[2].partition(" per row")[0])
    missing = quick(tol=1e-8).fit(X, X_std=X_std).lower_bound_ - model.lower_bound_
    assert 0.2 * missing < stated < 5 * missing


def test_bounds_rise():
    X, X_std = measured()
    bounds = quick().fit(X, X_std=X_std).lower_bounds_
    assert np.diff(bounds).min() > -1e-9


@pytest.mark.parametrize("engine", ["exact", "structured"])
def test_the_bound_is_the_score_of_the_training_data(engine):
    X, X_std = measured()
    X[::7, 0] = np.nan
    weights = np.random.default_rng(5).uniform(0, 3, len(X))
    settings = {"X_std": X_std, "sample_weight": weights}
    model = quick(engine=engine).fit(X, **settings)
    assert_allclose(model.score(X, **settings), model.lower_bound_, rtol=1e-12)
    assert_allclose(model.lower_bounds_.max(), model.lower_bound_, rtol=0)


def test_rows_with_nothing_observed_do_not_matter():
    X, X_std = measured()
    empty = np.full((50, 2), np.nan)
    errors = np.vstack([X_std, np.full((50, 2), np.inf)])
    model = quick().fit(X, X_std=X_std)
    padded = quick().fit(np.vstack([X, empty]), X_std=errors)
    assert_same_model(padded, model, rtol=0)
    assert padded.lower_bound_ == model.lower_bound_
    scores = padded.score_samples(empty, X_std=np.zeros((50, 2)))
    assert_allclose(scores, 0.0, atol=1e-14)
    assert_allclose(
        padded.predict_proba(empty, X_std=np.zeros((50, 2))), np.tile(model.weights_, (50, 1))
    )


# ---------------------------------------------------------------------- repeatable, in parallel


def test_same_seed_same_result():
    X, X_std = measured()
    one, two = (quick(3, random_state=8).fit(X, X_std=X_std) for _ in range(2))
    assert_same_model(one, two, rtol=0)
    generators = (np.random.default_rng(4), np.random.default_rng(4))
    one, two = (quick(3, random_state=rng).fit(X) for rng in generators)
    assert_same_model(one, two, rtol=0)
    states = (np.random.RandomState(4), np.random.RandomState(4))
    one, two = (quick(3, random_state=state).fit(X) for state in states)
    assert_same_model(one, two, rtol=0)


@pytest.mark.filterwarnings("ignore::sklearn.exceptions.ConvergenceWarning")
def test_threads_do_not_change_the_result():
    X, X_std = measured(10_500)
    X[::11, 0] = np.nan
    runs = {}
    for n_jobs in (1, 2, 4):
        model = quick(max_iter=4, n_jobs=n_jobs).fit(X, X_std=X_std)
        runs[n_jobs] = model, model.score_samples(X, X_std=X_std)
    for n_jobs in (2, 4):
        assert_same_model(runs[n_jobs][0], runs[1][0], rtol=1e-10)
        assert_allclose(runs[n_jobs][1], runs[1][1], rtol=1e-10)
        assert_allclose(runs[n_jobs][0].lower_bounds_, runs[1][0].lower_bounds_, rtol=1e-10)


def test_refitting_forgets_the_first_fit():
    X, X_std = measured()
    model = quick().fit(X + 100.0, X_std=X_std)
    model.set_params(n_components=1).fit(X)
    assert_same_model(model, quick(1).fit(X), rtol=0)
    model.score(X)  # no warning: the last fit had no errors


# --------------------------------------------------------------------------------------- starts


@pytest.fixture
def starts(monkeypatch):
    """Where EM starts, in the units of the data."""
    seen = []
    real = search_module.fit

    def spy(backend, model, start, **settings):
        seen.append(from_scaled(start, backend.obs.scaling))
        return real(backend, model, start, **settings)

    monkeypatch.setattr(search_module, "fit", spy)
    return seen


def test_starts_are_used_as_given(starts):
    X = 1e3 + 50 * two_clusters()
    given = {
        "weights_init": [0.2, 0.8],
        "locations_init": [[900, 1000], [1300, 1250]],  # integers
        "scatters_init": [[[90.0, 10.0], [10.0, 40.0]], [[1e4, 0.0], [0.0, 10.0]]],
        "dofs_init": [3.0, 70.0],
    }
    model = quick(**given).fit(X)
    start = starts[0]
    assert_allclose(np.exp(start.log_weights), given["weights_init"], rtol=1e-12)
    assert_allclose(start.locations, given["locations_init"], rtol=1e-12)
    assert_allclose(start.scatters, given["scatters_init"], rtol=1e-12)
    assert_allclose(start.dofs, given["dofs_init"], rtol=1e-12)
    assert (model.locations_ % 1 != 0).all()  # integers did not make the result integer


def test_what_is_not_given_is_found(starts):
    X = two_clusters()
    quick(locations_init=[[0, 0], [6, 6]]).fit(X)
    assert_array_equal(starts[0].locations, [[0, 0], [6, 6]])
    assert_allclose(np.exp(starts[0].log_weights), 0.5, atol=0.02)
    assert np.linalg.eigvalsh(starts[0].scatters).min() > 0.1
    quick(weights_init=[0.9, 0.1]).fit(X)
    assert_allclose(np.exp(starts[1].log_weights), [0.9, 0.1])
    assert_allclose(np.sort(starts[1].locations[:, 0]), [0, 6], atol=0.5)


def test_diagonal_starts(starts):
    X = np.random.default_rng(0).standard_normal((60, 3))
    quick(scatters_init=[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], scatter="diag", max_iter=200).fit(X)
    assert_allclose(starts[0].scatters[1], np.diag([4.0, 5.0, 6.0]), rtol=1e-12)


def test_fixed_dofs_ignore_their_start(starts):
    quick(dof=4.0, dofs_init=30.0).fit(two_clusters())
    assert_array_equal(starts[0].dofs, 4.0)


def test_starts_from_noise_as_large_as_the_spread_stay_positive(starts):
    X, X_std = measured()
    quick(max_iter=500).fit(X, X_std=3 * X_std)
    assert np.linalg.eigvalsh(starts[0].scatters).min() > 0


def test_several_starts_and_the_best_goes_on():
    """Four tight clusters: a poor start merges two of them; the best of many does not."""
    rng = np.random.default_rng(1)
    centres = np.array([[0, 0], [0, 9], [9, 0], [9, 9.0]])
    X = np.repeat(centres, 40, axis=0) + 0.3 * rng.standard_normal((160, 2))
    best = quick(4, n_init=4).fit(X)
    assert_allclose(np.sort(best.locations_.sum(axis=1)), [0, 9, 9, 18], atol=0.5)
    assert_same_model(best, quick(4, n_init=4).fit(X), rtol=0)
    assert best.lower_bound_ >= quick(4, n_init=1).fit(X).lower_bound_ - 1e-3


def test_badly_measured_values_do_not_lead_the_start_astray():
    """Errors of 1e4 and more say nothing: the fit is that with those values missing."""
    X, X_std = measured()
    for share, error in [(0.2, 1e4), (0.6, 1e8), (0.9, 1e12)]:
        rng = np.random.default_rng(7)
        bad = rng.random(len(X)) < share
        noisy, errors, holes = X.copy(), X_std.copy(), X.copy()
        noisy[bad, 1] += error * rng.standard_normal(bad.sum())
        errors[bad, 1] = error
        holes[bad, 1] = np.nan
        model = quick(dof=5.0).fit(noisy, X_std=errors)
        expected = quick(dof=5.0).fit(holes, X_std=X_std)
        assert_allclose(model.locations_, expected.locations_, atol=0.01)
        assert_allclose(model.scatters_, expected.scatters_, atol=0.02)


# ------------------------------------------------------------------------- dof and scatter


def test_kinds_of_dof():
    X = two_clusters()
    assert len(np.unique(quick().fit(X).dofs_)) == 2
    assert len(np.unique(quick(dof="shared").fit(X).dofs_)) == 1
    assert_array_equal(quick(dof=3).fit(X).dofs_, [3.0, 3.0])
    assert_array_equal(quick(dof=[3.0, np.inf]).fit(X).dofs_, [3.0, np.inf])
    assert_array_equal(quick(dof=np.inf).fit(X).dofs_, [np.inf, np.inf])
    assert_array_equal(quick(dof=np.float32(0.5)).fit(X).dofs_, [0.5, 0.5])


def test_diagonal_scatters_are_diagonal():
    X, X_std = measured()
    model = quick(scatter="diag").fit(X @ [[1.0, 0.5], [0.0, 1.0]], X_std=X_std)
    assert_array_equal(model.scatters_ * (1 - np.eye(2)), 0.0)


def test_covariances():
    model = RobustMixture.from_parameters(
        [0.25] * 4, np.zeros((4, 2)), [np.diag([1.0, 3.0])] * 4, [1.5, 2.0, 4.0, np.inf]
    )
    expected = np.array([np.full((2, 2), np.inf)] * 2 + [np.diag([2.0, 6.0]), np.diag([1.0, 3.0])])
    assert_array_equal(model.covariances_, expected)


def test_errors_as_stds_or_covariances_are_the_same():
    X, X_std = measured()
    assert_same_model(plain().fit(X, X_std=X_std), plain().fit(X, X_cov=as_cov(X_std)), rtol=1e-9)


def test_zero_errors_are_no_errors():
    X = two_clusters()
    assert_same_model(plain().fit(X, X_std=np.zeros_like(X)), plain().fit(X), rtol=1e-12)


def test_infinite_errors_are_missing_values():
    X, X_std = measured()
    holes, errors = X.copy(), X_std.copy()
    holes[::5, 0] = np.nan
    errors[::5, 0] = np.inf
    expected = plain().fit(holes, X_std=X_std)
    assert_same_model(plain().fit(X, X_std=errors), expected, rtol=0)
    cov = as_cov(np.where(np.isinf(errors), 1.0, errors))
    cov[::5, 0, 0] = np.inf
    cov[::5, 0, 1] = cov[::5, 1, 0] = np.nan  # whatever stands beside an infinite variance
    assert_same_model(plain().fit(X, X_cov=cov), expected, rtol=1e-9)


def test_fit_predict_is_fit_then_predict():
    X, X_std = measured()
    labels = quick().fit_predict(X, X_std=X_std)
    assert_array_equal(labels, quick().fit(X, X_std=X_std).predict(X, X_std=X_std))
    assert (labels[:100] != labels[100:]).mean() > 0.95


def test_verbose_prints(capsys):
    quick(verbose=1, tol=1e-2).fit(two_clusters())
    some = capsys.readouterr().out.splitlines()
    model = quick(verbose=2, tol=1e-2).fit(two_clusters())
    every = capsys.readouterr().out.splitlines()
    assert len(every) == model.n_iter_
    assert len(some) == model.n_iter_ // 10
    assert every[0].startswith("iteration    1: mean log-likelihood -")
