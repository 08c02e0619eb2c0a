"""A fit that keeps a checkpoint, from its beginning to its end or a stop."""

from __future__ import annotations

import contextlib
import logging
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from peculiar.backends import Backend
from peculiar.errors import OutputError
from peculiar.estimators.checkpoints.made_with import check_seed, describe
from peculiar.estimators.checkpoints.setting import Checkpoint
from peculiar.estimators.checkpoints.stops import hearing_sigterm
from peculiar.estimators.checkpoints.written import Kept, WrittenJournal
from peculiar.files import check_writable
from peculiar.fitting.journal import FORGETFUL, Journal

_LOGGER = logging.getLogger("peculiar")


@contextlib.contextmanager
def keeping(
    checkpoint: Any,
    settings: Mapping[str, Any],
    names: Sequence[str] | None,
    backend: Backend,
) -> Iterator[Journal]:
    """The journal of a fit, which is written now and then, when the block is stopped, and when it is done.

    Without a checkpoint it is one that forgets.

    A file whose fit is done is kept: whoever asks again has the result at once.

    Parameters
    ----------
    checkpoint : path-like, Checkpoint or None
    settings : dict
        Of the estimator, with its choices as objects.
    names : sequence of str or None
        Of the features, if they have names.
    backend : Backend

    Yields
    ------
    Journal
    """
    if checkpoint is None:
        yield FORGETFUL
        return
    checkpoint = Checkpoint.of(checkpoint)
    seed = check_seed(settings["random_state"])
    check_writable(checkpoint.path)
    if seed is None:
        seed = int(np.random.default_rng().integers(2**31))
    journal = WrittenJournal(checkpoint, describe(settings, names, backend), seed)
    if journal.is_written:
        _LOGGER.warning("peculiar: going on from %s (%s)", checkpoint.path, journal.kept)
    with hearing_sigterm():
        try:
            yield journal
            journal.write()
        except BaseException as stop:
            for note in _save(journal, stop):
                stop.add_note(note)
            raise


def _save(journal: WrittenJournal, stop: BaseException) -> Iterator[str]:
    """Write what has been found before the fit was stopped; sentences on what became of it, and how to go on."""
    if journal.kept == Kept():
        return
    path = journal.checkpoint.path
    if not isinstance(stop, OutputError):  # it is the checkpoint itself that could not be written
        try:
            journal.write()
        except (OSError, OutputError) as error:
            yield f"what has been found since the last checkpoint is lost: {error}"
    if journal.is_written:
        yield f"the same call goes on from {path} ({journal.on_disk})"
