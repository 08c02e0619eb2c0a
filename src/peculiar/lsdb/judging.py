"""How a partition of a catalogue is judged, where it is."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from peculiar.estimators.elsewhere import Labels
from peculiar.estimators.partition_work import Errors, Place, check, rows_to_ask
from peculiar.lsdb import work
from peculiar.population import Population
from peculiar.population.groups import Groups
from peculiar.report.candidates import described, judge_rows

SCORES = {
    "p_value": "double",
    "log_p_value": "double",
    "outlier_probability": "double",
    "log_density": "double",
    "robust_weight": "double",
    "component": "int64",
    "component_probability": "double",
    "group": "string",
    "main_feature": "string",
    "main_side": "string",
}
"""Everything that is found about an object by itself, and its type in Arrow."""


@dataclass(frozen=True)
class Judge:
    """How any partition is judged. It travels to the workers, and is the same for all.

    Attributes
    ----------
    measure : Measure
    population : Population
        It knows which of its components are ordinary.
    groups : ndarray or None
        The table of its strange groups, if they were looked for.
    errors : Errors
        Of the whole catalogue: they choose the code that is run.
    kept : tuple of str
        Columns of the catalogue that go with the scores.
    columns : dict of str
        For each score, the name of its column.
    token : str
        The same for the same judge: Dask knows by it what it has computed already.
    """

    measure: work.Measure
    population: Population
    groups: Groups | None
    errors: Errors
    kept: tuple[str, ...]
    columns: Mapping[str, str]
    token: str

    def __dask_tokenize__(self) -> tuple[str, str]:
        return type(self).__name__, self.token

    def frame(self, partition: Any, scores: Mapping[str, Any]) -> Any:
        """The scores beside what is kept of a partition."""
        found = partition[list(self.kept)].copy()
        for name, column in self.columns.items():
            found[column] = as_series(scores[name], SCORES[name], partition.index)
        return found


def judge_partition(partition: Any, pixel: Any, judge: Judge) -> Any:
    """The scores of one partition, which may be empty."""
    if not len(partition):
        return judge.frame(partition, dict.fromkeys(SCORES, ()))
    names, where = judge.measure.recipe.names, work.name_of(pixel)
    place = Place(where, None, Labels(names), len(names))
    measured = work.features(partition, f"partition {where}", judge.measure)
    obs = rows_to_ask(check(measured, place), place, judge.population, judge.errors)
    own = described(judge_rows(judge.population, obs, with_clean=False), names, judge.groups)
    log_p = own["log_p"]
    return judge.frame(partition, own | {"p_value": np.exp(log_p), "log_p_value": log_p})


def as_series(cells: Any, kind: str, index: Any) -> Any:
    """A column of a frame, in a type of Arrow as the columns that LSDB reads."""
    import pandas as pd
    import pyarrow as pa

    arrow = {"double": pa.float64(), "int64": pa.int64(), "string": pa.string()}[kind]
    return pd.Series(pd.array(pa.array(cells, arrow), dtype=pd.ArrowDtype(arrow)), index=index)
