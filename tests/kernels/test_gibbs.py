"""The Gibbs sampler draws from the true posterior: z-scores against the quadrature, over many rows."""

from types import SimpleNamespace

import numpy as np
import pytest
from numpy.testing import assert_array_equal
from scipy.stats import kstest
from scipy.stats import t as student

from peculiar import RobustMixture
from peculiar.backends import MemoryBackend
from peculiar.engines import Exact, MonteCarlo, RowMoments
from peculiar.errors import SettingError
from peculiar.model.params import MixtureParams
from peculiar.observations import DiagonalNoise, FullNoise, Observations, Scaling

N_CHAINS = 12

# What makes chains get stuck: components far apart against their size, but not against the errors; dofs so
# different that no u suits two components; objects far from everything.
MIXTURES = {
    "overlapping": ([0.5, 0.3, 0.2], [[0.0, 0.0], [2.0, 0.0], [0.0, 3.0]], [3.0, 5.0, 10.0]),
    "far apart": ([0.4, 0.6], [[0.0, 0.0], [15.0, 0.0]], [4.0, 8.0]),
    "unlike": ([0.5, 0.25, 0.25], [[0.0, 0.0], [12.0, 0.0], [1.0, 1.0]], [2.0, np.inf, 1e5]),
}


def problem(name, kind, n=120):
    rng = np.random.default_rng(3)
    weights, locations, dofs = (np.array(part) for part in MIXTURES[name])
    scatters = np.array([np.eye(2), [[1.0, 0.6], [0.6, 2.0]], [[0.5, 0.0], [0.0, 1.0]]])
    params = MixtureParams(np.log(weights), locations, scatters[: len(weights)], dofs)
    model = RobustMixture.from_parameters(weights, locations, params.scatters, dofs)
    std = 10.0 ** rng.uniform(-1.5, 1.3, (n, 2))
    X, _ = model.sample(n, X_std=std, random_state=4)
    X[:20] = rng.uniform(-30, 30, (20, 2))
    X[20:30, 1] = np.nan
    noise = DiagonalNoise(std)
    if kind == "full":
        turn = np.array([[0.8, -0.6], [0.6, 0.8]])
        noise = FullNoise(turn @ (std[:, :, None] ** 2 * np.eye(2)) @ turn.T)
    obs = Observations.of(X, noise, Scaling(np.zeros(2), np.ones(2)))
    return SimpleNamespace(obs=obs, params=params)


def estimates(rows: RowMoments):
    """What a row has to say, as columns: shares, shares times u, clean values and their spread."""
    share = np.exp(rows.log_resp)
    second = rows.latent_cov + rows.latent_mean[:, :, None] * rows.latent_mean[:, None, :]
    return np.hstack([share, share * rows.u, rows.latent_mean, second.reshape(len(share), -1)])


@pytest.fixture(scope="module", params=MIXTURES)
def chains(request):
    p = problem(request.param, "full" if request.param == "overlapping" else "diagonal")
    engine = MonteCarlo(n_sweeps=1500, burn_in=300)
    drawn = [
        estimates(MemoryBackend(p.obs, 2, seed).describe(engine, p.params, latent=True))
        for seed in range(N_CHAINS)
    ]
    exact = estimates(MemoryBackend(p.obs, 2).describe(Exact(), p.params, latent=True))
    return np.array(drawn), exact


def test_estimates_agree_with_the_integral(chains):
    """Over rows, z-scores made from independent chains follow Student's law."""
    drawn, exact = chains
    error = drawn.std(axis=0, ddof=1) / np.sqrt(N_CHAINS)
    spread = np.abs(np.where(np.isfinite(exact), exact, 0.0)).max(axis=0)
    told = np.isfinite(exact) & (error > 1e-4 * spread)  # neither certain nor without a variance
    assert told.mean() > 0.3
    z = ((drawn.mean(axis=0) - exact) / np.where(told, error, 1.0))[told]
    # a share near 0 is visited by few chains, or by none: its z has a long tail to the left
    assert abs(np.median(z)) < 0.25
    assert np.mean(np.abs(z) > student.ppf(0.995, N_CHAINS - 1)) < 0.05
    rest = (np.abs(drawn.mean(axis=0) - exact) / spread)[~told & np.isfinite(exact)]
    assert rest.max() < 1e-3


