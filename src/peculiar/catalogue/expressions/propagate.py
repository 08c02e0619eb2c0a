"""Values of an expression, and its derivative with respect to each column: forward mode, a rule for each node.

With the derivatives J of all features, their error covariance is J C J', C being that of the columns. For sums this is
exact. For anything else it is the first order, and :class:`Watch` keeps an eye on where that is not enough.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from peculiar.arrays import Floats
from peculiar.catalogue.columns import units
from peculiar.catalogue.columns.measured import MeasuredColumns
from peculiar.catalogue.columns.names import counted
from peculiar.catalogue.columns.notes import Note, Place
from peculiar.catalogue.expressions import nodes
from peculiar.catalogue.expressions.nodes import Binary, Call, Column, Negative, Node, Number, Power
from peculiar.errors import CatalogueError

TOO_LARGE = 0.3
"""Relative errors beyond this are not carried well by a first derivative."""

Values: TypeAlias = Floats | float
Partials: TypeAlias = Mapping[str, Values]


@dataclass(frozen=True)
class Dual:
    """The values of a node and their derivatives with respect to the columns that have errors."""

    value: Values
    partials: Partials
    unit: Any


@dataclass
class Watch:
    """What happened to a feature on the way.

    Attributes
    ----------
    label : str
    notes : list of Note
        Values that had to become missing.
    warnings : list of Note
        Errors too large for a first derivative.
    """

    label: str
    columns: MeasuredColumns
    notes: list[Note] = field(default_factory=list)
    warnings: list[Note] = field(default_factory=list)

    def lose(self, node: Node, inner: Values, bad: NDArray[np.bool_], what: str) -> None:
        """Note rows in which a function has no value."""
        bad = np.broadcast_to(bad, self.columns.n_rows)
        label, place = self.label, None
        if bad.any():
            row = int(np.argmax(bad))
            place = Place(row, float(np.broadcast_to(inner, bad.shape)[row]))

        def say(note: Note) -> str:
            where = f"row {note.place.row}, {note.place.value:g}" if note.place else ""
            return f"feature {label!r}: {counted(note.total)} missing as {node} is not {what} (first: {where})"

        key = f"{label}: {node} is not {what}"
        self.notes.append(Note(key, say, {"": int(bad.sum())}, place))

    def doubt(self, node: Node, size: Values, of_it: str, cure: str = "") -> None:
        """Warn of rows in which an error, relative to what it is an error of, is too large; with a cure, if any."""
        sizes = np.broadcast_to(np.where(np.isnan(size), 0.0, size), self.columns.n_rows)
        n_large, row, label = int((sizes > TOO_LARGE).sum()), int(np.argmax(sizes)), self.label

        def say(note: Note) -> str:
            worst = f"row {note.place.row}, {note.place.value:.0%}" if note.place else ""
            return (
                f"feature {label!r}: the error of {node} is more than {TOO_LARGE:.0%}{of_it} in {note.total:,} of "
                f"{note.counts['rows']:,} rows (worst: {worst}); first-order propagation is not valid for "
                f"errors that large. The cure is to work in {node} itself, whose errors are as they were measured"
                f"{cure}; or leave such rows out"
            )

        counts, worst = {"": n_large, "rows": len(sizes)}, float(sizes[row])
        place = Place(row, worst, worst)
        self.warnings.append(Note(f"{label}: {node}{of_it}", say, counts, place))


def variance(columns: MeasuredColumns, left: Partials, right: Partials) -> Values:
    """Error covariance of two expressions, from their derivatives."""
    total: Values = 0.0
    for name in left.keys() & right.keys():
        total = total + left[name] * right[name] * np.square(columns.std[name])
    for (a, b), shared in columns.covariances.items():
        for one, other in ((a, b), (b, a)):
            if one in left and other in right:
                total = total + left[one] * right[other] * shared
    return total


def deviation(columns: MeasuredColumns, partials: Partials) -> Values:
    """Standard deviation of what has these derivatives. Where errors cancel, rounding could take its square below 0."""
    std: Values = np.sqrt(np.maximum(variance(columns, partials, partials), 0.0))
    return std


def evaluate(node: Node, watch: Watch) -> Dual:
    """Values and derivatives of an expression.

    Parameters
    ----------
    node : Node
    watch : Watch
        Has the columns; takes notes.

    Returns
    -------
    Dual
    """
    match node:
        case Number(value):
            return Dual(value, {}, units.PURE)
        case Column(name):
            columns = watch.columns
            partials = {name: 1.0} if name in columns.std else {}
            return Dual(columns.values[name], partials, columns.units.get(name))
        case Negative(of):
            inner = evaluate(of, watch)
            return Dual(-inner.value, _scaled(inner.partials, -1.0), inner.unit)
        case Binary():
            return _binary(node, evaluate(node.left, watch), evaluate(node.right, watch), watch)
        case Power(base, exponent):
            return _power(base, evaluate(base, watch), exponent, watch)
    return _call(node, evaluate(node.argument, watch), watch)


def _binary(node: Binary, left: Dual, right: Dual, watch: Watch) -> Dual:
    match node.operator:
        case "+":
            return _sum(node, left, right, 1.0)
        case "-":
            return _sum(node, left, right, -1.0)
        case "*":
            return _product(node, left, right, watch)
    return _ratio(node.right, left, right, watch)


def _call(node: Call, inner: Dual, watch: Watch) -> Dual:
    match node.function:
        case "sqrt":
            return _power(node.argument, inner, 0.5, watch)
        case "exp":
            return _exp(node.argument, inner, watch)
        case nodes.ASINHMAG:
            return _asinhmag(node, inner, watch)
    return _log(node, inner, watch)


def _scaled(partials: Partials, factor: Values) -> dict[str, Values]:
    return {name: factor * partial for name, partial in partials.items()}


def _added(left: Partials, right: Partials) -> dict[str, Values]:
    names = {**left, **right}
    return {name: left.get(name, 0.0) + right.get(name, 0.0) for name in names}


def _sum(node: Binary, left: Dual, right: Dual, sign: float) -> Dual:
    found = units.common(left.unit, right.unit)
    if found is None:
        raise CatalogueError(
            f"{node.left} is in {units.word(left.unit)}, {node.right} in {units.word(right.unit)}: they cannot be "
            f"{'added' if sign > 0 else 'subtracted'}; are these the right columns?"
        )
    unit, factor = found
    scale = sign * factor
    value = left.value + scale * right.value
    return Dual(value, _added(left.partials, _scaled(right.partials, scale)), unit)


def _times(left: Dual, right: Dual) -> Dual:
    partials = _added(_scaled(left.partials, right.value), _scaled(right.partials, left.value))
    return Dual(left.value * right.value, partials, units.product(left.unit, right.unit))


def _product(node: Binary, left: Dual, right: Dual, watch: Watch) -> Dual:
    # One factor may be as uncertain as it likes if the other is exact: the product is then linear in it.
    if left.partials and right.partials:
        sizes = (_relative_error(left, watch), _relative_error(right, watch))
        watch.doubt(node, np.minimum(*sizes), " of each factor")
    return _times(left, right)


def _ratio(node: Node, above: Dual, below: Dual, watch: Watch) -> Dual:
    found = _times(above, _power(node, below, -1.0, watch))
    # a * (1 / b) differs from a / b in the last digit; where b is 0 the note is taken, and the value missing.
    value = np.where(np.isnan(found.value), np.nan, above.value / np.asarray(below.value))
    return Dual(value, found.partials, found.unit)


def _power(node: Node, base: Dual, exponent: float, watch: Watch) -> Dual:
    value = np.asarray(base.value, dtype=np.float64)
    is_whole = float(exponent).is_integer()
    bad = np.zeros(value.shape, dtype=bool) if is_whole else value < 0
    if exponent < 0 or (not is_whole and exponent < 1 and base.partials):
        bad = bad | (value == 0)  # no value, or one with an infinite error
    watch.lose(node, value, bad, "positive" if not is_whole else "different from zero")
    value = np.where(bad, np.nan, value)
    if base.partials and exponent not in {0.0, 1.0}:
        watch.doubt(node, _relative_error(Dual(value, base.partials, None), watch), " of it")
    slope = exponent * value ** (exponent - 1.0) if exponent else np.zeros(())
    return Dual(value**exponent, _scaled(base.partials, slope), units.power(base.unit, exponent))


def _exp(node: Node, inner: Dual, watch: Watch) -> Dual:
    if inner.partials:
        watch.doubt(node, deviation(watch.columns, inner.partials), " of 1")
    value = np.exp(inner.value)
    return Dual(value, _scaled(inner.partials, value), units.PURE)


def _log(node: Call, inner: Dual, watch: Watch) -> Dual:
    value = np.asarray(inner.value, dtype=np.float64)
    bad = value <= 0
    watch.lose(node.argument, value, bad, "positive")
    value = np.where(bad, np.nan, value)
    if inner.partials:
        sizes = _relative_error(Dual(value, inner.partials, None), watch)
        watch.doubt(node.argument, sizes, " of it", _softer(node.argument, inner, watch))
    is_decimal = node.function == "log10"
    slope = (np.log10(np.e) if is_decimal else 1.0) / value
    logarithm = np.log10(value) if is_decimal else np.log(value)
    return Dual(logarithm, _scaled(inner.partials, slope), units.PURE)


def _softer(node: Node, inner: Dual, watch: Watch) -> str:
    """What to write for the logarithm of a flux: an asinh magnitude, softened by the typical error."""
    errors = np.broadcast_to(deviation(watch.columns, inner.partials), watch.columns.n_rows)
    known = errors[np.isfinite(errors) & (errors > 0)]
    return f" (in flux), or in asinhmag({node}, {np.median(known):.3g})" if known.size else ""


def _asinhmag(node: Call, inner: Dual, watch: Watch) -> Dual:
    """-2.5 / ln 10 (asinh(f / 2b) + ln b), which is -2.5 log10(f) for f >> b, and linear about 0 (Lupton et al. 1999).

    Its derivative is -2.5 / ln 10 / root, root^2 = f^2 + (2b)^2.
    """
    assert node.constant is not None
    flux, softening = np.asarray(inner.value, dtype=np.float64), node.constant
    pogson, twice = 2.5 / np.log(10.0), 2.0 * softening
    root = np.hypot(flux, twice)
    if inner.partials:
        # The relative error far from 0. At 0 there is no curvature, and the third derivative decides: with b = s the
        # variance is 16 % smaller than its first order. For a logarithm, a relative error of 30 % makes it 39 % larger.
        bend = np.maximum(np.abs(flux), 1.15 * softening) / root**2
        size = deviation(watch.columns, inner.partials) * bend
        watch.doubt(node.argument, size, " of it and of 3b", ", or a larger b")
    value = -pogson * (np.arcsinh(flux / twice) + np.log(softening))
    return Dual(value, _scaled(inner.partials, -pogson / root), units.PURE)


def _relative_error(inner: Dual, watch: Watch) -> Values:
    return deviation(watch.columns, inner.partials) / np.abs(inner.value)
