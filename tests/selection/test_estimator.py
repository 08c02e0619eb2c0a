"""RobustMixture with a number of components to be found."""

import dataclasses

import numpy as np
import pandas as pd
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from sklearn.base import clone

from peculiar import RobustMixture
from peculiar.engines import MonteCarlo
from peculiar.errors import SettingError
from peculiar.fitting.select import descend as way_down
from peculiar.fitting.select.choose import as_one
from peculiar.fitting.select.criteria import TABLE, MessageLength
from tests.selection.helpers import a_model, a_start, rows, separated


def chosen(n_components="mml", **settings):
    return RobustMixture(
        n_components, **{"max_components": 6, "tol": 1e-4, "random_state": 0, **settings}
    )


@pytest.fixture(scope="module")
def catalogue():
    return separated(3, 5, dof=5.0, sizes=(60, 90))


@pytest.fixture(scope="module")
def by_length(catalogue):
    X, X_std = catalogue
    return chosen().fit(X, X_std=X_std)


@pytest.fixture(scope="module")
def by_bic(catalogue):
    X, X_std = catalogue
    return chosen("bic", max_components=4).fit(X, X_std=X_std)


@pytest.mark.parametrize("name", ["by_length", "by_bic"])
def test_the_number_is_found_and_used(name, request, catalogue):
    model = request.getfixturevalue(name)
    X, X_std = catalogue
    assert model.n_components_ == 3
    assert model.weights_.shape == (3,)
    assert model.predict_proba(X, X_std=X_std).shape == (len(X), 3)
    assert model.sample(5)[0].shape == (5, 2)
    assert model.converged_
    assert np.isfinite(model.aic(X, X_std=X_std))


def test_the_table(by_length):
    table = by_length.selection_
    assert table.dtype == TABLE
    assert (np.diff(table["n_components"]) > 0).all()
    assert table["n_components"][0] == 1
    assert table["n_components"][-1] <= 6
    best = table[np.argmin(table["message_length"])]
    assert best["n_components"] == by_length.n_components_
    assert (table["icl"] >= table["bic"]).all()
    assert list(pd.DataFrame(table).columns) == list(TABLE.names)


def test_the_last_fit_is_an_ordinary_one(by_length, catalogue):
    X, X_std = catalogue
    row = by_length.selection_[by_length.selection_["n_components"] == 3][0]
    log_likelihood = by_length.score(X, X_std=X_std) * len(X)
    assert log_likelihood >= row["log_likelihood"]
    assert log_likelihood == pytest.approx(row["log_likelihood"], abs=2.0)
    again = RobustMixture(
        3,
        locations_init=by_length.locations_,
        scatters_init=by_length.scatters_,
        weights_init=by_length.weights_,
        dofs_init=by_length.dofs_,
        random_state=0,
    ).fit(X, X_std=X_std)
    assert_allclose(again.lower_bound_, by_length.lower_bound_, atol=1e-4)
    assert by_length.lower_bounds_[-1] == pytest.approx(by_length.score(X, X_std=X_std))


def test_bic_tries_what_would_have_been_asked_for(by_bic, catalogue):
    X, X_std = catalogue
    assert by_bic.selection_["n_components"].tolist() == [1, 2, 3, 4]
    for row in by_bic.selection_:
        asked = chosen(int(row["n_components"])).fit(X, X_std=X_std)
        assert row["bic"] == pytest.approx(asked.bic(X, X_std=X_std), rel=1e-10)
        assert row["log_likelihood"] == pytest.approx(asked.score_samples(X, X_std=X_std).sum())
        if row["n_components"] == by_bic.n_components_:
            assert_array_equal(asked.locations_, by_bic.locations_)
    assert by_bic.n_components_ == 1 + np.argmin(by_bic.selection_["bic"])


@pytest.mark.parametrize(
    "settings",
    [
        {"dof": "shared", "scatter": "diag"},
        {"dof": np.inf, "engine": "structured"},
        {"dof": [7.0], "n_init": 2},
        {"dofs_init": 4.0},
    ],
    ids=str,
)
def test_other_models(settings):
    X, X_std = separated(2, 3, sizes=(60, 90), aligned=True)
    model = chosen(**settings).fit(X, X_std=X_std)
    assert model.n_components_ == 2


