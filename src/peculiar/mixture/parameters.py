"""A mixture with known parameters: what it is, before anything is asked of it but random rows."""

from __future__ import annotations

from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.utils.validation import check_is_fitted

from peculiar.errors import SettingError
from peculiar.fit import Model
from peculiar.kernels.structs import Floats, Ints
from peculiar.model.params import MixtureParams
from peculiar.sampling import add_noise, draw_clean
from peculiar.select.choose import Table
from peculiar.select.criteria import MessageLength
from peculiar.settings import (
    check_agreement,
    check_components,
    check_count,
    check_jobs,
    check_params,
    check_weights_of,
    choose_model,
    if_several,
    make_rng,
    refuse_numbers_for_each,
)
from peculiar.validation import check_noise


class ParametricMixture(DensityMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Settings and parameters, however they came about."""

    # settings that known parameters do not make superfluous
    n_components: int | str | MessageLength
    engine: Any
    scatter: Any
    dof: Any
    wild_fraction: Any
    random_state: Any
    n_jobs: int | None

    n_components_: int
    weights_: Floats
    locations_: Floats
    scatters_: Floats
    dofs_: Floats
    wild_fraction_: float
    lower_bound_: float
    lower_bounds_: Floats
    n_iter_: int
    converged_: bool
    selection_: Table
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    _has_noise: bool
    _seed: int  # of engines that draw random numbers

    @property
    def covariances_(self) -> Floats:
        """Covariances of the clean values, (K, d, d): dof / (dof - 2) times the scatter, inf where dof <= 2."""
        check_is_fitted(self)
        covariances = np.full_like(self.scatters_, np.inf)
        for k, dof in enumerate(self.dofs_):
            if dof > 2:
                covariances[k] = self.scatters_[k] / (1.0 - 2.0 / dof)
        return covariances

    def _check_settings(self) -> Model:
        """Refuse settings that cannot be, before anything is computed; the choices they make."""
        check_jobs(self.n_jobs)
        number = check_components(self.n_components)
        if isinstance(number, int):
            return self._choose(number)
        refuse_numbers_for_each(number.name, dof=if_several(self.dof))
        return self._choose(1)

    def _choose(self, n_components: int) -> Model:
        """Engine, scatter structure and law of u, from the settings."""
        settings = self.engine, self.scatter, self.dof, n_components, self.wild_fraction
        return choose_model(*settings)

    def _parameters(self) -> MixtureParams:
        with np.errstate(divide="ignore"):  # a component may have died: log 0
            log_weights = np.log(self.weights_)
        return MixtureParams(
            log_weights,
            self.locations_,
            self.scatters_,
            self.dofs_,
            wild_fraction=self.wild_fraction_,
        )

    # -------------------------------------------------------------------------- making data

    def sample(
        self,
        n_samples: int = 1,
        *,
        X_std: Any = None,
        X_cov: Any = None,
        random_state: Any = None,
    ) -> tuple[Floats, Ints]:
        """Random rows from the model: clean, or as measured with the given noise.

        Parameters
        ----------
        n_samples : int, default=1
        X_std : array-like of shape (n_samples, d), optional
            One-sigma errors to measure with; a feature with error inf comes out missing.
        X_cov : array-like of shape (n_samples, d, d), optional
            Error covariances to measure with.
        random_state : int, Generator, RandomState or None, default=None
            Seed; None takes the one of the estimator.

        Returns
        -------
        X : ndarray of shape (n_samples, d)
        y : ndarray of shape (n_samples,)
            Component of each row.
        """
        check_is_fitted(self)
        rng = make_rng(self.random_state if random_state is None else random_state)
        params = self._parameters()
        prior = self._choose(params.n_components).prior
        clean, labels = draw_clean(rng, params, prior, check_count("n_samples", n_samples))
        seen, noise = check_noise(self, clean, X_std, X_cov)
        return np.where(np.isnan(seen), np.nan, add_noise(rng, clean, noise)), labels

    # ----------------------------------------------------------------------- ready at once

    @classmethod
    def from_parameters(
        cls,
        weights: ArrayLike,
        locations: ArrayLike,
        scatters: ArrayLike,
        dofs: ArrayLike,
        wild_fraction: float = 0.0,
        **settings: Any,
    ) -> Self:
        """A ready model from known numbers: it scores, samples and saves without a fit.

        Parameters
        ----------
        weights : array-like of shape (K,)
            Positive, with sum 1.
        locations : array-like of shape (K, d)
        scatters : array-like of shape (K, d, d), or (K, d) for diagonal ones
        dofs : float or array-like of shape (K,)
            Positive; inf for a Gaussian.
        wild_fraction : float, default=0.0
            Probability of the wild tail; it becomes the setting of this name, too.
        **settings
            Arguments of :class:`RobustMixture`.

        Returns
        -------
        RobustMixture

        Examples
        --------
        >>> from peculiar import RobustMixture
        >>> model = RobustMixture.from_parameters([1.0], [[0.0]], [[[1.0]]], dofs=3)
        >>> float(model.score_samples([[0.0]])[0].round(6))
        -1.000889
        """
        params = check_params(weights, locations, scatters, dofs, wild_fraction)
        number = settings.setdefault("n_components", params.n_components)
        if isinstance(number, Integral) and number != params.n_components:
            raise SettingError(
                f"n_components={settings['n_components']} was given, but parameters of {params.n_components}"
            )
        model = cls(wild_fraction=params.wild_fraction, **settings)
        check_agreement(model._check_settings(), params)  # now, not when first used
        model._set_parameters(params)
        model.weights_ = check_weights_of(
            "weights", weights, params.n_components
        )  # to the last digit
        model.n_features_in_ = params.n_features
        return model

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags

    def _set_parameters(self, params: MixtureParams) -> None:
        self.n_components_ = params.n_components
        self.weights_ = np.exp(params.log_weights)
        self.locations_ = params.locations
        self.scatters_ = 0.5 * (params.scatters + np.swapaxes(params.scatters, 1, 2))
        self.dofs_ = params.dofs
        self.wild_fraction_ = params.wild_fraction
