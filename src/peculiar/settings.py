"""From the arguments of an estimator to one choice on each axis, with clear errors."""

from __future__ import annotations

import math
from collections.abc import Mapping
from numbers import Integral, Real
from typing import Any, TypeVar

import numpy as np
from joblib import effective_n_jobs
from numpy.typing import ArrayLike

from peculiar.arrays import Floats
from peculiar.engines import ENGINES
from peculiar.engines.model import Model
from peculiar.errors import SettingError
from peculiar.fitting.select.criteria import CRITERIA, Bic, Criterion, MessageLength
from peculiar.model.params import MixtureParams
from peculiar.model.prior import EstimatedDofs, FixedDofs, ScalePrior, SharedDof, WithWild
from peculiar.model.scatter import SCATTERS

Choice = TypeVar("Choice")

DOFS = (1e-10, 1e15)
"""Finite dofs with which a density can be computed; above, a t is a Gaussian to the last digit."""

ESTIMATE = EstimatedDofs.name
"""How to ask for a parameter of the law of u to be estimated."""

VARIANCES = (1e-300, 1e300)
"""Variances of given scatters."""


def choose_model(
    engine: Any, scatter: Any, dof: Any, n_components: int, wild_fraction: Any = 0.0
) -> Model:
    """The engine, scatter structure and law of u that were asked for, by name or as objects."""
    model = Model(
        engine=_by_name("engine", engine, ENGINES, "summarise"),
        scatter=_by_name("scatter", scatter, SCATTERS, "nearest"),
        prior=choose_prior(dof, n_components, wild_fraction),
    )
    if model.prior.has_wild and not getattr(model.engine, "takes_wild", False):
        able = " or ".join(f"engine={name!r}" for name, one in ENGINES.items() if one.takes_wild)
        raise SettingError(
            f"engine={model.engine.name!r} cannot integrate over a wild tail (wild_fraction={wild_fraction!r}); "
            f"choose {able}, or wild_fraction=0.0"
        )
    return model


def _by_name(what: str, given: Any, known: Mapping[str, Choice], verb: str) -> Choice:
    """An alternative by its name, or itself if it answers the verb."""
    if isinstance(given, str):
        if given in known:
            return known[given]
        names = ", ".join(repr(name) for name in known)
        raise SettingError(f"{what}={given!r} is unknown; choose one of {names}")
    if hasattr(given, verb) and not isinstance(given, type):
        chosen: Choice = given
        return chosen
    raise SettingError(f"{what} must be a name or an object with a method {verb!r}, not {given!r}")


def choose_prior(dof: Any, n_components: int, wild_fraction: Any = 0.0) -> ScalePrior:
    """The law of u: how the degrees of freedom are set, and whether there is a wild tail."""
    ordinary = _choose_ordinary(dof, n_components)
    fraction = check_fraction(wild_fraction)
    if fraction == ESTIMATE:
        return WithWild(ordinary)
    return WithWild(ordinary, float(fraction), is_estimated=False) if fraction else ordinary


def check_fraction(given: Any) -> float | str:
    """A probability below 1, or the word 'estimate'."""
    if isinstance(given, str) and given == ESTIMATE:
        return given
    is_number = isinstance(given, Real) and not isinstance(given, bool)
    if not is_number or not 0.0 <= float(given) < 1.0:
        raise SettingError(
            f"wild_fraction must be {ESTIMATE!r} or a number from 0 to 1 (1 itself is not allowed: no object would be "
            f"ordinary), not {given!r}"
        )
    return float(given)


def check_wild(fraction: float) -> None:
    """SettingError if the model has no wild tail, and so no outlier probabilities."""
    if not fraction:
        raise SettingError(
            "this model has no wild tail (wild_fraction=0.0), so there are no outlier probabilities; "
            "fit with wild_fraction='estimate'"
        )


def _choose_ordinary(dof: Any, n_components: int) -> ScalePrior:
    """How the degrees of freedom are set."""
    if isinstance(dof, str):
        if dof == EstimatedDofs.name:
            return EstimatedDofs()
        if dof == SharedDof.name:
            return SharedDof()
        raise SettingError(f"dof={dof!r} is unknown; give 'estimate', 'shared' or numbers")
    dofs = as_floats("dof", dof)
    if dofs.ndim > 1 or dofs.size not in (1, n_components):
        raise SettingError(
            f"dof has shape {dofs.shape}; give one number, or one for each of {n_components} components"
        )
    return FixedDofs(tuple(_check_range("dof", dofs).reshape(-1).tolist()))


