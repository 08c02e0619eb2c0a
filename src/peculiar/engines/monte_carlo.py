"""The paper's ground truth: expectations from Gibbs samples."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from numbers import Integral
from typing import Any, ClassVar

import numpy as np

from peculiar.engines.base import Objective
from peculiar.engines.exact import Exact
from peculiar.engines.rowwise import RowEngine
from peculiar.errors import SettingError
from peculiar.kernels.structs import ChainSpace, GibbsRule
from peculiar.model.params import MixtureParams
from peculiar.model.prior import Scale
from peculiar.observations import Observations


@dataclass(frozen=True)
class MonteCarlo(RowEngine):
    """Monte-Carlo EM: Gibbs sampling of (z, u, w) for each object.

    Sun, Kabán and Raychaudhury (2007) take it as the ground truth in sec. 5.2. Responsibilities and moments have a
    sampling error; log-densities are the true ones, by quadrature, so that the progress of a fit can be compared with
    other engines. A fit ends when the log-likelihood no longer rises above its own fluctuations.

    Every block of rows has its own generator, made from the seed and from where the block stands in the table. The same
    seed gives the same numbers, for any number of threads.

    Parameters
    ----------
    n_sweeps : int, default=10_000
        Sweeps of a chain. Each object has one chain in each iteration.
    burn_in : int, default=2_000
        Sweeps at the beginning of a chain that are not used.

    Examples
    --------
    >>> import numpy as np
    >>> from peculiar import RobustMixture
    >>> model = RobustMixture.from_parameters([1.0], [[0.0]], [[[1.0]]], 3.0, engine=MonteCarlo())
    >>> estimate = model.robust_weights([[3.0]], X_std=[[1.0]])
    >>> exact = model.set_params(engine="exact").robust_weights([[3.0]], X_std=[[1.0]])
    >>> bool(abs(estimate - exact)[0] < 0.03)
    True
    """

    n_sweeps: int = 10_000
    burn_in: int = 2_000

    name: ClassVar[str] = "monte_carlo"
    exact_when: ClassVar[frozenset[str]] = frozenset({"always", "noise_free", "gaussian"})
    objective: ClassVar[Objective] = "likelihood"
    is_random: ClassVar[bool] = True
    cite: ClassVar[tuple[str, ...]] = ("sun2007robust",)

    def __post_init__(self) -> None:
        for name in ("n_sweeps", "burn_in"):
            value = getattr(self, name)
            if isinstance(value, bool) or not isinstance(value, Integral) or value < 0:
                raise SettingError(f"{name} must be a whole number, 0 or more, not {value!r}")
        if self.burn_in >= self.n_sweeps:
            raise SettingError(
                f"burn_in={self.burn_in} must be less than n_sweeps={self.n_sweeps}; give both, as in "
                f"MonteCarlo(n_sweeps=1000, burn_in=200)"
            )

    def rule(self, scale: Scale, n_features: int) -> GibbsRule:
        """How long to run, what the true density needs, and a generator to begin with."""
        grid = Exact().ordinary_rule(scale.dofs, n_features)
        return GibbsRule(
            dofs=grid.dofs,
            steps=grid.steps,
            depth=grid.depth,
            n_sweeps=int(self.n_sweeps),
            burn_in=int(self.burn_in),
            generator=np.random.Generator(np.random.SFC64(0)),
            space=ChainSpace(*np.zeros((6, len(scale.dofs))), *np.zeros((5, n_features))),
        )

    def parts(
        self, obs: Observations, params: MixtureParams, seed: int
    ) -> Iterator[tuple[Observations, Callable[[], Any]]]:
        """Blocks, each with a generator of its own."""
        rule = self.rule(params.scale, params.n_features)
        for part in obs.batches(1):
            key = np.random.SeedSequence((seed, int(part.layout.first[0])))
            generator = np.random.Generator(np.random.SFC64(key))
            yield part, partial(rule._replace, generator=generator)
