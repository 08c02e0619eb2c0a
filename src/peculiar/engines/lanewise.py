"""Work shared by the engines that have a formula for whole blocks of rows."""

from __future__ import annotations

from abc import abstractmethod
from functools import partial
from typing import ClassVar, NamedTuple

import numpy as np

from peculiar.arrays import Floats
from peculiar.engines.constants import no_nodes, student_constants
from peculiar.engines.rowwise import RowEngine
from peculiar.kernels.careful.loops import CLEAN, DENSITIES, SUMS, scale_moments
from peculiar.kernels.careful.moments import (
    INVERSE_U,
    LOG_PROB,
    LOG_U,
    UT,
    U,
    n_moments,
    t_start,
    tt_start,
    utt_start,
)
from peculiar.kernels.lanes.expect import Kind
from peculiar.kernels.lanes.kernels import expect_function
from peculiar.kernels.lanes.loops import (
    LARGE_DOF,
    LARGE_NOISE,
    BlockCode,
    BlockSpace,
    Left,
    describe_blocks,
    new_block_space,
    sum_blocks,
)
from peculiar.kernels.structs import LANES, LaneRule, LatentResults, RowResults, Sums
from peculiar.model.params import MixtureParams
from peculiar.model.prior import Scale
from peculiar.observations import Observations, noise_name


class ScaleMoments(NamedTuple):
    """Posterior of u for one row and component in the frame; t_j = 1 / (1 + u b_j)."""

    log_prob: float
    u: float
    log_u: float
    inverse_u: float
    ut: Floats
    utt: Floats
    t: Floats
    tt: Floats


class LaneEngine(RowEngine):
    """An engine with a formula for whole blocks of rows; its rule is for the rows that the formula leaves.

    Both treat each component by itself, and use only the frame of a row.
    """

    formula: ClassVar[str]
    has_clean: ClassVar[bool] = False  # whether the formula gives clean values, too

    @abstractmethod
    def lane_rule(self, scale: Scale, n_features: int) -> LaneRule:
        """What the formula in :mod:`peculiar.kernels.lanes` reads."""

    def noise_free_rule(self, scale: Scale, n_features: int) -> LaneRule:
        """What the closed form for rows without noise reads."""
        constants = student_constants(tuple(scale.dofs.tolist()), n_features)
        return LaneRule(np.ascontiguousarray(scale.dofs), constants, no_nodes(len(scale.dofs)))

    def sum_blocks(self, obs: Observations, params: MixtureParams, sums: Sums) -> Left:
        """Add what the lanes can do; marks of the rows that are left."""
        task = self._task(obs, params, SUMS)
        given = params.components, obs.rows
        sum_blocks(task.code, task.rule, *given, task.space, task.left, sums)
        return task.left

    def describe_blocks(
        self,
        obs: Observations,
        params: MixtureParams,
        results: RowResults,
        latent: LatentResults,
    ) -> Left:
        """Describe what the lanes can do; marks of the rows that are left."""
        with_clean = len(latent.mean) > 0
        if with_clean and not (self.has_clean and noise_name(obs.noise) != "none"):
            return np.ones((obs.n_blocks, LANES), dtype=np.bool_)
        task = self._task(obs, params, CLEAN if with_clean else DENSITIES)
        given = params.components, obs.rows
        describe_blocks(task.code, task.rule, *given, task.space, task.left, results, latent)
        return task.left

    def _task(self, obs: Observations, params: MixtureParams, wanted: int) -> _Task:
        """Choose and compile the code for whole blocks, and make room for it.

        ``wanted`` is ``DENSITIES``, ``SUMS`` or ``CLEAN``.
        """
        d, noise = params.n_features, noise_name(obs.noise)
        aligned = params.aligned and noise == "diagonal" and wanted != CLEAN
        rules = self.noise_free_rule if noise == "none" else self.lane_rule
        rule = rules(params.scale, d)
        formula = "student" if noise == "none" else self.formula
        flags = aligned, wanted != DENSITIES, rule.has_wild, wanted == CLEAN
        kind = Kind(formula, noise, d, *flags)
        code = _block_code(kind, params, obs)
        space = new_block_space(params.n_components, d, kind.n_results)
        left = np.zeros((obs.n_blocks, LANES), dtype=np.bool_)
        return _Task(code, rule, space, left)

    def scale_moments(self, e: Floats, b: Floats, dof: float) -> ScaleMoments:
        """Posterior of u for one row and component, given in its frame.

        Parameters
        ----------
        e : ndarray of shape (p,)
            Residual, in units of the scatter.
        b : ndarray of shape (p,)
            Noise variance, in units of the scatter.
        dof : float
            Degrees of freedom, possibly infinite.

        Returns
        -------
        ScaleMoments
            ``log_prob`` is the log-density of ``e``.
        """
        p = len(e)
        out = np.zeros(n_moments.py_func(p))
        rule = self.rule(Scale(np.array([float(dof)])), p)
        e, b = np.asarray(e, dtype=float), np.asarray(b, dtype=float)
        scale_moments(rule, np.square(e), b, np.zeros(p), out)
        utt, t, tt = (start.py_func(p) for start in (utt_start, t_start, tt_start))
        return ScaleMoments(
            float(out[LOG_PROB]),
            float(out[U]),
            float(out[LOG_U]),
            float(out[INVERSE_U]),
            out[UT:utt],
            _symmetric(out[utt:t], p),
            out[t:tt],
            _symmetric(out[tt:], p),
        )


class _Task(NamedTuple):
    """What the kernels for whole blocks work with."""

    code: BlockCode
    rule: LaneRule
    space: BlockSpace
    left: Left


def _block_code(kind: Kind, params: MixtureParams, obs: Observations) -> BlockCode:
    """Compile what is needed."""
    gaussian_ones = np.isinf(params.dofs).tolist()
    address = partial(_address, has_finite=not all(gaussian_ones), has_gaussian=any(gaussian_ones))
    if kind.noise == "none":  # the closed form is good for any dof
        code = expect_function(kind).address
        return BlockCode(code, code, code, code)
    ordinary, gaussian = address(kind)
    balanced, balanced_gaussian = 0, 0
    if not kind.of_clean and _may_be_small(params, obs):
        rule = "steady" if kind.rule == "exact" else kind.rule
        balanced, balanced_gaussian = address(kind._replace(rule=rule, balanced=not kind.aligned))
    return BlockCode(ordinary, gaussian, balanced, balanced_gaussian)


def _address(kind: Kind, *, has_finite: bool, has_gaussian: bool) -> tuple[int, int]:
    """Of the functions for finite and infinite dofs, as far as there are any."""
    return (
        expect_function(kind).address if has_finite else 0,
        expect_function(kind._replace(rule="gaussian")).address if has_gaussian else 0,
    )


def _may_be_small(params: MixtureParams, obs: Observations) -> bool:
    """Whether a component may have a large dof, or be small beside the noise of a row."""
    if (np.isfinite(params.dofs) & (params.dofs > LARGE_DOF)).any():
        return True
    if np.isinf(params.precisions).any():
        return True
    return bool((params.precisions @ np.square(obs.largest_errors) > LARGE_NOISE).any())


def _symmetric(packed: Floats, p: int) -> Floats:
    """A matrix from its lower triangle, row by row."""
    full = np.empty((p, p))
    rows, columns = np.tril_indices(p)
    full[rows, columns] = full[columns, rows] = packed
    return full
