"""Rows of a scan: checked part by part, and put together for a fit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np

from peculiar.arrays import Ints
from peculiar.backends import PartsBackend
from peculiar.backends.ahead import read_ahead
from peculiar.backends.sample import Sample
from peculiar.catalogue.scanning import Scan
from peculiar.errors import InputError, SettingError
from peculiar.fitting.start import robust_scaling
from peculiar.observations import NoNoise, Observations, Scaling, take_rows
from peculiar.validation import (
    CheckedRows,
    Extent,
    check_enough,
    check_noise,
    check_reach,
    check_spread,
)


class Part(NamedTuple):
    """Some rows of a scan that have passed the checks, and their numbers in the catalogue."""

    numbers: Ints
    rows: CheckedRows


def refuse_more(X: Any, **given: Any) -> None:
    """InputError for errors or weights beside a scan, which has its own errors, and no weights."""
    for name, value in given.items():
        if isinstance(X, Scan) and value is not None:
            raise InputError(
                f"{name} was given beside a scan; a scan has errors of its own, and each of its rows counts once"
            )


def refuse_other_features(model: Any, scan: Scan) -> None:
    """InputError if a model was fitted to others than those of the scan."""
    fitted = getattr(model, "recipe_", None)
    if len(scan.names) != model.n_features_in_:
        raise InputError(
            f"the scan has {len(scan.names)} features ({', '.join(scan.names)}), but the model was fitted to "
            f"{model.n_features_in_}"
        )
    if fitted is not None and fitted.names != scan.names:
        raise InputError(
            f"the model was fitted to {', '.join(fitted.names)}, but the scan has {', '.join(scan.names)}"
        )


def checked_parts(model: Any, scan: Scan) -> Iterator[Part]:
    """The rows of a scan, in the order of the catalogue, some at a time.

    Parameters
    ----------
    model : PlainMixture or OutlierDetector
        Knows the names of the features, for messages.
    scan : Scan

    Returns
    -------
    iterator of Part
    """
    return _check(model, scan, is_noisy=scan.is_noisy)  # the survey is made now: it may warn


def _check(model: Any, scan: Scan, *, is_noisy: bool) -> Iterator[Part]:
    for numbers, measured in scan.batches():
        try:
            rows = CheckedRows(*check_noise(model, measured.X, measured.X_std, measured.X_cov))
        except InputError as error:
            raise InputError(
                f"{scan.path}, rows {numbers[0]:,} to {numbers[-1]:,}, counted here from the first of them: {error}"
            ) from None
        yield Part(numbers, rows if is_noisy else rows._replace(noise=NoNoise(len(numbers))))


def read_whole(model: Any, scan: Scan) -> CheckedRows:
    """All rows of a scan, in memory: for those that are small."""
    parts = [part.rows for part in checked_parts(model, scan)]
    values = np.concatenate([part.values for part in parts])
    kind, noises = type(parts[0].noise), [part.noise[0] for part in parts]
    noise = NoNoise(len(values)) if kind is NoNoise else kind(np.concatenate(noises))  # type: ignore[arg-type]
    return CheckedRows(values, noise)


class Summary(NamedTuple):
    """What one pass tells about rows before a fit."""

    sample: Sample
    extent: Extent

    def plus(self, other: Summary) -> Summary:
        """Of two parts that follow each other."""
        return Summary(self.sample.plus(other.sample), self.extent.plus(other.extent))


def backend_of(model: Any, scan: Scan, n_components: int, n_threads: int) -> PartsBackend:
    """The rows of a scan, in units of their spread, for a fit. Read once for that.

    Parameters
    ----------
    model : PlainMixture
    scan : Scan
    n_components : int
        The rows must be able to tell so many apart.
    n_threads : int

    Returns
    -------
    PartsBackend
    """
    sample, extent = _summarise(model, scan)
    check_enough(model, sample.values, sample.noise, n_components, extent)
    scaling = robust_scaling(sample.values, sample.noise)
    check_spread(model, scaling)
    largest = scan.largest_errors

    def parts() -> Iterator[Observations]:
        for numbers, (values, noise) in _observed(checked_parts(model, scan)):
            check_reach(model, values, noise, scaling, numbers)
            yield Observations.part(values, noise, scaling, largest)

    some = Observations.part(sample.values, sample.noise, scaling, largest)
    return PartsBackend(parts, some, extent.n, n_threads)


def sample_of(model: Any, scan: Scan) -> CheckedRows:
    """The rows that stand for all. One pass."""
    sample = _summarise(model, scan).sample
    return CheckedRows(sample.values, sample.noise)


def _summarise(model: Any, scan: Scan) -> Summary:
    """One pass over all rows."""
    parts, total = _observed(checked_parts(model, scan)), None
    for part in read_ahead(lambda: parts):
        values, noise = part.rows
        first = 0 if total is None else total.extent.n
        own = Summary(Sample.of(first, values, noise), Extent.of(values, noise))
        total = own if total is None else total.plus(own)
    if total is None:
        raise InputError(f"{scan.path}: no row has an observed value; there is nothing to fit")
    return total


def _observed(parts: Iterator[Part]) -> Iterator[Part]:
    """The rows that observe anything."""
    for part in parts:
        rows = np.flatnonzero(~np.isnan(part.rows.values).all(axis=1))
        if len(rows) == len(part.numbers):
            yield part
        elif len(rows):
            values, noise = part.rows.values[rows], take_rows(part.rows.noise, rows)
            yield Part(part.numbers[rows], CheckedRows(values, noise))


def observed_parts(
    model: Any, scan: Scan, scaling: Scaling, reach: Scaling
) -> Iterator[Observations]:
    """The rows of a scan to ask a population about, some at a time.

    Parameters
    ----------
    model : PlainMixture or OutlierDetector
    scan : Scan
    scaling : Scaling
        Units of the population.
    reach : Scaling
        Units in which no value may be too far away.

    Returns
    -------
    iterator of Observations
    """
    refuse_other_features(model, scan)
    largest, parts = scan.largest_errors, checked_parts(model, scan)

    def observe() -> Iterator[Observations]:
        for numbers, (values, noise) in parts:
            check_reach(model, values, noise, reach, numbers)
            yield Observations.part(values, noise, scaling, largest)

    return observe()


def refuse_random(engine: Any) -> None:
    """SettingError for an engine whose random numbers follow from the place of a row in memory."""
    if engine.is_random:
        raise SettingError(
            f"engine={engine.name!r} draws random numbers for rows in memory, and cannot read them in parts; choose "
            "engine='exact'"
        )
