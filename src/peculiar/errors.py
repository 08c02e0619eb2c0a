"""Errors and warnings a user can meet. All errors are also :class:`ValueError`."""

from __future__ import annotations


class PeculiarError(ValueError):
    """Base of all errors raised on purpose."""


class InputError(PeculiarError):
    """The data, or their errors, cannot be used as given."""


class SettingError(PeculiarError):
    """An argument of an estimator has a value that is not allowed."""


class ModelFileError(PeculiarError):
    """A model file is damaged, is from a newer version, or is not a model file at all."""


class MissingDataError(PeculiarError):
    """A catalogue is not on this computer, cannot be fetched, or is damaged."""


class CatalogueError(PeculiarError):
    """A catalogue file, a column of it, or an expression of its columns cannot be used as given."""


class RowError(CatalogueError):
    """A row of a catalogue cannot be used as given.

    Parameters
    ----------
    row : int
        Its number.
    text : str
        What is wrong with it, to be read behind "row 7".
    """

    def __init__(self, row: int, text: str) -> None:
        super().__init__(f"row {row}{text}")
        self.row, self.text = row, text

    def __reduce__(self) -> tuple[type[RowError], tuple[int, str]]:
        return RowError, (self.row, self.text)


class MarksError(PeculiarError):
    """Marks of the objects of a list cannot be read or made: a damaged file, another list, an unknown mark."""


class OutputError(PeculiarError):
    """A file cannot be written where it was asked for: a device, a folder, no permission."""


class ClusterError(PeculiarError):
    """Work on a cluster cannot be done: a partition cannot be made, or its workers died, one after the other."""


class SampError(PeculiarError):
    """A table cannot be sent to another program: no hub runs, nobody listens, or it was not taken."""


class CollapsedScatterWarning(UserWarning):
    """A component shrank to (nearly) nothing in some direction and was held at the smallest size allowed."""


class UnboundedDofWarning(UserWarning):
    """The engine cannot estimate the degrees of freedom, and they grew to the largest value allowed."""


class NotShrunkWarning(UserWarning):
    """How far to shrink the scatters of small components was not tried: the rows are not in memory."""


class MissingNoiseWarning(UserWarning):
    """A model fitted with errors is applied to data without errors."""


class NoWildTailWarning(UserWarning):
    """A detector is used with a mixture that has no wild tail: it finds next to nothing."""


class PiledUpWarning(UserWarning):
    """Many rows share an extreme value exactly: a bound of the measurement, not of the objects."""


class ScaledValuesWarning(UserWarning):
    """The values look as if a scaler had made them, which does not see their errors."""


class PropagationWarning(UserWarning):
    """Errors are too large for first-order error propagation."""
