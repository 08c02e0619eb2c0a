"""OutlierDetector: which objects are really strange, and how sure that is."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from typing import Any, ClassVar, Self

import numpy as np
from numpy.typing import NDArray
from sklearn.base import BaseEstimator, OutlierMixin
from sklearn.utils import metadata_routing
from sklearn.utils.validation import check_is_fitted

from peculiar.arrays import Floats, Ints
from peculiar.errors import SettingError
from peculiar.estimators.elsewhere import Elsewhere
from peculiar.estimators.judging import (
    fit_elsewhere_to_judge,
    fit_to_judge,
    tell_groups,
    warn_without_wild,
)
from peculiar.estimators.mixture import RobustMixture
from peculiar.estimators.mixture_of import mixture_of
from peculiar.estimators.results import Discoveries
from peculiar.estimators.rows import Answer, Question, add_up, ask, find_elsewhere, observe
from peculiar.estimators.thresholds import check_probability, check_rarity, choose_threshold
from peculiar.estimators.training import Numbers, in_one_place, numbers_of
from peculiar.observations import Observations
from peculiar.population import Explanation, Population
from peculiar.population.calibration import calibration_table, counts_up_to_levels
from peculiar.population.discoveries import by_probabilities, check_method
from peculiar.population.groups import RARITY, Groups
from peculiar.settings import check_wild
from peculiar.validation import refuse_errors_as_y

SCORES: dict[str, Callable[[Population, Observations], Floats]] = {
    "tail": lambda population, obs: population.tail(obs).log_p,
    "density": lambda population, obs: population.moments(obs).log_density,
    "weight": lambda population, obs: np.log(population.moments(obs).robust_weight),
}
"""What ``score`` may be."""


def _outlier_probability(population: Population, obs: Observations) -> Floats:
    return population.outlier_probability(obs)


def _small(population: Population, obs: Observations) -> Floats:
    return counts_up_to_levels(SCORES["tail"](population, obs))


class OutlierDetector(OutlierMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """Finds objects that are strange even allowing for their errors.

    A mixture with a wild tail is fitted to the table (:class:`RobustMixture`). A component whose objects are far from
    their company, the nearest tenth of all objects, is a *strange group*; the others are the ordinary population. The
    p-value of an object says how often an ordinary object, measured with the same errors, would look at least as
    strange.

    Parameters
    ----------
    n_components : int, {"mml", "bic"} or MessageLength, default="mml"
        Number of components, or how to find it. With "mml" and ``scatter="auto"``, groups of 12 or more rows that are
        too few for a scatter of their own are found, too.
    scatter : {"auto", "full", "diag"}, default="auto"
        Whether features may be correlated within a component. ``"auto"``: as far as rows left out of the fit bear it
        out, which matters for tables with few rows for each feature.
    wild_fraction : float or "estimate", default="estimate"
        Share of the objects that belong to no component.
    engine : str or engine, default="exact"
    n_init : int, default=1
        Number of starts.
    mixture : RobustMixture, optional
        The model to fit, with settings of its own, in the place of the five above. It is copied, not changed.
    rarity : float, default=2.5
        A component is ordinary if its z (see ``groups_``) is above minus this; inf: all components are.
    score : {"tail", "density", "weight"}, default="tail"
        What ``score_samples`` returns: the log of the p-value, the log-density, or the log of the paper's e, the
        posterior mean of u. All are high for ordinary objects.
    fdr : float, default=0.05
        Accepted false-discovery rate. The threshold of ``predict`` is the p-value at which the training rows reach it.
    contamination : float, optional
        If given, ``predict`` calls this share of the training rows outliers, and only ``discoveries`` uses ``fdr``.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the mixture, if that has none of its own.

    Attributes
    ----------
    mixture_ : RobustMixture
        The fitted model.
    groups_ : ndarray of shape (K,)
        A table with a line for each component: ``component``, ``group`` (a letter for a strange group, the largest
        first), ``is_ordinary``, ``share``, ``n_objects`` (expected number), ``z`` (how near objects of the
        component are to the nearest tenth of all objects, compared with objects of the bulk, in standard
        deviations: very negative for a group that is alone), ``p_value`` (of the centre, measured with errors
        of median size),
        ``feature_1``, ``side_1``, ``feature_2``, ``side_2`` (in what the centre differs most from ordinary objects).
    offset_ : float
        Score below which an object is an outlier: ``decision_function`` is the score less this.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Names of the features, if a table with names was given.

    Examples
    --------
    >>> import numpy as np
    >>> from peculiar import OutlierDetector
    >>> rng = np.random.default_rng(0)
    >>> errors = rng.uniform(0.1, 1.0, size=(300, 2))
    >>> measured = rng.normal(size=(300, 2)) + errors * rng.normal(size=(300, 2))
    >>> measured[:2] = [[8.0, -8.0], [8.0, -8.0]]  # twice the same ...
    >>> errors[:2] = [[0.1, 0.1], [8.0, 8.0]]  # ... but measured well, and badly
    >>> detector = OutlierDetector(1).fit(measured, X_std=errors)
    >>> detector.predict(measured, X_std=errors)[:3]
    array([-1,  1,  1])
    >>> detector.discoveries(measured, X_std=errors).mask.sum()
    np.int64(1)
    """

    def __init__(
        self,
        n_components: Any = "mml",
        *,
        scatter: Any = "auto",
        wild_fraction: float | str = "estimate",
        engine: Any = "exact",
        n_init: int = 1,
        mixture: RobustMixture | None = None,
        rarity: float = RARITY,
        score: str = "tail",
        fdr: float = 0.05,
        contamination: float | None = None,
        random_state: Any = None,
    ) -> None:
        self.n_components = n_components
        self.scatter = scatter
        self.wild_fraction = wild_fraction
        self.engine = engine
        self.n_init = n_init
        self.mixture = mixture
        self.rarity = rarity
        self.score = score
        self.fdr = fdr
        self.contamination = contamination
        self.random_state = random_state

    mixture_: RobustMixture
    groups_: Groups
    offset_: float
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    _scores: Numbers | None  # of the rows that set the threshold
    _log_p: Numbers | None

    # ------------------------------------------------------------------------------- fitting

    __metadata_request__fit: ClassVar[dict[str, str]] = {"checkpoint": metadata_routing.UNUSED}

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        X_std: Any = None,
        X_cov: Any = None,
        checkpoint: Any = None,
    ) -> Self:
        """Fit the mixture, and set the threshold.

        Parameters
        ----------
        X : array-like of shape (n, d), Scan, or table of Dask
            Measured values; NaN where missing. Or a catalogue that is read in parts (:func:`peculiar.scan`), which has
            errors of its own; a number or two for each of its rows are kept. Or a Dask array or DataFrame, or
            :class:`Partitions`: these numbers then stay with its workers.
        y : ignored
        X_std : array-like of shape (n, d), optional
            One-sigma errors, in the units of ``X``; 0 where exact, inf where missing.
        X_cov : array-like of shape (n, d, d), optional
            Error covariances, if errors are correlated. Give one of the two.
        checkpoint : path-like or Checkpoint, optional
            A file that keeps what the fit of the mixture has found so far. If it is stopped, the same call goes on from
            there; see :class:`~peculiar.Checkpoint`.

        Returns
        -------
        OutlierDetector
        """
        refuse_errors_as_y(X, y)
        self._check_settings()
        mixture = mixture_of(self)
        if self.contamination is None:
            warn_without_wild(mixture.wild_fraction)
        rarity = check_rarity(self.rarity)
        rows = find_elsewhere(X, X_std, X_cov)
        if rows is not None:
            fit_elsewhere_to_judge(mixture, rarity, rows, checkpoint)
            return self._take(mixture, rows)
        given = {"X": X, "X_std": X_std, "X_cov": X_cov}
        obs = fit_to_judge(mixture, rarity, checkpoint=checkpoint, **given)
        return self._take(mixture, obs)

    def fit_predict(self, X: Any, y: Any = None, *, X_std: Any = None, X_cov: Any = None) -> Ints:
        """Fit, and say whether each object is ordinary (1) or an outlier (-1).

        Parameters
        ----------
        X, y, X_std, X_cov
            As for :meth:`fit`.

        Returns
        -------
        ndarray of shape (n,)
        """
        self.fit(X, y, X_std=X_std, X_cov=X_cov)
        assert self._scores is not None, "rows were given"
        return np.where(self._scores.values >= self.offset_, 1, -1)

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
            Fitted. It is used as it is, with the strange groups that it knows of (``groups_``).
        X, X_std, X_cov
            Rows that set the threshold, and whose errors tell strange groups, if the mixture knows of none. Without
            rows call :meth:`set_threshold` before ``predict``, and all components are ordinary, unless the mixture
            knows better; everything else works.
        **settings
            Arguments of :class:`OutlierDetector`.

        Returns
        -------
        OutlierDetector
        """
        check_is_fitted(mixture)
        if hasattr(mixture, "groups_") and "rarity" in settings:
            raise SettingError(
                "the mixture knows its strange groups from its own fit, and rarity would change nothing; delete its "
                "groups_ to tell them anew by the rows given here"
            )
        detector = cls(mixture=mixture, **settings)
        detector._check_settings()
        if X is None:
            return detector._take(mixture, None)
        rows = find_elsewhere(X, X_std, X_cov)
        if rows is None:
            return detector._take(mixture, observe(mixture, X, X_std, X_cov)[1])
        return detector._take(mixture, rows)

    def _take(self, mixture: RobustMixture, rows: Observations | Elsewhere | None) -> Self:
        """Use this mixture from now on, and set the threshold by rows, if there are any."""
        self.mixture_ = mixture
        self.n_features_in_ = mixture.n_features_in_
        self._has_noise = getattr(mixture, "_has_noise", False)
        self._unit = getattr(mixture, "_unit", "")
        self.__dict__.pop("groups_", None)  # of an earlier fit
        if hasattr(mixture, "groups_"):
            self.groups_ = mixture.groups_
        elif rows is not None:
            self.groups_ = tell_groups(mixture, rows, check_rarity(self.rarity))
        self.__dict__.pop("feature_names_in_", None)  # of an earlier fit, like the offset
        if hasattr(mixture, "feature_names_in_"):
            self.feature_names_in_ = mixture.feature_names_in_
        self.__dict__.pop("offset_", None)
        self._scores = self._log_p = None
        if rows is not None:
            self._log_p = self._scores = self._score(rows, "tail")
            if self.score != "tail":
                self._scores = self._score(rows, self.score)
            self._set_offset()
        return self

    def _score(self, rows: Observations | Elsewhere, score: str) -> Numbers:
        """That of rows which were checked, or are elsewhere."""
        if isinstance(rows, Observations):
            return numbers_of(SCORES[score](self.population_, rows))
        return numbers_of(rows.ask(self.population_, SCORES[score]))

    def _set_offset(self) -> None:
        if self.contamination is None:
            self.set_threshold(fdr=self.fdr)
        else:
            self.set_threshold(contamination=self.contamination)

    def set_threshold(self, *, fdr: Any = None, contamination: Any = None, p: Any = None) -> Self:
        """Move the threshold of ``predict``, without a new fit.

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
        if threshold.needs_rows and self._scores is None:
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
        check_rarity(self.rarity)
        choose_threshold(fdr=self.fdr)
        if self.contamination is not None:
            choose_threshold(contamination=self.contamination)

    # ------------------------------------------------------------------------ asking about rows

    @property
    def population_(self) -> Population:
        """What answers all questions about rows: that of the mixture, and which of its components are ordinary."""
        check_is_fitted(self, "mixture_")
        is_ordinary = self.groups_["is_ordinary"] if hasattr(self, "groups_") else None
        return self.mixture_.population_.with_ordinary(is_ordinary)

    def _ask(self, question: Question[Answer], X: Any, X_std: Any, X_cov: Any) -> Answer:
        """What the population says about each of some rows."""
        check_is_fitted(self, "mixture_")
        return ask(self, question, X, X_std, X_cov)

    def p_values(
        self, X: Any, *, X_std: Any = None, X_cov: Any = None, return_error: bool = False
    ) -> Floats | tuple[Floats, Floats]:
        """How often an ordinary object, measured with the same errors, would look at least as strange.

        P-values of ordinary objects are uniform between 0 and 1, whatever their errors. A p-value too small for a float
        is returned as 0; ``score_samples`` has its logarithm.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`fit`.
        return_error : bool, default=False
            Whether to return the errors of the p-values too.

        Returns
        -------
        p : ndarray of shape (n,)
            1 for a row with no observed value.
        error : ndarray of shape (n,)
            Only if ``return_error``: numerical error of p, one sigma. It is estimated from the scatter between sets of
            rays, plus the mass that all of them may have missed. 0 where there is a closed form.
        """
        tail = self._ask(lambda population, obs: population.tail(obs), X, X_std, X_cov)
        p: Floats = np.exp(tail.log_p)
        return (p, p * tail.error) if return_error else p

    def outlier_probability(self, X: Any, *, X_std: Any = None, X_cov: Any = None) -> Floats:
        """Probability that each object is an outlier: no ordinary component explains it, even allowing for its errors.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`fit`.

        Returns
        -------
        ndarray of shape (n,)
        """
        check_is_fitted(self, "mixture_")
        check_wild(self.mixture_.wild_fraction_)
        return self._ask(_outlier_probability, X, X_std, X_cov)

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
        return self._ask(SCORES[self.score], X, X_std, X_cov)

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

    def discoveries(
        self,
        X: Any,
        *,
        X_std: Any = None,
        X_cov: Any = None,
        fdr: float | None = None,
        method: str = "bh",
    ) -> Discoveries:
        """The objects of a table that are believed to be outliers, with a bounded false-discovery rate.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`fit`.
        fdr : float, optional
            Accepted false-discovery rate: the share of ordinary objects among the discoveries. None takes that of the
            detector.
        method : {"bh", "storey", "bayes"}, default="bh"
            Benjamini and Hochberg's rule on the p-values; Storey's, which estimates how many objects are ordinary and
            finds a few more; or the outlier probabilities, for which the mixture needs a wild tail.

        Returns
        -------
        Discoveries
            ``mask``, ``threshold``, ``q_values`` and ``method``.
        """
        check_is_fitted(self, "mixture_")
        rate = check_probability("fdr", self.fdr if fdr is None else fdr)
        if check_method(method) == "bayes":
            check_wild(self.mixture_.wild_fraction_)
            probability = self._ask(_outlier_probability, X, X_std, X_cov)
            return Discoveries(*by_probabilities(in_one_place(probability), rate))
        log_p = numbers_of(self._ask(SCORES["tail"], X, X_std, X_cov))
        return Discoveries(*log_p.discoveries(rate, method))

    def calibration(self, X: Any, *, X_std: Any = None, X_cov: Any = None) -> NDArray[np.void]:
        """How many p-values are small, and how many would be if every object were ordinary.

        A few more than expected at the smallest levels are outliers. Many more at 0.1 and 0.01 are a sign that errors
        are underestimated, or that the ordinary objects have heavier tails than the model.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`fit`.

        Returns
        -------
        ndarray
            A line for each level 0.1, 0.01, 1e-3 and 1e-4: ``p``, ``expected`` and ``seen``.
        """
        check_is_fitted(self, "mixture_")
        return calibration_table(add_up(self, _small, X, X_std, X_cov))

    def explain(self, X: Any, *, X_std: Any = None, X_cov: Any = None) -> Explanation:
        """Which feature makes each object strange: the surprise of each one, given the others.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`fit`.

        Returns
        -------
        Explanation
            ``surprise`` and ``sign``, (n, d), and ``main_feature``, (n,).
        """
        return self._ask(lambda population, obs: population.explain(obs), X, X_std, X_cov)

    def error_tolerance(
        self, X: Any, *, X_std: Any = None, X_cov: Any = None, p: float | None = None
    ) -> Floats:
        """The factor by which an object's errors must have been underestimated for it to be no discovery.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`fit`.
        p : float, optional
            P-value to reach: 0.5 is the middle of the ordinary population, 0.05 its edge. None takes the p-value up to
            which objects are discoveries at the rate ``fdr`` of the detector, among the rows it was fitted to; among
            the rows given here, if it was made without any (:meth:`from_mixture`).

        Returns
        -------
        ndarray of shape (n,)
            1 where the p-value is reached already, as it is for all objects that are no discoveries; inf where even
            errors 10,000 times larger do not reach it, for instance where the values have no errors.
        """
        if p is not None:
            check_probability("p", p)
        known = self._log_p
        if p is None and known is None and find_elsewhere(X, X_std, X_cov) is not None:
            known = numbers_of(self._ask(SCORES["tail"], X, X_std, X_cov))
        fdr = self.fdr
        line = known.found(fdr).line if p is None and known is not None else p

        def tolerance(population: Population, obs: Observations) -> Floats:
            log_p = population.tail(obs).log_p
            most = numbers_of(log_p).found(fdr).line if line is None else line
            return population.tolerance(obs, most, log_p)

        return self._ask(tolerance, X, X_std, X_cov)

    def report(
        self,
        X: Any,
        *,
        X_std: Any = None,
        X_cov: Any = None,
        names: Any = None,
        top: int | None = None,
        title: str = "objects",
    ) -> Any:
        """The page about the objects of a table: a notebook shows it in a frame, ``save(path)`` writes it to a file.

        It is the page of ``peculiar report``, and needs Bokeh (``pip install '.[explore]'``).

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`fit`.
        names : sequence, optional
            Of the objects.
        top : int, optional
            How many objects are listed one by one.
        title : str, default="objects"

        Returns
        -------
        Report
        """
        check_is_fitted(self, "mixture_")
        # By its name: the page stands above the estimators and imports them.
        frame = import_module("peculiar.explore.frame")
        return frame.report_of(self, X, X_std, X_cov, names=names, top=top, title=title)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
