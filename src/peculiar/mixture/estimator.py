"""RobustMixture: the scikit-learn face of the model."""

from __future__ import annotations

import warnings
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike
from sklearn.exceptions import ConvergenceWarning

from peculiar.backends import MemoryBackend
from peculiar.errors import SettingError
from peculiar.fit import FitResult, Model, choose_start, fit
from peculiar.fit import Progress as IterationProgress
from peculiar.initialise import most_components, robust_scaling
from peculiar.kernels.structs import Ints
from peculiar.mixture.concerns import concerns
from peculiar.mixture.progress import IterationPrinter, LevelPrinter, sweep_progress
from peculiar.mixture.starts import GivenStart
from peculiar.mixture.stored import StoredMixture
from peculiar.model.params import MixtureParams, from_scaled
from peculiar.observations import NoNoise, Observations, Scaling, take_rows
from peculiar.select.choose import Candidate, Table, by_bic, by_message_length
from peculiar.select.criteria import Bic, Criterion, MessageLength
from peculiar.select.descend import LEAST_START
from peculiar.settings import (
    check_components,
    check_count,
    check_jobs,
    check_likelihood,
    check_switch,
    check_tolerance,
    if_several,
    make_rng,
    refuse_numbers_for_each,
)
from peculiar.validation import (
    check_enough,
    check_noise,
    check_reach,
    check_spread,
    check_values,
    check_weights,
)