def test_z_scores_of_u_are_students(chains):
    drawn, exact = chains
    n_components = (drawn.shape[2] - 6) // 2
    u, true_u = (a[..., n_components : 2 * n_components].sum(axis=-1) for a in (drawn, exact))
    z = (u.mean(axis=0) - true_u) / (u.std(axis=0, ddof=1) / np.sqrt(N_CHAINS))
    assert kstest(z[np.isfinite(z)], student(N_CHAINS - 1).cdf).pvalue > 0.01


def test_a_chain_that_is_too_short_would_be_noticed():
    """The check can fail: one sweep from a start that ignores the data is biased."""
    p = problem("overlapping", "diagonal")
    drawn = np.array(
        [
            MemoryBackend(p.obs, 2, seed).describe(MonteCarlo(2, 1), p.params).log_resp
            for seed in range(N_CHAINS * 5)
        ]
    )
    exact = np.exp(MemoryBackend(p.obs).describe(Exact(), p.params).log_resp)
    shares = np.exp(drawn)
    error = shares.std(axis=0, ddof=1) / np.sqrt(len(shares))
    z = ((shares.mean(axis=0) - exact) / np.where(error > 0, error, 1.0))[error > 0]
    assert np.mean(np.abs(z) > 3) > 0.02


def test_the_seed_is_all_that_matters():
    p = problem("overlapping", "diagonal")
    engine = MonteCarlo(n_sweeps=50, burn_in=10)
    one, two, other = (
        MemoryBackend(p.obs, threads, seed).describe(engine, p.params)
        for threads, seed in ((1, 5), (2, 5), (1, 6))
    )
    assert_array_equal(one.u, two.u)
    assert (one.u != other.u).mean() > 0.8  # a component that is never visited has u = 1


def test_random_state_is_the_seed():
    rng = np.random.default_rng(0)
    X, std = rng.standard_normal((100, 2)), rng.uniform(0, 1, (100, 2))

    def fitted(seed):
        engine = MonteCarlo(n_sweeps=60, burn_in=10)
        return RobustMixture(engine=engine, random_state=seed, tol=1e-2).fit(X, X_std=std)

    one, two, other = fitted(1), fitted(1), fitted(2)
    assert_array_equal(one.scatters_, two.scatters_)
    assert_array_equal(one.robust_weights(X, X_std=std), two.robust_weights(X, X_std=std))
    assert (one.scatters_ != other.scatters_).any()


def test_a_fit_ends_near_the_exact_one():
    """The maximum of Monte-Carlo EM is that of the true likelihood, but for the sampling error."""
    model = RobustMixture.from_parameters([1.0], [[0.0, 0.0]], [np.eye(2)], 4.0)
    std = np.random.default_rng(1).uniform(0.1, 1.0, (300, 2))
    X, _ = model.sample(300, X_std=std, random_state=2)
    exact = RobustMixture(random_state=0).fit(X, X_std=std)
    sampled = RobustMixture(engine=MonteCarlo(400, 50), random_state=0).fit(X, X_std=std)
    assert sampled.converged_
    assert sampled.lower_bound_ <= exact.lower_bound_ + 1e-6
    assert sampled.lower_bound_ == pytest.approx(exact.lower_bound_, abs=2e-4)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"n_sweeps": 100}, r"^burn_in=2000 must be less than n_sweeps=100; give both, as in Mont"),
        ({"n_sweeps": 0, "burn_in": 0}, r"^burn_in=0 must be less than n_sweeps=0; give both"),
        ({"burn_in": -1}, r"^burn_in must be a whole number, 0 or more, not -1$"),
        (
            {"n_sweeps": 10.5, "burn_in": 2},
            r"^n_sweeps must be a whole number, 0 or more, not 10.5",
        ),
        ({"n_sweeps": "many"}, r"^n_sweeps must be a whole number, 0 or more, not 'many'$"),
    ],
)
def test_impossible_numbers_of_sweeps_are_refused(settings, message):
    with pytest.raises(SettingError, match=message):
        MonteCarlo(**settings)
