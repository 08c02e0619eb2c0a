"""RobustMixture: the scikit-learn face of the model."""

from __future__ import annotations

import copy
import os
from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray
from sklearn.base import BaseEstimator, DensityMixin
from sklearn.utils.validation import check_is_fitted

from peculiar.arrays import Floats, Ints
from peculiar.catalogue.recipe import Recipe
from peculiar.engines.model import Model
from peculiar.errors import SettingError
from peculiar.estimators.documents import as_content, load_mixture
from peculiar.estimators.fit_warnings import fit_warnings
from peculiar.estimators.rows import in_units_of, observe
from peculiar.estimators.search import Search
from peculiar.estimators.starts import GivenStart
from peculiar.fitting.loop import FitResult
from peculiar.fitting.select.choose import Table
from peculiar.fitting.select.criteria import MessageLength, ParameterCount
from peculiar.fitting.start import robust_scaling
from peculiar.model.params import MixtureParams, from_scaled
from peculiar.observations import NoNoise, Observations, Scaling, take_rows
from peculiar.population import Population, TailProbabilities
from peculiar.population.groups import Groups
from peculiar.population.stored import save_content
from peculiar.settings import (
    check_agreement,
    check_components,
    check_count,
    check_jobs,
    check_likelihood,
    check_params,
    check_switch,
    check_tolerance,
    check_weights_of,
    check_wild,
    choose_model,
    if_several,
    make_rng,
    refuse_numbers_for_each,
)
from peculiar.validation import (
    CheckedRows,
    check_enough,
    check_noise,
    check_reach,
    check_rows,
    check_spread,
    check_weights,
)
from peculiar.warn import warn_caller


