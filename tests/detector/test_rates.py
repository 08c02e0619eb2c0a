"""False discoveries and power, against one who knows all laws."""

import numpy as np
import pytest
from sklearn.metrics import roc_auc_score

from peculiar.population.discoveries import by_probabilities
from tests.detector.helpers import clusters, detector

RATE = 0.1


def realised(mask, planted):
    """Share of false ones among the discoveries, and of the planted ones that were discovered."""
    return (mask & ~planted).sum() / max(mask.sum(), 1), mask[planted].mean()


def study(n_planted, variance, seeds):
    """Means over catalogues fitted blind."""
    rows = []
    for seed in seeds:
        sky = clusters(seed, n_planted, variance=variance)
        found, truth = detector(sky), sky.oracle()
        probability = found.outlier_probability(**sky.measured)
        bh, bayes = (
            realised(
                found.discoveries(**sky.measured, fdr=RATE, method=method).mask, sky.is_outlier
            )
            for method in ("bh", "bayes")
        )
        best = realised(by_probabilities(truth, RATE).mask, sky.is_outlier)
        auc = [roc_auc_score(sky.is_outlier, score) for score in (probability, truth)]
        fraction = found.mixture_.wild_fraction_ / sky.is_outlier.mean()
        rows.append([*bh, *bayes, best[1], auc[1] - auc[0], fraction])
    names = ["bh_fdp", "bh_power", "bayes_fdp", "bayes_power", "power", "lost_auc", "fraction"]
    return dict(zip(names, np.mean(rows, axis=0)))


def n_discoveries(variance, seeds):
    """Mean numbers where there is nothing to discover, by both methods."""
    counts = []
    for seed in seeds:
        sky = clusters(seed, 0, variance=variance)
        found = detector(sky)
        counts.append(
            [
                found.discoveries(**sky.measured, fdr=RATE, method=m).mask.sum()
                for m in ("bh", "bayes")
            ]
        )
    return np.mean(counts, axis=0)


def test_a_few_catalogues():
    result = study(90, 1.0, range(3))
    assert max(result["bh_fdp"], result["bayes_fdp"]) < 0.15
    assert min(result["bh_power"], result["bayes_power"]) > 0.9 * result["power"]
    assert result["fraction"] == pytest.approx(1.0, abs=0.3)
    assert result["lost_auc"] < 0.01
    assert n_discoveries(1.0, range(100, 102)).max() < 1.0


@pytest.mark.slow
@pytest.mark.parametrize("n_planted", [18, 90])
@pytest.mark.parametrize(("variance", "least_power"), [(1.0, 0.9), (10.0, 0.75)])
def test_the_rate_is_kept_and_the_power_near_the_best(n_planted, variance, least_power):
    result = study(n_planted, variance, range(40))
    for method in ("bh", "bayes"):
        assert result[f"{method}_fdp"] <= 0.11
        assert result[f"{method}_power"] >= least_power * result["power"]
    assert result["fraction"] == pytest.approx(1.0, abs=0.3)
    assert result["lost_auc"] < 0.01


@pytest.mark.slow
@pytest.mark.parametrize("variance", [1.0, 10.0])
def test_nothing_planted_nothing_found(variance):
    assert n_discoveries(variance, range(20)).max() < 0.2
