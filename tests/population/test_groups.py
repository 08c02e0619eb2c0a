"""Who is ordinary: components by hand, components of real fits, and what is asked of the population with them."""

import math

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy import stats
from scipy.spatial.distance import cdist

from peculiar import RobustMixture
from peculiar.observations import DiagonalNoise, FullNoise, NoNoise, Observations
from peculiar.population.company import company
from peculiar.population.groups import find_groups, group_of, judge_components
from tests.estimators.helpers import as_cov

WEIGHTS = np.array([0.55, 0.3, 0.15])
CENTRES = np.array([[0.0, 0.0], [2.0, 1.0], [3.0, -3.0]])
SCATTERS = np.array([np.eye(2), [[1.0, 0.4], [0.4, 0.8]], 16 * np.eye(2)])


def three(dofs=np.inf, **settings):
    """A bulk of two components, and a diffuse one."""
    return RobustMixture.from_parameters(
        WEIGHTS, CENTRES, SCATTERS, dofs, 0.02, **settings
    ).population_


def rows(population, noise):
    n = noise.n_rows if isinstance(noise, NoNoise) else len(noise[0])
    return Observations.of(
        population.sample(n, np.random.default_rng(1))[0], noise, population.scaling
    )


def twin_z(std, rarity, rng, n=1000):
    """z of the Gaussians above, with one noise for all: scipy's distances between objects, sorted, and loops."""
    noise = std**2 * np.eye(2)
    average = sum(w * scatter for w, scatter in zip(WEIGHTS, SCATTERS)) + noise

    def draw(k, m):
        return rng.multivariate_normal(CENTRES[k], SCATTERS[k] + noise, m)

    crowd = np.vstack([draw(k, int(4 * n * w)) for k, w in enumerate(WEIGHTS)])

    def depths(share):
        far = (cdist(draw(k, n), crowd, "mahalanobis", VI=np.linalg.inv(average)) for k in range(3))
        return [-np.log(np.quantile(one, share, axis=1)) for one in far]

    depth = {share: depths(share) for share in (0.04, 0.1)}
    shares = [0.04, 0.04, 0.1]  # the last is less than half as large as the first
    bulk = {0}  # the densest has more than half
    while True:
        z = np.zeros(3)
        for k, share in enumerate(shares):
            pool = np.concatenate([depth[share][j][: int(n * WEIGHTS[j])] for j in bulk])
            z[k] = (depth[share][k].mean() - pool.mean()) / pool.std()
        more = bulk | {k for k in range(3) if z[k] > -rarity}
        if more == bulk:
            return z
        bulk = more


@pytest.mark.parametrize("std", [0.0, 1.0])
def test_z_is_that_of_a_twin(std):
    population = three()
    obs = rows(population, DiagonalNoise(np.full((500, 2), std)) if std else NoNoise(500))
    z, is_ordinary = judge_components(company(population, obs), WEIGHTS, 2.5)
    assert_allclose(z, twin_z(std, 2.5, np.random.default_rng(0)), rtol=0.08, atol=0.1)
    assert_array_equal(is_ordinary, [True, True, False])


def test_units_do_not_matter():
    population, unit, shift = three(4.0), np.array([1e-3, 50.0]), np.array([7.0, -2.0])
    std = np.random.default_rng(0).uniform(0.1, 1.0, (300, 2))
    obs = rows(population, DiagonalNoise(std))
    other = RobustMixture.from_parameters(
        WEIGHTS, CENTRES * unit + shift, SCATTERS * unit[:, None] * unit, 4.0, 0.02
    ).population_
    moved = Observations.of(obs.values * unit + shift, DiagonalNoise(std * unit), other.scaling)
    one, two = (find_groups(p, o, 2.0, ("a", "b")) for p, o in ((population, obs), (other, moved)))
    assert_allclose(two["z"], one["z"], rtol=1e-6)
    assert_allclose(two["p_value"], one["p_value"], rtol=1e-4)
    for name in ("group", "is_ordinary", "feature_1", "side_1", "feature_2", "side_2"):
        assert_array_equal(two[name], one[name])


def test_the_side_does_not_depend_on_the_seed():
    """As asked: for 99 of 100 seeds, unless z is within 0.3 of the edge."""
    population = three(4.0)
    obs = rows(population, DiagonalNoise(np.random.default_rng(0).lognormal(-1, 1, (300, 2))))
    z = np.array(
        [judge_components(company(population, obs, s), WEIGHTS, 2.5)[0] for s in range(12)]
    )
    # The unit of z is uncertain, too: far from the edge, where it does not matter, z varies in proportion.
    noise = z.std(axis=0, ddof=1) / np.maximum(1.0, np.abs(z.mean(axis=0)) / 2.5)
    assert noise.max() < 0.3 / stats.norm.isf(0.01)


