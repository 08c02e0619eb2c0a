"""What every engine promises, for every engine that is registered."""

import numpy as np
import pytest
from numpy.testing import assert_allclose

from peculiar import RobustMixture
from peculiar.engines import ENGINES, Exact
from peculiar.persist import load_content

RNG = np.random.default_rng(11)
CASES = [
    (RNG.standard_normal(p) * 10 ** RNG.uniform(-1, 2), 10 ** RNG.uniform(-3, 3, p), dof)
    for p in (1, 2, 4)
    for dof in (1.0, 4.0, 50.0)
    for _ in range(5)
]


@pytest.fixture(params=ENGINES.values(), ids=ENGINES.keys())
def engine(request):
    return request.param


def test_says_who_it_is(engine):
    assert ENGINES[engine.name] is engine
    assert engine.cite
    assert engine.exact_when <= {"always", "noise_free", "gaussian"}
    assert engine == type(engine)()  # settings compare by value
    hash(engine)


@pytest.mark.parametrize("case", CASES)
def test_is_never_above_the_exact_log_density(engine, case):
    bound = engine.scale_moments(*case).log_prob
    exact = Exact().scale_moments(*case).log_prob
    assert bound <= exact + 1e-9
    if "always" in engine.exact_when:
        assert bound == pytest.approx(exact, abs=1e-9)


@pytest.mark.parametrize("case", CASES)
def test_is_exact_without_noise_if_it_says_so(engine, case):
    if "noise_free" not in engine.exact_when:
        pytest.skip(f"{engine.name} does not promise it")
    e, b, dof = case
    assert_moments_agree(engine.scale_moments(e, 0 * b, dof), Exact().scale_moments(e, 0 * b, dof))


@pytest.mark.parametrize("case", CASES)
def test_is_exact_for_infinite_dof_if_it_says_so(engine, case):
    if "gaussian" not in engine.exact_when:
        pytest.skip(f"{engine.name} does not promise it")
    e, b, _ = case
    assert_moments_agree(engine.scale_moments(e, b, np.inf), Exact().scale_moments(e, b, np.inf))


@pytest.mark.parametrize("case", CASES)
def test_moments_lie_where_they_must(engine, case):
    moments = engine.scale_moments(*case)
    assert moments.u > 0
    assert moments.log_u <= np.log(moments.u)  # Jensen
    assert moments.inverse_u >= 1 / moments.u
    assert ((moments.ut > 0) & (moments.ut <= moments.u * (1 + 1e-12))).all()
    assert ((moments.t > 0) & (moments.t <= 1)).all()
    assert np.linalg.eigvalsh(moments.utt).min() > -1e-12 * moments.u


def test_fit_and_scores_agree(engine):
    X = RNG.standard_normal((300, 2))
    std = RNG.uniform(0, 1, X.shape)
    model = RobustMixture(engine=engine, random_state=0).fit(X, X_std=std)
    assert model.score(X, X_std=std) == pytest.approx(model.lower_bound_, abs=1e-12)


def test_can_be_stored(engine, tmp_path):
    model = RobustMixture.from_parameters([1.0], [[0.0]], [[[1.0]]], 3.0, engine=engine)
    model.save(tmp_path / "model.peculiar")
    assert load_content(tmp_path / "model.peculiar")["settings"]["engine"]["name"] == engine.name
    assert RobustMixture.load(tmp_path / "model.peculiar").engine == engine


def assert_moments_agree(ours, theirs):
    for name, value in ours._asdict().items():
        assert_allclose(value, getattr(theirs, name), rtol=1e-12, err_msg=name)
