"""Averages over the recent half of what came, kept as those of some blocks of it."""

from __future__ import annotations

import dataclasses
import functools
from dataclasses import dataclass, replace

import numpy as np

from peculiar.arrays import Floats
from peculiar.model.params import MixtureParams
from peculiar.model.stats import SufficientStats

BLOCKS = 32
"""Blocks so many times shorter than all that came; the half begins at the edge of one."""


@dataclass(frozen=True)
class Means:
    """Averages over some steps.

    Attributes
    ----------
    weights, locations, scatters, wild_fraction : ndarray
        Of the parameters after each step.
    tails : ndarray of shape (K,)
        Of the inverse dofs, which may be below 0.
    sums : SufficientStats
        Per row, at the parameters before each step.
    about : ndarray of shape (K, d)
        The locations that these sums are taken about.
    """

    weights: Floats
    locations: Floats
    scatters: Floats
    wild_fraction: Floats
    tails: Floats
    sums: SufficientStats
    about: Floats

    @classmethod
    def of(
        cls, params: MixtureParams, tails: Floats, sums: SufficientStats, locations: Floats
    ) -> Means:
        """Of one step."""
        wild = np.array(params.wild_fraction)
        weights = np.exp(params.log_weights)
        return cls(weights, params.locations, params.scatters, wild, tails, sums, locations)

    def sums_about(self, locations: Floats) -> SufficientStats:
        """The sums about these locations."""
        return about(self.sums, locations - self.about)

    def mixed(self, other: Means, share: float) -> Means:
        """So much of the other, and of this one the rest."""
        names = ("weights", "locations", "scatters", "wild_fraction", "tails")
        parts = {name: _between(getattr(self, name), getattr(other, name), share) for name in names}
        sums = mixed(self.sums, other.sums_about(self.about), share)
        return Means(**parts, sums=sums, about=self.about)

    def params(self, like: MixtureParams) -> MixtureParams:
        """The averages as parameters, with other dofs."""
        with np.errstate(divide="ignore"):  # a component may have died: log 0
            log_weights = np.log(self.weights)
        return replace(
            like,
            log_weights=log_weights - np.logaddexp.reduce(log_weights),
            locations=self.locations,
            scatters=self.scatters,
            wild_fraction=float(self.wild_fraction),
        )


@dataclass(frozen=True)
class Block:
    """Averages over the steps from one time to another."""

    start: float
    end: float
    means: Means

    def plus(self, other: Block) -> Block:
        """With a block that follows."""
        length, more = self.end - self.start, other.end - other.start
        share = more / (length + more) if length + more > 0.0 else 1.0
        return Block(self.start, other.end, self.means.mixed(other.means, share))


@dataclass(frozen=True)
class Recent:
    """What came lately, in blocks that follow each other.

    The half that they are kept for is that of all time: after two passes over a table it is the second pass, to which
    each row has given the same share. In averages that count later steps more, the last rows would be seen twice.
    """

    blocks: tuple[Block, ...]

    def plus(self, length: float, means: Means) -> Recent:
        """After another step. What is no longer needed is forgotten."""
        last = self.blocks[-1]
        new = Block(last.end, last.end + length, means)
        if new.end - last.start <= new.end / BLOCKS:
            blocks = (*self.blocks[:-1], last.plus(new))
        else:
            blocks = (*self.blocks, new)
        # One that is cut by the beginning of the half is kept if most of it lies behind that.
        late = (block for block in blocks if block.start + block.end >= new.end)
        return Recent(tuple(late))

    @property
    def means(self) -> Means:
        """Averages over the half."""
        return functools.reduce(Block.plus, self.blocks).means


def mixed(one: SufficientStats, other: SufficientStats, share: float) -> SufficientStats:
    """So much of the other, and of the one the rest; both about the same locations."""
    names = [field.name for field in dataclasses.fields(one)]
    pairs = {name: (getattr(one, name), getattr(other, name)) for name in names}
    parts = {name: (1.0 - share) * a + share * b for name, (a, b) in pairs.items()}
    return SufficientStats(**parts)


def about(stats: SufficientStats, shift: Floats) -> SufficientStats:
    """The same sums about locations that are so much further, (K, d).

    Locations move little from one step to the next, so that no digits are lost, as they would be if sums were kept
    about 0 (design note 2).
    """
    cross = shift[:, :, None] * stats.sum_ud[:, None, :]
    squares = stats.sum_u[:, None, None] * shift[:, :, None] * shift[:, None, :]
    return replace(
        stats,
        sum_ud=stats.sum_ud - stats.sum_u[:, None] * shift,
        sum_udd=stats.sum_udd - cross - np.swapaxes(cross, 1, 2) + squares,
    )


def _between(start: Floats, end: Floats, share: float) -> Floats:
    return (1.0 - share) * start + share * end
