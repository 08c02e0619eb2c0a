"""Small groups that cannot pay for a scatter of their own."""

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.optimize import minimize_scalar

from peculiar import OutlierDetector, RobustMixture
from peculiar.fitting.loop import fit
from peculiar.fitting.select.criteria import MessageLength, ParameterCount
from peculiar.fitting.small_groups import (
    LEAST,
    Proposals,
    add_small_groups,
    average_scatter,
    widest_gaps,
)
from peculiar.model.params import MixtureParams
from peculiar.model.scatter import FullScatter, ShrunkScatter, WithMultiples
from peculiar.model.scatter.base import FLOOR
from tests.selection.helpers import a_model, rows

D = 8


def moments(n_components=3, d=3, seed=0):
    root = np.random.default_rng(seed).standard_normal((n_components, d, 2 * d))
    return root @ np.swapaxes(root, 1, 2) / (2 * d)


def test_the_best_multiple():
    shapes, found = moments(1, seed=1), moments()
    estimated = WithMultiples(FullScatter(), shapes).estimate(found, np.full(3, 9.0))

    def loss(log_size):
        scatter = np.exp(log_size) * shapes[0]
        return np.linalg.slogdet(scatter)[1] + np.trace(np.linalg.inv(scatter) @ found[2])

    best = minimize_scalar(loss, bounds=(-5, 5), method="bounded", options={"xatol": 1e-9})
    assert_allclose(estimated[2], np.exp(best.x) * shapes[0], rtol=1e-6)
    assert_allclose(estimated[:2], found[:2], rtol=1e-12)


def test_others_keep_their_preference():
    own, found, n = ShrunkScatter(5.0, (1.0, 2.0, 3.0)), moments(), np.array([4.0, 30.0, 9.0])
    both = WithMultiples(own, moments(1, seed=1))
    estimated = both.estimate(found, n)
    assert_allclose(estimated[:2], own.estimate(found[:2], n[:2]), rtol=1e-12)
    assert_allclose(both.log_prior(estimated), own.log_prior(estimated[:2]), rtol=1e-12)
    assert both.prior_rows == 5.0


def test_no_multiple_is_flatter_than_the_floor():
    shape = np.diag([1.0, 1e-3])[None]
    (scatter,) = WithMultiples(FullScatter(), shape).nearest(np.zeros((1, 2, 2)))
    assert_allclose(np.diag(scatter), [1e3 * FLOOR, FLOOR], rtol=1e-12)


def test_further_components_cost_what_they_do_among_the_others():
    """If they have the same number of parameters, it does not matter how they are counted."""
    message, weights = MessageLength(), np.array([0.5, 0.3, 0.15, 0.05])
    count = ParameterCount(own=9, common=1)
    whole = message.of(count, 500.0, weights, -900.0)
    parts = message.of(count, 500.0, weights[:2], -900.0) + message.of_others(9, 500.0, weights[2:])
    assert parts == pytest.approx(whole, rel=1e-12)


def test_gaps_are_those_of_a_twin():
    """Loops over rows and sizes."""
    places, least = np.random.default_rng(0).standard_normal((60, 3)), 3 / 60
    gap, size = widest_gaps(places, least)
    for i in (0, 17, 59):
        far = np.sort(np.linalg.norm(places - places[i], axis=1))
        twin = {s: (far[2 * s] / far[s]) ** 2 for s in (3, 4, 6)}  # the nearest is the row itself
        best = max(twin, key=twin.get)
        assert gap[i] == pytest.approx(twin[best], rel=1e-4)
        assert size[i] == pytest.approx(best / 60)


def with_a_group(n_group=15, noise=0.0, seed=0, n=600):
    """A cluster in eight dimensions, and some rows that are eight standard deviations away from it."""
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, D)) @ np.diag(np.linspace(0.5, 1.5, D))
    X[:n_group] = 0.4 * rng.standard_normal((n_group, D))
    X[:n_group, 1] += 8.0
    std = np.full(X.shape, noise) * rng.uniform(0.2, 1.0, X.shape)
    return X + std * rng.standard_normal(X.shape), std


def test_the_first_proposal_is_the_group():
    X, _ = with_a_group()
    proposed = Proposals(X, np.eye(D), seed=0).next()
    assert LEAST <= len(proposed) <= 17
    assert np.mean(proposed < 15) > 0.9


@pytest.fixture(scope="module")
def one():
    """The rows in a backend, and one component fitted to them."""
    X, std = with_a_group(noise=0.5)
    model = a_model()
    backend = rows(X, std)
    old = RobustMixture(tol=1e-3).fit(X, X_std=std)
    scaling = backend.obs.scaling
    params = MixtureParams(
        np.log(old.weights_),
        (old.locations_ - scaling.shift) / scaling.scale,
        old.scatters_ / scaling.scale[:, None] / scaling.scale,
        old.dofs_,
    )
    return backend, model, params


def test_a_group_is_found_and_has_the_shape_of_the_others(one):
    backend, model, params = one
    grown = add_small_groups(backend, model, params, MessageLength())
    assert grown.n_groups == 1
    members = np.flatnonzero(backend.describe(model.engine, grown.params).log_resp[:, 1] > -0.7)
    assert_array_equal(members, np.arange(15))
    structure = dataclasses.replace(model, scatter=grown.scatter)
    result = fit(backend, structure, grown.params, tol=1e-7, max_iter=200, accelerate=True)
    ratio = result.params.scatters[1] / average_scatter(params)
    assert_allclose(ratio, ratio[0, 0], rtol=1e-6)
    assert (np.diff(result.bounds) > -1e-9).all()


def test_none_is_found_where_there_is_none(one):
    _, model, params = one
    X, std = with_a_group(n_group=0, noise=0.5, seed=1)
    grown = add_small_groups(rows(X, std), model, params, MessageLength())
    assert grown.n_groups == 0
    assert grown.params is params
    assert grown.scatter is model.scatter


def test_with_few_parameters_none_is_looked_for():
    """A component of 12 rows can pay for the six parameters of two features."""
    X, std = with_a_group()
    backend, model = rows(X[:, :2], std[:, :2] + 0.1), a_model()
    params = MixtureParams(np.zeros(1), np.zeros((1, 2)), np.eye(2)[None], np.full(1, 5.0))
    grown = add_small_groups(backend, model, params, MessageLength())
    assert grown.n_groups == 0
    assert grown.params is params


def test_the_default_leads_its_list_with_the_group():
    """And a scatter that is asked to be full is not given another structure."""
    X, _ = with_a_group()
    detector = OutlierDetector(random_state=0).fit(X)
    assert set(np.argsort(detector.score_samples(X))[:15]) == set(range(15))
    assert list(detector.groups_["group"]).count("A") == 1
    assert (
        detector.mixture_.n_components_
        == 1
        + detector.mixture_.selection_["n_components"][
            np.argmin(detector.mixture_.selection_["message_length"])
        ]
    )
    full = OutlierDetector(scatter="full", random_state=0).fit(X).mixture_
    best = full.selection_[np.argmin(full.selection_["message_length"])]
    assert full.n_components_ == best["n_components"]
