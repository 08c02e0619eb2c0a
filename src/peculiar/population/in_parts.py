"""Discoveries among p-values that are not in one place: a histogram, then exact ranks of the few that matter."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from peculiar.arrays import Floats, Ints
from peculiar.errors import SettingError
from peculiar.population.discoveries import STOREY_LAMBDA, check_method, ordinary_share_of

_N_BINS = 4096
_LEAST = float(np.nextafter(0.0, 1.0))
_EDGES = np.concatenate([[0.0], np.exp(np.linspace(np.log(_LEAST), 0.0, _N_BINS))])
_EDGES[1], _EDGES[-1] = _LEAST, 1.0
_ROUNDING = 1.0 + 1e-9


class Histogram(NamedTuple):
    """How many p-values lie where, on a logarithmic scale. Those of parts can be added, in any order.

    Attributes
    ----------
    counts : ndarray of int
        The first bin has those that are exactly 0; each other reaches from one edge, which is not in it, to the next.
    n_large : int
        How many are above 0.5.
    """

    counts: Ints
    n_large: int

    @classmethod
    def of(cls, p: Floats) -> Histogram:
        """Of some p-values."""
        bins = np.searchsorted(_EDGES, p, side="left")
        counts = np.bincount(bins, minlength=len(_EDGES))
        return cls(counts, int(np.count_nonzero(p > STOREY_LAMBDA)))

    def plus(self, other: Histogram) -> Histogram:
        """Of two parts."""
        return Histogram(self.counts + other.counts, self.n_large + other.n_large)

    @property
    def n(self) -> int:
        """How many there are."""
        return int(self.counts.sum())

    def ordinary_share(self, method: str) -> float:
        """As :func:`peculiar.population.discoveries.ordinary_share` has it; 1 for Benjamini and Hochberg's rule."""
        if method != "storey":
            return 1.0
        return ordinary_share_of(self.n_large, self.n)

    def most(self, fdr: float, method: str) -> float:
        """A p-value above which nothing can be a discovery, whatever is where within the bins; negative if nothing can.

        A p-value of rank j is a discovery if n p / j is small for it, or for a larger one. In a bin, p is larger than
        the lower edge, and j at most what lies up to the upper edge.
        """
        up_to = np.cumsum(self.counts)
        lower = np.concatenate([[0.0], _EDGES[:-1]])
        with np.errstate(divide="ignore", invalid="ignore"):
            rate = self.ordinary_share(method) * lower * (self.n / up_to)
        able = np.flatnonzero((self.counts > 0) & (rate <= fdr * _ROUNDING))
        return float(_EDGES[able[-1]]) if len(able) else -1.0


class Line(NamedTuple):
    """Where discoveries end, and what each is worth.

    Attributes
    ----------
    threshold : float
        Largest p-value of a discovery; if there is none, what one object alone would have needed.
    p, q : ndarray of shape (m,)
        P-values of the discoveries, in rising order, and the smallest false-discovery rate at which each is one.
    n : int
        How many objects were judged.
    method : str
    """

    threshold: float
    p: Floats
    q: Floats
    n: int
    method: str

    def mask(self, p: ArrayLike) -> NDArray[np.bool_]:
        """Which of some of these p-values are discoveries."""
        given = np.asarray(p, dtype=np.float64)
        return given <= self.threshold if len(self.p) else np.zeros(given.shape, dtype=np.bool_)

    def q_values(self, p: ArrayLike) -> Floats:
        """The smallest rate at which each of some of these p-values is a discovery; NaN for those that are none."""
        given = np.asarray(p, dtype=np.float64)
        q = np.full(given.shape, np.nan)
        found = self.mask(given)
        q[found] = self.q[np.searchsorted(self.p, given[found], side="left")]
        return q


