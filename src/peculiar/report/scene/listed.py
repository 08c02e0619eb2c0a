"""The listed objects: from the columns of a ranked list, and from what the model says."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats, Ints
from peculiar.report.scene.asked import Asked, ask
from peculiar.report.scene.bands import redness
from peculiar.report.scene.errors import covariances
from peculiar.report.scene.features import Features
from peculiar.report.scene.objects import Objects
from peculiar.report.scene.recipe import expressions_of
from peculiar.report.scene.table import RankedList, as_numbers, as_texts
from peculiar.report.scene.trust import rate_of
from peculiar.report.scene.why import neighbours, sentence
from peculiar.triage.keys import object_keys

if TYPE_CHECKING:
    from peculiar.estimators.plain import PlainMixture


def list_objects(
    found: RankedList,
    at: Ints,
    features: Features,
    values: Floats,
    model: PlainMixture | None,
    show: Sequence[str],
) -> Objects:
    """The objects in some rows of a list.

    Parameters
    ----------
    found : RankedList
    at : ndarray of int of shape (n,)
        Rows of the list.
    features : Features
    values : ndarray of shape (n, d)
        Of these objects.
    model : PlainMixture or None
    show : sequence of str
        Columns of the catalogue to take along.
    """
    covariance, is_whole = covariances(found, at, values)
    asked = None if model is None else _ask(model, values, covariance)
    clean, clean_covariance = _clean(found, at, asked)
    expected = None if asked is None else asked.expected
    main, side = _main(found, at)
    tolerance = _numbers(found, "error_tolerance", at)
    is_discovery, some = found.is_discovery()[at], found.table[at]
    surprise = found.of_features("surprise")
    return Objects(
        rank=_numbers(found, "rank", at).astype(np.int64),
        row=_numbers(found, "row", at).astype(np.int64),
        key=tuple(object_keys(some)),
        name=_names(found, some),
        p=_numbers(found, "p_value", at),
        q=found.q_values()[at],
        is_discovery=is_discovery,
        tolerance=tolerance,
        group=_letters(found, at),
        main=main,
        side=side,
        values=values,
        covariance=covariance,
        has_correlations=is_whole,
        clean=clean,
        clean_covariance=clean_covariance,
        surprise=None if surprise is None else surprise[at],
        expected=expected,
        sentence=_sentences(
            features,
            _redness(found, features),
            main,
            side,
            values,
            expected,
            tolerance,
            is_discovery,
            rate_of(found.meta)[0],
        ),
        neighbours=_neighbours(values, clean, clean_covariance, features.spread),
        ra=_position(found.columns.ra, some),
        dec=_position(found.columns.dec, some),
        shown={name: _cells(some[name]) for name in show},
    )


def _ask(model: PlainMixture, values: Floats, covariance: Floats | None) -> Asked:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that errors are missing is among what is absent
        return ask(model, values, covariance)


def _clean(found: RankedList, at: Ints, asked: Asked | None) -> tuple[Floats | None, Floats | None]:
    """Clean values and their covariances: of the model; or of the list, which has no correlations."""
    if asked is not None:
        return asked.clean, asked.clean_covariance
    clean, error = found.of_features("clean"), found.of_features("clean_error")
    if clean is None or error is None:
        return None, None
    return clean[at], np.square(error[at])[:, :, None] * np.eye(clean.shape[1])


def _main(found: RankedList, at: Ints) -> tuple[Ints, Ints]:
    """The feature that makes each object strange, and the side."""
    feature, side = found.texts("main_feature"), found.texts("main_side")
    if feature is None or side is None:
        return np.full(len(at), -1), np.zeros(len(at), dtype=np.int64)
    places = {name: j for j, name in enumerate(found.columns.names)}
    places |= {f.value: j for j, f in enumerate(found.columns.features)}
    main = [places.get(str(name), -1) for name in feature[at]]
    sides = {"high": 1, "low": -1}
    return np.array(main, dtype=np.int64), np.array([sides.get(str(s), 0) for s in side[at]])


def _numbers(found: RankedList, name: str, at: Ints) -> Floats:
    column = found.verdict(name)
    return np.full(len(at), np.nan) if column is None else column[at]


def _letters(found: RankedList, at: Ints) -> tuple[str, ...]:
    letters = found.texts("group")
    return ("",) * len(at) if letters is None else tuple(str(letter) for letter in letters[at])


def _names(found: RankedList, some: Any) -> tuple[str, ...]:
    if found.columns.name is None:
        return ("",) * len(some)
    return tuple(str(name) for name in as_texts(some[found.columns.name]))


def _neighbours(
    values: Floats, clean: Floats | None, covariance: Floats | None, spread: Floats
) -> Ints:
    if clean is None or covariance is None:
        return neighbours(values, np.zeros_like(values), spread)
    return neighbours(clean, np.sqrt(np.diagonal(covariance, axis1=1, axis2=2)), spread)


def _redness(found: RankedList, features: Features) -> list[int]:
    """Whether larger values of each feature are redder, by what it is made of."""
    made_of = expressions_of(found.recipe)
    return [
        redness(made_of.get(name, name), unit)
        for name, unit in zip(features.names, features.units, strict=True)
    ]


def _sentences(
    features: Features,
    redder: list[int],
    main: Ints,
    side: Ints,
    values: Floats,
    expected: Floats | None,
    tolerance: Floats,
    is_discovery: NDArray[np.bool_],
    rate: float,
) -> tuple[str, ...]:
    kind = "colours" if all(redder) else "features"
    others = f"its other {kind}" if len(features.names) > 1 else ""
    gap = np.full(values.shape, np.nan) if expected is None else values - expected
    return tuple(
        sentence(
            features.names[j] if j >= 0 else "",
            features.units[j] if j >= 0 else "",
            float(gap[i, j]),
            int(side[i]),
            float(tolerance[i]),
            redder=redder[j] if j >= 0 else 0,
            is_discovery=bool(is_discovery[i]),
            rate=rate,
            others=others,
        )
        for i, j in enumerate(main)
    )


def _position(column: str | None, some: Any) -> Floats | None:
    """Right ascension or declination in degrees; None if the column is not of numbers."""
    if column is None or np.asarray(some[column]).dtype.kind not in "fiu":
        return None
    return as_numbers(some[column])


def _cells(column: Any) -> NDArray[Any]:
    """Numbers as they are, anything else as text."""
    if np.ma.asarray(column).dtype.kind in "fiu" and np.ndim(column) == 1:
        return as_numbers(column)
    return as_texts(column) if np.ndim(column) == 1 else np.array([str(cell) for cell in column])
