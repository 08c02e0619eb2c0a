"""From a catalogue of LSDB and a model to a catalogue of scores: each partition by itself, lazily."""

from __future__ import annotations

import copy
import os
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from peculiar._version import __version__
from peculiar.catalogue.columns.naming import find_names
from peculiar.catalogue.columns.whole import NOISES, Tally
from peculiar.errors import InputError, MissingNoiseWarning, ModelFileError
from peculiar.estimators.documents import as_content
from peculiar.estimators.elsewhere import refuse_random
from peculiar.estimators.partition_work import Errors
from peculiar.estimators.plain import PlainMixture
from peculiar.estimators.rows import NO_NOISE
from peculiar.lsdb.judging import SCORES, Judge, judge_partition
from peculiar.lsdb.provenance import provenance, with_properties
from peculiar.lsdb.scanning import CatalogScan, scan_of
from peculiar.population.stored import digest
from peculiar.report.asking import mixture_in
from peculiar.report.ranked import free_name
from peculiar.warn import warn_caller


def score(
    catalog: Any,
    model: Any,
    *,
    features: Any = None,
    keep: str | Sequence[str] = "names",
    compute_single_partition: bool = False,
    partition_index: Any = None,
    **options: Any,
) -> Any:
    """What a model finds about each object of a catalogue of LSDB, as a catalogue.

    One pass is made at once, over the columns that are needed, to learn what only all rows can tell (a
    :class:`CatalogScan` remembers it). The scores are computed when they are asked for, partition by partition. They
    are those of the same rows in memory, to the last bit.

    Write them with ``write_catalog(path, resume=True)``: if that is interrupted, the same call again does not repeat
    the partitions that are done.

    Parameters
    ----------
    catalog : lsdb.Catalog or CatalogScan
    model : RobustMixture, OutlierDetector or path
        Fitted; or a model file of ``peculiar fit`` or :meth:`~peculiar.RobustMixture.save`.
    features : str, sequence of str or Recipe, optional
        How features are made, if the model does not say it.
    keep : {"names", "all"} or sequence of str, default="names"
        Columns that go with the scores: positions, which LSDB needs, and one that names the objects, if one has a usual
        name; or all; or positions and these.
    compute_single_partition, partition_index : optional
        As for ``map_partitions`` of LSDB: one partition is computed at once, in this thread, so that a debugger
        sees it.
    **options
        Where errors are, and what they mean, if ``features`` are given: as for :func:`peculiar.catalogue.measure`.

    Returns
    -------
    lsdb.Catalog
        With the columns ``p_value`` and ``log_p_value``, ``outlier_probability`` (if the model has a wild tail),
        ``log_density``, ``robust_weight``, ``component`` and its probability, ``group``, ``main_feature`` and
        ``main_side``, as in ranked lists; one whose name the catalogue has already begins with ``peculiar_``. What made
        them is among the properties: ``catalog.hc_structure.catalog_info.extra_dict()``.
    """
    mixture = _mixture(model)
    rows = _scan(catalog, mixture, features, options)
    judge = _judge(rows, mixture, keep)
    single = {"compute_single_partition": True, "partition_index": partition_index}
    scored = rows.catalog.map_partitions(
        judge_partition,
        judge,
        include_pixel=True,
        meta=judge_partition(rows.catalog.meta, None, judge),
        **(single if compute_single_partition else {}),
    )
    call = f"peculiar.lsdb.score({rows.catalog.name!r}, model, keep={keep!r})"
    return with_properties(scored, provenance(call, mixture, rows))


def _mixture(model: Any) -> PlainMixture:
    """The mixture that judges, with its strange groups."""
    if isinstance(model, str | os.PathLike):
        return PlainMixture.load(model)
    mixture: PlainMixture = copy.copy(mixture_in(model))
    if hasattr(model, "groups_"):
        mixture.groups_ = model.groups_
    return mixture


def _scan(catalog: Any, mixture: PlainMixture, features: Any, options: Any) -> CatalogScan:
    """The catalogue, with features as the model knows them, or as they were given."""
    if features is None and not isinstance(catalog, CatalogScan):
        features = getattr(mixture, "recipe_", None)
        if features is None:
            raise ModelFileError(
                f"the model does not say how its {mixture.n_features_in_} features are made from a catalogue (it was "
                "fitted to arrays); give them: features='u - r, g - r'"
            )
    rows = scan_of(catalog, features, options)
    if len(rows.names) != mixture.n_features_in_:
        raise InputError(
            f"the catalogue gives {len(rows.names)} features ({', '.join(rows.names)}), but the model was fitted to "
            f"{mixture.n_features_in_}"
        )
    return rows


def _judge(rows: CatalogScan, mixture: PlainMixture, keep: str | Sequence[str]) -> Judge:
    """What judges every partition in the same way."""
    groups, tally = getattr(mixture, "groups_", None), rows.survey.tally
    is_ordinary = None if groups is None else groups["is_ordinary"]
    population = mixture.population_.with_ordinary(is_ordinary)
    refuse_random(population.model.engine)
    if getattr(mixture, "_has_noise", False) and not tally.is_noisy:
        warn_caller(NO_NOISE, MissingNoiseWarning)
    kept, has_wild = _kept(rows.catalog, keep), population.params.wild_fraction > 0
    names = [name for name in SCORES if has_wild or name != "outlier_probability"]
    return Judge(
        rows.measure,
        replace(population, n_threads=1),  # Dask has as many threads as there are cores
        groups,
        _errors(tally),
        kept,
        {name: free_name(name, set(kept)) for name in names},
        _token(rows, mixture, kept),
    )


def _kept(catalog: Any, keep: str | Sequence[str]) -> tuple[str, ...]:
    """Columns of the catalogue that go with the scores, in the order of the catalogue."""
    columns = [str(name) for name in catalog.columns]
    words = {"all": columns, "names": find_names(columns)}
    wanted = words.get(keep, ()) if isinstance(keep, str) else list(keep)
    if (isinstance(keep, str) and keep not in words) or not set(wanted) <= set(columns):
        raise InputError(f"keep={keep!r}: say 'names', 'all', or some of {', '.join(columns)}")
    about = catalog.hc_structure.catalog_info
    return tuple(name for name in columns if name in {*wanted, about.ra_column, about.dec_column})


def _errors(tally: Tally) -> Errors:
    return Errors(NOISES.index(tally.noise), tally.is_noisy, np.array(tally.largest_errors))


def _token(rows: CatalogScan, mixture: PlainMixture, kept: tuple[str, ...]) -> str:
    """The same for the same scores."""
    pairing, whole, tally, _ = rows.survey
    known = [repr(pairing), sorted(whole.positive), whole.noise, list(tally.largest_errors)]
    about = {"model": as_content(mixture), "recipe": rows.recipe.plain(), "known": known}
    return digest({"version": __version__, "kept": kept, **about})
