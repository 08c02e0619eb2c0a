"""What every engine promises, for every engine that is registered."""

import dataclasses

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from peculiar import RobustMixture
from peculiar.backends import MemoryBackend
from peculiar.engines import ENGINES, Exact, MonteCarlo
from peculiar.model.params import MixtureParams
from peculiar.observations import DiagonalNoise, NoNoise, Observations, Scaling
from peculiar.population.stored import load_content

NAMES = list(ENGINES)
NOT_RANDOM = [name for name in ENGINES if not ENGINES[name].is_random]
FRAME_ENGINES = {
    name: engine for name, engine in ENGINES.items() if hasattr(engine, "scale_moments")
}
RNG = np.random.default_rng(11)
CASES = [
    (RNG.standard_normal(p) * 10 ** RNG.uniform(-1, 2), 10 ** RNG.uniform(-3, 3, p), dof)
    for p in (1, 2, 4)
    for dof in (1.0, 4.0, 50.0)
    for _ in range(5)
]


def brief(engine):
    """The engine, with few random numbers if it draws any."""
    return MonteCarlo(n_sweeps=60, burn_in=10) if engine.is_random else engine


@pytest.fixture(params=ENGINES.values(), ids=NAMES)
def engine(request):
    return request.param


@pytest.fixture(params=FRAME_ENGINES.values(), ids=FRAME_ENGINES.keys())
def frame_engine(request):
    return request.param


def that_promise(limit):
    """Engines that work in the frame and say that they are exact in this limit."""
    return [name for name, one in FRAME_ENGINES.items() if limit in one.exact_when]


def test_says_who_it_is(engine):
    assert ENGINES[engine.name] is engine
    assert engine.cite
    assert engine.exact_when <= {"always", "noise_free", "gaussian"}
    assert engine.objective in ("likelihood", "bound", "joint")
    assert isinstance(engine.is_random, bool)
    assert engine == type(engine)()  # settings compare by value
    hash(engine)


# ------------------------------------------------------------------- of one row and one component


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", [n for n, e in FRAME_ENGINES.items() if e.objective != "joint"])
def test_is_never_above_the_exact_log_density(name, case):
    bound = ENGINES[name].scale_moments(*case).log_prob
    exact = Exact().scale_moments(*case).log_prob
    assert bound <= exact + 1e-9
    if ENGINES[name].objective == "likelihood":
        assert bound == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", that_promise("noise_free"))
def test_is_exact_without_noise_if_it_says_so(name, case):
    e, b, dof = case
    ours, theirs = (one.scale_moments(e, 0 * b, dof) for one in (ENGINES[name], Exact()))
    assert_moments_agree(ours, theirs)


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize("name", that_promise("gaussian"))
def test_is_exact_for_infinite_dof_if_it_says_so(name, case):
    e, b, _ = case
    ours, theirs = (one.scale_moments(e, b, np.inf) for one in (ENGINES[name], Exact()))
    assert_moments_agree(ours, theirs)


@pytest.mark.parametrize("case", CASES)
def test_moments_lie_where_they_must(frame_engine, case):
    moments = frame_engine.scale_moments(*case)
    assert moments.u > 0
    assert moments.log_u <= np.log(moments.u) + 1e-12  # Jensen
    assert moments.inverse_u >= (1 - 1e-12) / moments.u
    assert ((moments.ut > 0) & (moments.ut <= moments.u * (1 + 1e-12))).all()
    assert ((moments.t > 0) & (moments.t <= 1)).all()
    assert np.linalg.eigvalsh(moments.utt).min() > -1e-12 * moments.u


def assert_moments_agree(ours, theirs):
    for name, value in ours._asdict().items():
        assert_allclose(value, getattr(theirs, name), rtol=1e-12, err_msg=name)


# ---------------------------------------------------------------------- of rows and several components

PARAMS = (
    [0.2, 0.5, 0.3],
    [[0.0, 0.0], [3.0, 0.0], [1.0, 4.0]],
    [[[1.0, 0.3], [0.3, 2.0]], [[0.5, 0.0], [0.0, 1.0]], [[1.0, -0.4], [-0.4, 0.5]]],
    [2.0, 6.0, 30.0],
)