def check_components(value: Any) -> int | Criterion:
    """A number of components, or a way to choose it."""
    if isinstance(value, MessageLength | Bic):
        return value
    if not isinstance(value, str):
        return check_count("n_components", value)
    if value not in CRITERIA:
        names = " or ".join(repr(name) for name in CRITERIA)
        raise SettingError(f"n_components={value!r} is unknown; give a whole number, {names}")
    return CRITERIA[value]


def refuse_numbers_for_each(n_components: str, **settings: Any) -> None:
    """SettingError for a setting with one number per component, if the number of components is not known yet."""
    for name, given in settings.items():
        if given is not None:
            raise SettingError(
                f"{name} needs a known number of components, but n_components={n_components!r} has to find it; "
                f"leave {name} out, or give n_components as a whole number"
            )


def if_several(given: Any) -> Any:
    """The same, or None if it is one number (or a word), which can be for any number of components."""
    return given if given is not None and np.size(given) > 1 else None


def check_likelihood(what: str, model: Model, way_out: str = "") -> None:
    """SettingError if the objective of the engine is not a likelihood, so that mixtures cannot be compared by it."""
    if model.engine.objective == "joint":
        raise SettingError(
            f"{what} compares likelihoods, but the objective of engine={model.engine.name!r} is not one; choose "
            f"engine='exact'{way_out}"
        )


def check_count(name: str, value: Any) -> int:
    """A whole number, 1 or more."""
    if isinstance(value, bool) or not isinstance(value, Integral) or value < 1:
        raise SettingError(f"{name} must be a whole number, 1 or more, not {value!r}")
    return int(value)


def check_tolerance(value: Any) -> float:
    """A number, 0 or more."""
    if isinstance(value, bool) or not isinstance(value, Real) or not 0 <= float(value) < math.inf:
        raise SettingError(f"tol must be a number, 0 or more, not {value!r}")
    return float(value)


def check_switch(name: str, value: Any) -> bool:
    """True or False."""
    if not isinstance(value, bool | np.bool_):
        raise SettingError(f"{name} must be True or False, not {value!r}")
    return bool(value)


def make_rng(random_state: Any) -> np.random.Generator:
    """A generator from whatever scikit-learn users give as random state."""
    if isinstance(random_state, np.random.Generator):
        return random_state
    if isinstance(random_state, np.random.RandomState):
        return np.random.default_rng(random_state.randint(2**31))
    if random_state is None:
        return np.random.default_rng()
    if isinstance(random_state, Integral) and int(random_state) >= 0:
        return np.random.default_rng(int(random_state))
    raise SettingError(
        "random_state must be None, a whole number (0 or more), a Generator or a RandomState, "
        f"not {random_state!r}"
    )


def check_jobs(n_jobs: Any) -> int:
    """Number of threads that ``n_jobs`` means."""
    whole = isinstance(n_jobs, Integral) and not isinstance(n_jobs, bool)
    if n_jobs is not None and not (whole and n_jobs != 0):
        raise SettingError(f"n_jobs must be None or a whole number (-1: all cores), not {n_jobs!r}")
    threads: int = effective_n_jobs(n_jobs)
    return threads


def check_params(
    weights: ArrayLike,
    locations: ArrayLike,
    scatters: ArrayLike,
    dofs: ArrayLike,
    wild_fraction: float = 0.0,
) -> MixtureParams:
    """Parameters given by a user or read from a file, complete and consistent."""
    centres = check_locations("locations", locations)
    n_components, n_features = centres.shape
    with np.errstate(divide="ignore"):  # a component may have died: log 0
        log_weights = np.log(check_weights_of("weights", weights, n_components))
    return MixtureParams(
        log_weights,
        centres,
        check_scatters("scatters", scatters, n_components, n_features),
        check_dofs("dofs", dofs, n_components),
        wild_fraction=_check_number_of_wild(wild_fraction),
    )


def _check_number_of_wild(given: Any) -> float:
    fraction = check_fraction(given)
    if isinstance(fraction, str):
        raise SettingError(f"wild_fraction must be a number among known parameters, not {given!r}")
    return fraction


def check_agreement(model: Model, params: MixtureParams) -> None:
    """SettingError if the chosen model cannot have these parameters."""
    n_components = params.n_components
    if model.prior.n_dofs(n_components) == 0:
        fixed = model.prior.start(n_components).dofs
        if not np.array_equal(fixed, params.dofs):
            raise SettingError(
                f"the setting dof fixes {fixed.tolist()}, but the dofs are {params.dofs.tolist()}; "
                "leave the setting out"
            )
    if model.prior.n_dofs(n_components) == 1 and len(np.unique(params.dofs)) > 1:
        raise SettingError(f"dof='shared', but the dofs differ: {params.dofs.tolist()}")
    size = np.sqrt(np.diagonal(params.scatters, axis1=1, axis2=2))
    # halfway to the identity: only the structure may then be a reason to change a matrix, not its smallest axes
    tame = 0.5 * (params.scatters / size[:, :, None] / size[:, None, :] + np.eye(params.n_features))
    strange = np.abs(model.scatter.nearest(tame) - tame).max(axis=(1, 2)) > 1e-8
    if strange.any():
        k = int(np.argmax(strange))
        raise SettingError(
            f"scatters[{k}] does not have the structure scatter={model.scatter.name!r}: {params.scatters[k].tolist()}"
        )


