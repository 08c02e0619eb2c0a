"""How features are made of a catalogue, as plain words and numbers that a model file can keep."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from peculiar.catalogue.columns.meaning import ErrorMeaning
from peculiar.catalogue.columns.names import cut
from peculiar.catalogue.columns.pairing import Pairing
from peculiar.catalogue.expressions.grammar import parse_features
from peculiar.catalogue.features import measure, pair_features
from peculiar.catalogue.measurements import Measurements
from peculiar.errors import CatalogueError

LONGEST = 100_000
"""Characters of a recipe's text: more than anybody writes, less than would take long to read."""


@dataclass(frozen=True)
class Recipe:
    """Everything :func:`peculiar.catalogue.measure` needs to know besides the table.

    Attributes
    ----------
    features : str
        Expressions of columns, separated by commas.
    errors : dict
        Where errors are, if naming conventions do not find them. For a column: the name of another column, a pair of
        names, or a number.
    no_error : tuple of str
        Columns that are exact.
    covariances : dict
        For two columns, the column with the covariance of their errors.
    missing : tuple of float or str
        Values that mean 'missing'.
    zero_errors : {'missing', 'exact', 'refuse'}
        What an error of exactly 0 means.
    limits : dict
        For a column, the one that flags its limits; None if all its values are measurements.
    sigma : float
        How many standard deviations the errors are.
    percent : bool
        Whether errors are in per cent.
    error_floor : float or dict
        The smallest error, of all columns or of some.

    Examples
    --------
    >>> recipe = Recipe("u - r, size = log10(radius)", errors={"radius": 0.1}, missing=(-9999.0,))
    >>> recipe.names
    ('u - r', 'size')
    >>> Recipe.from_plain(recipe.plain()) == recipe
    True
    """

    features: str
    errors: Mapping[str, str | float | tuple[str, ...]] = field(default_factory=dict)
    no_error: tuple[str, ...] = ()
    covariances: Mapping[tuple[str, str], str | None] = field(default_factory=dict)
    missing: tuple[float | str, ...] = ()
    zero_errors: str = "missing"
    limits: Mapping[str, str | None] = field(default_factory=dict)
    sigma: float = 1.0
    percent: bool = False
    error_floor: float | Mapping[str, float] = 0.0

    @classmethod
    def of(
        cls,
        features: str | Sequence[str],
        *,
        errors: Mapping[str, Any] | None = None,
        no_error: Iterable[str] = (),
        covariances: Mapping[tuple[str, str], str | None] | None = None,
        missing: Iterable[float | str] = (),
        zero_errors: str = "missing",
        limits: Mapping[str, str | None] | None = None,
        sigma: float = 1.0,
        percent: bool = False,
        error_floor: float | Mapping[str, float] = 0.0,
    ) -> Recipe:
        """A recipe from arguments as :func:`peculiar.catalogue.measure` takes them."""
        return cls(
            features if isinstance(features, str) else ", ".join(features),
            errors=dict(errors or {}),
            no_error=tuple(no_error),
            covariances=dict(covariances or {}),
            missing=tuple(missing),
            zero_errors=zero_errors,
            limits=dict(limits or {}),
            sigma=sigma,
            percent=percent,
            error_floor=error_floor,
        )

    @property
    def names(self) -> tuple[str, ...]:
        """Labels of the features."""
        return tuple(feature.label for feature in parse_features(self.features))

    def pair(self, available: Mapping[str, str]) -> Pairing:
        """Which columns are needed, and where their errors are.

        Parameters
        ----------
        available : dict
            UCDs of all columns by name, empty where there are none.
        """
        return pair_features(self.features, available, **self._where())

    def measure(self, table: Any) -> Measurements:
        """The features of a table."""
        return measure(
            table,
            self.features,
            missing=self.missing,
            zero_errors=self.zero_errors,
            sigma=self.sigma,
            percent=self.percent,
            error_floor=self.error_floor,
            **self._where(),
        )

    def _where(self) -> dict[str, Any]:
        return {
            "errors": self.errors,
            "no_error": self.no_error,
            "covariances": self.covariances,
            "limits": self.limits,
        }

    def plain(self) -> dict[str, Any]:
        """The same in lists, dicts, text and numbers."""
        rare = {
            "limits": dict(self.limits),
            "sigma": self.sigma,
            "percent": self.percent,
            "error_floor": dict(self.error_floor)
            if isinstance(self.error_floor, Mapping)
            else self.error_floor,
        }
        usual = Recipe(self.features)
        return {
            "features": self.features,
            "errors": {
                name: list(where) if isinstance(where, tuple) else where
                for name, where in self.errors.items()
            },
            "no_error": list(self.no_error),
            "covariances": [[a, b, column] for (a, b), column in self.covariances.items()],
            "missing": list(self.missing),
            "zero_errors": self.zero_errors,
            # Older versions know none of these: only what was asked for.
            **{name: value for name, value in rare.items() if value != getattr(usual, name)},
        }

    @classmethod
    def from_plain(cls, stored: Any) -> Recipe:
        """A recipe from the content of a file; CatalogueError if it is not a recipe.

        Parameters
        ----------
        stored : anything
            As :meth:`plain` gives it. Nothing in it is trusted, nor ever executed.

        Returns
        -------
        Recipe
        """
        stored = _dict("the recipe", stored)
        unknown = set(stored) - set(cls.__dataclass_fields__)
        if unknown:
            raise CatalogueError(f"a recipe has no entry {cut(min(unknown))!r}")
        if len(repr(stored)) > LONGEST:
            raise CatalogueError("the recipe is longer than any list of features can be")
        recipe = cls(
            features=_text("features", stored.get("features")),
            errors={
                name: _where_from(where)
                for name, where in _dict("errors", stored.get("errors", {})).items()
            },
            no_error=tuple(
                _text("no_error", name) for name in _list("no_error", stored.get("no_error", []))
            ),
            covariances=dict(
                _covariance(entry) for entry in _list("covariances", stored.get("covariances", []))
            ),
            missing=tuple(
                _sentinel(value) for value in _list("missing", stored.get("missing", []))
            ),
            zero_errors=_text("zero_errors", stored.get("zero_errors", "missing")),
            limits={
                name: None if flag is None else _text("limits", flag)
                for name, flag in _dict("limits", stored.get("limits", {})).items()
            },
            sigma=_number("sigma", stored.get("sigma", 1.0)),
            percent=_truth("percent", stored.get("percent", False)),
            error_floor=_floor(stored.get("error_floor", 0.0)),
        )
        parsed = parse_features(recipe.features)
        used = [name for feature in parsed for name in feature.columns]
        recipe.meaning().check(used)
        return recipe

    def meaning(self) -> ErrorMeaning:
        """What the numbers in columns of errors mean."""
        return ErrorMeaning(self.zero_errors, self.sigma, self.percent, self.error_floor)


