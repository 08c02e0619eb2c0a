"""From a catalogue to a ranked list in one call: what ``peculiar rank`` does, in Python."""

from __future__ import annotations

import inspect
import os
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from peculiar.catalogue import Measurements
    from peculiar.catalogue.recipe import Recipe
    from peculiar.catalogue.scanning import Scan
    from peculiar.estimators.plain import PlainMixture

FIT_SETTINGS = (
    "n_components",
    "max_components",
    "dof",
    "scatter",
    "wild_fraction",
    "tol",
    "max_iter",
    "random_state",
    "n_jobs",
)
"""Arguments of RobustMixture that a command may set."""

_RECIPE = (
    "errors",
    "no_error",
    "covariances",
    "missing",
    "zero_errors",
    "limits",
    "sigma",
    "percent",
    "error_floor",
)


def rank(
    catalogue: Any,
    features: str | Sequence[str],
    *,
    errors: Mapping[str, Any] | None = None,
    no_error: Collection[str] = (),
    covariances: Mapping[tuple[str, str], str | None] | None = None,
    limits: Mapping[str, str | None] | None = None,
    missing: Sequence[float | str] = (),
    zero_errors: str = "missing",
    sigma: float = 1.0,
    percent: bool = False,
    error_floor: float | Mapping[str, float] = 0.0,
    where: str | None = None,
    table: int | str | None = None,
    format: str | None = None,  # noqa: A002 (as in read)
    n_components: int | str = "mml",
    max_components: int = 20,
    dof: float | str = "estimate",
    scatter: str = "auto",
    wild_fraction: float | str = "estimate",
    tol: float = 1e-6,
    max_iter: int = 1000,
    random_state: int = 0,
    n_jobs: int = -1,
    rarity: float = 2.5,
    checkpoint: Any = None,
    fdr: float = 0.05,
    method: str = "bh",
    order: str = "plain",
) -> Any:
    """From a catalogue to a ranked list, strangest first: what ``peculiar rank --out`` writes.

    Parameters
    ----------
    catalogue : table or path
        Anything :func:`peculiar.catalogue.as_table` takes.
    features : str or sequence of str
        Expressions of columns, separated by commas: ``"u - r, g - r, size = log10(radius)"``.
    errors, no_error, covariances, limits, missing, zero_errors, sigma, percent, error_floor : optional
        Where errors are, and what they mean, if naming conventions do not say: as for
        :func:`peculiar.catalogue.measure`.
    where : str, optional
        Which rows to take: ``"class == 'QSO' and r < 19"``.
    table, format : optional
        Of a file: which table, and in which format; as for :func:`peculiar.read`.
    n_components, max_components, dof, scatter, wild_fraction, tol, max_iter, random_state, n_jobs : optional
        As for :class:`RobustMixture`. The defaults are those of the command line: the number of components is found by
        message length, which takes about a minute for 50,000 objects.
    rarity : float, default=2.5
        As for :class:`OutlierDetector`.
    checkpoint : path-like or Checkpoint, optional
        As for :meth:`RobustMixture.fit`.
    fdr, method : optional
        As for :meth:`OutlierDetector.discoveries`.
    order : {"plain", "mixed"}, default="plain"
        The strangest first; or the discoveries of each strange group in turns.

    Returns
    -------
    astropy.table.Table
        All objects with all their columns, and what was found about each; every new column has a description and a UCD.
        The metadata say what made it; ``NOTES`` among them, which values became missing.

    Raises
    ------
    CatalogueError
        The catalogue, a column or a value cannot be used.
    SettingError
        A setting is not valid.

    Examples
    --------
    >>> import numpy as np
    >>> import peculiar
    >>> rng = np.random.default_rng(0)
    >>> stars = {"u": rng.normal(size=80), "r": rng.normal(size=80)}
    >>> stars |= {"u_err": np.full(80, 0.1), "r_err": np.full(80, 0.1)}
    >>> stars["u"][7] = 30.0
    >>> ranked = peculiar.rank(stars, "u, r", n_components=1, tol=1e-3)
    >>> ranked["row"][0], ranked["main_feature"][0], ranked["is_discovery"][0]
    (np.int64(7), np.str_('u'), np.True_)
    """
    given = dict(locals())  # first of all, while there is nothing else
    from peculiar import report
    from peculiar.catalogue.recipe import Recipe

    report.check_discoveries(fdr, method, has_wild=wild_fraction != 0)
    recipe = Recipe.of(features, **{name: given[name] for name in _RECIPE})
    rows, numbers = _rows(catalogue, where, {"table": table, "format": format})
    measured = recipe.measure(rows)
    settings = {name: given[name] for name in FIT_SETTINGS}
    model = fit_features(measured, recipe, settings, rarity, checkpoint)
    by: dict[str, Any] = {"fdr": fdr, "method": method}
    candidates = report.rank(model, measured, order=order, **by).with_numbers(numbers)
    which = f"fitted by this call ({report.model_in_words(model)})"
    about = report.describe_run(
        _call(given), _where_from(catalogue), which, candidates, recipe, **by
    )
    return report.ranked_table(rows, candidates, about)


