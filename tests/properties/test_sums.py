"""Sums over rows do not care how the rows are cut."""

import functools
import operator

import hypothesis.strategies as st
import numpy as np
import pytest
from hypothesis import given, settings
from numpy.testing import assert_allclose

from peculiar.engines import ENGINES, MonteCarlo
from peculiar.model.params import MixtureParams
from peculiar.observations import DiagonalNoise, Observations, Scaling


def small_problem(n_rows: int) -> tuple[Observations, MixtureParams]:
    rng = np.random.default_rng(7)
    values = rng.standard_normal((n_rows, 3))
    values[rng.random((n_rows, 3)) < 0.1] = np.nan
    noise = DiagonalNoise(rng.uniform(0, 2, (n_rows, 3)))
    obs = Observations.of(values, noise, Scaling(np.zeros(3), np.ones(3)))
    params = MixtureParams(
        np.log([0.3, 0.7]),
        rng.standard_normal((2, 3)),
        np.array([np.eye(3)] * 2),
        np.array([3.0, np.inf]),
    )
    return obs, params


@pytest.mark.parametrize("name", ENGINES)
@given(n_blocks=st.integers(1, 30))
@settings(max_examples=10)
def test_sums_do_not_depend_on_the_cuts(name, n_blocks):
    obs, params = small_problem(2000)
    engine = MonteCarlo(n_sweeps=20, burn_in=5) if ENGINES[name].is_random else ENGINES[name]
    parts = [engine.summarise(batch, params) for batch in obs.batches(n_blocks)]
    total, whole = functools.reduce(operator.add, parts), engine.summarise(obs, params)
    for field in ("n", "sum_u", "sum_log_u", "sum_ud", "sum_udd", "bound"):
        assert_allclose(getattr(total, field), getattr(whole, field), rtol=1e-11, atol=1e-11)


def test_every_row_is_in_one_block():
    obs, _ = small_problem(2000)
    layout = obs.layout
    covered = np.concatenate([layout.order[a:b] for a, b in zip(layout.first, layout.last)])
    assert sorted(covered) == list(range(2000))
    for first, last, pattern in zip(layout.first, layout.last, layout.pattern):
        observed = sorted(layout.features[pattern, : layout.size[pattern]])
        for row in layout.order[first:last]:
            assert observed == list(np.flatnonzero(~np.isnan(obs.values[row])))