def catalogue(n=40):
    """Ordinary and strange, well and badly measured; some features missing, in one row all."""
    rng = np.random.default_rng(5)
    std = 10.0 ** rng.uniform(-2, 1.5, (n, 2))
    X = rng.standard_normal((n, 2)) * 3 + rng.standard_normal((n, 2)) * std
    X[:4] *= 30.0
    X[4::6, 0] = np.nan
    X[7::9, 1] = np.nan
    X[10] = np.nan
    return X, std


def ready(engine, params=PARAMS, **settings):
    return RobustMixture.from_parameters(*params, engine=engine, **settings)


def test_log_density_is_what_the_engine_says_it_is(engine):
    X, std = catalogue()
    ours, exact = (ready(brief(one)).score_samples(X, X_std=std) for one in (engine, Exact()))
    assert np.isfinite(ours).all()
    if engine.objective == "bound":
        assert (ours <= exact + 1e-9 * np.maximum(1.0, np.abs(exact))).all()
        assert ours.sum() < exact.sum() - 0.01
    if engine.objective == "likelihood":
        assert_allclose(ours, exact, rtol=1e-9)


def test_what_it_says_of_a_row_makes_sense(engine):
    X, std = catalogue()
    model = ready(brief(engine))
    proba, weights = model.predict_proba(X, X_std=std), model.robust_weights(X, X_std=std)
    mean, cov = model.predict_latent(X, X_std=std, return_cov=True)
    assert_allclose(proba.sum(axis=1), 1.0, rtol=1e-12)
    assert (proba >= 0).all()
    assert ((weights > 0) & (weights < 4.0)).all()
    assert np.isfinite(mean).all()
    assert not np.isnan(cov).any()
    assert (np.linalg.eigvalsh(np.where(np.isinf(cov), 0.0, cov)) > -1e-9).all()
    sure = std < 0.02
    assert_allclose(mean[sure & ~np.isnan(X)], X[sure & ~np.isnan(X)], atol=0.15)


def test_a_row_with_nothing_observed_tells_nothing(engine):
    X, std = catalogue()
    model = ready(brief(engine))
    nothing = slice(10, 11)
    assert_array_equal(model.score_samples(X, X_std=std)[nothing], 0.0)
    assert_allclose(model.predict_proba(X, X_std=std)[nothing], [PARAMS[0]], rtol=1e-12)
    assert_array_equal(model.robust_weights(X, X_std=std)[nothing], 1.0)
    mean = model.predict_latent(X, X_std=std)[nothing]
    assert_allclose(mean, [np.array(PARAMS[0]) @ np.array(PARAMS[1])], rtol=1e-9)


