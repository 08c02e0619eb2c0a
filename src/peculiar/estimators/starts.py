"""Where a fit starts: what the user has given, completed by a start of our own."""

from __future__ import annotations

import dataclasses
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from peculiar.arrays import Floats
from peculiar.engines.model import Model
from peculiar.errors import SettingError
from peculiar.fitting.start import broad_start, kmeans_start, start_at
from peculiar.model.params import MixtureParams, from_scaled, to_scaled
from peculiar.observations import Observations
from peculiar.settings import check_dofs, check_locations, check_scatters, check_weights_of


class GivenStart(NamedTuple):
    """Parameters to start from, as they were given; None where they were not."""

    weights: ArrayLike | None
    locations: ArrayLike | None
    scatters: ArrayLike | None
    dofs: ArrayLike | None

    def start(
        self, obs: Observations, model: Model, n_components: int, rng: np.random.Generator
    ) -> MixtureParams:
        """A mixture of so many components; in scaled units."""
        scaling = obs.scaling
        params = from_scaled(self._at_locations(obs, model, n_components, rng), scaling)
        log_weights, scatters = params.log_weights, params.scatters
        if self.weights is not None:
            log_weights = _log_weights(self.weights, n_components)
        if self.scatters is not None:
            scatters = check_scatters("scatters_init", self.scatters, n_components, obs.n_features)
        completed = MixtureParams(
            log_weights,
            params.locations,
            scatters,
            self._dofs(params.dofs, model, n_components),
            model.scatter.is_aligned(scatters),
            params.wild_fraction,
        )
        return to_scaled(completed, scaling)

    def broad(
        self, obs: Observations, model: Model, n_components: int, rng: np.random.Generator
    ) -> MixtureParams:
        """Many components that are to compete; in scaled units."""
        params = broad_start(obs, n_components, model.scatter, model.prior, rng)
        return dataclasses.replace(params, dofs=self._dofs(params.dofs, model, n_components))

    def _at_locations(
        self, obs: Observations, model: Model, n_components: int, rng: np.random.Generator
    ) -> MixtureParams:
        """Components at the locations given, or where k-means puts them."""
        if self.locations is None:
            return kmeans_start(obs, n_components, model.scatter, model.prior, rng)
        locations = check_locations("locations_init", self.locations)
        wanted = n_components, obs.n_features
        if locations.shape != wanted:
            raise SettingError(f"locations_init has shape {locations.shape}, must be {wanted}")
        scaled = (locations - obs.scaling.shift) / obs.scaling.scale
        return start_at(obs, scaled, model.scatter, model.prior)

    def _dofs(self, ours: Floats, model: Model, n_components: int) -> Floats:
        """Those given, if any are estimated."""
        if self.dofs is None or not model.prior.n_dofs(n_components):
            return ours
        return check_dofs("dofs_init", self.dofs, n_components)


def _log_weights(given: ArrayLike, n_components: int) -> Floats:
    weights = check_weights_of("weights_init", given, n_components)
    if not weights.all():
        raise SettingError(
            f"weights_init[{int(np.argmin(weights))}] is 0; a component that starts with nothing stays so. Give a "
            "small weight, or ask for fewer components"
        )
    return np.log(weights)