def _where_from(stored: Any) -> str | float | tuple[str, ...]:
    if isinstance(stored, list):
        return tuple(_text("errors", name) for name in stored)
    return stored if isinstance(stored, str) else _number("errors", stored)


def _covariance(stored: Any) -> tuple[tuple[str, str], str | None]:
    entry = _list("covariances", stored)
    if len(entry) != 3:
        raise CatalogueError(f"covariances need three names of columns, not {cut(repr(stored))}")
    column = None if entry[2] is None else _text("covariances", entry[2])
    return (_text("covariances", entry[0]), _text("covariances", entry[1])), column


def _floor(stored: Any) -> float | dict[str, float]:
    if isinstance(stored, dict):
        return {name: _number("error_floor", floor) for name, floor in stored.items()}
    return _number("error_floor", stored)


def _truth(what: str, stored: Any) -> bool:
    if not isinstance(stored, bool):
        raise CatalogueError(f"{what} must be true or false, not {cut(repr(stored))}")
    return stored


def _sentinel(stored: Any) -> float | str:
    return stored if isinstance(stored, str) else _number("missing", stored)


def _number(what: str, stored: Any) -> float:
    if isinstance(stored, bool) or not isinstance(stored, int | float) or not _is_finite(stored):
        raise CatalogueError(f"{what} must be text or a finite number, not {cut(repr(stored))}")
    return float(stored)


def _is_finite(number: float) -> bool:
    try:
        return math.isfinite(number)
    except OverflowError:  # an integer beyond any float
        return False


def _text(what: str, stored: Any) -> str:
    if not isinstance(stored, str):
        raise CatalogueError(f"{what} must be text, not {cut(repr(stored))}")
    return stored


def _list(what: str, stored: Any) -> list[Any]:
    if not isinstance(stored, list):
        raise CatalogueError(f"{what} must be a list, not {cut(repr(stored))}")
    return stored


def _dict(what: str, stored: Any) -> dict[str, Any]:
    if not isinstance(stored, dict):
        raise CatalogueError(f"{what} must be an object with names, not {cut(repr(stored))}")
    return stored
