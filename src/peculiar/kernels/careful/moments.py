"""Where the moments of u stand in a flat array.

For p axes and t_j = 1 / (1 + u b_j):

    log_prob, E[u], E[log u], E[1/u], P(wild), E[u; wild]
    | E[u t_j] | E[u t_j t_i], i <= j | E[t_j] | E[t_j t_i], i <= j

E[log u] is that of the ordinary part of the law of u, times its probability.

One array instead of many: Numba counts references to every array it hands over, for every row and node.
"""

from __future__ import annotations

from peculiar.kernels._jit import kernel

LOG_PROB, U, LOG_U, INVERSE_U, WILD, WILD_U = 0, 1, 2, 3, 4, 5
UT = 6


@kernel
def n_moments(p):
    """Length of the array."""
    return UT + p * (p + 3)


@kernel
def utt_start(p):
    """Where E[u t_j t_i] begins."""
    return UT + p


@kernel
def t_start(p):
    """Where E[t_j] begins."""
    return UT + p * (p + 3) // 2


@kernel
def tt_start(p):
    """Where E[t_j t_i] begins."""
    return UT + p * (p + 5) // 2
