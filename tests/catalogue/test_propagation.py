"""Errors of features against a slow twin that knows nothing of the rules, and against dice."""

import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.testing import assert_allclose

from peculiar.catalogue import measure
from peculiar.errors import PropagationWarning
from tests.reference import propagation as twin

COLUMNS = ("u", "g", "r", "f")
EXPRESSIONS = [
    "u - r",
    "2*u - 3*g + r/4 - 1",
    "-(u - g)",
    "u / r",
    "u * g * r",
    "log10(f)",
    "ln(f) - log(u)",
    "sqrt(u^2 + g^2)",
    "exp(-u / 10)",
    "(u - r)^3",
    "f^(-1/2)",
    "log10(f / u) * 2.5 - g",
    "u / (u + g)",
    "1 / f",
    "asinhmag(f, 3) - asinhmag(u, 0.1)",
]


def catalogue(n=5, seed=0, correlated=True):
    """A table of measurements with small errors; and the columns' covariance, dense."""
    rng = np.random.default_rng(seed)
    values = rng.uniform(5, 20, size=(n, 4))
    std = values * rng.uniform(0.002, 0.02, size=(n, 4))
    correlation = np.eye(4)
    table = {name: values[:, j] for j, name in enumerate(COLUMNS)}
    table |= {f"{name}_error": std[:, j] for j, name in enumerate(COLUMNS)}
    if correlated:
        correlation[0, 1] = correlation[1, 0] = 0.6
        correlation[0, 3] = correlation[3, 0] = -0.3
        table |= {"u_g_corr": np.full(n, 0.6), "f_u_corr": np.full(n, -0.3)}
    return table, values, std[:, :, None] * correlation * std[:, None, :]


def dense(measured):
    if measured.X_cov is not None:
        return measured.X_cov
    return np.square(measured.X_std)[:, :, None] * np.eye(measured.X.shape[1])


@pytest.mark.parametrize("correlated", [False, True])
def test_all_expressions_together(correlated):
    table, values, cov = catalogue(correlated=correlated)
    measured = measure(table, EXPRESSIONS)
    for i, row in enumerate(values):
        named = dict(zip(COLUMNS, row))
        assert_allclose(measured.X[i], [twin.value(e, named) for e in EXPRESSIONS], rtol=1e-13)
        expected = twin.covariance(EXPRESSIONS, named, cov[i])
        size = np.sqrt(np.diag(expected))
        assert_allclose(
            dense(measured)[i] / np.outer(size, size), expected / np.outer(size, size), atol=1e-7
        )


@pytest.mark.parametrize(
    "expressions", [["u - r", "g - r"], ["log10(f)", "u / r"], EXPRESSIONS[:9]]
)
def test_against_dice(expressions):
    table, values, cov = catalogue(n=1)
    found = dense(measure(table, expressions))[0]
    named = dict(zip(COLUMNS, values[0]))
    simulated = twin.simulated_covariance(expressions, named, cov[0], np.random.default_rng(1))
    size = np.sqrt(np.diag(simulated))
    # 20,000 draws: variances are good to 1 %; curvature adds as much.
    assert_allclose(found / np.outer(size, size), simulated / np.outer(size, size), atol=0.04)


@given(
    weights=st.lists(
        st.lists(st.integers(-5, 5), min_size=4, max_size=4),
        min_size=1,
        max_size=4,
        unique_by=tuple,
    ),
    seed=st.integers(0, 1000),
)
def test_linear_features_are_exact_whatever_the_size_of_the_errors(weights, seed):
    weights = [row for row in weights if any(row)] or [[1, 0, 0, 0]]
    table, values, cov = catalogue(seed=seed)
    table |= {f"{name}_error": 1e3 * table[f"{name}_error"] for name in COLUMNS}
    texts = [" + ".join(f"({w})*{name}" for w, name in zip(row, COLUMNS)) for row in weights]
    measured = measure(table, texts)
    W = np.array(weights, dtype=float)
    assert_allclose(measured.X, values @ W.T, rtol=1e-13, atol=1e-12)
    expected = W @ (1e6 * cov) @ W.T
    assert_allclose(dense(measured), expected, rtol=1e-11, atol=1e-11 * np.abs(expected).max())


def test_colours_that_share_a_band():
    table, _, cov = catalogue(correlated=False)
    found = measure(table, "u-r, g-r").X_cov
    var = np.diagonal(cov, axis1=1, axis2=2)
    assert_allclose(found[:, 0, 1], var[:, 2], rtol=1e-15)
    assert_allclose(found[:, 0, 0], var[:, 0] + var[:, 2], rtol=1e-15)


def test_what_cancels_has_no_error():
    table, *_ = catalogue()
    measured = measure(table, "u - u + g, u - 0*r")
    assert_allclose(dense(measured)[:, 0, 0], np.square(table["g_error"]), rtol=1e-15)