def discoveries_in_parts(
    parts: Callable[[], Iterable[ArrayLike]], fdr: float = 0.05, method: str = "bh"
) -> Line:
    """Discoveries among p-values that come in parts: the same as if all were in one array.

    Which object is a discovery depends on the p-values of all. Two passes are made: one counts them in a histogram of
    log p; the other collects those that can be discoveries, and ranks them. Never are all of them in one place.

    Parameters
    ----------
    parts : callable
        Returns an iterable over arrays of p-values. It is called twice, and must give the same numbers both times.
    fdr : float, default=0.05
        Accepted false-discovery rate.
    method : {"bh", "storey"}, default="bh"

    Returns
    -------
    Line
        ``line.mask(p)`` and ``line.q_values(p)`` then judge each part by itself.

    Examples
    --------
    >>> import numpy as np
    >>> parts = [np.array([1e-6, 0.5]), np.array([0.004, 0.2, 0.9])]
    >>> line = discoveries_in_parts(lambda: parts)
    >>> line.threshold, [line.mask(part).tolist() for part in parts]
    (0.004, [[True, False], [True, False, False]])
    """
    if check_method(method) == "bayes":
        raise SettingError("method 'bayes' is about outlier probabilities; choose 'bh' or 'storey'")
    total = Histogram.of(np.empty(0))
    for part in parts():
        total = total.plus(Histogram.of(np.asarray(part, dtype=np.float64)))
    most = total.most(fdr, method)
    some = [np.empty(0)]
    for part in parts() if most >= 0.0 else ():
        p = np.asarray(part, dtype=np.float64)
        some.append(p[p <= most])
    return draw_line(total, np.concatenate(some), fdr, method)


def draw_line(total: Histogram, some: Floats, fdr: float, method: str) -> Line:
    """Where discoveries end.

    Parameters
    ----------
    total : Histogram
        Of all p-values.
    some : ndarray of shape (m,)
        Those that are at most ``total.most(fdr, method)``; exact ranks are among these.
    fdr : float
    method : {"bh", "storey"}

    Returns
    -------
    Line
    """
    n, share = total.n, total.ordinary_share(method)
    ordered = np.sort(some)
    scaled = ordered * (n / np.arange(1.0, len(ordered) + 1.0))
    rates = np.minimum(np.minimum.accumulate(scaled[::-1])[::-1], 1.0)
    q = np.minimum(share * rates, 1.0)
    n_found = int(np.count_nonzero(q <= fdr))  # they rise
    threshold = float(ordered[n_found - 1]) if n_found else fdr / (share * max(n, 1))
    return Line(threshold, ordered[:n_found], q[:n_found], n, method)


_BITS, _STEP = 64, 12
_SIGN = np.uint64(1) << np.uint64(_BITS - 1)


@dataclass(frozen=True)
class Digits:
    """The first digits of one of many numbers that are in no single place; each pass over them tells twelve bits more.

    Attributes
    ----------
    known : int
    n_bits : int
        How many are known.
    """

    known: int = 0
    n_bits: int = 0

    @property
    def is_complete(self) -> bool:
        """Whether nothing is left to be known."""
        return self.n_bits == _BITS

    @property
    def _n_next(self) -> int:
        return min(_STEP, _BITS - self.n_bits)

    def count(self, numbers: Floats) -> Ints:
        """How many of some numbers with these first digits have each of the possible next ones."""
        bits = np.ascontiguousarray(numbers, dtype=np.float64).view(np.uint64)
        # As whole numbers these have the order of the numbers.
        keys = np.where(bits & _SIGN, ~bits, bits | _SIGN)
        rest = _BITS - self.n_bits - self._n_next
        first = keys >> np.uint64(rest)
        if self.n_bits:
            first = first[(first >> np.uint64(self._n_next)) == np.uint64(self.known)]
        digits = first & np.uint64((1 << self._n_next) - 1)
        return np.bincount(digits.astype(np.int64), minlength=1 << self._n_next)

    def next(self, counts: Ints, n: int) -> tuple[Digits, int]:
        """Those of the n-th smallest, from 0, of the numbers that were counted; which it is among those with them."""
        up_to = np.cumsum(counts)
        digit = int(np.searchsorted(up_to, n, side="right"))
        before = int(up_to[digit - 1]) if digit else 0
        known = (self.known << self._n_next) | digit
        return Digits(known, self.n_bits + self._n_next), n - before

    @property
    def number(self) -> float:
        """The number, if all digits are known."""
        key = np.uint64(self.known)
        bits = key ^ _SIGN if key & _SIGN else ~key
        return float(np.array([bits], dtype=np.uint64).view(np.float64)[0])
