"""What a detector with a mixture can do: p-values, scores, discoveries, and why an object is strange."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from sklearn.base import BaseEstimator, OutlierMixin
from sklearn.utils.validation import check_is_fitted

from peculiar.detector.population import OrdinaryPopulation
from peculiar.detector.thresholds import check_probability
from peculiar.kernels.structs import Floats
from peculiar.mixture import RobustMixture
from peculiar.outliers.discoveries import (
    Discoveries,
    by_p_values,
    by_probabilities,
    check_method,
)
from peculiar.outliers.explain import Explanation, explain
from peculiar.outliers.measured import Measured
from peculiar.outliers.tolerance import error_tolerance
from peculiar.validation import check_noise, check_values


class FittedDetector(OutlierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """All that needs a mixture, however it came about, and no threshold."""

    score: str
    fdr: float
    mixture_: RobustMixture

    def p_values(
        self, X: Any, *, X_std: Any = None, X_cov: Any = None, return_error: bool = False
    ) -> Floats | tuple[Floats, Floats]:
        """How often an ordinary object, measured with the same errors, would look at least as strange.

        Uniform between 0 and 1 for ordinary objects, whatever their errors. What is too small for a float comes out as
        0; ``score_samples`` has the logarithm.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`OutlierDetector.fit`.
        return_error : bool, default=False
            Whether to return the errors of the p-values too.

        Returns
        -------
        p : ndarray of shape (n,)
            1 for a row of which nothing is observed.
        error : ndarray of shape (n,)
            Only if ``return_error``: one sigma, from the scatter between sets of rays, and from what none of them may
            have met. Where there is a closed form it is 0.
        """
        check_is_fitted(self, "mixture_")
        tail = self.mixture_.tail_probabilities(X, X_std=X_std, X_cov=X_cov)
        p: Floats = np.exp(tail.log_p)
        return (p, p * tail.error) if return_error else p

    def outlier_probability(self, X: Any, *, X_std: Any = None, X_cov: Any = None) -> Floats:
        """Posterior probability that each object is of the wild tail.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`OutlierDetector.fit`.

        Returns
        -------
        ndarray of shape (n,)
        """
        check_is_fitted(self, "mixture_")
        return self.mixture_.outlier_probability(X, X_std=X_std, X_cov=X_cov)

    def score_samples(self, X: Any, *, X_std: Any = None, X_cov: Any = None) -> Floats:
        """How ordinary each object is; the lower, the stranger.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`OutlierDetector.fit`.

        Returns
        -------
        ndarray of shape (n,)
            Log of the p-value, of the density, or of the paper's e, by ``score``.
        """
        check_is_fitted(self, "mixture_")
        return self._score(X, X_std, X_cov)

    def _score(self, X: Any, X_std: Any, X_cov: Any, log_p: Floats | None = None) -> Floats:
        """The score; of the rows with known p-values, if these are given."""
        if self.score == "tail" and log_p is not None:
            return log_p
        return SCORES[self.score](self.mixture_, X, X_std, X_cov)

    def discoveries(
        self,
        X: Any,
        *,
        X_std: Any = None,
        X_cov: Any = None,
        fdr: float | None = None,
        method: str = "bh",
    ) -> Discoveries:
        """The objects of a table that are believed to be outliers, with a bounded rate of errors among them.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`OutlierDetector.fit`.
        fdr : float, optional
            Rate of ordinary objects among the discoveries that is put up with; that of the detector if None.
        method : {"bh", "storey", "bayes"}, default="bh"
            Benjamini and Hochberg's rule on the p-values; Storey's, who estimates how many objects are ordinary and
            finds a few more; or the outlier probabilities, for which the mixture needs a wild tail.

        Returns
        -------
        Discoveries
            ``mask``, ``threshold``, ``q_values`` and ``method``.
        """
        rate = check_probability("fdr", self.fdr if fdr is None else fdr)
        if check_method(method) == "bayes":
            return by_probabilities(self.outlier_probability(X, X_std=X_std, X_cov=X_cov), rate)
        p = self.p_values(X, X_std=X_std, X_cov=X_cov)
        return by_p_values(np.asarray(p), rate, method)

    def explain(self, X: Any, *, X_std: Any = None, X_cov: Any = None) -> Explanation:
        """Which feature betrays each object: the surprise of each one, given the others.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`OutlierDetector.fit`.

        Returns
        -------
        Explanation
            ``surprise`` and ``sign``, (n, d), and ``main_feature``, (n,).
        """
        population = self._population(X, X_std, X_cov)
        return explain(population.measured.values, population.spread, population)

    def error_tolerance(
        self, X: Any, *, X_std: Any = None, X_cov: Any = None, p: float = 0.5
    ) -> Floats:
        """The factor by which an object's errors must have been underestimated for it to be ordinary.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`OutlierDetector.fit`.
        p : float, default=0.5
            P-value to reach: 0.5 is the middle of the ordinary population, so that the factor is neither too large nor
            too small on average; with 0.05 an object need only come to its edge.

        Returns
        -------
        ndarray of shape (n,)
            1 where the p-value is reached already, inf where larger errors (up to 10,000 times) do not help, as for
            values without any.
        """
        target = math.log(check_probability("p", p))
        population = self._population(X, X_std, X_cov)
        return error_tolerance(population.log_tail, len(population.measured.values), target)

    def _population(self, X: Any, X_std: Any, X_cov: Any) -> OrdinaryPopulation:
        """The ordinary population, with the errors of new rows, checked."""
        check_is_fitted(self, "mixture_")
        values = check_values(self.mixture_, X, reset=False)
        measured = Measured(*check_noise(self.mixture_, values, X_std, X_cov))
        return OrdinaryPopulation(self.mixture_, measured)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags


def _tail(mixture: RobustMixture, X: Any, X_std: Any, X_cov: Any) -> Floats:
    return mixture.tail_probabilities(X, X_std=X_std, X_cov=X_cov).log_p


def _density(mixture: RobustMixture, X: Any, X_std: Any, X_cov: Any) -> Floats:
    return mixture.score_samples(X, X_std=X_std, X_cov=X_cov)


def _weight(mixture: RobustMixture, X: Any, X_std: Any, X_cov: Any) -> Floats:
    return np.log(mixture.robust_weights(X, X_std=X_std, X_cov=X_cov))


SCORES: dict[str, Callable[[RobustMixture, Any, Any, Any], Floats]] = {
    "tail": _tail,
    "density": _density,
    "weight": _weight,
}
"""What ``score`` may be."""
