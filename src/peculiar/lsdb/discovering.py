"""Discoveries among the scores of a catalogue of LSDB, which are in no single place."""

from __future__ import annotations

from typing import Any

import numpy as np

from peculiar.arrays import Floats
from peculiar.backends.dask.cluster import compute, compute_all
from peculiar.backends.dask.tasks import in_tree, mapped, once
from peculiar.errors import InputError, SettingError
from peculiar.estimators.thresholds import check_probability
from peculiar.lsdb.judging import as_series
from peculiar.lsdb.provenance import with_properties
from peculiar.population.discoveries import check_method
from peculiar.population.in_parts import Histogram, Line, draw_line


def discoveries(scored: Any, fdr: float = 0.05, method: str = "bh") -> Any:
    """The objects of a scored catalogue that are believed to be outliers, with a bounded false-discovery rate.

    Whether an object is one depends on the p-values of all. Two passes over these are made at once; write the scores
    before, or they are computed twice. They are never all in one place.

    Parameters
    ----------
    scored : lsdb.Catalog
        From :func:`score`, perhaps written and opened again. It has a column ``p_value``.
    fdr : float, default=0.05
        Accepted false-discovery rate.
    method : {"bh", "storey"}, default="bh"
        As for :meth:`~peculiar.OutlierDetector.discoveries`.

    Returns
    -------
    lsdb.Catalog
        Only the discoveries, with a column ``q_value``: the smallest rate at which each is one. Partitions may be
        empty.
    """
    if check_method(method) == "bayes":
        raise SettingError("method 'bayes' is about outlier probabilities; choose 'bh' or 'storey'")
    line = _line(scored, check_probability("fdr", fdr), method)
    found = scored.map_partitions(take_discoveries, line, meta=take_discoveries(scored.meta, line))
    about = {"peculiar_fdr": f"{fdr:g} ({method}): {len(line.p)} discoveries among {line.n}"}
    return with_properties(found, about)


def _line(scored: Any, fdr: float, method: str) -> Line:
    """Where discoveries end."""
    column = _column(scored)
    frames = scored[[column]].to_dask_dataframe(divisions=False).to_delayed()
    columns = [once(column, "column")] * len(frames)
    counts = mapped(_histogram, "histogram", frames, columns)
    total: Histogram = compute(in_tree(counts, Histogram.plus))
    most = [once(total.most(fdr, method), "line")] * len(frames)
    some = compute_all(mapped(_up_to, "candidates", frames, columns, most))
    return draw_line(total, np.concatenate(some), fdr, method)


def _column(scored: Any) -> str:
    for name in ("peculiar_p_value", "p_value"):
        if name in scored.columns:
            return name
    raise InputError("the catalogue has no column p_value; peculiar.lsdb.score makes one that has")


def take_discoveries(partition: Any, line: Line) -> Any:
    """Those of one partition."""
    p = _p_values(partition, _column(partition))
    found = partition[line.mask(p)].copy()
    found["q_value"] = as_series(line.q_values(p[line.mask(p)]), "double", found.index)
    return found


def _p_values(frame: Any, column: str) -> Floats:
    return np.asarray(frame[column].to_numpy(dtype=np.float64, na_value=np.nan))


def _histogram(frame: Any, column: str) -> Histogram:
    return Histogram.of(_p_values(frame, column))


def _up_to(frame: Any, column: str, most: float) -> Floats:
    p = _p_values(frame, column)
    return p[p <= most]