def is_ordinary_beside(n_clusters, share, distance, width, d=6):
    """Whether a group of this share is ordinary, beside a bulk of clusters that hardly meet."""
    rng = np.random.default_rng(0)
    centres = 4.0 * rng.standard_normal((n_clusters, d))
    weights = np.append(np.full(n_clusters, (1 - share) / n_clusters), share)
    where = centres[0] + distance * np.eye(d)[0]
    scatters = np.append(np.tile(np.eye(d), (n_clusters, 1, 1)), [width**2 * np.eye(d)], axis=0)
    population = RobustMixture.from_parameters(
        weights, np.vstack([centres, where]), scatters, np.inf
    ).population_
    near = company(population, rows(population, NoNoise(500)))
    is_ordinary = judge_components(near, weights, 2.5)[1]
    assert is_ordinary[:-1].all()
    return is_ordinary[-1]


@pytest.mark.parametrize("width", [0.1, 0.5, 1.0])
def test_a_small_group_that_lies_apart_is_strange_however_dense(width):
    assert not is_ordinary_beside(10, 0.015, 25.0, width)
    assert not is_ordinary_beside(10, 0.03, 25.0, width)
    assert is_ordinary_beside(10, 0.015, 2.0, width)  # a part of a cluster
    assert is_ordinary_beside(10, 0.05, 25.0, width)  # more than half as large as the others
    assert not is_ordinary_beside(3, 0.05, 25.0, width)
    assert not is_ordinary_beside(3, 0.085, 25.0, width)
    assert is_ordinary_beside(3, 0.115, 25.0, width)  # large enough to be company


@pytest.mark.parametrize("n_clusters", [9, 10, 12, 15])
def test_clusters_of_about_one_size_are_ordinary_however_small(n_clusters):
    rng = np.random.default_rng(n_clusters)
    weights = rng.uniform(0.8, 1.2, n_clusters)
    weights /= weights.sum()
    centres = 12.0 * rng.standard_normal((n_clusters, 3))
    population = RobustMixture.from_parameters(
        weights, centres, np.tile(np.eye(3), (n_clusters, 1, 1)), np.inf
    ).population_
    near = company(population, rows(population, NoNoise(500)))
    assert judge_components(near, weights, 2.5)[1].all()


def test_values_piled_up_at_a_bound_are_ordinary():
    """A hundredth of the objects on a sheet at the edge of the bulk."""
    flat = np.diag([1e-6, 1.0, 1.0])
    population = RobustMixture.from_parameters(
        [0.99, 0.01], [[0.0] * 3, [2.0, 0.0, 0.0]], [np.eye(3), flat], np.inf
    ).population_
    near = company(population, rows(population, NoNoise(500)))
    assert judge_components(near, np.array([0.99, 0.01]), 2.5)[1].all()


def test_a_feature_that_no_row_has_keeps_nobody_apart():
    population = three()
    obs = rows(population, DiagonalNoise(np.full((50, 2), 0.1)))
    values, std = obs.values.copy(), np.full((50, 2), 0.1)
    values[:, 1], std[:, 1] = np.nan, np.inf
    blind = Observations.of(values, DiagonalNoise(std), population.scaling)
    one = RobustMixture.from_parameters(
        WEIGHTS, CENTRES[:, :1], SCATTERS[:, :1, :1], np.inf
    ).population_
    alone = Observations.of(values[:, :1], DiagonalNoise(std[:, :1]), one.scaling)
    found, expected = (
        judge_components(company(p, o), WEIGHTS, 2.5)[0]
        for p, o in ((population, blind), (one, alone))
    )
    assert_allclose(found, expected, rtol=0.1, atol=0.2)


def are_ordinary(weights, centres, widths):
    """Who is ordinary among round clusters in four dimensions."""
    scatters = np.square(widths)[:, None, None] * np.eye(4)
    population = RobustMixture.from_parameters(weights, centres, scatters, np.inf).population_
    table = find_groups(population, rows(population, NoNoise(300)), 2.5, tuple("abcd"))
    return table["is_ordinary"]