@pytest.mark.parametrize("criterion", ["mml", "bic"])
def test_reproducible_on_any_number_of_threads(criterion, catalogue):
    X, X_std = catalogue
    one, other = (
        chosen(criterion, max_components=3, n_jobs=n, tol=1e-3).fit(X, X_std=X_std) for n in (1, 2)
    )
    assert_array_equal(one.locations_, other.locations_)
    assert_array_equal(one.selection_, other.selection_)


def test_a_row_of_weight_two_is_two_rows():
    X, X_std = separated(2, 4, sizes=(30, 40))
    twice = np.arange(0, len(X), 3)
    weights = np.ones(len(X))
    weights[twice] = 2.0
    backend = rows(X, X_std, weights)
    model = a_model()
    start = a_start(backend, model, 5)
    longer = rows(np.concatenate([X, X[twice]]), np.concatenate([X_std, X_std[twice]]))
    scaled = dataclasses.replace(longer.obs, scaling=backend.obs.scaling)
    longer = type(longer)(scaled)
    one, other = (
        list(way_down.descend(b, model, start, MessageLength())) for b in (backend, longer)
    )
    assert_allclose([s.length for s in one], [s.length for s in other], rtol=1e-6)


@pytest.mark.filterwarnings("ignore::peculiar.errors.CollapsedScatterWarning")
@pytest.mark.parametrize("criterion", ["mml", "bic"])
def test_fewer_rows_than_components(criterion):
    X = np.random.default_rng(0).standard_normal((12, 1))
    X[6:] = X[:6]
    model = chosen(criterion, max_components=20).fit(X)
    assert model.n_components_ <= 6
    assert model.selection_["n_components"].max() <= 6


@pytest.mark.filterwarnings("ignore::peculiar.errors.CollapsedScatterWarning")
@pytest.mark.parametrize("criterion", ["mml", "bic"])
def test_rows_that_k_means_takes_for_the_same(criterion):
    rng = np.random.default_rng(0)
    X = np.repeat(rng.standard_normal((3, 2)), 10, axis=0) + 1e-13 * rng.standard_normal((30, 2))
    model = chosen(criterion, tol=1e-2).fit(X)  # its own warnings only
    assert 1 <= model.n_components_ <= 6


def test_one_at_most():
    X, X_std = separated(2, 0, sizes=(30, 40))
    assert chosen(max_components=1).fit(X, X_std=X_std).n_components_ == 1


def test_a_known_number_has_no_table(by_length, catalogue):
    X, X_std = catalogue
    again = clone(by_length).fit(X, X_std=X_std)
    assert again.n_components == "mml"
    assert hasattr(again, "selection_")
    again.set_params(n_components=2).fit(X, X_std=X_std)
    assert not hasattr(again, "selection_")
    assert again.n_components_ == 2


@pytest.mark.parametrize("name", ["by_length", "by_bic"])
def test_stored(name, request, tmp_path, catalogue):
    model = request.getfixturevalue(name)
    X, X_std = catalogue
    model.save(tmp_path / "model.peculiar")
    back = RobustMixture.load(tmp_path / "model.peculiar")
    assert back.get_params() == model.get_params()
    assert back.n_components_ == 3
    assert_array_equal(back.selection_, model.selection_, strict=True)
    assert_array_equal(back.score_samples(X, X_std=X_std), model.score_samples(X, X_std=X_std))


def test_known_parameters_with_a_number_to_be_found():
    model = RobustMixture.from_parameters(
        [0.5, 0.5], [[0.0], [9.0]], np.ones((2, 1, 1)), 3, n_components="mml"
    )
    assert model.n_components_ == 2
    assert model.n_components == "mml"
    assert model.predict([[8.0]]) == [1]
    assert not hasattr(model, "selection_")


def test_verbose_prints_a_line_for_each_number(capsys):
    X, X_std = separated(2, 0, sizes=(30, 40))
    model = chosen(verbose=1).fit(X, X_std=X_std)
    lines = [line for line in capsys.readouterr().out.splitlines() if "components:" in line]
    numbers = {int(line.split()[0]) for line in lines}  # one component is met twice
    assert numbers == set(model.selection_["n_components"].tolist())
    assert lines[-1].startswith("   1 components: message length ")
    chosen("bic", max_components=2, verbose=1).fit(X, X_std=X_std)
    lines = capsys.readouterr().out.splitlines()
    assert [line[:21] for line in lines] == ["   1 components: bic ", "   2 components: bic "]


