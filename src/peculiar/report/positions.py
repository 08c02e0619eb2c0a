"""Where objects and components are, in the plane of two features."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats
from peculiar.errors import InputError
from peculiar.estimators.thresholds import check_probability
from peculiar.observations import NoNoise, Observations, noise_covariances
from peculiar.population.discoveries import by_p_values
from peculiar.population.groups import group_of
from peculiar.report.asking import Asked, ask, number_of

Letters = NDArray[np.str_]


class Positions(NamedTuple):
    """Objects and components in the plane of two features.

    Attributes
    ----------
    values : ndarray of shape (n, 2)
        As measured.
    covs : ndarray of shape (n, 2, 2), optional
        Error covariances; None if there are no errors.
    is_discovery : ndarray of bool of shape (n,)
    p_values : ndarray of shape (n,)
    group : ndarray of str of shape (n,)
        Letter of the strange group of each object; empty for most.
    clean : ndarray of shape (n, 2), optional
        Values without their errors, estimated, if asked for.
    clean_covs : ndarray of shape (n, 2, 2), optional
        Covariances of the clean values.
    locations : ndarray of shape (K, 2)
        Of the components.
    scatters : ndarray of shape (K, 2, 2)
    component_groups : ndarray of str of shape (K,)
        Letter of each component that is a strange group; empty for the ordinary ones.
    feature_names : tuple of str
        Of the two.
    """

    values: Floats
    covs: Floats | None
    is_discovery: NDArray[np.bool_]
    p_values: Floats
    group: Letters
    clean: Floats | None
    clean_covs: Floats | None
    locations: Floats
    scatters: Floats
    component_groups: Letters
    feature_names: tuple[str, str]


def positions(
    model: Any,
    X: Any,
    X_std: Any = None,
    X_cov: Any = None,
    *,
    features: Sequence[int | str] = (0, 1),
    fdr: float = 0.05,
    with_clean: bool = False,
) -> Positions:
    """Objects, discoveries among them, and components, seen in two of the features.

    Parameters
    ----------
    model : OutlierDetector or RobustMixture
        Fitted.
    X, X_std, X_cov
        As for :meth:`OutlierDetector.fit`.
    features : pair of int or str
        By number or name.
    fdr : float, default=0.05
        Accepted false-discovery rate.
    with_clean : bool, default=False
        Whether to estimate the clean values too.

    Returns
    -------
    Positions
    """
    check_probability("fdr", fdr)
    asked = ask(model, X, X_std, X_cov)
    two = _two(features, asked.names)
    obs, params = asked.obs, asked.population.params
    p: Floats = np.exp(asked.population.tail(obs).log_p)
    moments = asked.population.moments(obs, with_clean=with_clean)
    everyone = np.arange(params.n_components)
    return Positions(
        values=obs.values[:, two],
        covs=_errors(obs, two),
        is_discovery=by_p_values(p, fdr).mask,
        p_values=p,
        group=group_of(asked.groups, moments.component),
        clean=moments.clean[:, two] if with_clean else None,
        clean_covs=_block(moments.clean_cov, two) if with_clean else None,
        locations=params.locations[:, two],
        scatters=_block(params.scatters, two),
        component_groups=group_of(asked.groups, everyone),
        feature_names=_names(asked, two),
    )


def _two(features: Sequence[int | str], names: tuple[str, ...]) -> list[int]:
    two = [number_of(feature, names) for feature in features]
    if len(two) != 2 or two[0] == two[1]:
        raise InputError(
            f"features={tuple(features)!r}: a picture in the plane needs two different features of {', '.join(names)}"
        )
    return two


def _names(asked: Asked, two: list[int]) -> tuple[str, str]:
    return asked.names[two[0]], asked.names[two[1]]


def _errors(obs: Observations, two: list[int]) -> Floats | None:
    if isinstance(obs.noise, NoNoise):
        return None
    return _block(noise_covariances(obs.noise, obs.n_features), two)


def _block(covs: Floats, two: list[int]) -> Floats:
    """Rows and columns of two features, of each matrix."""
    block: Floats = covs[:, two][:, :, two]
    return block
