"""Errors of expressions, slow and obvious: Python's own arithmetic, numerical derivatives, dense matrices, and dice."""

import math
from functools import cache

import numpy as np

FUNCTIONS = {
    "log10": math.log10,
    "log": math.log,
    "ln": math.log,
    "sqrt": math.sqrt,
    "exp": math.exp,
    "asinhmag": lambda f, b: -2.5 / math.log(10) * (math.asinh(f / (2 * b)) + math.log(b)),
}


def value(expression, row):
    """The value of an expression, by Python's own parser."""
    return eval(_parsed(expression), {"__builtins__": {}}, {**FUNCTIONS, **row})


@cache
def _parsed(expression):
    return compile(expression.replace("^", "**"), expression, "eval")


def jacobian(expressions, row):
    """Central differences with a step that balances rounding and curvature."""
    J = np.empty((len(expressions), len(row)))
    for i, expression in enumerate(expressions):
        for j, name in enumerate(row):
            step = 1e-5 * max(1.0, abs(row[name]))
            up = value(expression, {**row, name: row[name] + step})
            down = value(expression, {**row, name: row[name] - step})
            J[i, j] = (up - down) / (2 * step)
    return J


def covariance(expressions, row, column_cov):
    """J C J' for one row; ``column_cov`` in the order of the row's columns."""
    J = jacobian(expressions, row)
    return J @ column_cov @ J.T


def simulated_covariance(expressions, row, column_cov, rng, n=20_000):
    """The covariance of the values that a repeated measurement would give."""
    draws = rng.multivariate_normal(list(row.values()), column_cov, size=n)
    rows = [dict(zip(row, draw)) for draw in draws]
    return np.cov([[value(expression, r) for r in rows] for expression in expressions])
