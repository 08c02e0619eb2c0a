"""From a table or file to features: which columns are needed, which are errors, and what comes of them."""

from __future__ import annotations

import dataclasses
import os
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from peculiar.catalogue.columns.jointly import Covariances
from peculiar.catalogue.columns.limits import confirm_flags, find_limits
from peculiar.catalogue.columns.matching import Errors, LimitFlags, pair_errors
from peculiar.catalogue.columns.meaning import ErrorMeaning
from peculiar.catalogue.columns.names import close, cut, listed
from peculiar.catalogue.columns.notes import Note
from peculiar.catalogue.columns.pairing import Pairing
from peculiar.catalogue.columns.picked import pick
from peculiar.catalogue.columns.sentinels import Sentinel, mask_sentinels
from peculiar.catalogue.columns.uncertainties import measured_columns
from peculiar.catalogue.columns.whole import Tally, Whole
from peculiar.catalogue.expressions.elements import base_of, bases_of, index_of, with_elements
from peculiar.catalogue.expressions.grammar import Feature, parse_features
from peculiar.catalogue.light import LightTable
from peculiar.catalogue.measurements import Measurements, assemble
from peculiar.catalogue.reading import list_columns, read
from peculiar.catalogue.tables import as_table
from peculiar.errors import CatalogueError

if TYPE_CHECKING:
    from astropy.table import Table


def measure(
    table: Any,
    features: str | Sequence[str],
    *,
    errors: Errors | None = None,
    no_error: Collection[str] = (),
    covariances: Covariances | None = None,
    limits: LimitFlags | None = None,
    missing: Sequence[Sentinel] = (),
    zero_errors: str = "missing",
    sigma: float = 1.0,
    percent: bool = False,
    error_floor: float | Mapping[str, float] = 0.0,
    format: str | None = None,  # noqa: A002 (as in read)
) -> Measurements:
    """Features of a catalogue, with the errors that follow from those of its columns.

    Errors of sums and differences are exact, with the covariance that shared columns cause. Ratios, products, powers,
    ``log10``, ``log`` (or ``ln``), ``sqrt`` and ``exp`` use the first derivative; where a relative error above 30 %
    makes that doubtful, there is a warning.

    Parameters
    ----------
    table : table or path
        Anything :func:`as_table` takes. Of a file, only the columns that are needed are read.
    features : str or sequence of str
        Expressions of columns, separated by commas: ``"u - r, g - r, size = log10(radius)"``.
    errors, no_error, covariances, limits : optional
        Where errors and flags of limits are, if naming conventions do not find them; as in :func:`pair_errors`. Values
        that are limits count as missing.
    missing : sequence of float or str, optional
        Values that mean 'missing', such as -9999.
    zero_errors : {'missing', 'exact', 'refuse'}, default='missing'
        What an error of exactly 0 means in a column in which others are positive. It usually means that the error is
        not known; taken literally, it would make these the best measurements of all.
    sigma : float, default=1.0
        How many standard deviations the errors in the table are: 2 for 2-sigma errors.
    percent : bool, default=False
        Whether the errors in the table are in per cent of their values. This, like ``sigma``, holds for columns of
        errors, not for variances, nor for numbers given in ``errors``.
    error_floor : float or dict, default=0.0
        Smaller errors, also those of 0, are raised to this; a dict has a number for some columns.
    format : str, optional
        Format of the file, if its extension does not say.

    Returns
    -------
    Measurements

    Raises
    ------
    CatalogueError
        A column or its error is not there, or cannot be used; a feature cannot be understood.

    Warns
    -----
    PropagationWarning
        Errors are too large for first-order error propagation.

    Examples
    --------
    Colours that share a band have correlated errors:

    >>> from peculiar.catalogue import measure
    >>> table = {"u": [3.0], "g": [2.0], "r": [1.0], "u_err": [0.3], "g_err": [0.1], "r_err": [0.2]}
    >>> sky = measure(table, "u - r, g - r")
    >>> sky.X
    array([[2., 1.]])
    >>> sky.X_cov.round(2)
    array([[[0.13, 0.04],
            [0.04, 0.05]]])
    """
    parsed = parse_features(features)
    options: dict[str, Any] = {
        "errors": errors,
        "no_error": no_error,
        "covariances": covariances,
        "limits": limits,
    }
    if isinstance(table, str | os.PathLike):
        ucds = _known(table, format)
        pairing = _pair(parsed, list(ucds), ucds=ucds, **options)
        rows = read(table, columns=bases_of(pairing.needed(), ucds), format=format)
    else:
        rows = table if isinstance(table, LightTable) else as_table(table)
    if not len(rows):
        raise CatalogueError("the table has no rows; there is nothing to measure")
    pairing = confirm_flags(_pair(parsed, rows.colnames, ucds=_ucds(rows), **options), rows)
    meaning = ErrorMeaning(zero_errors, sigma, percent, error_floor)
    return measure_rows(rows, parsed, pairing, missing, meaning)[0]