class RobustMixture(StoredMixture):
    r"""Mixture of Student t's for data in which every value has its own error.

    Row n is a noisy measurement :math:`x_n \sim N(w_n, S_n)` of a clean value, whose distribution is a
    mixture of t's,

    .. math:: w_n | u_n, k \sim N(\mu_k, \Sigma_k / u_n), \qquad u_n | k \sim Gamma(\nu_k / 2, \nu_k / 2).

    The noise :math:`S_n` is known, and different for every row. Without noise this is the t-mixture;
    with ``dof=inf`` it is extreme deconvolution; with both, the Gaussian mixture.

    With a wild tail (``wild_fraction``) u is like that with probability :math:`1 - \epsilon` only, and else
    log-uniform between 1e-4 and 0.1, so that the object may be 3 to 100 times as far away. What is far from everything
    then does not have to be explained by the tails of the components: see :meth:`outlier_probability`.

    Parameters
    ----------
    n_components : int, "mml", "bic" or MessageLength, default=1
        Number of components K, or how to find it: by message length, on the way down from many components, or
        by fits of 1 to ``max_components`` and the lowest BIC. ``"mml"`` is :class:`~peculiar.select.MessageLength` with
        its default settings, which charge more for a component than the paper does.
    max_components : int, default=20
        Largest number of components that ``"mml"`` and ``"bic"`` may find.
    engine : {"exact", "structured", "factorized", "monte_carlo", "map"} or Engine, default="exact"
        How the latent scale u is dealt with; see :mod:`peculiar.engines`.
    scatter : {"full", "diag"} or Scatter, default="full"
        Structure of the scatter matrices.
    dof : {"estimate", "shared"}, float or array-like of shape (K,), default="estimate"
        Degrees of freedom: estimated for each component, one estimated for all, or fixed. ``inf`` is a Gaussian.
    wild_fraction : float or "estimate", default=0.0
        Probability of the wild tail, if there is one: known, or estimated. For ``engine="exact"`` only. 0 is the model
        of the paper.
    tol : float, default=1e-6
        EM stops when what is still to be gained in mean log-likelihood per row is estimated to be less than this.
        The estimate is made from the last gains and from how fast they shrink: small gains alone do not stop it.
    max_iter : int, default=1000
        Largest number of EM iterations.
    n_init : int, default=1
        Number of starts; each runs briefly, the best goes on. (With ``n_components="mml"`` each goes all the way.)
    init : {"kmeans"}, default="kmeans"
        How starts are made, where they are not given.
    weights_init : array-like of shape (K,), optional
        Weights to start from.
    locations_init : array-like of shape (K, d), optional
        Locations to start from.
    scatters_init : array-like of shape (K, d, d), optional
        Scatter matrices to start from.
    dofs_init : float or array-like of shape (K,), optional
        Degrees of freedom to start from, where they are estimated.
    accelerate : bool, default=True
        Whether steps are extrapolated from earlier ones once EM becomes slow. The log-likelihood never falls: where
        it would, the plain step is made.
    random_state : int, Generator, RandomState or None, default=None
        Seed of the starts, and of an engine that draws random numbers. The same seed gives the same result.
    n_jobs : int or None, default=None
        Number of threads (-1: all cores). Results do not depend on it.
    verbose : int, default=0
        1 prints every tenth iteration, 2 all of them; both, a line for each number of components tried.

    Attributes
    ----------
    n_components_ : int
        Number of components in use.
    selection_ : structured ndarray
        With ``n_components="mml"`` or ``"bic"``: a line for each number of components met, with the fields
        ``n_components``, ``message_length``, ``log_likelihood``, ``bic`` and ``icl`` (lower is better but for
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
        Mean log-likelihood per row (or bound of it) at the parameters found.
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
        How the features were made of a catalogue, if the command line did that. Kept in the model file.

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
            Itself.
        """
        model, number = self._check_settings(), check_components(self.n_components)
        if not isinstance(number, int):
            way_out = ", or give n_components as a whole number"
            check_likelihood(f"n_components={number.name!r}", model, way_out)
        values = check_values(self, X, reset=True)
        values, noise = check_noise(self, values, X_std, X_cov)
        weights = check_weights(sample_weight, len(values))
        telling = np.flatnonzero((weights > 0) & ~np.isnan(values).all(axis=1))
        if len(telling) < len(values):
            values, noise, weights = values[telling], take_rows(noise, telling), weights[telling]
        check_enough(self, values, noise, number if isinstance(number, int) else 1)
        scaling = robust_scaling(values, noise)
        check_spread(self, scaling)
        check_reach(self, values, noise, scaling, telling)
        del telling  # as long as a column of the table, and not needed any more

        obs = Observations.of(values, noise, scaling, weights)
        if isinstance(number, int):
            self.__dict__.pop("selection_", None)  # of an earlier fit
            found = self._fit_number(obs, model, number, IterationPrinter.of(self.verbose))
        else:
            with warnings.catch_warnings():  # k-means, when a number of components is too large
                warnings.simplefilter("ignore", ConvergenceWarning)
                found, self.selection_ = self._select(obs, model, number)
        self.__dict__.pop("recipe_", None)  # of an earlier table
        self._seed = found.backend.seed
        self._take_over(found.result, scaling)
        self._has_noise = not isinstance(noise, NoNoise)
        for message, category in concerns(found.result, model, self.tol):
            warnings.warn(message, category, stacklevel=2)
        return self

    def _fit_number(
        self, obs: Observations, model: Model, n_components: int, progress: IterationProgress | None
    ) -> Candidate:
        """A mixture of so many components."""
        rng = make_rng(self.random_state)
        given = self._given()
        starts = [given.start(obs, model, n_components, rng) for _ in range(self.n_init)]
        backend = self._backend(obs, rng)
        return self._climb(backend, model, choose_start(backend, model, starts), progress)

    def _select(
        self, obs: Observations, model: Model, criterion: Criterion
    ) -> tuple[Candidate, Table]:
        """The best mixture of any number of components, and what each number costs."""
        most = most_components(obs, self.max_components)
        progress = LevelPrinter.of(self.verbose, criterion.column)
        if isinstance(criterion, Bic):
            heard = IterationPrinter.of(0)  # whoever listens; in print it would be too much
            candidates = (self._fit_number(obs, model, k + 1, heard) for k in range(most))
            found, table = by_bic(candidates, model, progress)
        else:
            rng = make_rng(self.random_state)
            n_start = most_components(obs, max(LEAST_START, most)) if most > 1 else 1
            starts = [self._given().broad(obs, model, n_start, rng) for _ in range(self.n_init)]
            backend = self._backend(obs, rng)
            params, table = by_message_length(
                backend, model, starts, most, criterion, progress, sweep_progress()
            )
            found = self._climb(backend, model, params, IterationPrinter.of(self.verbose))
        return found._replace(result=found.result.without_dead()), table

    def _given(self) -> GivenStart:
        return GivenStart(
            self.weights_init, self.locations_init, self.scatters_init, self.dofs_init
        )

    def _backend(self, obs: Observations, rng: np.random.Generator) -> MemoryBackend:
        return MemoryBackend(obs, check_jobs(self.n_jobs), seed=int(rng.integers(2**31)))

    def _climb(
        self,
        backend: MemoryBackend,
        model: Model,
        start: MixtureParams,
        progress: IterationProgress | None,
    ) -> Candidate:
        """EM from one start, as the settings want it."""
        result = fit(
            backend,
            model,
            start,
            tol=self.tol,
            max_iter=self.max_iter,
            accelerate=self.accelerate,
            progress=progress,
        )
        return Candidate(result, backend)

    def _check_settings(self) -> Model:
        check_count("max_components", self.max_components)
        check_count("max_iter", self.max_iter)
        check_count("n_init", self.n_init)
        check_tolerance(self.tol)
        check_switch("accelerate", self.accelerate)
        if self.init != "kmeans":
            raise SettingError(
                f"init={self.init!r} is unknown; 'kmeans' is there, or give locations_init"
            )
        number = check_components(self.n_components)
        if not isinstance(number, int):
            refuse_numbers_for_each(
                number.name,
                weights_init=self.weights_init,
                locations_init=self.locations_init,
                scatters_init=self.scatters_init,
                dofs_init=if_several(self.dofs_init),
            )
        return super()._check_settings()

    def _take_over(self, result: FitResult, scaling: Scaling) -> None:
        """Set the fitted attributes."""
        self._set_parameters(from_scaled(result.params, scaling))
        self.lower_bound_ = result.bound
        self.lower_bounds_ = np.array(result.bounds)
        self.n_iter_ = len(result.bounds)
        self.converged_ = result.converged

    def fit_predict(
        self,
        X: Any,
        y: Any = None,
        *,
        X_std: Any = None,
        X_cov: Any = None,
        sample_weight: Any = None,
    ) -> Ints:
        """Fit, and the most probable component of each row.

        Parameters
        ----------
        X, y, X_std, X_cov, sample_weight
            As for :meth:`fit`.

        Returns
        -------
        ndarray of shape (n,)
        """
        self.fit(X, X_std=X_std, X_cov=X_cov, sample_weight=sample_weight)
        return self.predict(X, X_std=X_std, X_cov=X_cov)
