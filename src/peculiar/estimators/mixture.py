"""RobustMixture: the scikit-learn face of the model."""

from __future__ import annotations

import copy
from typing import Any, ClassVar, Self

import numpy as np
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.utils import metadata_routing
from sklearn.utils.metaestimators import available_if

from peculiar.arrays import Floats, Ints
from peculiar.estimators.pieces import check_for_pieces, learn
from peculiar.estimators.plain import PlainMixture
from peculiar.estimators.rows import add_up, ask, find_elsewhere, in_units_of, observe
from peculiar.fitting.select.criteria import ParameterCount
from peculiar.observations import Observations
from peculiar.population import Population, TailProbabilities
from peculiar.settings import check_count, check_likelihood, check_wild, make_rng
from peculiar.validation import check_noise, check_weights, refuse_errors_as_y, refuse_other_rows


def _component(population: Population, obs: Observations) -> Ints:
    return population.moments(obs).component


def _totals(population: Population, obs: Observations) -> Floats:
    """Log-likelihood, number of rows, and of rows that observe anything."""
    log_likelihood = population.moments(obs).log_density.sum()
    return np.array([log_likelihood, obs.n_rows, obs.n_observed])


class RobustMixture(DensityMixin, BaseEstimator, PlainMixture):  # type: ignore[misc]  # scikit-learn has no types
    r"""Mixture of Student t's for data in which every value has its own error.

    Row n is a noisy measurement :math:`x_n \sim N(w_n, S_n)` of a clean value, whose distribution is a
    mixture of t's,

    .. math:: w_n | u_n, k \sim N(\mu_k, \Sigma_k / u_n), \qquad u_n | k \sim Gamma(\nu_k / 2, \nu_k / 2).

    The noise :math:`S_n` is known, and different for every row. Without noise this is the t-mixture;
    with ``dof=inf`` it is extreme deconvolution; with both, the Gaussian mixture.

    A wild tail (``wild_fraction``) is for outliers: with probability :math:`\epsilon` the scale u of an object is
    log-uniform between 1e-4 and 0.1, so that the object may be 3 to 100 times as far away. The tails of the components
    then need not explain objects that are far from everything: see :meth:`outlier_probability`.

    Parameters
    ----------
    n_components : int, "mml", "bic" or MessageLength, default=1
        Number of components K, or how to find it. ``"mml"`` starts with many components, removes them one by one, and
        keeps the mixture with the shortest message; it is :class:`~peculiar.select.MessageLength` with its default
        settings, which charge more for a component than the paper does. ``"bic"`` fits 1 to ``max_components``
        components and keeps the mixture with the lowest BIC.
    max_components : int, default=20
        Largest number of components that ``"mml"`` and ``"bic"`` may find.
    engine : {"exact", "structured", "factorized", "monte_carlo", "map"} or Engine, default="exact"
        How the latent scale u is integrated out; see :mod:`peculiar.engines`.
    scatter : {"full", "diag", "auto"} or Scatter, default="full"
        Structure of the scatter matrices: any, or diagonal. ``"auto"`` shrinks full ones towards a diagonal, as far as
        the likelihood of rows left out of the fit asks for it, so that tables with few rows for each feature are not
        overfitted. With more than 20 rows for each parameter of the smallest scatter nothing is tried.
    dof : {"estimate", "shared"}, float or array-like of shape (K,), default="estimate"
        Degrees of freedom: estimated for each component, estimated once for all components, or fixed. ``inf`` is a
        Gaussian. If the model has a wild tail, estimated dofs are kept at 15 or above.
    wild_fraction : float or "estimate", default=0.0
        Probability of the wild tail: a known number, or estimated. 0 means no wild tail, the model of the paper. Others
        need ``engine="exact"``.
    tol : float, default=1e-6
        EM stops when the mean log-likelihood per row is estimated to gain less than this in all further iterations.
        The estimate uses the last gains and how fast they shrink: small gains alone do not stop EM.
    max_iter : int, default=1000
        Largest number of EM iterations.
    n_init : int, default=1
        Number of starts. Each is run for a few iterations, and only the best is continued. (With
        ``n_components="mml"`` every start is run to its end, and there are three or more where rows are few.)
    init : {"kmeans"}, default="kmeans"
        How to make starting parameters that are not given.
    weights_init : array-like of shape (K,), optional
        Weights to start from.
    locations_init : array-like of shape (K, d), optional
        Locations to start from.
    scatters_init : array-like of shape (K, d, d), optional
        Scatter matrices to start from.
    dofs_init : float or array-like of shape (K,), optional
        Degrees of freedom to start from, where they are estimated.
    accelerate : bool, default=True
        Whether to extrapolate from earlier steps once EM becomes slow. The log-likelihood never falls: a step that
        would lower it is replaced by the plain one.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the starts, and of an engine that draws random numbers. The same seed gives the same result.
    n_jobs : int or None, default=None
        Number of threads (-1: all cores). Results do not depend on it.
    verbose : int, default=0
        1 prints every tenth iteration, 2 every iteration. Both also print a line for each number of components tried.

    Attributes
    ----------
    n_components_ : int
        Number of components in use. With ``n_components="mml"`` and ``scatter="auto"`` it may be larger than the number
        of the shortest message in ``selection_``: the last components are then groups too small for a scatter of their
        own, which have the average one of the others, times a number.
    selection_ : structured ndarray
        With ``n_components="mml"`` or ``"bic"``: a line for each number of components met, with the fields
        ``n_components``, ``message_length``, ``log_likelihood``, ``bic`` and ``icl`` (lower is better, except for
        the log-likelihood). ``pandas.DataFrame(model.selection_)`` makes a frame of it.
    pseudo_rows_ : float
        With ``scatter="auto"``: how many rows, uncorrelated and of typical size, were added to each component; 0 where
        the data ask for none.
    shrinkage_ : structured ndarray
        The table from which this was chosen, if anything was tried: ``pseudo_rows`` and ``log_likelihood``, the mean
        of rows left out of the fit.
    weights_ : ndarray of shape (K,)
        Shares of the components.
    locations_ : ndarray of shape (K, d)
        Their centres.
    scatters_ : ndarray of shape (K, d, d)
        Their scatter matrices. Not covariances: see ``covariances_``.
    dofs_ : ndarray of shape (K,)
        Their degrees of freedom.
    wild_fraction_ : float
        Probability of the wild tail.
    lower_bound_ : float
        Mean log-likelihood per row (or the engine's lower bound of it) at the parameters found. If scatters are shrunk,
        it has their log-prior in it; :meth:`score` does not.
    lower_bounds_ : ndarray
        The same after each iteration. Rows with nothing observed are not counted.
    n_iter_ : int
        Number of iterations done.
    converged_ : bool
        Whether ``tol`` was reached.
    n_features_in_ : int
        Number of features.
    feature_names_in_ : ndarray of str
        Names of the features, if a table with names was given.
    recipe_ : Recipe
        How the command line made the features from the columns of a catalogue. Kept in the model file.
    groups_ : ndarray of shape (K,)
        Only if strange groups were looked for: the table that :class:`OutlierDetector` has under the same name.

    Examples
    --------
    >>> import numpy as np
    >>> from peculiar import RobustMixture
    >>> rng = np.random.default_rng(0)
    >>> clean = rng.normal(size=(500, 2)) + 4 * rng.integers(0, 2, size=(500, 1))
    >>> errors = rng.uniform(0.1, 1.0, size=(500, 2))
    >>> measured = clean + errors * rng.normal(size=(500, 2))
    >>> model = RobustMixture(2, random_state=0).fit(measured, X_std=errors)
    >>> np.sort(model.locations_[:, 0]).round()
    array([-0.,  4.])

    Far away, and well measured; far away, but badly measured:

    >>> new = np.array([[12.0, 12.0], [12.0, 12.0]])
    >>> model.robust_weights(new, X_std=np.array([[0.1, 0.1], [5.0, 5.0]])).round(1)
    array([0.1, 1. ])

    How many components?

    >>> model = RobustMixture("mml", random_state=0).fit(measured, X_std=errors)
    >>> model.n_components_
    2
    """

    __metadata_request__fit: ClassVar[dict[str, str]] = {"checkpoint": metadata_routing.UNUSED}

    # ------------------------------------------------------------------------------- fitting

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        X_std: Any = None,
        X_cov: Any = None,
        sample_weight: Any = None,
        checkpoint: Any = None,
    ) -> Self:
        """Estimate the parameters by expectation maximisation.

        Parameters
        ----------
        X : array-like of shape (n, d), Scan, or table of Dask
            Measured values; NaN where missing. Or a catalogue that is read in parts (:func:`peculiar.scan`), which has
            errors of its own. Or a Dask array or DataFrame, or :class:`Partitions`.
        y : ignored
        X_std : array-like of shape (n, d), optional
            One-sigma errors, in the units of ``X``; 0 where exact, inf where missing.
        X_cov : array-like of shape (n, d, d), optional
            Error covariances, if errors are correlated. Give one of the two.
        sample_weight : array-like of shape (n,), optional
            How often each row counts.
        checkpoint : path-like or Checkpoint, optional
            A file that keeps what has been found so far. If the fit is stopped, the same call goes on from it; see
            :class:`~peculiar.Checkpoint`.

        Returns
        -------
        RobustMixture
            The estimator itself.
        """
        refuse_errors_as_y(X, y)
        refuse_other_rows(X, sample_weight, "sample_weight")
        rows = find_elsewhere(X, X_std, X_cov, sample_weight=sample_weight)
        if rows is None:
            self._fit_rows(X, X_std, X_cov, sample_weight, checkpoint)
        else:
            self._fit_elsewhere(rows, checkpoint)
        return self

    @available_if(check_for_pieces)  # type: ignore[untyped-decorator]  # scikit-learn has no types
    def partial_fit(
        self,
        X: Any,
        y: Any = None,
        *,
        X_std: Any = None,
        X_cov: Any = None,
        sample_weight: Any = None,
    ) -> Self:
        """Go on with rows that come once: a piece of a table, or of a stream.

        Each call learns from its rows, some at a time, and forgets them. The first piece says where to start (from
        k-means, or from what ``locations_init`` and its siblings give) and in which units to compute, so it should look
        like the rest. A mixture that is fitted already goes on from its parameters; it does not know from how many rows
        they come, and they count as much as the first piece does. Two or three passes over a table come close to the
        result of :meth:`fit`, which is better where rows can be read again.

        Parameters
        ----------
        X : array-like of shape (n, d), or Scan
            As for :meth:`fit`; of a scan every row is read once.
        y : ignored
        X_std, X_cov, sample_weight
            As for :meth:`fit`.

        Returns
        -------
        RobustMixture
            The estimator itself. ``n_iter_`` is the number of steps so far, ``lower_bound_`` the mean log-likelihood of
            recent rows when they came, and ``converged_`` False.

        Examples
        --------
        >>> import numpy as np
        >>> from peculiar import RobustMixture
        >>> rng, model = np.random.default_rng(0), RobustMixture(2, random_state=0)
        >>> for night in range(20):
        ...     errors = rng.uniform(0.1, 0.5, size=(200, 1))
        ...     clean = rng.normal(size=(200, 1)) + 9 * rng.integers(0, 2, size=(200, 1))
        ...     model = model.partial_fit(clean + errors * rng.normal(size=(200, 1)), X_std=errors)
        >>> np.sort(model.locations_[:, 0]).round()
        array([-0.,  9.])
        """
        refuse_errors_as_y(X, y)
        refuse_other_rows(X, sample_weight, "sample_weight")
        had_noise = getattr(self, "_has_noise", False)
        rows = find_elsewhere(X, X_std, X_cov, sample_weight=sample_weight)
        pieces, has_noise = learn(self, rows, X, X_std, X_cov, sample_weight)
        self._take_over(pieces.found(check_for_pieces(self)[0]), pieces.scaling)
        self._pieces, self._has_noise = pieces, has_noise or had_noise
        self.n_iter_ = round(pieces.online.time)
        if rows is not None and rows.recipe is not None:
            self.recipe_ = rows.recipe
        return self

    def fit_predict(
        self,
        X: Any,
        y: Any = None,
        *,
        X_std: Any = None,
        X_cov: Any = None,
        sample_weight: Any = None,
    ) -> Ints:
        """Fit, and give the most probable component of each row.

        Parameters
        ----------
        X, y, X_std, X_cov, sample_weight
            As for :meth:`fit`.

        Returns
        -------
        ndarray of shape (n,)
        """
        refuse_errors_as_y(X, y)
        refuse_other_rows(X, sample_weight, "sample_weight")
        rows = find_elsewhere(X, X_std, X_cov, sample_weight=sample_weight)
        if rows is not None:
            self._fit_elsewhere(rows)
            return rows.ask(self.population_, _component)
        checked = self._fit_rows(X, X_std, X_cov, sample_weight)
        population = self.population_
        return population.moments(in_units_of(population, self, checked)).component

    # ---------------------------------------------------------------------------- parameters

    @property
    def covariances_(self) -> Floats:
        """Covariances of the clean values, (K, d, d): dof / (dof - 2) times the scatter, inf where dof <= 2."""
        self._refuse_unfitted()
        covariances = np.full_like(self.scatters_, np.inf)
        for k, dof in enumerate(self.dofs_):
            if dof > 2:
                covariances[k] = self.scatters_[k] / (1.0 - 2.0 / dof)
        return covariances

    def ordinary_part(self) -> Self:
        """The same mixture without its wild tail.

        Returns
        -------
        RobustMixture
        """
        self._refuse_unfitted()
        ordinary = copy.copy(self)
        ordinary.wild_fraction = ordinary.wild_fraction_ = 0.0
        return ordinary

    # ------------------------------------------------------------------------ asking about rows

    def score_samples(self, X: Any, *, X_std: Any = None, X_cov: Any = None) -> Floats:
        """Log-density of each row, measured with its own noise.

        Compare only rows with similar errors: a badly measured row has a low density because its errors spread it over
        a larger volume.

        Parameters
        ----------
        X : array-like of shape (n, d), Scan, or table of Dask
            Measured values; NaN where missing. Or a catalogue that is read in parts (:func:`peculiar.scan`). Or a Dask
            array or DataFrame, or :class:`Partitions`: then the answer is a Dask array, which is not computed yet.
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
        return ask(
            self, lambda population, obs: population.moments(obs).log_density, X, X_std, X_cov
        )

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
        refuse_errors_as_y(X, y)
        refuse_other_rows(X, sample_weight, "sample_weight")
        if find_elsewhere(X, X_std, X_cov, sample_weight=sample_weight) is not None:
            total, n_rows, _ = add_up(self, _totals, X, X_std, X_cov)
            return float(total / n_rows)
        population, obs = observe(self, X, X_std, X_cov)
        weights = check_weights(sample_weight, obs.n_rows)
        return float(np.average(population.moments(obs).log_density, weights=weights))

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
        return ask(
            self, lambda population, obs: population.moments(obs).memberships, X, X_std, X_cov
        )

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
        return ask(self, _component, X, X_std, X_cov)

    def robust_weights(self, X: Any, *, X_std: Any = None, X_cov: Any = None) -> Floats:
        """How much each row counts in the fit: about 1 for typical rows, near 0 for outliers.

        This is the posterior mean of u, averaged over components: the paper's e. A row with large stated errors keeps a
        weight near 1: it is uncertain, not strange.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`score_samples`.

        Returns
        -------
        ndarray of shape (n,)
        """
        return ask(
            self, lambda population, obs: population.moments(obs).robust_weight, X, X_std, X_cov
        )

    def predict_latent(
        self, X: Any, *, X_std: Any = None, X_cov: Any = None, return_cov: bool = False
    ) -> Floats | tuple[Floats, Floats]:
        """The clean value behind each row: its posterior mean and, if wanted, its covariance.

        Missing features are predicted from the observed ones.

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
            Only if ``return_cov``. Where a feature is missing and the tails are too heavy for a variance, its variance
            and covariances are inf.
        """

        def clean(population: Population, obs: Observations) -> tuple[Floats, ...]:
            moments = population.moments(obs, with_clean=True)
            return (moments.clean, moments.clean_cov) if return_cov else (moments.clean,)

        mean, *cov = ask(self, clean, X, X_std, X_cov)
        return (mean, cov[0]) if cov else mean

    def tail_probabilities(
        self, X: Any, *, X_std: Any = None, X_cov: Any = None
    ) -> TailProbabilities:
        r"""How often an ordinary object, measured with the same errors, looks at least as strange as each row.

        .. math:: p_n = P\left( \log p(x' | S_n) \le \log p(x_n | S_n) \right),

        with x' drawn from the population without its wild tail and measured with the noise of row n. It is small for
        strange rows, and uniform between 0 and 1 for ordinary rows, whatever their errors.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`score_samples`.

        Returns
        -------
        TailProbabilities
            ``log_p``, as p itself may be smaller than any number, and the relative ``error`` of p.

        Examples
        --------
        A Gaussian, two standard deviations away; the same measured with an error of 1:

        >>> import numpy as np
        >>> from peculiar import RobustMixture
        >>> model = RobustMixture.from_parameters([1.0], [[0.0]], [[[1.0]]], dofs=np.inf)
        >>> tail = model.tail_probabilities([[2.0], [2.0]], X_std=[[0.0], [1.0]])
        >>> np.exp(tail.log_p).round(3)
        array([0.046, 0.157])
        """
        return ask(self, lambda population, obs: population.tail(obs), X, X_std, X_cov)

    def outlier_probability(self, X: Any, *, X_std: Any = None, X_cov: Any = None) -> Floats:
        """Probability that each row is an outlier: no component explains it, even allowing for its errors.

        Only for a model with a wild tail (``wild_fraction`` not 0). A row with no observed value gets the probability
        of any object, ``wild_fraction_``.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`score_samples`.

        Returns
        -------
        ndarray of shape (n,)

        Examples
        --------
        Six units away, measured well and badly:

        >>> import numpy as np
        >>> from peculiar import RobustMixture
        >>> numbers = [1.0], [[0.0, 0.0]], [np.eye(2)], np.inf
        >>> model = RobustMixture.from_parameters(*numbers, wild_fraction=0.01)
        >>> far, errors = np.full((2, 2), 6.0), np.array([[0.1, 0.1], [5.0, 5.0]])
        >>> model.outlier_probability(far, X_std=errors).round(2)
        array([1., 0.])
        """
        self._refuse_unfitted()
        check_wild(self.wild_fraction_)
        return ask(self, lambda population, obs: population.moments(obs).wild, X, X_std, X_cov)

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
        log_likelihood, _, n_observed = add_up(self, _totals, X, X_std, X_cov)
        return float(self._n_parameters("bic") * np.log(n_observed) - 2.0 * log_likelihood)

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
        log_likelihood, _, _ = add_up(self, _totals, X, X_std, X_cov)
        return float(2.0 * self._n_parameters("aic") - 2.0 * log_likelihood)

    def _n_parameters(self, criterion: str) -> int:
        """Free parameters of the model, if the criterion makes sense for it."""
        model = self._choose(self.n_components_)
        check_likelihood(criterion, model)
        count = ParameterCount.of(model, int(self.locations_.shape[1]))
        return count.total(int(np.count_nonzero(self.weights_)))  # what has died has no parameters

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
        population = self.population_
        rng = make_rng(self.random_state if random_state is None else random_state)
        n_rows = check_count("n_samples", n_samples)
        wanted = np.zeros((n_rows, population.params.n_features))
        return population.sample(n_rows, rng, check_noise(self, wanted, X_std, X_cov)[1])

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
