"""Finds the error of every column: by convention, or as the user says. Nothing is guessed silently."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import TypeAlias

from peculiar.catalogue.columns.conventions import (
    Candidate,
    Lookup,
    by_ucd,
    candidates,
    errors_by_ucd,
    other_names,
    quantity_of,
)
from peculiar.catalogue.columns.jointly import Covariances, correlations_and_covariances
from peculiar.catalogue.columns.limits import find_flags
from peculiar.catalogue.columns.names import close, cut, listed, refuse_unknown
from peculiar.catalogue.columns.pairing import ErrorColumns, Pairing
from peculiar.errors import CatalogueError

KINDS = ("std", "percent", "ivar", "variance")

_COMPARED = 20_000
"""Columns that are looked at for a hint; a million would take seconds."""
_LIKE_ERROR = re.compile(r"err|sig|unc|ivar|std|var|(?<![a-z])e_")  # DE_ICRS is a declination

Errors: TypeAlias = Mapping[str, str | float | Sequence[str]]
LimitFlags: TypeAlias = Mapping[str, str | None]


def pair_errors(
    available: Sequence[str],
    wanted: Iterable[str],
    *,
    errors: Errors | None = None,
    no_error: Collection[str] = (),
    covariances: Covariances | None = None,
    limits: LimitFlags | None = None,
    ucds: Mapping[str, str] | None = None,
) -> Pairing:
    """Find the errors of columns.

    Parameters
    ----------
    available : sequence of str
        Names of all columns.
    wanted : iterable of str
        Names of the columns that features are made of.
    errors : dict, optional
        Errors that you give yourself. For a column: the name of another column, ``"ivar:NAME"``, ``"variance:NAME"`` or
        ``"percent:NAME"``, a pair of names (upper, lower), or one number for all rows.
    no_error : collection of str, optional
        Columns that are exact.
    covariances : dict, optional
        Columns with the covariance of the errors of two columns: ``{("mb", "x1"): "cov_m_s"}``. ``"corr:NAME"`` is a
        correlation, None says that the errors are independent.
    limits : dict, optional
        For a column, the one that flags its upper and lower limits; None if all its values are measurements.
    ucds : dict, optional
        UCDs of the columns, where they are known.

    Returns
    -------
    Pairing

    Raises
    ------
    CatalogueError
        No error, or more than one, is found for a column.

    Examples
    --------
    >>> print(pair_errors(["name", "u", "u_err", "z"], ["u", "z"], no_error=["z"]))
    column  error  kind  found by
    u       u_err  std   X_err
    z       -      none  given
    """
    wanted = list(dict.fromkeys(wanted))
    errors, no_error = (
        dict(errors or {}),
        [no_error] if isinstance(no_error, str) else list(no_error),
    )
    refuse_unknown(wanted, available, "the table")
    _refuse_unused([*errors, *no_error], wanted)
    pairs, lookup = [], Lookup(available)
    for name in wanted:
        if name in no_error:
            if name in errors:
                raise CatalogueError(
                    f"{name!r} is said to have the error {errors[name]!r}, and also to be exact; choose one"
                )
            pairs.append(ErrorColumns(name, (), "none", "given"))
        elif name in errors:
            pairs.append(_given(name, errors[name], available))
        else:
            pairs.append(_found(name, lookup, ucds or {}))
    uncertain = [pair.column for pair in pairs if pair.kind != "none"]
    correlated = correlations_and_covariances(covariances or {}, uncertain, lookup)
    found = Pairing(tuple(pairs), *correlated)
    flags = find_flags(wanted, lookup, limits or {}, found.needed())
    return replace(found, limits=flags)


def pair_all(
    available: Sequence[str], wanted: Iterable[str], ucds: Mapping[str, str]
) -> dict[str, ErrorColumns]:
    """The errors of columns, where conventions find them without doubt; the others are left out.

    Parameters
    ----------
    available : sequence of str
    wanted : iterable of str
        Thousands of columns may be wanted: nothing is searched once for each of them.
    ucds : dict

    Returns
    -------
    dict
    """
    lookup, errors = Lookup(available), errors_by_ucd(ucds)
    found = {}
    for name in wanted:
        related = errors.get(quantity_of(ucds.get(name, "")), {})
        pair, _ = _choose(name, lookup, {**related, name: ucds.get(name, "")})
        if pair is not None:
            found[name] = pair
    return found


def _found(name: str, lookup: Lookup, ucds: Mapping[str, str]) -> ErrorColumns:
    pair, found = _choose(name, lookup, ucds)
    if pair is not None:
        return pair
    raise _ambiguous(name, found, lookup) if found else _unpaired(name, lookup)


def _choose(
    name: str, lookup: Lookup, ucds: Mapping[str, str]
) -> tuple[ErrorColumns | None, list[Candidate]]:
    """The error of a column, if there is no doubt; and all that it may be."""
    found = candidates(name, lookup)
    sure = [candidate for candidate in found if not _claimants(name, candidate, lookup)]
    direct = [candidate for candidate in sure if candidate.is_direct]
    best = direct if len(direct) == 1 else sure  # u_mag_err goes before u_err
    if not found:
        best = by_ucd(name, ucds)
    if len(best) == 1 and (best[0].is_direct or len(found) == 1):
        return ErrorColumns(name, best[0].names, best[0].kind, best[0].rule), found
    return None, found or best


def _claimants(name: str, candidate: Candidate, lookup: Lookup) -> list[str]:
    """Other columns whose error this may be as well: z_err beside z and z_mag, unless z_mag has its own."""
    others = [other for rival in other_names(name, candidate) for other in lookup.find(rival)]
    if candidate.is_direct:
        return [o for o in others if not _has_another(o, candidate, lookup)]
    return others


def _has_another(name: str, candidate: Candidate, lookup: Lookup) -> bool:
    """Whether a column has an error of its own name, besides this one."""
    return any(c.is_direct and c.names != candidate.names for c in candidates(name, lookup))


def _ambiguous(name: str, found: Sequence[Candidate], lookup: Lookup) -> CatalogueError:
    if len(found) == 1:
        others = _claimants(name, found[0], lookup)
        return CatalogueError(
            f"{', '.join(found[0].names)} may be the error of {name!r} or of {listed(others)}; decide with "
            f"{_option(name, found[0])} (--error {name}={','.join(found[0].names)}), or name another "
            "column there"
        )
    lines = [
        f"  {', '.join(c.names)}  ({c.kind}, by {c.rule}): {_option(name, c)}" for c in found[:8]
    ]
    return CatalogueError(
        f"{name!r} has {len(found)} columns that may be its error; decide with one of (--error {name}=...)\n"
        + "\n".join(lines)
    )


def _option(name: str, candidate: Candidate) -> str:
    names = candidate.names
    given = repr(names[0]) if len(names) == 1 else repr(names)
    if candidate.kind in {"ivar", "variance"}:
        given = repr(f"{candidate.kind}:{names[0]}")
    return f"errors={{{name!r}: {given}}}"


def near_misses(name: str, available: Iterable[str]) -> list[str]:
    """Columns that look like the error of one, though no convention says so.

    Examples
    --------
    >>> near_misses("u", ["u", "du_err", "g", "class"])
    ['du_err']
    """
    first = islice(available, _COMPARED)
    likely = [other for other in first if other != name and looks_like_error(other)]
    return close(f"{name}_err", likely) or close(name, likely)


def looks_like_error(name: str) -> bool:
    """Whether a word in the name of a column is one for errors."""
    return _LIKE_ERROR.search(name.lower()) is not None


def _unpaired(name: str, lookup: Lookup) -> CatalogueError:
    similar = _without_errors_of_others(near_misses(name, lookup.available), lookup)
    hint = f"; did you mean {' or '.join(similar)}?" if similar else "."
    shown = cut(name)
    return CatalogueError(
        f"no error was found for {shown!r}{hint} Say which column it is, errors={{{shown!r}: COLUMN}} "
        f"(--error {shown}=COLUMN), or that it is exact, no_error=[{shown!r}] (--no-error {shown})"
    )


def _without_errors_of_others(names: list[str], lookup: Lookup) -> list[str]:
    if not names:
        return []
    pairs = pair_all(lookup.available, islice(lookup.available, _COMPARED), {})
    taken = {error for pair in pairs.values() for error in pair.names}
    return [name for name in names if name not in taken]


def _given(name: str, given: str | float | Sequence[str], available: Sequence[str]) -> ErrorColumns:
    if isinstance(given, int | float):
        return _constant(name, float(given))
    if isinstance(given, str):
        if given in available:
            return ErrorColumns(name, (given,), _kind(given), "given")
        kind, mark, rest = given.partition(":")
        if mark and kind in KINDS:
            refuse_unknown([rest], available, "the table")
            return ErrorColumns(name, (rest,), kind, "given")
        try:
            return _constant(name, float(given))
        except ValueError:
            given = [part.strip() for part in given.split(",")]
    names = tuple(given)
    refuse_unknown(names, available, "the table")
    if len(names) > 2:
        raise CatalogueError(
            f"{name!r}: an error is one column, or an upper and a lower one, not {listed(names)}"
        )
    return ErrorColumns(name, names, "upper/lower" if len(names) == 2 else _kind(names[0]), "given")


def _constant(name: str, value: float) -> ErrorColumns:
    if not 0 < value < float("inf"):
        raise CatalogueError(
            f"{name!r} cannot have an error of {value:g}; if it is exact, say no_error (--no-error)"
        )
    return ErrorColumns(name, (), "constant", "given", value)


def _kind(name: str) -> str:
    """What a column of errors holds, by its name; std: and ivar: before the name overrule it."""
    folded = name.lower()
    if "ivar" in folded:
        return "ivar"
    return "variance" if folded.endswith(("_var", "_variance")) else "std"


def _refuse_unused(named: Iterable[str], wanted: Sequence[str]) -> None:
    for name in named:
        if name not in wanted:
            similar = close(name, wanted)
            hint = (
                f"did you mean {' or '.join(similar)}?"
                if similar
                else f"the features use {listed(wanted)}"
            )
            raise CatalogueError(
                f"an error was given for {cut(name)!r}, which no feature uses; {hint}"
            )
