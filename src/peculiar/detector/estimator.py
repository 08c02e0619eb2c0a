"""OutlierDetector: which objects are really strange, and how sure that is."""

from __future__ import annotations

from typing import Any, Self

import numpy as np
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from peculiar.detector.fitted import SCORES, FittedDetector
from peculiar.detector.thresholds import choose_threshold
from peculiar.errors import SettingError
from peculiar.kernels.structs import Floats, Ints
from peculiar.mixture import RobustMixture
from peculiar.settings import make_rng


class OutlierDetector(FittedDetector):
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
        if self.score not in SCORES:
            names = ", ".join(repr(name) for name in SCORES)
            raise SettingError(f"score={self.score!r} is unknown; choose one of {names}")
        choose_threshold(fdr=self.fdr)
        if self.contamination is not None:
            choose_threshold(contamination=self.contamination)

    # ----------------------------------------------------------------- on either side of a line

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