def check_locations(name: str, given: ArrayLike) -> Floats:
    """Finite, (K, d)."""
    locations = as_floats(name, given)
    if locations.ndim != 2 or not locations.size:
        raise SettingError(
            f"{name} has shape {locations.shape}, must be (n_components, n_features)"
        )
    if not np.isfinite(locations).all():
        raise SettingError(f"{name} must be finite, not {given!r}")
    return locations


def check_weights_of(name: str, given: ArrayLike, n_components: int) -> Floats:
    """Not negative, (K,), with sum 1 (or nearly: published ones are rounded)."""
    weights = as_floats(name, given)
    if weights.shape != (n_components,):
        raise SettingError(f"{name} has shape {weights.shape}, must be ({n_components},)")
    total = weights.sum()
    if not (weights >= 0).all() or not abs(total - 1.0) < 0.05:
        raise SettingError(
            f"{name} must be 0 or more and have sum 1, not {weights} with sum {total:g}"
        )
    return weights if abs(total - 1.0) < 1e-12 else weights / total


def check_scatters(name: str, given: ArrayLike, n_components: int, n_features: int) -> Floats:
    """Symmetric and positive definite, (K, d, d); or variances, (K, d)."""
    scatters = as_floats(name, given)
    full = (n_components, n_features, n_features)
    if scatters.shape == full[:2] != full[1:]:
        scatters = scatters[:, :, None] * np.eye(n_features)
    if scatters.shape != full:
        raise SettingError(
            f"{name} has shape {scatters.shape}, must be {full}: a matrix for each component"
        )
    for k, scatter in enumerate(scatters):
        _check_scatter(f"{name}[{k}]", scatter)
    return 0.5 * (scatters + np.swapaxes(scatters, 1, 2))


def _check_scatter(name: str, scatter: Floats) -> None:
    if not np.isfinite(scatter).all():
        raise SettingError(f"{name} must be finite, not {scatter.tolist()}")
    variances = np.diagonal(scatter)
    least, greatest = VARIANCES
    if not ((variances >= least) & (variances <= greatest)).all():
        raise SettingError(
            f"{name} has the variances {variances.tolist()}; they must be positive ({least:g} to {greatest:g})"
        )
    size = np.sqrt(variances)
    correlations = scatter / size[:, None] / size
    skew = np.abs(correlations - correlations.T)
    if skew.max() > 1e-8:
        i, j = (int(index) for index in np.unravel_index(int(np.argmax(skew)), skew.shape))
        raise SettingError(
            f"{name} is not symmetric: [{i}, {j}] is {scatter[i, j]:g}, [{j}, {i}] is {scatter[j, i]:g}"
        )
    try:
        np.linalg.cholesky(correlations)
    except np.linalg.LinAlgError:
        smallest = np.linalg.eigvalsh(correlations)[0]
        raise SettingError(
            f"{name} is not positive definite (as correlations, its smallest eigenvalue is {smallest:.3g})"
        ) from None


def check_dofs(name: str, given: ArrayLike, n_components: int) -> Floats:
    """Positive, one number or (K,)."""
    dofs = as_floats(name, given)
    if dofs.shape not in ((), (1,), (n_components,)):
        raise SettingError(f"{name} has shape {dofs.shape}, must be a number or ({n_components},)")
    return np.broadcast_to(_check_range(name, dofs), n_components).copy()


def _check_range(name: str, dofs: Floats) -> Floats:
    least, greatest = DOFS
    wrong = ~((dofs >= least) & (dofs <= greatest) | np.isposinf(dofs))
    if wrong.any():
        raise SettingError(
            f"{name} must be positive ({least:g} to {greatest:g}, or inf for a Gaussian), not {dofs[wrong][0]:g}"
        )
    return dofs


def as_floats(name: str, given: Any) -> Floats:
    """A float64 copy."""
    try:
        return np.array(given, dtype=np.float64, order="C")
    except (TypeError, ValueError):
        raise SettingError(f"{name} must be numbers, not {given!r}") from None
