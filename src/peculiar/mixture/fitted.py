"""What a mixture with known parameters can do: score and sample."""

from __future__ import annotations

import dataclasses
import warnings
from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.utils.validation import check_is_fitted

from peculiar.backends import MemoryBackend
from peculiar.engines import Engine, RowMoments
from peculiar.errors import MissingNoiseWarning, SettingError
from peculiar.fit import Model
from peculiar.kernels.structs import Floats, Ints
from peculiar.model.params import MixtureParams, natural_scaling, to_scaled
from peculiar.observations import NoNoise, Observations, Scaling
from peculiar.sampling import add_noise, draw_clean
from peculiar.select.choose import Table
from peculiar.select.criteria import MessageLength, ParameterCount
from peculiar.settings import (
    check_agreement,
    check_components,
    check_count,
    check_jobs,
    check_likelihood,
    check_params,
    check_weights_of,
    choose_model,
    if_several,
    make_rng,
    refuse_numbers_for_each,
)
from peculiar.validation import check_noise, check_reach, check_values, check_weights


class FittedMixture(DensityMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """All that needs parameters, however they came about."""

    # settings that scoring needs
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

    def score_samples(self, X: Any, *, X_std: Any = None, X_cov: Any = None) -> Floats:
        """Log-density of each row, measured with its own noise.

        Comparable between rows only if their errors are: a badly measured row has a low density by volume alone.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Measured values; NaN where missing.
        X_std : array-like of shape (n, d), optional
            One-sigma errors.
        X_cov : array-like of shape (n, d, d), optional
            Error covariances.

        Returns
        -------
        ndarray of shape (n,)
            log p(x | its noise), or what the engine has in its place: a lower bound (``"structured"``,
            ``"factorized"``) or a joint density (``"map"``). 0 for a row with nothing observed.
        """
        return self._describe(X, X_std, X_cov)[0].log_prob

    def score(
        self,
        X: Any,
        y: Any = None,
        *,
        X_std: Any = None,
        X_cov: Any = None,
        sample_weight: Any = None,
    ) -> float:
        """Mean log-density per row.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`score_samples`.
        y : ignored
        sample_weight : array-like of shape (n,), optional
            How often each row counts.

        Returns
        -------
        float
        """
        log_prob = self._describe(X, X_std, X_cov)[0].log_prob
        return float(np.average(log_prob, weights=check_weights(sample_weight, len(log_prob))))

    def predict_proba(self, X: Any, *, X_std: Any = None, X_cov: Any = None) -> Floats:
        """Probability that each row belongs to each component.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`score_samples`.

        Returns
        -------
        ndarray of shape (n, K)
        """
        return np.exp(self._describe(X, X_std, X_cov)[0].log_resp)

    def predict(self, X: Any, *, X_std: Any = None, X_cov: Any = None) -> Ints:
        """The most probable component of each row.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`score_samples`.

        Returns
        -------
        ndarray of shape (n,)
        """
        labels: Ints = np.argmax(self._describe(X, X_std, X_cov)[0].log_resp, axis=1)
        return labels

    def robust_weights(self, X: Any, *, X_std: Any = None, X_cov: Any = None) -> Floats:
        """How much each row counts in the fit: about 1 for typical rows, near 0 for outliers.

        The posterior mean of u, averaged over components: the paper's e. A row with large stated errors keeps a
        weight near 1: it is uncertain, not strange.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`score_samples`.

        Returns
        -------
        ndarray of shape (n,)
        """
        moments = self._describe(X, X_std, X_cov)[0]
        weights: Floats = (np.exp(moments.log_resp) * moments.u).sum(axis=1)
        return weights

    def predict_latent(
        self, X: Any, *, X_std: Any = None, X_cov: Any = None, return_cov: bool = False
    ) -> Floats | tuple[Floats, Floats]:
        """The clean value behind each row: posterior mean, and covariance if wanted.

        Missing features are filled in from the observed ones.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`score_samples`.
        return_cov : bool, default=False
            Whether to return the covariances too.

        Returns
        -------
        mean : ndarray of shape (n, d)
        cov : ndarray of shape (n, d, d)
            Only if ``return_cov``; inf where a feature is missing and the tails are too heavy for a variance, and for
            its covariances with others, which have no value then.
        """
        moments, obs = self._describe(X, X_std, X_cov, latent=True)
        scaling = obs.scaling
        mean = moments.latent_mean * scaling.scale + scaling.shift
        if not return_cov:
            return mean
        cov = moments.latent_cov * scaling.scale[:, None] * scaling.scale
        cov[np.isnan(cov)] = np.inf  # components may disagree on the sign of an infinity
        features = np.arange(cov.shape[1])
        # Where errors are 1e-8 of the scatter rounding could take a variance below 0.
        cov[:, features, features] = np.maximum(cov[:, features, features], 0.0)
        return mean, cov

    def bic(self, X: Any, *, X_std: Any = None, X_cov: Any = None) -> float:
        """Bayesian information criterion; the lower the better. Rows with nothing observed do not count.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`score_samples`.

        Returns
        -------
        float
        """
        moments, obs = self._describe(X, X_std, X_cov)
        log_prob = moments.log_prob
        return float(self._n_parameters("bic") * np.log(obs.n_telling) - 2.0 * log_prob.sum())

    def aic(self, X: Any, *, X_std: Any = None, X_cov: Any = None) -> float:
        """Akaike information criterion; the lower the better.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`score_samples`.

        Returns
        -------
        float
        """
        log_prob = self._describe(X, X_std, X_cov)[0].log_prob
        return float(2.0 * self._n_parameters("aic") - 2.0 * log_prob.sum())

    def _n_parameters(self, criterion: str) -> int:
        """Free parameters of the model, if the criterion makes sense for it."""
        model = self._choose(self.n_components_)
        check_likelihood(criterion, model)
        count = ParameterCount.of(model, int(self.locations_.shape[1]))
        return count.total(int(np.count_nonzero(self.weights_)))  # what has died has no parameters

    def _describe(
        self, X: Any, X_std: Any, X_cov: Any, *, latent: bool = False
    ) -> tuple[RowMoments, Observations]:
        """Moments of new rows, and these as they were used: latent values are in their units."""
        obs, params, engine = self._observe(X, X_std, X_cov)
        backend = MemoryBackend(obs, check_jobs(self.n_jobs), getattr(self, "_seed", 0))
        return backend.describe(engine, params, latent=latent), obs

    def _observe(
        self, X: Any, X_std: Any, X_cov: Any
    ) -> tuple[Observations, MixtureParams, Engine]:
        """New rows, checked, and the parameters in their units."""
        check_is_fitted(self)
        values = check_values(self, X, reset=False)
        values, noise = check_noise(self, values, X_std, X_cov)
        if getattr(self, "_has_noise", False) and isinstance(noise, NoNoise):
            warnings.warn(
                "this model was fitted with errors (X_std or X_cov) and is now given none: values are taken as exact. "
                "Give X_std=0 as an array if that is meant",
                MissingNoiseWarning,
                stacklevel=4,
            )
        params = self._parameters()
        scaling = natural_scaling(params)
        smallest = np.sqrt(np.diagonal(params.scatters, axis1=1, axis2=2).min(axis=0))
        check_reach(self, values, noise, Scaling(scaling.shift, smallest))
        model = self._choose(params.n_components)
        aligned = dataclasses.replace(params, aligned=model.scatter.is_aligned(params.scatters))
        obs = Observations.of(values, noise, scaling)
        return obs, to_scaled(aligned, scaling), model.engine

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
