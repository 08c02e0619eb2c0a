"""A mixture without scikit-learn."""

from __future__ import annotations

import inspect
import os
from collections.abc import Sequence
from numbers import Integral
from typing import Any, Self

import numpy as np
from numpy.typing import ArrayLike, NDArray

from peculiar.arrays import Floats
from peculiar.backends import Backend, MemoryBackend
from peculiar.backends.sample import MAX_ROWS
from peculiar.catalogue.recipe import Recipe
from peculiar.engines.model import Model
from peculiar.errors import SettingError
from peculiar.estimators.checkpoints.keeping import keeping
from peculiar.estimators.documents import as_content, load_mixture
from peculiar.estimators.elsewhere import Elsewhere, prepare, refuse_random
from peculiar.estimators.fit_warnings import fit_warnings
from peculiar.estimators.rows import rows_to_fit
from peculiar.estimators.search import Found, Search
from peculiar.estimators.starts import GivenStart
from peculiar.fitting.journal import Journal
from peculiar.fitting.select.choose import Table
from peculiar.fitting.select.criteria import Criterion, MessageLength
from peculiar.fitting.shrink import Tried
from peculiar.model.params import MixtureParams, from_scaled
from peculiar.model.scatter import AutoScatter
from peculiar.observations import NoNoise, Scaling
from peculiar.population import Population
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
    choose_model,
    if_several,
    refuse_numbers_for_each,
)
from peculiar.validation import (
    CheckedRows,
    check_rows,
)
from peculiar.warn import warn_caller


class PlainMixture:
    """What :class:`~peculiar.RobustMixture` is below its scikit-learn face: settings, a fit, and what it leaves.

    The command line uses it as it is: scikit-learn takes longer to load than a catalogue of a few hundred objects to be
    read, fitted and ranked. The settings and the fitted attributes are those of :class:`~peculiar.RobustMixture`.
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
    pseudo_rows_: float
    shrinkage_: Tried
    n_features_in_: int
    feature_names_in_: NDArray[Any]
    recipe_: Recipe
    _names: tuple[str, ...] | None
    groups_: Groups
    _has_noise: bool
    _seed: int  # of engines that draw random numbers

    def _fit_rows(
        self,
        X: Any,
        X_std: Any = None,
        X_cov: Any = None,
        sample_weight: Any = None,
        checkpoint: Any = None,
    ) -> CheckedRows:
        """Fit; the rows as they were used, for what is asked about them next."""
        model, number = self._check_to_fit()
        rows = check_rows(self, X, X_std, X_cov, reset=True)
        least = number if isinstance(number, int) else 1
        obs = rows_to_fit(self, rows, sample_weight, least)
        self._has_noise = not isinstance(rows.noise, NoNoise)
        names, backend = (
            self.__dict__.get("feature_names_in_"),
            MemoryBackend(obs, check_jobs(self.n_jobs)),
        )
        self._fit_backend(backend, model, number, names, checkpoint)
        return rows

    def _fit_elsewhere(self, rows: Elsewhere, checkpoint: Any = None) -> CheckedRows:
        """Fit to rows that stay where they are, unless they are few; the rows that stand for all."""
        model, number = self._check_to_fit()
        refuse_random(model.engine)
        least, n_threads = number if isinstance(number, int) else 1, check_jobs(self.n_jobs)
        self._be_about(rows)
        backend: Backend
        if rows.n_rows <= MAX_ROWS:
            obs = rows_to_fit(self, rows.whole(), None, least)
            backend = MemoryBackend(obs, n_threads)
        else:
            backend = prepare(rows, self, least, n_threads)
        self._has_noise = rows.is_noisy
        self._fit_backend(backend, model, number, rows.names, checkpoint)
        if rows.recipe is not None:
            self.recipe_ = rows.recipe
        return CheckedRows(backend.sample.values, backend.sample.noise)

    def _be_about(self, rows: Elsewhere) -> None:
        """Take over number and names of the features."""
        self.__dict__.pop("feature_names_in_", None)  # of an earlier fit
        self.n_features_in_ = rows.n_features
        if rows.names is not None and rows.recipe is None:
            self.feature_names_in_ = np.array(rows.names, dtype=object)

    def _check_to_fit(self) -> tuple[Model, int | Criterion]:
        """The choices that the settings make, if they go together."""
        model, number = self._check_settings(), check_components(self.n_components)
        if not isinstance(number, int):
            way_out = ", or give n_components as a whole number"
            check_likelihood(f"n_components={number.name!r}", model, way_out)
        if isinstance(model.scatter, AutoScatter):
            check_likelihood("scatter='auto'", model, ", or scatter='full'")
        return model, number

    def _fit_backend(
        self,
        backend: Backend,
        model: Model,
        number: int | Criterion,
        names: Sequence[str] | None,
        checkpoint: Any,
    ) -> None:
        """Fit to rows, wherever they are."""
        chosen = {"n_components": number, "engine": model.engine, "scatter": model.scatter}
        settings = self.get_params(deep=False) | chosen
        with keeping(checkpoint, settings, names, backend) as journal:
            found = self._search(journal).fit(backend, model, number)
        self._take_over(found, backend.sample.scaling)
        for message, category in fit_warnings(found.result, model, self.tol):
            warn_caller(message, category)

    def _search(self, journal: Journal) -> Search:
        """How parameters are looked for, from the settings."""
        return Search(
            given=GivenStart(
                self.weights_init, self.locations_init, self.scatters_init, self.dofs_init
            ),
            random_state=journal.seed(self.random_state),
            n_init=self.n_init,
            max_components=self.max_components,
            tol=self.tol,
            max_iter=self.max_iter,
            accelerate=self.accelerate,
            verbose=self.verbose,
            journal=journal,
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

    def _take_over(self, found: Found, scaling: Scaling) -> None:
        """Set the fitted attributes."""
        of_before = "selection_", "shrinkage_", "recipe_", "groups_", "_pieces"
        for name in of_before:
            self.__dict__.pop(name, None)
        if found.selection is not None:
            self.selection_ = found.selection
        if found.shrinkage is not None:
            self.shrinkage_ = found.shrinkage
        result = found.result
        self._set_parameters(from_scaled(result.params, scaling))
        self._seed, self.pseudo_rows_ = found.seed, found.pseudo_rows
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

    @property
    def population_(self) -> Population:
        """What answers all questions about rows: parameters and model as one value that never changes."""
        self._refuse_unfitted()
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

    def _refuse_unfitted(self) -> None:
        if not hasattr(self, "weights_"):
            from sklearn.exceptions import NotFittedError

            raise NotFittedError(
                f"This {type(self).__name__} instance is not fitted yet. Call 'fit' with appropriate arguments before "
                "using this estimator."
            )

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

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """The settings by name, as scikit-learn's estimators give them.

        Parameters
        ----------
        deep : bool, default=True
            Makes no difference.

        Returns
        -------
        dict
        """
        names = sorted(inspect.signature(type(self)).parameters)
        return {name: getattr(self, name) for name in names}

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the model to one file: JSON, versioned, with a checksum; whole or not at all.

        Parameters
        ----------
        path : path-like
            Name of the file, usually ``*.peculiar``.
        """
        self._refuse_unfitted()
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