@pytest.mark.parametrize("criterion", ["mml", "bic"])
@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"weights_init": [0.5, 0.5]}, r"^weights_init needs a known number of components, but n_c"),
        ({"locations_init": [[0.0, 0.0]]}, r"^locations_init needs a known number of components, "),
        ({"scatters_init": [np.eye(2)]}, r"^scatters_init needs a known number of components, but"),
        ({"dofs_init": [3.0, 4.0]}, r"^dofs_init needs a known number of components, but n_comp"),
        ({"dof": [3.0, 4.0]}, r"^dof needs a known number of components, but n_components='\w{3}' has"),
        ({"max_components": 0}, r"^max_components must be a whole number, 1 or more, not 0$"),
        ({"max_components": "many"}, r"^max_components must be a whole number, 1 or more, not 'many'"),
        (
            {"engine": "map"},
            r"^n_components='\w{3}' compares likelihoods, but the objective of engine='map' is not one; choose",
        ),
    ],
)  # fmt: skip
def test_settings_that_cannot_be(criterion, settings, message):
    X, X_std = separated(1, 0)
    with pytest.raises(SettingError, match=message):
        RobustMixture(criterion, **settings).fit(X, X_std=X_std)


@pytest.mark.parametrize("wrong", ["aic", "MML", "", "3"])
def test_unknown_criteria(wrong):
    message = rf"^n_components='{wrong}' is unknown; give a whole number, 'mml' or 'bic'$"
    with pytest.raises(SettingError, match=message):
        RobustMixture(wrong).fit([[0.0], [1.0]])


def test_the_criterion_of_the_paper_can_be_had():
    """Its table is that of the formula as it stands; for the same mixtures the lengths differ by the ranges."""
    X, X_std = separated(2, 1, sizes=(60, 60))
    ours, papers = (
        RobustMixture(criterion, max_components=4, random_state=0, tol=1e-2).fit(X, X_std=X_std)
        for criterion in ("mml", MessageLength(prior_range=1.0))
    )
    for model, prior_range in ((ours, 6.0), (papers, 1.0)):
        for row in model.selection_:
            k, own, n = int(row["n_components"]), 6, len(X)
            fixed = k / 2 * np.log(n / 12) + k * (own + 1) / 2 + (k - 1) * own * np.log(prior_range)
            weights = (row["message_length"] + row["log_likelihood"] - fixed) / (own / 2)
            # what is left is the sum of log(n weight / 12), largest for equal weights
            assert weights <= k * np.log(n / k / 12) + 1e-9
    one = papers.selection_[0]
    expected = -one["log_likelihood"] + 3.5 * np.log(len(X) / 12) + 3.5
    assert one["message_length"] == pytest.approx(expected)


def test_the_criterion_is_stored_with_its_settings(tmp_path):
    X, X_std = separated(1, 0, sizes=(60, 60))
    criterion = MessageLength(prior_range=2.0)
    model = RobustMixture(criterion, max_components=2, random_state=0, tol=1e-2).fit(X, X_std=X_std)
    model.save(tmp_path / "model.peculiar")
    assert RobustMixture.load(tmp_path / "model.peculiar").n_components == criterion


@pytest.mark.parametrize("criterion", ["bic", "aic"])
def test_what_is_no_likelihood_has_no_criterion(criterion):
    model = RobustMixture.from_parameters([1.0], [[0.0]], [[[1.0]]], 3.0, engine="map")
    message = (
        rf"^{criterion} compares likelihoods, but the objective of engine='map' is not one; choose"
    )
    with pytest.raises(SettingError, match=message):
        getattr(model, criterion)([[0.0], [1.0]])


@pytest.mark.parametrize("criterion", ["mml", "bic"])
def test_weights_are_numbers_of_rows(criterion):
    X, X_std = separated(2, 3, sizes=(40, 40))
    settings = {"max_components": 3, "random_state": 0, "tol": 1e-2}

    def table(*data, **weights):
        model = RobustMixture(criterion, **settings).fit(data[0], X_std=data[1], **weights)
        return model.selection_

    plain = table(X, X_std)
    assert_array_equal(table(X, X_std, sample_weight=np.ones(len(X))), plain)
    double = table(X, X_std, sample_weight=np.full(len(X), 2.0))
    twice = table(np.repeat(X, 2, axis=0), np.repeat(X_std, 2, axis=0))
    one, other = double[double["n_components"] == 2], twice[twice["n_components"] == 2]
    for name in ("message_length", "log_likelihood", "bic"):
        assert_allclose(one[name], other[name], rtol=1e-4)


