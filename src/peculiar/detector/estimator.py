"""OutlierDetector: which objects are really strange, and how sure that is."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, OutlierMixin, clone
from sklearn.utils.validation import check_is_fitted

from peculiar.detector.population import OrdinaryPopulation
from peculiar.detector.thresholds import check_probability, choose_threshold
from peculiar.errors import SettingError
from peculiar.kernels.structs import Floats, Ints
from peculiar.mixture import RobustMixture
from peculiar.outliers.discoveries import Discoveries, by_p_values, by_probabilities, check_method
from peculiar.outliers.explain import Explanation, explain
from peculiar.outliers.measured import Measured
from peculiar.outliers.tolerance import error_tolerance
from peculiar.settings import make_rng
from peculiar.validation import check_noise, check_values


class OutlierDetector(OutlierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Finds objects that are strange for all that their errors can explain.

    A mixture with a wild tail is fitted to the table (:class:`RobustMixture`). Its components are the ordinary
    population; the p-value of an object says how often an ordinary one, measured with the same errors, would look at
    least as strange.

    Parameters
    ----------
    mixture : RobustMixture, optional
        The model to fit; with None, ``RobustMixture("mml", wild_fraction="estimate")``. It is copied, not changed.
    score : {"tail", "density", "weight"}, default="tail"
        What ``score_samples`` gives: the log of the p-value, the log-density, or the log of the paper's e, the
        posterior mean of u. All are high for ordinary objects.
    fdr : float, default=0.05
        ``predict`` calls as many objects outliers as control of the false-discovery rate finds among the training rows.
    contamination : float, optional
        If given, ``predict`` calls this share of the training rows outliers, and ``fdr`` is for ``discoveries`` only.
    random_state : int, Generator, RandomState or None, default=None
        Seed for a mixture that has none.

    Attributes
    ----------
    mixture_ : RobustMixture
        The fitted model.
    offset_ : float
        Score below which an object is an outlier: ``decision_function`` is the score less this.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Names of the features, if a table with names was given.

    Examples
    --------
    >>> import numpy as np
    >>> from peculiar import OutlierDetector, RobustMixture
    >>> rng = np.random.default_rng(0)
    >>> errors = rng.uniform(0.1, 1.0, size=(300, 2))
    >>> measured = rng.normal(size=(300, 2)) + errors * rng.normal(size=(300, 2))
    >>> measured[:2] = [[8.0, -8.0], [8.0, -8.0]]  # twice the same ...
    >>> errors[:2] = [[0.1, 0.1], [8.0, 8.0]]  # ... but measured well, and badly
    >>> mixture = RobustMixture(1, wild_fraction="estimate")
    >>> detector = OutlierDetector(mixture).fit(measured, X_std=errors)
    >>> detector.predict(measured, X_std=errors)[:3]
    array([-1,  1,  1])
    >>> detector.discoveries(measured, X_std=errors).mask.sum()
    np.int64(1)
    """

    def __init__(
        self,
        mixture: RobustMixture | None = None,
        *,
        score: str = "tail",
        fdr: float = 0.05,
        contamination: float | None = None,
        random_state: Any = None,
    ) -> None:
        self.mixture = mixture
        self.score = score
        self.fdr = fdr
        self.contamination = contamination
        self.random_state = random_state

    mixture_: RobustMixture
    offset_: float

    # ------------------------------------------------------------------------------- fitting

    def fit(self, X: Any, y: Any = None, *, X_std: Any = None, X_cov: Any = None) -> Self:
        """Fit the mixture, and set the threshold.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Measured values; NaN where missing.
        y : ignored
        X_std : array-like of shape (n, d), optional
            One-sigma errors, in the units of ``X``; 0 where exact, inf where missing.
        X_cov : array-like of shape (n, d, d), optional
            Error covariances, if errors are correlated. Give one of the two.

        Returns
        -------
        OutlierDetector
        """
        self._check_settings()
        mixture = self._new_mixture()
        mixture.fit(X, X_std=X_std, X_cov=X_cov)
        return self._take(mixture, X, X_std, X_cov)

    @classmethod
    def from_mixture(
        cls,
        mixture: RobustMixture,
        X: Any = None,
        *,
        X_std: Any = None,
        X_cov: Any = None,
        **settings: Any,
    ) -> Self:
        """A detector around a mixture that is fitted already.

        Parameters
        ----------
        mixture : RobustMixture
            Fitted. It is used as it is.
        X, X_std, X_cov
            Rows to set the threshold by. Without any, ``predict`` has to wait for :meth:`set_threshold`; all else
            works.
        **settings
            Arguments of :class:`OutlierDetector`.

        Returns
        -------
        OutlierDetector
        """
        check_is_fitted(mixture)
        detector = cls(mixture, **settings)
        detector._check_settings()
        return detector._take(mixture, X, X_std, X_cov)

    def _new_mixture(self) -> RobustMixture:
        """The mixture to fit: a copy of what was given, with a seed."""
        if self.mixture is None:
            mixture = RobustMixture("mml", wild_fraction="estimate")
        elif isinstance(self.mixture, RobustMixture):
            mixture = clone(self.mixture)
        else:
            raise SettingError(f"mixture must be a RobustMixture, not {self.mixture!r}")
        if mixture.random_state is None and self.random_state is not None:
            mixture.random_state = int(make_rng(self.random_state).integers(2**31))
        return mixture

    def _take(self, mixture: RobustMixture, X: Any, X_std: Any, X_cov: Any) -> Self:
        """Use this mixture from now on, and set the threshold by rows, if there are any."""
        self.mixture_ = mixture
        self.n_features_in_ = mixture.n_features_in_
        self.__dict__.pop("feature_names_in_", None)  # of an earlier fit, like the offset
        if hasattr(mixture, "feature_names_in_"):
            self.feature_names_in_ = mixture.feature_names_in_
        self.__dict__.pop("offset_", None)
        self._scores = self._log_p = np.empty(0)
        if X is not None:
            self._log_p = mixture.tail_probabilities(X, X_std=X_std, X_cov=X_cov).log_p
            self._scores = self._score(X, X_std, X_cov, self._log_p)
            self._set_offset()
        return self

    def _set_offset(self) -> None:
        if self.contamination is None:
            self.set_threshold(fdr=self.fdr)
        else:
            self.set_threshold(contamination=self.contamination)

    def set_threshold(self, *, fdr: Any = None, contamination: Any = None, p: Any = None) -> Self:
        """Draw the line of ``predict`` elsewhere, without a new fit.

        Parameters
        ----------
        fdr : float, optional
            As many outliers as this false-discovery rate allows among the training rows.
        contamination : float, optional
            This share of the training rows.
        p : float, optional
            All rows with at most this p-value.

        Returns
        -------
        OutlierDetector
        """
        check_is_fitted(self, "mixture_")
        threshold = choose_threshold(fdr, contamination, p)
        if threshold.needs_rows and not len(self._scores):
            raise SettingError(
                "this detector was made without rows (from_mixture), so that neither a rate nor a share of them "
                "can be a threshold; give p, or rows to from_mixture"
            )
        self.offset_ = threshold.offset(self.score, self._scores, self._log_p)
        return self

    def _check_settings(self) -> None:
        if self.score not in _SCORES:
            names = ", ".join(repr(name) for name in _SCORES)
            raise SettingError(f"score={self.score!r} is unknown; choose one of {names}")
        choose_threshold(fdr=self.fdr)
        if self.contamination is not None:
            choose_threshold(contamination=self.contamination)

    # ------------------------------------------------------------------------------- scoring

    def p_values(
        self, X: Any, *, X_std: Any = None, X_cov: Any = None, return_error: bool = False
    ) -> Floats | tuple[Floats, Floats]:
        """How often an ordinary object, measured with the same errors, would look at least as strange.

        Uniform between 0 and 1 for ordinary objects, whatever their errors. What is too small for a float comes out as
        0; ``score_samples`` has the logarithm.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`fit`.
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
            As for :meth:`fit`.

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
            As for :meth:`fit`.

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
        return _SCORES[self.score](self.mixture_, X, X_std, X_cov)

    def decision_function(self, X: Any, *, X_std: Any = None, X_cov: Any = None) -> Floats:
        """Score less the threshold: negative for outliers.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`fit`.

        Returns
        -------
        ndarray of shape (n,)
        """
        check_is_fitted(self, "mixture_")
        if not hasattr(self, "offset_"):
            raise SettingError(
                "this detector has no threshold yet (it was made by from_mixture, without rows); call "
                "set_threshold(p=...)"
            )
        return self.score_samples(X, X_std=X_std, X_cov=X_cov) - self.offset_

    def predict(self, X: Any, *, X_std: Any = None, X_cov: Any = None) -> Ints:
        """Whether each object is ordinary (1) or an outlier (-1).

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`fit`.

        Returns
        -------
        ndarray of shape (n,)
        """
        is_inlier = self.decision_function(X, X_std=X_std, X_cov=X_cov) >= 0.0
        return np.where(is_inlier, 1, -1)

    def fit_predict(self, X: Any, y: Any = None, *, X_std: Any = None, X_cov: Any = None) -> Ints:
        """Fit, and whether each object is ordinary (1) or an outlier (-1).

        Parameters
        ----------
        X, y, X_std, X_cov
            As for :meth:`fit`.

        Returns
        -------
        ndarray of shape (n,)
        """
        self.fit(X, X_std=X_std, X_cov=X_cov)
        return np.where(self._scores >= self.offset_, 1, -1)

    # --------------------------------------------------------------------------- candidates

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
            As for :meth:`fit`.
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
            As for :meth:`fit`.

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
            As for :meth:`fit`.
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


_SCORES: dict[str, Callable[[RobustMixture, Any, Any, Any], Floats]] = {
    "tail": _tail,
    "density": _density,
    "weight": _weight,
}
"""What ``score`` may be."""
