"""What a mixture with known parameters says of rows: densities, memberships, clean values."""

from __future__ import annotations

import dataclasses
import warnings
from typing import Any

import numpy as np
from sklearn.utils.validation import check_is_fitted

from peculiar.backends import MemoryBackend
from peculiar.engines import Engine, RowMoments
from peculiar.errors import MissingNoiseWarning
from peculiar.kernels.structs import Floats, Ints
from peculiar.mixture.parameters import ParametricMixture
from peculiar.model.params import MixtureParams, natural_scaling, to_scaled
from peculiar.observations import NoNoise, Observations, Scaling
from peculiar.select.criteria import ParameterCount
from peculiar.settings import check_jobs, check_likelihood
from peculiar.validation import check_noise, check_reach, check_values, check_weights


class FittedMixture(ParametricMixture):
    """All that is asked about rows, and answered by the moments of an engine."""

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