def fit_features(
    measured: Measurements,
    recipe: Recipe,
    settings: Mapping[str, Any],
    rarity: float,
    checkpoint: Any = None,
) -> PlainMixture:
    """Fit a mixture to features, tell its strange groups, and let it remember how the features were made.

    Parameters
    ----------
    measured : Measurements
    recipe : Recipe
    settings : dict
        Those of ``FIT_SETTINGS``.
    rarity : float
    checkpoint : path-like or Checkpoint, optional
        As for :meth:`RobustMixture.fit`.

    Returns
    -------
    PlainMixture
    """
    from peculiar.estimators.judging import fit_to_judge, warn_without_wild
    from peculiar.estimators.plain import PlainMixture
    from peculiar.estimators.thresholds import check_rarity

    rarity = check_rarity(rarity)
    model = PlainMixture(**settings)
    warn_without_wild(model.wild_fraction)
    fit_to_judge(model, rarity, recipe.names, checkpoint=checkpoint, **measured.arguments())
    model.recipe_ = recipe
    return model


def fit_scan(
    scan: Scan,
    settings: Mapping[str, Any],
    rarity: float,
    checkpoint: Any = None,
    *,
    on_cluster: bool = False,
) -> PlainMixture:
    """The same for features that stay in their files.

    Parameters
    ----------
    scan : Scan
    settings, rarity, checkpoint
        As for :func:`fit_features`.
    on_cluster : bool
        Whether the workers of the current cluster of Dask read them.

    Returns
    -------
    PlainMixture
    """
    from peculiar.estimators.judging import fit_elsewhere_to_judge, warn_without_wild
    from peculiar.estimators.partitions import Partitions
    from peculiar.estimators.plain import PlainMixture
    from peculiar.estimators.scans import ScanRows

    model = PlainMixture(**settings)
    warn_without_wild(model.wild_fraction)
    rows = Partitions.of(scan) if on_cluster else ScanRows(scan)
    fit_elsewhere_to_judge(model, rarity, rows, checkpoint)
    return model


def _rows(catalogue: Any, where: str | None, which: dict[str, Any]) -> tuple[Any, Any]:
    """The rows of a catalogue, and their numbers in it if only some are taken."""
    from peculiar.catalogue import as_table, read
    from peculiar.catalogue.expressions.conditions import row_numbers

    is_file = isinstance(catalogue, str | os.PathLike)
    rows = read(catalogue, **which) if is_file else as_table(catalogue)
    if where is None:
        return rows, None
    numbers = row_numbers(rows, where)
    return rows[numbers], numbers


def _where_from(catalogue: Any) -> str:
    if isinstance(catalogue, str | os.PathLike):
        return os.fspath(catalogue)
    return f"a table ({type(catalogue).__name__})"


def _call(given: Mapping[str, Any]) -> str:
    """The call that was made, with the arguments that are not the usual ones."""
    usual = inspect.getfullargspec(rank).kwonlydefaults or {}
    unusual = [name for name in usual if repr(given[name]) != repr(usual[name])]
    said = [repr(_where_from(given["catalogue"])), repr(given["features"])]
    return f"peculiar.rank({', '.join(said + [f'{name}={given[name]!r}' for name in unusual])})"
