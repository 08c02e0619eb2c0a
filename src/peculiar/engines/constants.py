"""Numbers that all rows share: what the rules of the lanes need for each component and number of observed features."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from functools import lru_cache

import numpy as np

from peculiar.arrays import Floats
from peculiar.kernels.lanes.closed_forms import GaussianConstants, StudentConstants
from peculiar.kernels.lanes.peak import PeakConstants
from peculiar.kernels.shared.special import LOG_2PI, digamma_minus_log, stirling_gap

# As plain Python: they are called a few times, and would have to be compiled.
_gap, _bias = stirling_gap.py_func, digamma_minus_log.py_func


def table(
    dofs: Sequence[float],
    n_features: int,
    row: Callable[[float, int], Sequence[float]],
    width: int,
) -> Floats:
    """Rows ``row(dof, p)`` for finite dofs, those of ``gaussian_constants`` for infinite ones: (K, d + 1, width)."""
    out = np.zeros((len(dofs), n_features + 1, width))
    for k, dof in enumerate(dofs):
        for p in range(n_features + 1):
            numbers = gaussian_constants(p) if math.isinf(dof) else row(dof, p)
            out[k, p, : len(numbers)] = numbers
    return out


def gaussian_constants(p: int) -> GaussianConstants:
    """For infinite dof."""
    return GaussianConstants(-0.5 * p * LOG_2PI)


def no_nodes(n_components: int) -> Floats:
    """For rules that do not integrate."""
    return np.zeros((n_components, 1, 1, 4))


@lru_cache(maxsize=8)
def student_constants(dofs: tuple[float, ...], n_features: int) -> Floats:
    """Without noise; infinite dofs are the limit."""
    return _without_noise(dofs, n_features, _student)


@lru_cache(maxsize=8)
def map_student_constants(dofs: tuple[float, ...], n_features: int) -> Floats:
    """Without noise, for the map engine."""
    return _without_noise(dofs, n_features, _map_student)


def _without_noise(
    dofs: Sequence[float], n_features: int, row: Callable[[float, int], StudentConstants]
) -> Floats:
    out = np.zeros((len(dofs), n_features + 1, len(StudentConstants._fields)))
    for k, dof in enumerate(dofs):
        for p in range(n_features + 1):
            out[k, p] = _gaussian_limit(p) if math.isinf(dof) else row(dof, p)
    return out


def _student(dof: float, p: int) -> StudentConstants:
    shape, grow = 0.5 * (dof + p), math.log1p(p / dof)
    log_norm = (shape - 0.5) * grow - 0.5 * p * (1.0 + LOG_2PI) + _gap(shape) - _gap(0.5 * dof)
    return StudentConstants(1.0 / dof, shape, 0.0, (dof + p) / dof, log_norm, _bias(shape) + grow)


def _map_student(dof: float, p: int) -> StudentConstants:
    shape, grow = 0.5 * (dof + p), math.log1p(p / dof)
    log_norm = _map_norm(dof, p) + shape * grow - 0.5 * p
    return StudentConstants(1.0 / dof, shape, 0.0, (dof + p) / dof, log_norm, grow)


def _map_norm(dof: float, p: int) -> float:
    """Norms of the density of log u and of x given u, apart from exp(dof / 2 (log u - u + 1))."""
    h = 0.5 * dof
    norm: float = 0.5 * math.log(h) - _gap(h) - 0.5 * (p + 1) * LOG_2PI
    return norm


def _gaussian_limit(p: int) -> StudentConstants:
    return StudentConstants(0.0, 0.0, 1.0, 1.0, -0.5 * p * LOG_2PI, 0.0)


@lru_cache(maxsize=8)
def structured_constants(dofs: tuple[float, ...], n_features: int) -> Floats:
    """For the structured engine."""
    return table(dofs, n_features, _structured, len(PeakConstants._fields))


def _structured(dof: float, p: int) -> PeakConstants:
    shape = 0.5 * (dof + p)
    log_norm = 0.5 * math.log(dof / (dof + p)) - 0.5 * p * LOG_2PI
    log_norm += _gap(shape) - _gap(0.5 * dof)
    return PeakConstants(dof, shape, 0.5 * p, log_norm, 1.0 + p / dof, _bias(shape))


@lru_cache(maxsize=8)
def map_constants(dofs: tuple[float, ...], n_features: int) -> Floats:
    """For the map engine."""
    return table(dofs, n_features, _map, len(PeakConstants._fields))


def _map(dof: float, p: int) -> PeakConstants:
    shape = 0.5 * (dof + p)
    return PeakConstants(dof, shape, 0.5 * p, _map_norm(dof, p), 1.0 + p / dof, 0.0)
