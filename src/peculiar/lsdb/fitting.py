"""From a catalogue of LSDB to a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from peculiar.catalogue.recipe import Recipe
from peculiar.errors import InputError
from peculiar.lsdb.scanning import scan_of


def fit(
    catalog: Any,
    features: str | Sequence[str] | Recipe | None = None,
    *,
    estimator: Any = None,
    rarity: float = 2.5,
    checkpoint: Any = None,
    **options: Any,
) -> Any:
    """Fit a mixture, or a detector, to a catalogue of LSDB. The work is done where Dask says: here, or on a cluster.

    The numbers are those of the same rows in memory. Features are kept by the workers if they fill at most half of
    their memory, and made anew for each iteration if not.

    Parameters
    ----------
    catalog : lsdb.Catalog or CatalogScan
        Rows of its margin do not count.
    features : str, sequence of str or Recipe
        Expressions of columns, separated by commas: ``"u - r, g - r"``. Not beside a :class:`CatalogScan`.
    estimator : RobustMixture or OutlierDetector, optional
        What to fit, with its settings; it is copied, not changed. If None, a mixture as ``peculiar fit`` makes it: as
        many components as message length asks for, with a wild tail.
    rarity : float, default=2.5
        As for :class:`~peculiar.OutlierDetector`; strange groups of a mixture are told with it.
    checkpoint : path-like or Checkpoint, optional
        A file that keeps what has been found so far, as for :meth:`peculiar.RobustMixture.fit`: the same call goes on
        from it.
    **options
        Where errors are, and what they mean, if naming conventions do not say: as for
        :func:`peculiar.catalogue.measure`.

    Returns
    -------
    RobustMixture or OutlierDetector
        Fitted. It knows its strange groups (``groups_``), and how its features are made: :func:`score` needs nothing
        else.
    """
    from sklearn.base import clone

    from peculiar.estimators import OutlierDetector, RobustMixture
    from peculiar.estimators.judging import fit_elsewhere_to_judge, warn_without_wild

    rows = scan_of(catalog, features, options).partitions
    if isinstance(estimator, OutlierDetector):
        return clone(estimator).fit(rows, checkpoint=checkpoint)
    if estimator is None:
        estimator = RobustMixture(
            "mml", scatter="auto", wild_fraction="estimate", random_state=0, n_jobs=-1
        )
    if not isinstance(estimator, RobustMixture):
        raise InputError(
            f"estimator must be a RobustMixture or an OutlierDetector, not {type(estimator).__name__}"
        )
    mixture = clone(estimator)
    warn_without_wild(mixture.wild_fraction)
    fit_elsewhere_to_judge(mixture, rarity, rows, checkpoint)
    return mixture