@pytest.mark.parametrize(
    ("limit", "name"),
    [(limit, name) for limit in ("noise_free", "gaussian") for name in that_promise(limit)],
)
def test_limits_hold_for_several_components_if_it_says_so(name, limit):
    X, std = catalogue()
    params = PARAMS if limit == "noise_free" else (*PARAMS[:3], np.inf)
    noise = {} if limit == "noise_free" else {"X_std": std}
    ours, exact = ready(name, params), ready("exact", params)
    for method in ("score_samples", "predict_proba", "robust_weights", "predict_latent"):
        expected = getattr(exact, method)(X, **noise)
        assert_allclose(getattr(ours, method)(X, **noise), expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("noise", ["none", "diagonal"])
def test_sums_are_those_of_what_it_says_of_the_rows(engine, noise):
    """Fit and scores go through the same code."""
    X, std = catalogue()
    given = NoNoise(len(X)) if noise == "none" else DiagonalNoise(std)
    weights = np.random.default_rng(0).uniform(0.5, 2.0, len(X))
    obs = Observations.of(X, given, Scaling(np.zeros(2), np.ones(2)), weights)
    log_weights, locations, scatters, dofs = (np.array(part) for part in PARAMS)
    params = MixtureParams(np.log(log_weights), locations, scatters, dofs)
    backend = MemoryBackend(obs, seed=3)
    sums = backend.summarise(brief(engine), params)
    rows = backend.describe(brief(engine), params)
    told = ~np.isnan(X).all(axis=1)
    share = (weights[:, None] * np.exp(rows.log_resp))[told]
    assert_allclose(sums.n, share.sum(axis=0), rtol=1e-10)
    assert_allclose(sums.sum_u, (share * rows.u[told]).sum(axis=0), rtol=1e-10)
    assert sums.bound == pytest.approx(weights @ rows.log_prob, rel=1e-10)


@pytest.mark.parametrize("engine", NOT_RANDOM)
def test_a_dead_component_changes_nothing(engine):
    X, std = catalogue()
    weights, locations, scatters, dofs = PARAMS
    dead = ([*weights, 0.0], [*locations, [0.0, 0.0]], [*scatters, np.eye(2)], [*dofs, 3.0])
    for method in ("score_samples", "robust_weights", "predict_latent"):
        expected = getattr(ready(engine), method)(X, X_std=std)
        ours = getattr(ready(engine, dead), method)(X, X_std=std)
        assert_allclose(ours, expected, rtol=1e-9, atol=1e-12)


@pytest.mark.parametrize("engine", NOT_RANDOM)
def test_order_of_the_components_does_not_matter(engine):
    X, std = catalogue()
    turned = tuple(np.array(part)[::-1] for part in PARAMS)
    ours, theirs = ready(engine, turned), ready(engine)
    for method in ("score_samples", "robust_weights", "predict_latent"):
        expected = getattr(theirs, method)(X, X_std=std)
        assert_allclose(getattr(ours, method)(X, X_std=std), expected, rtol=1e-8, atol=1e-10)


def test_threads_change_nothing(engine):
    rng = np.random.default_rng(2)
    n = 300 if engine.is_random else 4500
    X, std = rng.standard_normal((n, 2)), rng.uniform(0, 1, (n, 2))
    settings = {"engine": brief(engine), "tol": 0.0, "max_iter": 2, "random_state": 0}
    with pytest.warns(match="did not converge"):
        one, two = (RobustMixture(2, n_jobs=n, **settings).fit(X, X_std=std) for n in (1, 2))
    assert_array_equal(one.locations_, two.locations_)
    assert_array_equal(one.dofs_, two.dofs_)
    assert_array_equal(one.robust_weights(X, X_std=std), two.robust_weights(X, X_std=std))


# ---------------------------------------------------------------------------------- of the estimator


def test_fit_and_scores_agree(engine):
    rng = np.random.default_rng(8)
    X = rng.standard_normal((300, 2))
    std = rng.uniform(0, 1, X.shape)
    dof = 4.0 if engine.objective == "joint" else "estimate"
    settings = {"engine": brief(engine), "dof": dof, "tol": 1e-3, "random_state": 0}
    model = RobustMixture(**settings).fit(X, X_std=std)
    assert model.score(X, X_std=std) == pytest.approx(model.lower_bound_, abs=1e-11)


def test_can_be_stored(engine, tmp_path):
    model = RobustMixture.from_parameters([1.0], [[0.0]], [[[1.0]]], 3.0, engine=engine)
    model.save(tmp_path / "model.peculiar")
    assert load_content(tmp_path / "model.peculiar")["settings"]["engine"]["name"] == engine.name
    assert RobustMixture.load(tmp_path / "model.peculiar").engine == engine


@pytest.mark.parametrize("engine", [one for one in ENGINES.values() if dataclasses.fields(one)])
def test_settings_can_be_stored(engine, tmp_path):
    field = dataclasses.fields(engine)[0].name
    changed = dataclasses.replace(engine, **{field: getattr(engine, field) * 2})
    model = RobustMixture.from_parameters([1.0], [[0.0]], [[[1.0]]], 3.0, engine=changed)
    model.save(tmp_path / "model.peculiar")
    assert RobustMixture.load(tmp_path / "model.peculiar").engine == changed != engine