def test_bic_does_not_take_components_of_a_few_rows():
    """Thirty exact rows in ten components: each may shrink to a line, and be as likely as the floor lets it."""
    X = np.random.default_rng(0).standard_normal((30, 2))
    model = RobustMixture("bic", max_components=10, random_state=0, tol=1e-3).fit(X)
    assert model.n_components_ <= 2
    assert len(model.selection_) >= 8


def test_a_model_can_be_looked_at_with_another_engine_and_stored(tmp_path):
    X, X_std = separated(1, 0, sizes=(60, 60))
    model = RobustMixture("mml", max_components=2, random_state=0, tol=1e-2).fit(X, X_std=X_std)
    model.set_params(engine="map").save(tmp_path / "model.peculiar")
    back = RobustMixture.load(tmp_path / "model.peculiar")
    assert_array_equal(back.score_samples(X, X_std=X_std), model.score_samples(X, X_std=X_std))


@pytest.mark.parametrize("dof", ["estimate", "shared"])
def test_random_engines_can_choose(dof):
    X, X_std = separated(2, 1, sizes=(30, 30))
    X, X_std = np.vstack([X, [[60.0, 0.0], [60.0, 1.0]]]), np.vstack([X_std, np.full((2, 2), 0.1)])
    model = RobustMixture(
        "mml",
        max_components=3,
        engine=MonteCarlo(n_sweeps=30, burn_in=5),
        dof=dof,
        random_state=0,
        tol=1e-1,
    ).fit(X, X_std=X_std)
    assert np.isfinite(model.selection_["message_length"]).all()
    assert model.n_components_ in (2, 3)


def test_bic_counts_rows_with_something_observed():
    X, X_std = separated(1, 0, sizes=(60, 60))
    model = RobustMixture("bic", max_components=1, random_state=0).fit(X, X_std=X_std)
    empty = np.vstack([X, np.full((5, 2), np.nan)]), np.vstack([X_std, np.ones((5, 2))])
    assert model.bic(empty[0], X_std=empty[1]) == pytest.approx(model.selection_["bic"][0])


def test_noise_in_many_features_is_one_wide_component():
    """What a way down left over kept the size of a twentieth of the rows, and called the others wild."""
    X = np.random.default_rng(0).normal(size=(600, 15))
    settings = {"wild_fraction": "estimate", "max_components": 3, "scatter": "full"}
    found, plain = (chosen(k, **settings).fit(X) for k in ("mml", 1))
    assert found.n_components_ == 1
    assert found.score(X) > plain.score(X) - 1e-3
    assert found.wild_fraction_ < 0.01


def test_a_single_component_as_wide_as_a_mixture():
    start = a_start(rows(*separated(2, 0)), a_model(), 4)
    weights, one = np.exp(start.log_weights), as_one(start)
    mean = sum(w * m for w, m in zip(weights, start.locations, strict=True))
    square = sum(
        w * (S + np.outer(m, m))
        for w, m, S in zip(weights, start.locations, start.scatters, strict=True)
    )
    assert_allclose(one.locations, [mean])
    assert_allclose(one.scatters, [square - np.outer(mean, mean)])
    assert_array_equal(one.log_weights, [0.0])


def test_where_rows_are_few_the_shortest_of_several_ways_is_taken(monkeypatch):
    rng = np.random.default_rng(0)
    along = rng.uniform(-2.0, 2.0, (300, 2)) @ rng.standard_normal((2, 8))  # no groups: a surface
    X = np.sin(along + rng.uniform(0.0, 6.0, 8)) + 0.1 * rng.standard_normal((300, 8))

    def lengths():
        fits = (RobustMixture("mml", random_state=seed).fit(X) for seed in range(4))
        return np.array([one.selection_["message_length"].min() for one in fits])

    several = lengths()
    monkeypatch.setattr(way_down, "WAYS", 0)
    one = lengths()
    assert (several <= one + 1e-6).all()
    assert (several < one - 1.0).any()
