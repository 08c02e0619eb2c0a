"""What an experiment is, and what comes out of one."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Protocol, Self

from peculiar.report.tables import Table

Load = Callable[[], object]
"""Loads data, or raises MissingDataError."""

Advance = Callable[[int, int, str], None]
"""Called with the number of steps done, the number of all steps, and what is done next."""


@dataclass(frozen=True)
class Comparison:
    """One claim, of the paper or of ours, and whether it holds.

    Attributes
    ----------
    quantity : str
        What is compared.
    paper : str
        What the paper says; empty if it says nothing.
    here : str
        What was found.
    agrees : bool or None
        Whether the claim holds here; None if there is nothing to compare it with.
    sentence : str
        The same in words.
    """

    quantity: str
    paper: str
    here: str
    agrees: bool | None
    sentence: str


@dataclass(frozen=True)
class Outcome:
    """Everything that an experiment found.

    Attributes
    ----------
    numbers : dict
        Every number that is drawn, quoted, or compared.
    table : mapping of str to sequence
        The main numbers, as columns.
    """

    numbers: dict[str, Any]
    table: Table


Numbers = Mapping[str, Any]
"""The numbers of an outcome: as they are, or as they were read from a file."""


class Experiment(Protocol):
    """One experiment of the paper; its settings are the fields of a frozen dataclass.

    Attributes
    ----------
    name : str
    title : str
    source : str
        Where in the paper it is.
    about : str
        What is done, in a few sentences.
    load : function or None
        Loads the real data it needs, if it needs any.
    """

    name: ClassVar[str]
    title: ClassVar[str]
    source: ClassVar[str]
    about: ClassVar[str]
    load: ClassVar[Load | None]

    def __init__(self, *, seed: int = 0) -> None: ...

    @property
    def seed(self) -> int:
        """Seed of all random numbers."""
        ...

    @classmethod
    def quick(cls) -> Self:
        """A smaller version of the experiment, for a first look."""
        ...

    def run(self, advance: Advance) -> Outcome:
        """Run the experiment."""
        ...
