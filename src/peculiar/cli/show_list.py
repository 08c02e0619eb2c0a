"""The ranked list on the screen."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from peculiar.cli.console import Screen

if TYPE_CHECKING:
    from peculiar.cli.options import ListWanted
    from peculiar.report import Candidates

LEGEND = """\
p-value: how often an ordinary object with the same errors would look at least as strange.
q-value: the smallest false-discovery rate at which the object is a discovery.
tolerance: the factor by which its errors must have been underestimated for it to be no discovery.\
"""


def show_list(
    screen: Screen, candidates: Candidates, beside: Mapping[str, Any], wanted: ListWanted
) -> None:
    """Print how many are discoveries, the top of the list, and how many p-values are small.

    Parameters
    ----------
    screen : Screen
    candidates : Candidates
    beside : dict of columns
        What else to show of each object, in the order of the ranking.
    wanted : ListWanted
    """
    from peculiar.report.words import calibration_in_words

    n, n_found = candidates.totals.n, candidates.n_discoveries
    screen.say(headline(n, n_found, wanted))
    if wanted.top:
        table = top_of_list(candidates, beside, wanted.top)
        whole = [name for name in table if name != "betrayed by"]  # a name in two parts is none
        to_the_left = [*beside, "group", "betrayed by"]
        screen.table(table, to_the_left=to_the_left, whole=whole, line_after=n_found)
    screen.say()
    screen.say(calibration_in_words(candidates.totals.calibration))
    if wanted.top:
        screen.say()
        screen.say(LEGEND)


def top_of_list(
    candidates: Candidates, beside: Mapping[str, Any], top: int
) -> dict[str, list[str]]:
    """The top of the list, in words.

    Parameters
    ----------
    candidates : Candidates
    beside : dict of columns
        What else to show of each object, in the order of the ranking; if empty, its row number is shown.
    top : int

    Returns
    -------
    dict of columns
    """
    from peculiar.notebook import as_in_catalogue
    from peculiar.report.words import probability_in_words

    verdict = {name: column[:top] for name, column in candidates.verdict.items()}
    own = beside or {"row": verdict["row"]}
    table = {"rank": [f"{rank}" for rank in verdict["rank"]]}
    table |= {
        name: [as_in_catalogue(cell) for cell in column[:top]] for name, column in own.items()
    }
    return table | {
        "p-value": [probability_in_words(p) for p in verdict["p_value"]],
        "q-value": [probability_in_words(q) for q in verdict["q_value"]],
        **({"group": [*verdict["group"]]} if candidates.totals.of_groups else {}),
        "betrayed by": [
            f"{feature} {side}" if side else "-"
            for feature, side in zip(verdict["main_feature"], verdict["main_side"], strict=True)
        ],
        "value": [_main_value(candidates, i) for i in range(len(verdict["rank"]))],
        "tolerance": [_factor(factor) for factor in verdict["error_tolerance"]],
    }


def headline(n: int, n_found: int, wanted: ListWanted) -> str:
    """How many objects are discoveries, and what follows."""
    n_shown = min(wanted.top, n)
    introduced = " The strangest:" if n_shown else ""
    rate = f"a false-discovery rate of {100 * wanted.fdr:g} % ({wanted.method})"
    if n_found == 0:
        return f"None of {n:,} objects is a discovery at {rate}.{introduced}"
    share = (
        f"{n_found:,} of {n:,} objects {'is a discovery' if n_found == 1 else 'are discoveries'}"
    )
    rest = "; those below the line are not" if n_found < n_shown else ""
    return f"{share} at {rate}{rest}.{introduced}"


def _factor(factor: float) -> str:
    return "none" if math.isinf(factor) else f"{factor:.1f}"


def _main_value(candidates: Candidates, i: int) -> str:
    """Value of the feature that makes an object strange, with its error."""
    from peculiar.report.words import with_error

    name = candidates.verdict["main_feature"][i]
    if not name:
        return "-"
    return with_error(candidates.features[name][""][i], candidates.features[name]["_err"][i])
