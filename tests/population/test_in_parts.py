"""Discoveries among p-values in parts are those among all of them in one array."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.testing import assert_array_equal

from peculiar.errors import SettingError
from peculiar.outliers import discoveries_in_parts
from peculiar.population.discoveries import by_p_values, ordinary_share
from peculiar.population.in_parts import Histogram

TIED = st.sampled_from(
    [0.0, 5e-324, 1e-300, 1e-9, 0.001, 0.01, 0.05, 0.5, np.nextafter(0.5, 1), 1.0]
)
SMALL = st.floats(-700.0, 0.0).map(np.exp)
P_VALUES = st.lists(TIED | SMALL | st.floats(0.0, 1.0), min_size=1, max_size=60).map(np.array)


@given(P_VALUES, st.lists(st.integers(0, 60), max_size=4), st.sampled_from([0.001, 0.05, 0.3, 1.0]))
@settings(deadline=None, max_examples=300)
@pytest.mark.parametrize("method", ["bh", "storey"])
def test_they_are_those_of_one_array(method, p, cuts, fdr):
    parts = np.split(p, sorted(min(cut, len(p)) for cut in cuts))
    line, whole = discoveries_in_parts(lambda: parts, fdr, method), by_p_values(p, fdr, method)
    assert_array_equal(line.mask(p), whole.mask)
    assert line.threshold == whole.threshold
    assert line.n == len(p)
    q = line.q_values(p)
    assert_array_equal(q[whole.mask], whole.q_values[whole.mask])
    assert np.isnan(q[~whole.mask]).all()


def test_few_are_collected():
    rng = np.random.default_rng(0)
    p = np.concatenate([rng.uniform(size=100_000), rng.uniform(size=300) * 1e-8])
    most = Histogram.of(p).most(0.05, "bh")
    found = by_p_values(p, 0.05)
    assert found.threshold <= most
    assert np.count_nonzero(p <= most) < 1.1 * np.count_nonzero(found.mask) + 100


def test_the_share_of_ordinary_objects_is_the_same():
    p = np.random.default_rng(1).uniform(size=1000) ** 2
    total = Histogram.of(p[:300]).plus(Histogram.of(p[300:]))
    assert total.ordinary_share("storey") == ordinary_share(p)
    assert total.n == 1000


def test_nothing_to_judge():
    line = discoveries_in_parts(list, 0.05)
    assert (line.n, len(line.p), line.threshold) == (0, 0, 0.05)


def test_probabilities_are_no_p_values():
    with pytest.raises(SettingError, match="choose 'bh' or 'storey'"):
        discoveries_in_parts(list, 0.05, "bayes")