def test_independent_features_have_standard_deviations():
    table, *_ = catalogue(correlated=False)
    measured = measure(table, "u, g - r, f")
    assert measured.X_cov is None
    assert measured.X_std.shape == (5, 3)
    assert set(measured.arguments()) == {"X", "X_std"}


def test_exact_features_have_none():
    table, *_ = catalogue()
    measured = measure(table, "u, log10(f)", no_error=["u", "f"])
    assert measured.X_std is None
    assert measured.X_cov is None
    assert set(measured.arguments()) == {"X"}


def test_exact_and_uncertain_together():
    table, *_ = catalogue(correlated=False)
    measured = measure(table, "u - g, f", no_error=["g", "f"])
    assert_allclose(measured.X_std, np.stack([table["u_error"], np.zeros(5)], axis=1))


def doubted(table, features, **options):
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        measure(table, features, **options)
    assert all(w.category is PropagationWarning for w in caught)
    return [str(w.message) for w in caught]


@pytest.mark.parametrize(
    ("feature", "says"),
    [
        ("log10(f)", "the error of f is more than 30% of it"),
        ("ln(f)", "the error of f is more than 30% of it"),
        ("sqrt(f)", "the error of f is more than 30% of it"),
        ("1/f", "the error of f is more than 30% of it"),
        ("g/(f - 1)", "the error of f - (1.0) is more than 30% of it"),
        ("f^2", "the error of f is more than 30% of it"),
        ("exp(f)", "the error of f is more than 30% of 1"),
        ("f*f", "the error of f * f is more than 30% of each factor"),
    ],
)
def test_errors_too_large_for_a_first_derivative(feature, says):
    table = {"f": [10.0, 10.0, 10.0], "f_err": [0.01, 4.0, 3.5], "g": [1.0] * 3, "g_err": [0.9] * 3}
    (message,) = doubted(table, feature)
    assert says in message
    assert message.startswith(f"feature {feature!r}: ")
    assert "in 2 of 3 rows (worst: row 1, " in message


@pytest.mark.parametrize("feature", ["g - f", "g / 2", "3*g", "g*h", "g/h", "g^1", "-g"])
def test_no_doubt_where_it_is_exact(feature):
    table = {"f": [1.0], "f_err": [9.0], "g": [1.0], "g_err": [9.0], "h": [2.0]}
    assert doubted(table, feature, no_error=["h"] if "h" in feature else ()) == []


def test_rows_that_are_missing_are_not_doubted():
    table = {"f": [10.0, np.nan, -1.0, 0.0], "f_err": [0.1] * 4}
    assert doubted(table, "log10(f)") == []


@pytest.mark.parametrize(
    ("feature", "note", "n_left"),
    [
        (
            "log10(f)",
            "feature 'log10(f)': 2 values are missing as f is not positive (first: row 1, -1)",
            1,
        ),
        (
            "sqrt(f)",
            "feature 'sqrt(f)': 2 values are missing as f is not positive (first: row 1, -1)",
            1,
        ),
        (
            "1/f",
            "feature '1/f': 1 value is missing as f is not different from zero (first: row 2, 0)",
            2,
        ),
        (
            "f^(-2)",
            "feature 'f^(-2)': 1 value is missing as f is not different from zero (first: row 2, 0)",
            2,
        ),
    ],
)
def test_values_that_a_function_does_not_have_are_missing_and_counted(feature, note, n_left):
    table = {"f": [4.0, -1.0, 0.0, np.nan], "f_err": [0.1, 0.1, 0.1, 0.1]}
    measured = measure(table, feature)
    assert measured.notes == (note,)
    assert int(np.isfinite(measured.X).sum()) == n_left


def test_the_root_of_an_exact_zero_is_zero():
    assert measure({"f": [0.0, 4.0]}, "sqrt(f)", no_error=["f"]).X[:, 0].tolist() == [0.0, 2.0]


def test_overflow_is_missing_and_counted():
    measured = measure({"f": [1.0, 800.0], "f_err": [0.1, 0.1]}, "exp(f)")
    assert np.isnan(measured.X[1, 0])
    assert measured.notes == ("feature 'exp(f)': 1 value is missing as values or errors overflow",)


def test_a_model_takes_the_arguments():
    from peculiar import RobustMixture

    rng = np.random.default_rng(0)
    table = {b: rng.normal(size=60) for b in "ugr"} | {
        f"{b}_err": rng.uniform(0.1, 0.2, 60) for b in "ugr"
    }
    table["g"][3] = np.nan
    measured = measure(table, "u - r, g - r")
    model = RobustMixture(1, random_state=0).fit(**measured.arguments())
    assert model.score_samples(**measured.arguments()).shape == (60,)