class RobustMixture(DensityMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
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
    scatter : {"full", "diag"} or Scatter, default="full"
        Structure of the scatter matrices.
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
        ``n_components="mml"`` every start is run to its end.)
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
        Number of components in use.
    selection_ : structured ndarray
        With ``n_components="mml"`` or ``"bic"``: a line for each number of components met, with the fields
        ``n_components``, ``message_length``, ``log_likelihood``, ``bic`` and ``icl`` (lower is better, except for
        the log-likelihood). ``pandas.DataFrame(model.selection_)`` makes a frame of it.
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
        Mean log-likelihood per row (or the engine's lower bound of it) at the parameters found.
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

    def __init__(
        self,
        n_components: int | str | MessageLength = 1,
        *,
        max_components: int = 20,
        engine: Any = "exact",
        scatter: Any = "full",
        dof: Any = "estimate",
        wild_fraction: float | str = 0.0,
        tol: float = 1e-6,
        max_iter: int = 1000,
        n_init: int = 1,
        init: str = "kmeans",
        weights_init: ArrayLike | None = None,
        locations_init: ArrayLike | None = None,
        scatters_init: ArrayLike | None = None,
        dofs_init: ArrayLike | None = None,
        accelerate: bool = True,
        random_state: Any = None,
        n_jobs: int | None = None,
        verbose: int = 0,
    ) -> None:
        self.n_components = n_components
        self.max_components = max_components
        self.engine = engine
        self.scatter = scatter
        self.dof = dof
        self.wild_fraction = wild_fraction
        self.tol = tol
        self.max_iter = max_iter
        self.n_init = n_init
        self.init = init
        self.weights_init = weights_init
        self.locations_init = locations_init
        self.scatters_init = scatters_init
        self.dofs_init = dofs_init
        self.accelerate = accelerate
        self.random_state = random_state
        self.n_jobs = n_jobs
        self.verbose = verbose

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
    recipe_: Recipe
    groups_: Groups
    _has_noise: bool
    _seed: int  # of engines that draw random numbers

    # ------------------------------------------------------------------------------- fitting

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        X_std: Any = None,
        X_cov: Any = None,
        sample_weight: Any = None,
    ) -> Self:
        """Estimate the parameters by expectation maximisation.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Measured values; NaN where missing.
        y : ignored
        X_std : array-like of shape (n, d), optional
            One-sigma errors, in the units of ``X``; 0 where exact, inf where missing.
        X_cov : array-like of shape (n, d, d), optional
            Error covariances, if errors are correlated. Give one of the two.
        sample_weight : array-like of shape (n,), optional
            How often each row counts.

        Returns
        -------
        RobustMixture
            The estimator itself.
        """
        self._fit_rows(X, X_std, X_cov, sample_weight)
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
        rows = self._fit_rows(X, X_std, X_cov, sample_weight)
        population = self.population_
        return population.moments(in_units_of(population, self, rows)).component

    def _fit_rows(
        self, X: Any, X_std: Any = None, X_cov: Any = None, sample_weight: Any = None
    ) -> CheckedRows:
        """Fit; the rows as they were used, for what is asked about them next."""
        model, number = self._check_settings(), check_components(self.n_components)
        if not isinstance(number, int):
            way_out = ", or give n_components as a whole number"
            check_likelihood(f"n_components={number.name!r}", model, way_out)
        rows = check_rows(self, X, X_std, X_cov, reset=True)
        obs = self._observations_to_fit(
            rows, sample_weight, number if isinstance(number, int) else 1
        )
        if isinstance(number, int):
            self.__dict__.pop("selection_", None)  # of an earlier fit
            found = self._search().fit_number(obs, model, number)
        else:
            found, self.selection_ = self._search().fit_any(obs, model, number)
        for name in ("recipe_", "groups_"):  # of an earlier table
            self.__dict__.pop(name, None)
        self._seed = found.backend.seed
        self._has_noise = not isinstance(rows.noise, NoNoise)
        self._take_over(found.result, obs.scaling)
        for message, category in fit_warnings(found.result, model, self.tol):
            warn_caller(message, category)
        return rows

    def _observations_to_fit(
        self, rows: CheckedRows, sample_weight: Any, n_components: int
    ) -> Observations:
        """The rows that say anything, in units of their spread."""
        values, noise = rows
        weights = check_weights(sample_weight, len(values))
        observed_rows = np.flatnonzero((weights > 0) & ~np.isnan(values).all(axis=1))
        if len(observed_rows) < len(values):
            values, weights = values[observed_rows], weights[observed_rows]
            noise = take_rows(noise, observed_rows)
        check_enough(self, values, noise, n_components)
        scaling = robust_scaling(values, noise)
        check_spread(self, scaling)
        check_reach(self, values, noise, scaling, observed_rows)
        return Observations.of(values, noise, scaling, weights)

    def _search(self) -> Search:
        """How parameters are looked for, from the settings."""
        return Search(
            given=GivenStart(
                self.weights_init, self.locations_init, self.scatters_init, self.dofs_init
            ),
            random_state=self.random_state,
            n_init=self.n_init,
            max_components=self.max_components,
            tol=self.tol,
            max_iter=self.max_iter,
            accelerate=self.accelerate,
            n_threads=check_jobs(self.n_jobs),
            verbose=self.verbose,
        )

    def _check_settings(self) -> Model:
        """Refuse settings that cannot be, before anything is computed; the choices they make."""
        check_count("max_components", self.max_components)
        check_count("max_iter", self.max_iter)
        check_count("n_init", self.n_init)
        check_tolerance(self.tol)
        check_switch("accelerate", self.accelerate)
        check_jobs(self.n_jobs)
        if self.init != "kmeans":
            raise SettingError(
                f"init={self.init!r} is unknown; 'kmeans' is there, or give locations_init"
            )
        number = check_components(self.n_components)
        if isinstance(number, int):
            return self._choose(number)
        refuse_numbers_for_each(
            number.name,
            weights_init=self.weights_init,
            locations_init=self.locations_init,
            scatters_init=self.scatters_init,
            dofs_init=if_several(self.dofs_init),
            dof=if_several(self.dof),
        )
        return self._choose(1)

    def _choose(self, n_components: int) -> Model:
        """Engine, scatter structure and law of u, from the settings."""
        settings = self.engine, self.scatter, self.dof, n_components, self.wild_fraction
        return choose_model(*settings)

    def _take_over(self, result: FitResult, scaling: Scaling) -> None:
        """Set the fitted attributes."""
        self._set_parameters(from_scaled(result.params, scaling))
        self.lower_bound_ = result.bound
        self.lower_bounds_ = np.array(result.bounds)
        self.n_iter_ = len(result.bounds)
        self.converged_ = result.converged

    def _set_parameters(self, params: MixtureParams) -> None:
        self.n_components_ = params.n_components
        self.weights_ = np.exp(params.log_weights)
        self.locations_ = params.locations
        self.scatters_ = 0.5 * (params.scatters + np.swapaxes(params.scatters, 1, 2))
        self.dofs_ = params.dofs
        self.wild_fraction_ = params.wild_fraction

    # ---------------------------------------------------------------------------- parameters

    @property
    def population_(self) -> Population:
        """What answers all questions about rows: parameters and model as one value that never changes."""
        check_is_fitted(self)
        with np.errstate(divide="ignore"):  # a component may have died: log 0
            log_weights = np.log(self.weights_)
        params = MixtureParams(
            log_weights,
            self.locations_,
            self.scatters_,
            self.dofs_,
            wild_fraction=self.wild_fraction_,
        )
        model = self._choose(params.n_components)
        return Population(params, model, getattr(self, "_seed", 0), check_jobs(self.n_jobs))

    @property
    def covariances_(self) -> Floats:
        """Covariances of the clean values, (K, d, d): dof / (dof - 2) times the scatter, inf where dof <= 2."""
        check_is_fitted(self)
        covariances = np.full_like(self.scatters_, np.inf)
        for k, dof in enumerate(self.dofs_):
            if dof > 2:
                covariances[k] = self.scatters_[k] / (1.0 - 2.0 / dof)
        return covariances

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
        """A model with known parameters: it scores, samples and saves without a fit.

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
        # To the last digit.
        model.weights_ = check_weights_of("weights", weights, params.n_components)
        model.n_features_in_ = params.n_features
        return model

    def ordinary_part(self) -> Self:
        """The same mixture without its wild tail.

        Returns
        -------
        RobustMixture
        """
        check_is_fitted(self)
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
        population, obs = observe(self, X, X_std, X_cov)
        return population.moments(obs).log_density

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
        population, obs = observe(self, X, X_std, X_cov)
        return population.moments(obs).memberships

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
        population, obs = observe(self, X, X_std, X_cov)
        return population.moments(obs).component

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
        population, obs = observe(self, X, X_std, X_cov)
        return population.moments(obs).robust_weight

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
        population, obs = observe(self, X, X_std, X_cov)
        moments = population.moments(obs, with_clean=True)
        return (moments.clean, moments.clean_cov) if return_cov else moments.clean

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
        population, obs = observe(self, X, X_std, X_cov)
        return population.tail(obs)

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
        check_is_fitted(self)
        check_wild(self.wild_fraction_)
        population, obs = observe(self, X, X_std, X_cov)
        return population.moments(obs).wild

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
        population, obs = observe(self, X, X_std, X_cov)
        log_likelihood = population.moments(obs).log_density.sum()
        return float(self._n_parameters("bic") * np.log(obs.n_observed) - 2.0 * log_likelihood)

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
        population, obs = observe(self, X, X_std, X_cov)
        log_likelihood = population.moments(obs).log_density.sum()
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

    # --------------------------------------------------------------------------------- files

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to one file: JSON, versioned, with a checksum; whole or not at all.

        Parameters
        ----------
        path : path-like
            Name of the file, usually ``*.peculiar``.
        """
        check_is_fitted(self)
        save_content(path, as_content(self))

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> Self:
        """Read a model written by :meth:`save`.

        Parameters
        ----------
        path : path-like

        Returns
        -------
        RobustMixture
        """
        return load_mixture(cls, path)

    def __sklearn_tags__(self) -> Any:
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        return tags
