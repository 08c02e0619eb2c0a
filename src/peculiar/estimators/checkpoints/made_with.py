"""The data and settings that a checkpoint belongs to."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping, Sequence
from numbers import Integral
from typing import Any

import numpy as np

from peculiar._version import __version__
from peculiar.backends import Backend
from peculiar.errors import SettingError
from peculiar.observations import NoNoise, noise_name

WITHOUT_EFFECT = ("n_jobs", "verbose")
"""Settings that do not change what a fit finds."""


def describe(
    settings: Mapping[str, Any], names: Sequence[str] | None, backend: Backend
) -> dict[str, Any]:
    """What must be the same for a fit to go on: a text or a number for each thing, by name.

    Of the rows it tells how many there are, and a digest of those that stand for all, so that it is the same wherever
    they are.

    Parameters
    ----------
    settings : dict
        Of the estimator, with its choices as objects.
    names : sequence of str or None
        Of the features, if they have names.
    backend : Backend

    Returns
    -------
    dict
    """
    given = {name: _said(value) for name, value in settings.items() if name not in WITHOUT_EFFECT}
    return {
        "peculiar": __version__,
        "settings": given,
        "n_features": backend.sample.n_features,
        "features": None if names is None else ", ".join(names),
        "errors": noise_name(backend.sample.noise),
        "rows": backend.n_rows,
        "weight": backend.total_weight,
        "sample": digest(backend),
    }


def digest(backend: Backend) -> str:
    """A short text that follows from the rows that stand for all: their values, errors and weights."""
    some, total = backend.sample, hashlib.sha256()
    noise = () if isinstance(some.noise, NoNoise) else (some.noise[0],)
    for array in (some.values, *noise, some.weights):
        total.update(np.ascontiguousarray(array, dtype="<f8").tobytes())
    return total.hexdigest()


def differences(then: Mapping[str, Any], now: Mapping[str, Any]) -> list[str]:
    """What is not as it was, in words.

    Examples
    --------
    >>> then = {"settings": {"n_components": "3"}, "rows": 3000, "sample": "a"}
    >>> differences(then, then)
    []
    >>> now = {"settings": {"n_components": "4"}, "rows": 4000, "sample": "b"}
    >>> differences(then, now)
    ['it was made with n_components=3, here it is 4', 'it was made from 3,000 rows, here there are 4,000']
    """
    found = [
        f"it was made with {name}={_of(then['settings'], name)}, here it is {_of(now['settings'], name)}"
        for name in sorted({*then["settings"], *now["settings"]})
        if _of(then["settings"], name) != _of(now["settings"], name)
    ]
    sentences = {
        "peculiar": "it was written by peculiar {}, this is {}",
        "n_features": "it was made from {} features, here there are {}",
        "features": "it was made from the features {}, here they are {}",
        "errors": "its errors were of the kind {!r}, here they are {!r}",
        "rows": "it was made from {:,} rows, here there are {:,}",
        "weight": "its rows had weights of sum {:g}, here they have {:g}",
    }
    found += [
        sentence.format(then[name], now[name])
        for name, sentence in sentences.items()
        if None not in (then.get(name), now.get(name)) and then[name] != now[name]
    ]
    if not found and then["sample"] != now["sample"]:
        found = ["it was made from other rows: as many, but with other values, errors or weights"]
    return found


def check_seed(random_state: Any) -> int | None:
    """The seed, if there is one. A generator cannot be told from another, and does not stay what it is."""
    if random_state is None:
        return None
    if not isinstance(random_state, Integral):
        raise SettingError(
            "with a checkpoint random_state must be a whole number or None, not a generator "
            f"({type(random_state).__name__}): whoever goes on has to begin with the same numbers"
        )
    return int(random_state)


def _of(settings: Mapping[str, str], name: str) -> str:
    return settings.get(name, "unknown")


def _said(value: Any) -> str:
    """A setting as text: the same for the same value, in any process."""
    if hasattr(value, "__array__") or isinstance(value, list | tuple):
        return repr(np.asarray(value).tolist())
    # An engine of somebody else's may say its address, which is another each time.
    return re.sub(r" at 0x[0-9a-fA-F]+", "", repr(value))
