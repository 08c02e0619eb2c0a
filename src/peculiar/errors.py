"""Errors and warnings a user can meet. All errors are also :class:`ValueError`."""

from __future__ import annotations


class PeculiarError(ValueError):
    """Base of all errors raised on purpose."""


class InputError(PeculiarError):
    """The data, or their errors, cannot be used as given."""


class SettingError(PeculiarError):
    """An argument of an estimator has a value it cannot have."""


class ModelFileError(PeculiarError):
    """A model file is damaged, from a newer version, or no model file at all."""


class MissingDataError(PeculiarError):
    """A catalogue is not on this computer, cannot be fetched, or is damaged."""


class CatalogueError(PeculiarError):
    """A catalogue file, a column of it, or an expression of its columns cannot be used as given."""


class CollapsedScatterWarning(UserWarning):
    """A component shrank to (nearly) nothing in some direction and was held at the floor."""


class UnboundedDofWarning(UserWarning):
    """An engine that cannot tell the degrees of freedom has let them grow as far as they may."""


class MissingNoiseWarning(UserWarning):
    """A model fitted with errors is applied to data without."""


class PropagationWarning(UserWarning):
    """Errors are too large for what a first derivative makes of them."""
