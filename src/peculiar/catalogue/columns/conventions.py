"""How surveys name the error of a column. Every rule is a line; nothing here decides, it only proposes.

A leading ``u_`` is the u band, or a flag, and never an uncertainty.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product


@dataclass(frozen=True)
class Candidate:
    """Columns that may hold the error of another.

    Attributes
    ----------
    names : tuple of str
        One column, or the upper and the lower error.
    kind : {'std', 'ivar', 'variance', 'upper/lower'}
    rule : str
        The convention, as text: 'X_err'.
    is_direct : bool
        Whether the whole name of the column is in it; for B_mag, B_err is not.
    """

    names: tuple[str, ...]
    kind: str
    rule: str
    is_direct: bool = True


# {x}: the name of the column, in lower case; case is ignored except for e_ and E_.
_STD = (
    "{x}_err", "{x}_error", "{x}err", "{x}error", "{x}_magerr", "{x}_sig", "{x}_sigma", "{x}_std", "{x}_stddev",
    "{x}_unc", "{x}_uncertainty", "e_{x}", "err_{x}", "error_{x}", "sig_{x}", "sigma_{x}", "unc_{x}",
    "err{x}", "e_{x}_stat",
)  # fmt: skip
_IVAR = ("{x}_ivar", "ivar_{x}", "{x}ivar")
_VARIANCE = ("{x}_var", "{x}_variance")
_PAIRS = (
    ("{x}_err1", "{x}_err2"),  # NASA Exoplanet Archive
    ("{x}err1", "{x}err2"),
    ("{x}_errp", "{x}_errn"),
    ("{x}errp", "{x}errn"),
    ("{x}_err_upper", "{x}_err_lower"),
    ("{x}_err_up", "{x}_err_low"),
    ("{x}_err_plus", "{x}_err_minus"),
    ("{x}_err_pos", "{x}_err_neg"),
)
# {a}_{b}: the name cut at an underscore. psfMag_u has psfMagErr_u, MAG_AUTO has MAGERR_AUTO, flux_g has flux_ivar_g.
_SPLIT_STD = ("{a}err_{b}", "{a}_err_{b}", "{a}_error_{b}")
_SPLIT_IVAR = ("{a}ivar_{b}", "{a}_ivar_{b}")
_SURVEYS = (
    (re.compile(r"^(w[1-4])(m\w*)$"), r"\1sig\2", "WISE"),
    (re.compile(r"^([jhk]_m)$"), r"\1sigcom", "2MASS"),
    (re.compile(r"^([jhk]_)m$"), r"\1cmsig", "2MASS"),
    (re.compile(r"^([a-z]{1,2})_?fe$"), r"err\1", "errX for XFe"),
    (re.compile(r"^beta()$"), r"standard_error\1", "standard_error for beta"),
    (re.compile(r"^beta((?:[._].+)?)$"), r"se\1", "seY for betaY"),
)
_FLUX = "f_"
"""f_X with e_X: fluxes for EAZY. Where X is a column itself, e_X is its error."""
_LONE_CORRELATIONS = frozenset({"rho", "errcorr", "err_corr", "error_corr", "error_correlation"})
"""The correlation of the only two ratios that a table of isotopes has."""
QUANTITIES = ("_mag", "_flux")
"""Endings that may be left out in the name of the error: B_mag with B_err."""


class Lookup:
    """The names of all columns, to be found whatever their case.

    Parameters
    ----------
    available : sequence of str
    """

    def __init__(self, available: Sequence[str]) -> None:
        self.available = available
        self.exact = frozenset(available)
        self._folded = {name.lower(): name for name in available}
        self._several: dict[str, list[str]] = {}
        if len(self._folded) < len(self.exact):  # seldom, and a million lists are slow
            for name in available:
                self._several.setdefault(name.lower(), []).append(name)

    def find(self, folded: str, besides: str = "") -> list[str]:
        """Columns of a name in lower case, all but one of them."""
        names = self._several.get(folded) or [self._folded.get(folded, besides)]
        return [name for name in names if name != besides]


def candidates(name: str, lookup: Lookup) -> list[Candidate]:
    """Columns that may be the error of one, by all conventions; each only once.

    Examples
    --------
    >>> names = Lookup(["u_mag", "u_err", "u_mag_ivar", "u_flag"])
    >>> for found in candidates("u_mag", names):
    ...     print(found.names, found.kind, found.rule)
    ('u_mag_ivar',) ivar X_ivar
    ('u_err',) std X_err for X_mag
    """
    found: dict[tuple[str, ...], Candidate] = {}
    for proposal in _propose(name):
        for names in _existing(proposal, name, lookup):
            if not any(set(names) <= set(known) for known in found):
                found[names] = Candidate(names, proposal.kind, proposal.rule, proposal.is_direct)
    return list(found.values())


def _propose(name: str) -> Iterator[Candidate]:
    yield from _propose_for(name, "")
    for ending in QUANTITIES:
        if name.lower().endswith(ending) and len(name) > len(ending):
            yield from _propose_for(name[: -len(ending)], f" for X{ending}")
    if name.lower().startswith(_FLUX) and len(name) > len(_FLUX):
        yield Candidate((f"e_{name.lower().removeprefix(_FLUX)}",), "std", "e_X for f_X", False)


def other_names(name: str, candidate: Candidate) -> list[str]:
    """Names, in lower case, of columns whose error a candidate would be as well."""
    x = name.lower()
    if candidate.rule == "e_X for f_X":
        return [x.removeprefix(_FLUX)]
    if candidate.rule == "errX for XFe":
        return [x.removesuffix("fe").removesuffix("_")]
    if candidate.is_direct:
        return [x + end for end in QUANTITIES]
    stem = next((x.removesuffix(end) for end in QUANTITIES if x.endswith(end)), x)
    return [rival for rival in (stem, *(stem + end for end in QUANTITIES)) if rival != x]


def _propose_for(name: str, remark: str) -> Iterator[Candidate]:
    """All rules for a name, upper and lower errors first: e_X alone is something else than e_X beside E_X."""
    x, is_direct = name.lower(), not remark
    yield Candidate((f"E_{name}", f"e_{name}"), "upper/lower", f"E_X and e_X{remark}", is_direct)
    for pair in _PAIRS:
        rule = " and ".join(pattern.format(x="X") for pattern in pair) + remark
        yield Candidate(tuple(p.format(x=x) for p in pair), "upper/lower", rule, is_direct)
    for kind, patterns in (("std", _STD), ("ivar", _IVAR), ("variance", _VARIANCE)):
        for pattern in patterns:
            rule = pattern.format(x="X") + remark
            yield Candidate((pattern.format(x=x),), kind, rule, is_direct)
    if is_direct:
        yield from _propose_split(x)
        for form, replacement, survey in _SURVEYS:
            if form.match(x):
                yield Candidate((form.sub(replacement, x),), "std", survey)


def _propose_split(x: str) -> Iterator[Candidate]:
    for place in sorted({x.find("_"), x.rfind("_")} - {-1, 0}):
        a, b = x[:place], x[place + 1 :]
        for kind, patterns in (("std", _SPLIT_STD), ("ivar", _SPLIT_IVAR)):
            for pattern in patterns:
                rule = f"{pattern.format(a='A', b='B')} for A_B"
                yield Candidate((pattern.format(a=a, b=b),), kind, rule)


def _existing(proposal: Candidate, name: str, lookup: Lookup) -> list[tuple[str, ...]]:
    """The columns that a proposal means: as written, or in other case if nobody else can be meant."""
    if proposal.names[0].startswith("E_"):
        return [proposal.names] if lookup.exact.issuperset(proposal.names) else []
    found = list(product(*(lookup.find(folded, name) for folded in proposal.names)))
    if not found or not lookup.find(name.lower(), name):
        return found
    stem = name if proposal.is_direct else name.rpartition("_")[0]
    if proposal.rule == "e_X for f_X":
        stem = name.partition("_")[2]
    return [
        names for names in found if all(stem in each for each in names)
    ]  # U_err for U, u_err for u


def correlation_names(one: str, other: str) -> tuple[str, ...]:
    """How the correlation of two errors is called (Gaia)."""
    return tuple(
        pattern.format(a, b)
        for pattern in ("{}_{}_corr", "corr_{}_{}", "{}_{}_correlation")
        for a, b in ((one, other), (other, one))
    )


def is_lone_correlation(name: str) -> bool:
    """Whether a column of this name is the correlation of the errors of two others, if there are only two."""
    return name.lower() in _LONE_CORRELATIONS


def by_ucd(name: str, ucds: Mapping[str, str]) -> list[Candidate]:
    """Columns whose UCD says that they are the error of what this column is (VOTable)."""
    own = _words(ucds.get(name, ""))
    if not own:
        return []
    return [
        Candidate((other,), "std", "UCD stat.error")
        for other, ucd in ucds.items()
        if other != name and _words(ucd)[:1] == ["stat.error"] and _words(ucd)[1:] == own
    ]


def quantity_of(ucd: str) -> tuple[str, ...]:
    """What a UCD says that a column is, without the order of importance."""
    return tuple(_words(ucd))


def errors_by_ucd(ucds: Mapping[str, str]) -> dict[tuple[str, ...], dict[str, str]]:
    """UCDs of the columns that are errors, by the quantity they are errors of."""
    found: dict[tuple[str, ...], dict[str, str]] = {}
    for name, ucd in ucds.items():
        words = _words(ucd)
        if words[:1] == ["stat.error"]:
            found.setdefault(tuple(words[1:]), {})[name] = ucd
    return found


def _words(ucd: str) -> list[str]:
    return [
        word for word in ucd.lower().replace(" ", "").split(";") if word and word != "meta.main"
    ]