def test_a_large_cluster_that_lies_apart_is_ordinary_however_wide():
    thirds, widths = np.array([0.35, 0.35, 0.3]), [0.5, 0.5, 4.0]
    apart = np.array([[0.0] * 4, [5.0] * 4, [-30.0] * 4])
    assert_array_equal(are_ordinary(thirds, apart, widths), [True] * 3)
    # Around the others, or smaller, it is a strange group.
    around = np.array([[0.0] * 4, [5.0] * 4, [2.0] * 4])
    assert_array_equal(are_ordinary(thirds, around, widths), [True, True, False])
    smaller = np.array([0.4, 0.4, 0.2])
    assert_array_equal(are_ordinary(smaller, apart, widths), [True, True, False])


def test_rules_of_the_bulk():
    rng = np.random.default_rng(0)
    depth = rng.standard_normal((2, 4, 2000)) + np.array([0.0, -1.0, -3.5, 0.5])[:, None]
    shares = np.array([0.4, 0.3, 0.1, 0.2])
    z, is_ordinary = judge_components(depth, shares, 2.5)
    assert_array_equal(is_ordinary, [True, True, False, True])
    assert z[2] < -2.5 < z[1] < z[0] < z[3]
    assert judge_components(depth, shares, math.inf)[1].all()
    # However strict: those that hold half of the objects stay.
    strict = judge_components(depth, shares, 0.0)[1]
    assert strict[[0, 3]].all()
    assert not strict[2]


def test_one_component_is_ordinary():
    population = RobustMixture.from_parameters([1.0], [[0.0]], [[[1.0]]], 5.0).population_
    obs = Observations.of(np.zeros((3, 1)), NoNoise(3), population.scaling)
    (line,) = find_groups(population, obs, 0.0, ("size",))
    assert line["is_ordinary"]
    assert line["group"] == ""
    assert line["p_value"] == pytest.approx(1.0)
    assert line["feature_1"] == "size"
    assert line["feature_2"] == ""


@pytest.mark.parametrize("kind", ["none", "std", "cov"])
def test_a_line_for_each_component(kind):
    population = three(6.0)
    std = np.full((400, 2), 0.5)
    noise = {"none": NoNoise(400), "std": DiagonalNoise(std), "cov": FullNoise(as_cov(std))}[kind]
    obs = rows(population, noise)
    values = obs.values.copy()
    values[::7, 1] = np.nan
    values[3] = np.nan
    table = find_groups(population, obs.with_values(values), 2.0, ("colour", "size"))
    assert_array_equal(table["group"], ["", "", "A"])
    assert_allclose(table["share"], WEIGHTS)
    assert table["n_objects"].sum() == pytest.approx(400)
    assert table["n_objects"][2] == pytest.approx(60, abs=25)
    assert table["p_value"][2] < 0.05 < table["p_value"][:2].min()
    assert (table["feature_1"][2], table["side_1"][2]) == ("size", "low")
    assert_array_equal(group_of(table, np.array([0, 2, 1])), ["", "A", ""])


def test_letters_go_by_size():
    population = RobustMixture.from_parameters(
        [0.05, 0.8, 0.15], [[30.0], [0.0], [-30.0]], [[[9.0]], [[1.0]], [[36.0]]], np.inf
    ).population_
    table = find_groups(population, rows(population, NoNoise(400)), 2.0, ("size",))
    assert list(table["group"]) == ["B", "", "A"]
    assert [table["side_1"][k] for k in (0, 2)] == ["high", "low"]


def test_answers_refer_to_the_ordinary_components():
    everybody = three(5.0)
    population = everybody.with_ordinary(np.array([True, True, False]))
    obs = rows(everybody, DiagonalNoise(np.full((200, 2), 0.3)))
    alone = RobustMixture.from_parameters(
        WEIGHTS[:2] / WEIGHTS[:2].sum(), CENTRES[:2], SCATTERS[:2], 5.0
    ).population_
    assert_allclose(population.tail(obs).log_p, alone.tail(obs).log_p, rtol=1e-9)
    assert_allclose(population.explain(obs).surprise, alone.explain(obs).surprise, atol=1e-9)
    # 1 less the probability of the ordinary part of the ordinary components, by Bayes' rule
    joint = np.log(WEIGHTS[:2].sum() * 0.98) + alone.moments(obs).log_density
    expected = 1 - np.exp(joint - everybody.moments(obs).log_density)
    assert_allclose(population.outlier_probability(obs), expected, atol=1e-12)
    assert (population.outlier_probability(obs) >= everybody.moments(obs).wild - 1e-12).all()
    same = everybody.with_ordinary(np.ones(3, dtype=bool))
    assert_array_equal(same.outlier_probability(obs), everybody.moments(obs).wild)
    assert_allclose(same.tail(obs).log_p, everybody.tail(obs).log_p, rtol=1e-12)
