"""From densities to responsibilities and sums: against SciPy's logsumexp, interpreted and compiled."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import logsumexp

from peculiar.kernels.lanes.share import add_up, log_responsibilities, share_out
from tests.lanes.compiled import CompiledFormula, interpreted

N, K, M = 16, 3, 4  # rows, components, results of each
BLOCK = K * (M + 1)


@pytest.fixture(params=["interpreted", "compiled"])
def run(request):
    if request.param == "interpreted":
        return interpreted
    return lambda formula, *arguments: CompiledFormula(formula, unroll=False)(*arguments)


@pytest.fixture
def results():
    """Results of a block (K, M + 1, N), two rows of which are marked, the second under its last component only."""
    rng = np.random.default_rng(0)
    out = rng.standard_normal((K, M + 1, N))
    out[:, 0] = rng.uniform(-900, 100, (K, N))
    out[:, 0, 3] = -5000.0
    out[:, M] = 0.0
    out[:, M, 5] = out[K - 1, M, 9] = 1.0
    return out


@pytest.fixture
def log_norm():
    return np.array([0.3, -2.0, -0.7])


def weights():
    return np.linspace(0.5, 2.0, N)


def copy(code, given, first, out, n):
    for i in code.loop(0, n):
        out[i] = given[first + i]


def test_shares_are_weighted_responsibilities(run, results, log_norm):
    def formula(code, given, numbers, out):
        copy(code, given, 0, out, BLOCK)
        rows = out.part(BLOCK, 3)
        rows[2] = given[BLOCK + 1]
        share_out(code, M, K, numbers, given.part(BLOCK, 1), rows, out)

    before = np.full(N, 10.0)
    given = np.concatenate([results.reshape(BLOCK, N), [weights(), before]])
    ours = run(formula, given, log_norm, BLOCK + 3)
    out, (log_prob, mark, bound) = ours[:BLOCK].reshape(K, M + 1, N), ours[BLOCK:]

    joint = results[:, 0] + log_norm[:, None]
    expected = logsumexp(joint, axis=0)
    assert_array_equal(mark, np.isin(np.arange(N), [5, 9]))
    used = weights() * (mark == 0)
    assert_allclose(log_prob, expected, rtol=1e-14)
    assert_allclose(out[:, 0], used * np.exp(joint - expected), rtol=1e-12, atol=1e-300)
    assert_allclose(bound, before + used * expected, rtol=1e-13)
    assert_array_equal(out[:, 1:], results[:, 1:])


def test_log_responsibilities(run, results, log_norm):
    def formula(code, given, numbers, out):
        copy(code, given, 0, out, BLOCK)
        log_responsibilities(code, M, K, numbers, out.part(BLOCK, 3), out)

    ours = run(formula, results.reshape(BLOCK, N), log_norm, BLOCK + 2)
    joint = results[:, 0] + log_norm[:, None]
    expected = logsumexp(joint, axis=0)
    assert_allclose(ours[BLOCK], expected, rtol=1e-14)
    assert_array_equal(ours[BLOCK + 1], np.isin(np.arange(N), [5, 9]))
    log_resp = ours[:BLOCK].reshape(K, M + 1, N)[:, 0]
    assert_allclose(log_resp, joint - expected, rtol=1e-13, atol=1e-12)


def test_sums_are_those_of_all_rows_by_their_share(run, results):
    n_parts = 6  # of a block; more than the sums that go on at once

    def formula(code, given, numbers, out):
        parts = [given.part(i * BLOCK, 1) for i in range(n_parts)]
        copy(code, given, n_parts * BLOCK, out, K * M)
        add_up(code, M, K, parts, out)

    rng = np.random.default_rng(1)
    blocks = results + rng.uniform(0, 1, (n_parts, K, M + 1, N))
    before = rng.standard_normal((K, M, N))
    given = np.concatenate([blocks.reshape(-1, N), before.reshape(-1, N)])
    ours = run(formula, given, [0.0], K * M).reshape(K, M, N)
    share = blocks[:, :, 0]
    assert_allclose(ours[:, 0], before[:, 0] + share.sum(axis=0), rtol=1e-12)
    for m in range(1, M):
        expected = before[:, m] + (share * blocks[:, :, m]).sum(axis=0)
        assert_allclose(ours[:, m], expected, rtol=1e-12, atol=1e-10)
