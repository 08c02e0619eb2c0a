"""Strange groups on the screen, before the list."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from peculiar.cli.console import Screen
from peculiar.report.words import side_in_words

if TYPE_CHECKING:
    from peculiar.report import Candidates


def show_groups(screen: Screen, candidates: Candidates, *, whole: bool) -> None:
    """Say which strange groups there are; or show the whole table, a line for each component.

    Parameters
    ----------
    screen : Screen
    candidates : Candidates
    whole : bool
    """
    table = candidates.groups
    if table is None:
        if whole:
            screen.say(
                "This model file was written without strange groups; fit again to look for them."
            )
        return
    screen.say(headline(candidates))
    if whole:
        screen.table(all_components(candidates), to_the_left=["group", "differs in"])
        screen.say(
            "\nexpected objects: its share of all. An object that may belong to several components counts a part for "
            "each; as a member of a group, above, it counts for the most probable one.\n"
            "z: how near its objects are to the nearest tenth of all, compared with the bulk, in standard deviations.\n"
            "p-value: that of the centre, measured with errors of median size, among ordinary objects."
        )


def headline(candidates: Candidates) -> str:
    """The strange groups in a sentence: how many objects, and where."""
    table, n = candidates.groups, candidates.totals.n
    assert table is not None
    strange = sorted((line for line in table if line["group"]), key=lambda line: line["group"])
    if not strange:
        return "No strange groups: every component is a part of the ordinary population.\n"
    counts = {line["group"]: candidates.totals.of_groups.get(line["group"], 0) for line in strange}
    parts = [
        f"{name}, {counts[name]:,} object{'s' * (counts[name] != 1)} ({_share(counts[name], n)}), "
        f"{line['feature_1']} {_side(candidates, line)}"
        for name, line in zip(counts, strange, strict=True)
    ]
    many = f"{len(parts)} strange groups" if len(parts) > 1 else "1 strange group"
    return f"{many}: {'; '.join(parts)}.\n"


def all_components(candidates: Candidates) -> dict[str, list[str]]:
    """A line for each component, in words; strange groups first."""
    table = candidates.groups
    assert table is not None
    order = sorted(
        range(len(table)),
        key=lambda k: (not table["group"][k], table["group"][k], -table["share"][k]),
    )
    lines = [table[k] for k in order]
    return {
        "component": [str(line["component"]) for line in lines],
        "group": [line["group"] or "ordinary" for line in lines],
        "share": [f"{100 * line['share']:.1f} %" for line in lines],
        "expected objects": [f"{line['n_objects']:,.0f}" for line in lines],
        "z": [f"{line['z']:z.1f}" for line in lines],
        "p-value": [f"{line['p_value']:.2g}" for line in lines],
        "differs in": [_features(line) if line["group"] else "-" for line in lines],
    }


def _features(line: Any) -> str:
    both = ((line[f"feature_{i}"], line[f"side_{i}"]) for i in (1, 2))
    return ", ".join(f"{feature} {side}" for feature, side in both if feature)


def _side(candidates: Candidates, line: Any) -> str:
    """On which side a group is in its first feature: where nearly all members lie whom that feature betrays.

    Of a list that is not in memory only the first objects are at hand; its groups lie where their centres do.
    """
    verdict, centre = candidates.verdict, str(line["side_1"])
    if len(verdict["rank"]) < candidates.totals.n:
        return centre
    betrayed = (verdict["group"] == line["group"]) & (verdict["main_feature"] == line["feature_1"])
    return side_in_words(verdict["main_side"][betrayed].tolist()) if betrayed.any() else centre


def _share(count: int, n: int) -> str:
    return f"{100 * count / n:.2g} %"
