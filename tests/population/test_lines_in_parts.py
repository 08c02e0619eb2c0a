"""Q-values with one bucket in memory at a time are those of all objects at once, to the last bit."""

import numpy as np
import pytest

from peculiar.population.discoveries import (
    by_p_values,
    by_probabilities,
    greatest_p,
    ordinary_share,
)
from peculiar.report.in_parts.lines import ByProbabilities, ByPValues


def cut(ordered, cuts):
    return np.split(ordered, cuts), np.diff([0, *cuts, len(ordered)])


def p_values(seed, n=400):
    rng = np.random.default_rng(seed)
    p = np.concatenate([rng.random(n) ** 6, rng.random(n), np.ones(20), np.zeros(3)])
    p[rng.integers(0, n, 50)] = p[rng.integers(0, n, 50)]
    return np.sort(p)


@pytest.mark.parametrize("cuts", [[], [100], [1, 2, 400, 815]])
@pytest.mark.parametrize("method", ["bh", "storey"])
@pytest.mark.parametrize("fdr", [0.05, 0.4, 1e-300])
def test_p_values(method, cuts, fdr):
    rng = np.random.default_rng(1)
    p = p_values(0) if fdr > 1e-300 else np.maximum(p_values(0), 1e-9)
    found = by_p_values(p, fdr, method)
    parts, sizes = cut(p, cuts)
    mixed = [rng.permutation(len(part)) for part in parts]

    def read(i):
        return parts[i][mixed[i]]

    share = ordinary_share(p) if method == "storey" else 1.0
    line = ByPValues.of(read, sizes, share, fdr)
    q = [np.empty(len(part)) for part in parts]
    for i, own in enumerate(q):
        own[mixed[i]] = line.q_values(i, read(i))
    np.testing.assert_array_equal(np.concatenate(q), found.q_values)
    assert line.n_found == found.mask.sum()
    assert line.greatest_p == greatest_p(p, found, fdr)


@pytest.mark.parametrize("cuts", [[], [100], [1, 2, 400, 815]])
@pytest.mark.parametrize("fdr", [0.05, 0.4, 1e-300])
def test_outlier_probabilities(cuts, fdr):
    """Equal ones go together, also where a bucket ends among them."""
    rng = np.random.default_rng(2)
    probability = np.sort(np.round(1 - p_values(3), 2))[::-1]
    if fdr == 1e-300:
        probability = np.minimum(probability, 0.9)
    p = rng.random(len(probability))
    found = by_probabilities(probability, fdr)
    parts, sizes = cut(probability, cuts)
    ps = np.split(p, cuts)
    line = ByProbabilities.of(lambda i: parts[i], lambda i: ps[i], sizes, fdr)
    q = np.concatenate([line.q_values(i, part) for i, part in enumerate(parts)])
    np.testing.assert_array_equal(q, found.q_values)
    assert line.n_found == found.mask.sum()
    assert line.greatest_p == greatest_p(p, found, fdr)