def measure_rows(
    rows: Table,
    parsed: Sequence[Feature],
    pairing: Pairing,
    missing: Sequence[Sentinel],
    meaning: ErrorMeaning,
    whole: Whole | None = None,
) -> tuple[Measurements, Tally]:
    """Features of some rows of a table, and what these show of the whole.

    Parameters
    ----------
    rows : astropy.table.Table
    parsed : sequence of Feature
    pairing : Pairing
        With confirmed flags.
    missing : sequence of float or str
    meaning : ErrorMeaning
    whole : Whole, optional
        What is known of the table that these are a part of. None: they are all there are.

    Returns
    -------
    measurements : Measurements
    tally : Tally
    """
    hidden = find_limits(pairing, rows)  # before -1 may become missing
    needed, values = list(pairing.needed()), [pair.column for pair in pairing.columns]
    rows, found = mask_sentinels(pick(with_elements(rows, needed, values), needed), missing)
    asked = [Note.of(found.get(n, 0), f"{n}: {{values}} missing, as asked for") for n in needed]
    columns, tally = measured_columns(rows, pairing, meaning, hidden, whole)
    tally.notes[:0] = asked
    return assemble(parsed, columns, pairing, tally, whole), tally


def pair_features(
    features: str | Sequence[str],
    available: Mapping[str, str] | Sequence[str],
    *,
    errors: Errors | None = None,
    no_error: Collection[str] = (),
    covariances: Covariances | None = None,
    limits: LimitFlags | None = None,
) -> Pairing:
    """Find which columns some features need, and where their errors are, from the names alone.

    Parameters
    ----------
    features : str or sequence of str
    available : sequence of str, or dict
        Names of all columns; a dict gives their UCDs, empty where there are none.
    errors, no_error, covariances, limits : optional
        As in :func:`pair_errors`.

    Returns
    -------
    Pairing
        Print it to see it.

    Examples
    --------
    >>> print(pair_features("u - r", ["name", "u", "e_u", "g", "e_g", "r", "e_r"]))
    column  error  kind  found by
    u       e_u    std   e_X
    r       e_r    std   e_X
    """
    ucds = available if isinstance(available, Mapping) else {}
    options: dict[str, Any] = {
        "errors": errors,
        "no_error": no_error,
        "covariances": covariances,
        "limits": limits,
    }
    return _pair(parse_features(features), list(available), ucds=ucds, **options)


def needed_columns(
    features: str | Sequence[str],
    available: Mapping[str, str] | Sequence[str],
    **options: Any,
) -> tuple[str, ...]:
    """Names of the columns that some features need, their errors included.

    Parameters
    ----------
    features, available, **options
        As in :func:`pair_features`.

    Returns
    -------
    tuple of str

    Examples
    --------
    >>> needed_columns("u - r", ["name", "u", "e_u", "g", "e_g", "r", "e_r"])
    ('u', 'e_u', 'r', 'e_r')
    """
    return pair_features(features, available, **options).needed()


def _pair(parsed: Sequence[Feature], available: Sequence[str], **options: Any) -> Pairing:
    known = set(available)
    for feature in parsed:
        for name in feature.columns:
            if base_of(name, known) not in known:
                raise _unknown(name, feature, available)
    wanted = [name for feature in parsed for name in feature.columns]
    elements = [name for name in wanted if name not in known]
    if not elements:
        return pair_errors(available, wanted, **options)
    return _pair_elements(available, wanted, elements, options)


def _pair_elements(
    available: Sequence[str],
    wanted: Sequence[str],
    elements: Sequence[str],
    options: dict[str, Any],
) -> Pairing:
    """Errors of elements of columns: Flux_err[3] for Flux[3]; the conventions know the columns that they are of."""
    known = set(available)
    errors = dict(options.get("errors") or {})
    found = {}
    for name in dict.fromkeys(elements):
        if name not in errors and name not in options.get("no_error", ()):
            base = base_of(name, known)
            (pair,) = pair_errors(available, [base], ucds=options.get("ucds")).columns
            names = tuple(f"{each}{index_of(name)}" for each in pair.names)
            found[name] = dataclasses.replace(pair, column=name, names=names)
    more = [name for pair in found.values() for name in pair.names]
    given = {
        name: pair.names if len(pair.names) > 1 else pair.names[0] for name, pair in found.items()
    }
    virtual = [*available, *dict.fromkeys([*elements, *more, *_elements_in(errors, known)])]
    pairing = pair_errors(virtual, wanted, **{**options, "errors": {**given, **errors}})
    columns = tuple(found.get(pair.column, pair) for pair in pairing.columns)
    return dataclasses.replace(pairing, columns=columns)


def _elements_in(errors: Mapping[str, Any], known: Collection[str]) -> list[str]:
    """Elements that the user names as errors."""
    names: list[str] = []
    for where in errors.values():
        names += [where] if isinstance(where, str) else where if isinstance(where, Sequence) else []
    plain = [name.partition(":")[2] or name for name in names]
    return [name for name in plain if name not in known and base_of(name, known) != name]


def _unknown(name: str, feature: Feature, available: Sequence[str]) -> CatalogueError:
    if feature.label in available:
        hint = (
            f"the column {feature.label!r} is meant if you put it in back-quotes: `{feature.label}`"
        )
    elif similar := close(name, available):
        hint = f"did you mean {' or '.join(similar)}?"
    else:
        hint = f"there are {listed(available)}"
    return CatalogueError(
        f"feature {cut(feature.label)!r}: there is no column {cut(name)!r}; {hint}"
    )


def _known(path: str | os.PathLike[str], format: str | None) -> dict[str, str]:  # noqa: A002
    return {info.name: info.ucd for info in list_columns(path, format=format)}


def _ucds(table: Table | LightTable) -> dict[str, str]:
    if isinstance(table, LightTable):
        return {}
    found = {name: (table[name].info.meta or {}).get("ucd", "") for name in table.colnames}
    return {name: str(ucd) for name, ucd in found.items() if ucd}
