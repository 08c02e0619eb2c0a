"""Small formulas: rows to try them on, and what most of them need."""

import numpy as np

# Eleven rows: one vector of eight or two of four, and a vector that is not full.
X = np.array([-3.0, -1.0, -0.0, 0.0, 0.5, 1.0, 2.0, np.inf, -np.inf, np.nan, 7.0])
Y = np.array([2.0, -1.0, 0.0, 1.0, np.nan, -4.0, np.inf, np.inf, 5.0, np.nan, 0.25])
FINITE = np.array([4.0, -1.0, 2.0, 0.5, 3.0, -2.0, 8.0, 1.0, 6.0, -5.0, 7.0])


def truth(code, mask):
    return code.where(mask, 1.0, 0.0)


def write(out, *values):
    for i, value in enumerate(values):
        out[i] = value
