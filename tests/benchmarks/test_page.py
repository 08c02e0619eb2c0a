"""The page: what is derived, and what is kept."""

from benchmarks.bars import Bar
from benchmarks.contenders import CONTENDERS
from benchmarks.losses import sentences
from benchmarks.page import MARKER, notes_of, write_page
from benchmarks.table import write_whole


def result(contender, cpu, model="t", **more):
    label = CONTENDERS[contender].label
    return {
        "contender": contender,
        "label": label,
        "model": model,
        "status": "ok",
        "cpu": cpu,
        **more,
    }


def test_losses_are_told():
    bars = [Bar("memory", 400.0, 500.0, "MB").row(), Bar("speed", 1.0, 0.5).row()]
    peers = [
        result("peculiar_t", 2.0, problem="here"),
        result("studenttmixture", 1.0, problem="here"),
    ]
    solution = [
        result("peculiar_t", 1.0, reached=True),
        result("studenttmixture", 9.0, reached=True),
    ]
    assert sentences(bars, peers, solution) == [
        "memory: 500, asked <= 400 MB.",
        "studenttmixture takes 2.0 times less CPU for an iteration (t, here).",
    ]


def test_page_keeps_what_was_written_by_hand(tmp_path):
    page = tmp_path / "benchmarks.md"
    machine = dict.fromkeys(("date", "processor", "system", "revision", "ours", "peers"), "x")
    parts = {"quick": True, "machine": machine, "bars": [Bar("ratio", 0.3, 0.2).row()]}
    write_page(page, parts, tmp_path / "no-figure.png")
    write_whole(page, page.read_text() + "\nBy hand.\n")
    write_page(page, parts, tmp_path / "no-figure.png")
    text = page.read_text()
    assert text.count("By hand.") == text.count(MARKER) == 1
    assert notes_of("nothing").startswith(MARKER)
    assert "| ratio | <= 0.3 | 0.2 | pass |" in text
