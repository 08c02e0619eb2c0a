"""What a mixture costs, against plain loops over its components."""

import math

import numpy as np
import pytest

from peculiar.errors import SettingError
from peculiar.fitting.select.criteria import (
    TABLE,
    MessageLength,
    ParameterCount,
    Row,
    describe_mixture,
    make_table,
)
from tests.selection.helpers import a_model


def plain_length(own, common, n_rows, weights, log_likelihood, prior_range):
    """The formula of Figueiredo and Jain term by term, and the ranges of the parameters."""
    length = -log_likelihood
    n_alive = 0
    for weight in weights:
        if weight > 0:
            length += own / 2 * math.log(n_rows * weight / 12)
            length += 1 / 2 * math.log(n_rows / 12)
            length += (own + 1) / 2
            n_alive += 1
    for _ in range(common):
        length += 1 / 2 * math.log(n_rows / 12) + 1 / 2
    return length + (n_alive - 1) * own * math.log(prior_range)


@pytest.mark.parametrize(
    ("scatter", "dof", "own", "common"),
    [
        ("full", "estimate", 3 + 6 + 1, 0),
        ("full", "shared", 3 + 6, 1),
        ("full", 4.0, 3 + 6, 0),
        ("diag", "estimate", 3 + 3 + 1, 0),
        ("diag", "shared", 3 + 3, 1),
        ("diag", np.inf, 3 + 3, 0),
    ],
)
def test_parameters_are_those_the_model_has(scatter, dof, own, common):
    count = ParameterCount.of(a_model(scatter=scatter, dof=dof), 3)
    assert (count.own, count.common) == (own, common)
    assert count.total(1) == own + common
    assert count.total(4) == 3 + 4 * own + common


@pytest.mark.parametrize("own", [2, 6, 15])
@pytest.mark.parametrize("common", [0, 1])
@pytest.mark.parametrize("weights", [[1.0], [0.5, 0.3, 0.2], [0.6, 0.0, 0.4]])
@pytest.mark.parametrize("prior_range", [1.0, 6.0])
def test_message_length(own, common, weights, prior_range):
    count = ParameterCount(own, common)
    ours = MessageLength(prior_range).of(count, 237.5, np.array(weights), -1234.5)
    expected = plain_length(own, common, 237.5, weights, -1234.5, prior_range)
    assert ours == pytest.approx(expected, rel=1e-14)


@pytest.mark.parametrize("prior_range", [0.5, 0.0, -1.0, np.inf, np.nan, "a", None, True])
def test_impossible_ranges_are_refused(prior_range):
    with pytest.raises(SettingError, match=r"^prior_range must be a finite number, 1 or more, not"):
        MessageLength(prior_range)


def test_one_component_has_the_length_of_the_paper():
    length = MessageLength().of(ParameterCount(own=5, common=0), 1200.0, np.array([1.0]), 0.0)
    assert length == pytest.approx(5 / 2 * math.log(100) + 1 / 2 * math.log(100) + 6 / 2)


def test_every_further_component_costs_something():
    """In the formula as it stands, one of fewer than 12 rows can shorten the message by being there."""
    count = ParameterCount(own=6, common=0)
    one = MessageLength().of(count, 1000.0, np.array([1.0]), 0.0)
    for rows in (1, 4, 12, 100):
        two = MessageLength().of(count, 1000.0, np.array([1 - rows / 1000, rows / 1000]), 0.0)
        assert two > one


def test_bic_and_icl():
    row = describe_mixture(
        ParameterCount(6, 0), 200.0, np.array([0.5, 0.5]), -700.0, 12.0, MessageLength()
    )
    assert row.n_components == 2
    assert row.bic == pytest.approx(13 * math.log(200) + 1400)
    assert row.icl == pytest.approx(row.bic + 24.0)


def test_the_table_rises_and_keeps_the_better_of_two():
    rows = [Row(3, 10.0, 0, 5.0, 5.0), Row(1, 30.0, 0, 1.0, 1.0), Row(3, 9.0, 0, 6.0, 6.0)]
    table = make_table(rows, "message_length")
    assert table.dtype == TABLE
    assert table["n_components"].tolist() == [1, 3]
    assert table["message_length"].tolist() == [30.0, 9.0]
    assert make_table(rows, "bic")["bic"].tolist() == [1.0, 5.0]
