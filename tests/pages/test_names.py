"""Names that look like markup, scripts or formulas are text, everywhere on the page."""

import time

import pytest

from peculiar.catalogue.recipe import Recipe
from peculiar.explore import write_report
from peculiar.report.scene import read_scene
from tests.scene.made import make_catalogue, make_ranked

EVIL = [
    "<script>alert(1)</script>",
    '"><img src=x onerror=alert(1)>',
    '=HYPERLINK("http://evil","x")',
    "</script><script>window.hacked=1</script>",
    "<!--<script>",
    "{{ 7*7 }} <%= 1 %> @x",
    "a" * 60,
    "né ☃ 𝒳",
]


@pytest.fixture(scope="module")
def report(tmp_path_factory):
    columns = make_catalogue()
    columns["name"] = [EVIL[i % len(EVIL)] + f" {i}" for i in range(400)]
    columns["kind"] = [EVIL[i % len(EVIL)] for i in range(400)]
    made = make_ranked(columns)
    made.ranked.meta["NOTES"] = made.ranked.meta["COMMAND"] = EVIL[0] + EVIL[1]
    path = tmp_path_factory.mktemp("names") / "report.html"
    scene = read_scene(made.ranked, made.model, show=("kind",), title=EVIL[3], top=100)
    write_report(scene, path)
    return path, scene


def test_they_are_text_everywhere(open_page, report):
    path, scene = report
    page = open_page(path)
    dialogs = []
    page.on("dialog", lambda dialog: (dialogs.append(dialog.message), dialog.dismiss()))
    assert page.locator("h1").inner_text() == EVIL[3]
    page.locator("#more-columns summary").click()
    page.locator("#more-columns input").check()
    for at in range(16):
        page.evaluate("at => peculiar.set({selected: at})", at)
        assert page.locator("#chosen-name").inner_text() == scene.objects.name[at]
    cells = page.locator("#rows tr[data-at='3'] td").all_inner_texts()
    assert scene.objects.name[3] in cells
    assert scene.objects.shown["kind"][3] in cells
    assert EVIL[0] + EVIL[1] in page.locator("#card").inner_text()
    page.locator("#note").fill(EVIL[1])
    page.keyboard.press("Enter")
    assert page.locator("#note").input_value() == EVIL[1]
    assert page.locator("img").count() == 0
    assert page.evaluate("window.hacked") is None
    assert dialogs == []


SHADOWS = """() => { let text = ""; (function walk(root) { for (const e of root.querySelectorAll("*")) {
    if (e.shadowRoot) { text += e.shadowRoot.textContent; walk(e.shadowRoot); } } })(document); return text; }"""
"""Bokeh draws its tooltips in shadow roots, where no selector of the page reaches."""

PLACE = """at => { const data = peculiar.model("objects").data, view = Bokeh.index.find_one(peculiar.model("scatter"));
    const box = view.el.getBoundingClientRect();
    return [box.x + view.frame.x_scale.compute(data.x[at]), box.y + view.frame.y_scale.compute(data.y[at])]; }"""


def hover(page, at, name, seconds=60):
    """Move the mouse to a mark until its tooltip says the name: a busy computer may not have drawn it yet."""
    end = time.monotonic() + seconds
    while not page.evaluate(f"name => ({SHADOWS})().includes(name)", name):
        assert time.monotonic() < end, f"no tooltip says {name!r}"
        x, y = page.evaluate(PLACE, at)
        page.mouse.move(x - 40, y)
        page.mouse.move(x, y, steps=3)
        page.wait_for_timeout(150)


def test_a_tooltip_shows_them_as_text(open_page, report):
    path, scene = report
    page = open_page(path)
    seen = set()
    for at in range(9):
        page.evaluate("at => { peculiar.set({selected: at}); peculiar.zoomIn(); }", at)
        hover(page, at, scene.objects.name[at])
        seen.add(EVIL.index(scene.objects.name[at].rpartition(" ")[0]))
    assert {0, 1, 3} <= seen  # markup of every kind was among them
    assert page.evaluate("window.hacked") is None


def test_features_that_look_like_formulas_are_text_on_axes(open_page, tmp_path):
    columns, names = make_catalogue(), (r"$$u^2$$", r"\(g\)")
    for name, band in zip(names, "ug", strict=True):
        columns |= {name: columns[band] - columns["r"], f"{name}_err": columns[f"{band}_err"]}
        columns[name][50] = 0.0
    made = make_ranked(columns, Recipe(", ".join(f"`{name}`" for name in names)))
    write_report(read_scene(made.ranked, made.model), tmp_path / "report.html")
    page = open_page(tmp_path / "report.html")
    for x in (1, 0):
        page.evaluate("x => peculiar.set({x, y: 1 - x})", x)
        label = page.evaluate(
            "(({type, text}) => [type, text])(peculiar.model('scatter').below[0].axis_label)"
        )
        assert label == ["PlainText", names[x]]
    ticks = page.evaluate(
        "Array.from(peculiar.model('pulls').left[0].major_label_overrides, ([, {type}]) => type)"
    )
    assert ticks == ["PlainText", "PlainText"]
