"""The page that puts our numbers beside the paper's."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape
from typing import Any

MARK = '<meta name="generator" content="peculiar reproduce">'
"""Marks a page as ours."""

PAPER = "J. Sun, A. Kabán and S. Raychaudhury, Robust mixtures in the presence of measurement errors, ICML 2007"

VERDICTS = {
    True: ("holds", "holds"),
    False: ("fails", "does not hold"),
    None: ("open", "no claim"),
}
"""For each verdict on a claim, its class in the page and its words."""

STYLE = """\
body { font: 16px/1.5 system-ui, sans-serif; color: #1d1d1f; background: #fff; }
body { margin: 0 auto; padding: 2rem 1.2rem 4rem; max-width: 66rem; }
h1 { font-size: 1.7rem; margin: 0 0 .3rem; } h2 { font-size: 1.25rem; margin: 3rem 0 .3rem; }
p { margin: .4rem 0; max-width: 48rem; } .small { color: #5f6368; font-size: .85rem; }
img { width: 100%; height: auto; margin: 1rem 0; border: 1px solid #e4e4e7; border-radius: 6px; }
.scroll { overflow-x: auto; } table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem .7rem .5rem 0; border-bottom: 1px solid #e4e4e7; }
th { font-weight: 600; white-space: nowrap; }
td:nth-child(1) { min-width: 12rem; } td:nth-child(3) { min-width: 13rem; }
.chip { display: inline-block; padding: 0 .5rem; border-radius: 1rem; font-size: .8rem; white-space: nowrap; }
.holds { background: #dcf3e4; color: #14532d; } .fails { background: #fde3e1; color: #7f1d1d; }
.open { background: #ececef; color: #3f3f46; }
a { color: #1b6ca8; }
"""


def write_page(documents: Sequence[Mapping[str, Any]]) -> str:
    """The page about some experiments.

    Parameters
    ----------
    documents : sequence of mapping
        The contents of their JSON files.

    Returns
    -------
    str
        HTML that loads nothing but the figures beside it. Every text is escaped.
    """
    sections = "\n".join(_section(document) for document in documents)
    links = " &middot; ".join(
        f'<a href="#{escape(d["experiment"])}">{escape(d["experiment"])}</a>' for d in documents
    )
    return f"""<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
{MARK}
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>The paper reproduced</title>
<style>
{STYLE}</style>
</head>
<body>
<h1>The paper reproduced</h1>
<p>{escape(PAPER)}.</p>
<p>What the paper says, what was found here, and whether the claim holds. Rows without an entry for the paper are our
own claims, or have nothing to be compared with.</p>
<p class="small">{links}</p>
{sections}
</body>
</html>
"""


def _section(document: Mapping[str, Any]) -> str:
    name = escape(str(document["experiment"]))
    rows = "\n".join(_row(comparison) for comparison in document["comparisons"])
    return f"""<section id="{name}">
<h2>{escape(str(document["title"]))}</h2>
<p class="small">{name}: {escape(str(document["in_the_paper"]))} of the paper</p>
<p>{escape(str(document["about"]))}</p>{_hint(document)}
<img src="{name}.png" alt="{escape(str(document["title"]))}">
<div class="scroll"><table>
<thead><tr><th>what</th><th>paper</th><th>here</th><th></th><th>in words</th></tr></thead>
<tbody>
{rows}
</tbody></table></div>
<p class="small">Settings: {escape(_listed(document["settings"]))}. {escape(str(document["made_by"]))}.
{_warnings(document)}All numbers: <a href="{name}.json">{name}.json</a>, <a href="{name}.csv">{name}.csv</a>.</p>
</section>"""


def _row(comparison: Mapping[str, Any]) -> str:
    kind, words = VERDICTS[comparison["agrees"]]
    cells = [escape(str(comparison[key])) or "&ndash;" for key in ("quantity", "paper", "here")]
    chip = f'<span class="chip {kind}">{words}</span>'
    texts = [*cells, chip, escape(str(comparison["sentence"]))]
    return "<tr>" + "".join(f"<td>{text}</td>" for text in texts) + "</tr>"


def _hint(document: Mapping[str, Any]) -> str:
    """A note on the page, as a run that is not full can be wrong about a claim."""
    return (
        "" if document["is_full"] else "\n<p><b>Not the full run: verdicts are hints only.</b></p>"
    )


def _warnings(document: Mapping[str, Any]) -> str:
    """What the fits warned about, and how often."""
    counts = document["warnings_of_fits"]
    return f"Warnings of fits: {escape(_listed(counts))}.\n" if counts else ""


def _listed(entries: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {_plainly(value)}" for name, value in entries.items())


def _plainly(value: Any) -> str:
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
