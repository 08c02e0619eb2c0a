"""The report in a real browser, from disk: linked parts, right numbers, and not one request."""

import json
from dataclasses import replace

import numpy as np
import pytest

from peculiar import OutlierDetector, RobustMixture
from peculiar.explore import write_report
from peculiar.population.certificate import certificate
from peculiar.population.discoveries import by_p_values
from peculiar.report.scene import read_scene
from peculiar.triage import Marks, object_keys
from tests.scene.made import make_catalogue, make_ranked


@pytest.fixture(scope="module")
def made():
    return make_ranked(make_catalogue())


@pytest.fixture(scope="module")
def scene(made):
    return read_scene(made.ranked, made.model, show=("kind", "r"), title="stars.fits")


@pytest.fixture(scope="module")
def report(scene, tmp_path_factory):
    path = tmp_path_factory.mktemp("report") / "report.html"
    write_report(scene, path)
    return path


@pytest.fixture(scope="module")
def shared(browser, report):
    """One page for the tests that change nothing that others rely on."""
    from tests.pages.conftest import Heard

    heard = Heard()
    context = browser.new_context(viewport={"width": 1440, "height": 900})
    page = context.new_page()
    heard.listen(page)
    page.goto(report.as_uri())
    page.wait_for_selector("html[data-ready=true]", timeout=60_000)
    yield page
    context.close()
    assert heard.errors == []
    assert heard.requests == [report.as_uri()]


def select(page, at):
    page.evaluate("at => peculiar.set({selected: at})", at)


def source(page, name):
    """The columns of a Bokeh source, as lists."""
    return page.evaluate(
        """name => {
            const columns = peculiar.model(name).data;
            const plain = (cell) => typeof cell === "object" ? Array.from(cell) : cell;
            return Object.fromEntries(Object.keys(columns).map((key) => [key, Array.from(columns[key], plain)]));
        }""",
        name,
    )


def test_a_row_shows_sentence_and_ellipses(shared, scene):
    shared.locator("#rows tr[data-at='3']").click()
    assert shared.locator("#sentence").inner_text() == scene.objects.sentence[3]
    assert shared.locator("#chosen-name").inner_text() == scene.objects.name[3]
    i, j = shared.evaluate("[peculiar.state.x, peculiar.state.y]")
    for name, centre, covariance in (
        ("error", scene.objects.values, scene.objects.covariance),
        ("clean", scene.objects.clean, scene.objects.clean_covariance),
    ):
        outline = source(shared, name)
        block = covariance[3][np.ix_([i, j], [i, j])]
        step = np.column_stack([outline["x"], outline["y"]]) - centre[3, [i, j]]
        distance = np.einsum("ni,ij,nj->n", step, np.linalg.inv(block), step)
        np.testing.assert_allclose(distance, 1.0, rtol=1e-3)
    arrow = source(shared, "arrow")
    for place, axis in (("x", i), ("y", j)):
        ends = [arrow[f"{place}_start"][0], arrow[f"{place}_end"][0]]
        np.testing.assert_allclose(
            ends, [scene.objects.values[3, axis], scene.objects.clean[3, axis]]
        )
    assert shared.evaluate("peculiar.model('objects').selected.indices") == [3]


def test_the_head_of_a_short_arrow_is_short(shared):
    """It would hide the two places that it joins."""
    select(shared, 3)
    size = "peculiar.model('scatter').center.find((one) => one.type === 'Arrow').end.size.value"
    arrow = source(shared, "arrow")
    gap = abs(arrow["x_end"][0] - arrow["x_start"][0])
    for width in (1000.0, 1e-3):
        middle = arrow["x_start"][0]
        shared.evaluate(
            """([low, high]) => { const plot = peculiar.model("scatter"); plot.x_range.setv({start: low, end: high});
                                  plot.y_range.setv({start: -1000 * (high - low), end: 1000 * (high - low)}); }""",
            [middle - width * gap, middle + width * gap],
        )
        assert (shared.evaluate(size) < 1.0) == (width > 1.0)
    shared.keyboard.press("e")


def test_components_are_drawn_with_their_scatter(shared, scene):
    drawn = source(shared, "ellipses")
    i, j = shared.evaluate("[peculiar.state.x, peculiar.state.y]")
    assert len(drawn["xs"]) == 4  # two components, at one and at two standard deviations
    for line, (k, size) in enumerate([(0, 1), (0, 2), (1, 1), (1, 2)]):
        block = scene.components.scatter[k][np.ix_([i, j], [i, j])]
        step = (
            np.column_stack([drawn["xs"][line], drawn["ys"][line]])
            - scene.components.location[k, [i, j]]
        )
        distance = np.einsum("ni,ij,nj->n", step, np.linalg.inv(block), step)
        np.testing.assert_allclose(distance, size**2, rtol=1e-3)


def where_in_the_scatter(page, number):
    return page.evaluate(
        """(number) => {
            const data = peculiar.model("objects").data, view = Bokeh.index.find_one(peculiar.model("scatter"));
            const box = view.el.getBoundingClientRect(), {x_scale, y_scale} = view.frame;
            return [box.x + x_scale.compute(data.x[number]), box.y + y_scale.compute(data.y[number])];
        }""",
        number,
    )


def test_a_mark_in_the_scatter_selects_its_row(shared, scene):
    select(shared, 0)
    at = None
    while at != (
        at := where_in_the_scatter(shared, 2)
    ):  # axes of another test may still be on their way
        shared.wait_for_timeout(200)
    shared.mouse.click(*at)
    shared.wait_for_function("() => peculiar.state.selected === 2")
    assert shared.locator("#rows tr[aria-selected=true]").get_attribute("data-at") == "2"


@pytest.mark.parametrize("rate", [0.001, 0.05, 0.2])
def test_the_slider_counts_what_benjamini_and_hochberg_would(shared, made, rate):
    p = np.asarray(made.ranked["p_value"])
    found = by_p_values(p, rate)
    count = int(found.mask.sum())
    bound = float(certificate(len(p), found.threshold, count))
    shared.locator("#rate").fill(str(rate))
    assert shared.locator("#rate-count").inner_text() == f"{count}"
    shown = shared.evaluate(
        """() => { const {trust} = peculiar.content;
                   return peculiar.certificate(trust, peculiar.discoveries(trust, peculiar.state.rate)); }"""
    )
    np.testing.assert_allclose(shown, bound, rtol=1e-9)
    text = f"{100 * bound:.1f} %" if bound < 0.1 else f"{100 * bound:.0f} %"
    assert shared.locator("#rate-certificate").inner_text() == text
    np.testing.assert_allclose(
        shared.evaluate("peculiar.model('line').location"), found.threshold, rtol=1e-9
    )
    assert f"{count} of 400 objects" in shared.locator("#headline").inner_text()
    rows = shared.locator("#rows tr[data-at]:not(.beyond)")
    assert rows.count() == count if count < 20 else rows.count() >= 20


def test_other_axes_move_everything(shared, scene):
    shared.locator("#axis-x").select_option("1")
    assert shared.evaluate("[peculiar.state.x, peculiar.state.y]") == [1, 0]
    np.testing.assert_allclose(source(shared, "objects")["x"], scene.objects.values[:, 1])
    counts = scene.bulk.pairs[0, 1].T
    image = np.array(source(shared, "bulk")["image"][0]).reshape(counts.shape)
    np.testing.assert_array_equal(image > 0, counts > 0)
    assert np.all(np.diff(image.ravel()[np.argsort(counts.ravel())].astype(int)) >= 0)
    shared.locator("#axis-x").select_option("0")


def test_search_and_order(shared, scene):
    shared.locator("#search").fill("group a")
    assert shared.locator("#matches").inner_text() == "8 of 400"
    shared.locator("#search").fill("")
    shared.locator("#rows th button", has_text="name").click()
    first = shared.locator("#rows tr[data-at]").first.locator("td").nth(2).inner_text()
    assert first == "star 0"
    shared.locator("#rows th button", has_text="rank").click()
    shared.locator("#more-columns summary").click()
    shared.locator("#more-columns input").first.check()
    assert "ordinary" in shared.locator("#rows tr[data-at='0']").inner_text()
    shared.locator("#search").fill("ordinary")
    assert shared.locator("#matches").inner_text() == "400 of 400"
    shared.locator("#search").fill("")
    shared.locator("#more-columns input").first.uncheck()


def test_who_sorts_by_keys_stays_at_the_head(shared):
    shared.locator("#rows th button", has_text="rank").focus()
    for arrow in ("↓", "↑"):
        shared.keyboard.press("Enter")
        assert shared.evaluate("document.activeElement.textContent") == f"rank {arrow}"


def test_keys_go_through_the_list(shared):
    select(shared, 0)
    shared.locator("#rows").focus()
    shared.keyboard.press("ArrowDown")
    shared.keyboard.press("j")
    assert shared.evaluate("peculiar.state.selected") == 2
    shared.keyboard.press("ArrowUp")
    assert shared.evaluate("peculiar.state.selected") == 1
    shared.keyboard.press("End")
    assert shared.evaluate("peculiar.state.selected") == 399
    assert shared.locator("#rows tr[aria-selected=true]").is_visible()


def test_zoom_shows_the_errors(shared, scene):
    select(shared, 5)
    shared.keyboard.press("f")
    i = shared.evaluate("peculiar.state.x")
    start, end = shared.evaluate(
        "[peculiar.model('scatter').x_range.start, peculiar.model('scatter').x_range.end]"
    )
    error = np.sqrt(scene.objects.covariance[5, i, i])
    assert start < scene.objects.values[5, i] - error
    assert end > scene.objects.values[5, i] + error
    assert end - start < 0.5 * (scene.features.high[i] - scene.features.low[i])
    shared.keyboard.press("e")


def test_neighbours_and_links(shared, scene):
    select(shared, 4)
    shared.locator("#neighbours button").first.click()
    assert shared.evaluate("peculiar.state.selected") == scene.objects.neighbours[4, 0]
    select(shared, 4)
    links = shared.locator("#onward a")
    assert links.all_inner_texts() == ["Aladin", "SIMBAD", "VizieR"]
    for link in links.all():
        assert f"{scene.objects.ra[4]:.6f}" in link.get_attribute("href")
        assert link.get_attribute("rel") == "noopener noreferrer"


def test_an_object_outside_the_picture_is_said_to_be_there(shared, scene):
    select(shared, 5)
    note = shared.locator("#unseen")
    assert note.is_hidden()
    i = shared.evaluate("peculiar.state.x")
    far = float(scene.objects.values[5, i]) + 10.0
    shared.evaluate("at => peculiar.model('scatter').x_range.setv({start: at, end: at + 1})", far)
    assert note.inner_text() == "This object is outside the picture: F zooms to it."
    shared.keyboard.press("f")
    assert note.is_hidden()
    shared.keyboard.press("e")


@pytest.mark.parametrize(("width", "part"), [(1440, "#scatter"), (390, "#why")])
def test_a_member_that_is_chosen_comes_into_view(open_page, browser, report, width, part):
    context = browser.new_context(viewport={"width": width, "height": 700})
    page = open_page(report, context=context)
    page.locator("#groups article button").last.click()
    top = page.evaluate("part => document.querySelector(part).getBoundingClientRect().top", part)
    assert -1 < top < 560
    context.close()


def test_a_list_of_quasars_fits_beside_the_scatter(open_page, made, tmp_path):
    """Names as the SDSS gives them, and features as its catalogues have them."""
    ranked = made.ranked.copy()
    ranked["name"] = [f"{i:06d}.57+485629.1" for i in range(len(ranked))]
    scene = read_scene(ranked, made.model)
    names = ("u_mag - r_mag", "g_mag - r_mag")
    scene = replace(scene, features=replace(scene.features, names=names))
    write_report(scene, tmp_path / "report.html")
    page = open_page(tmp_path / "report.html")
    wide, there = page.evaluate(
        "(({scrollWidth, clientWidth}) => [scrollWidth, clientWidth])(document.getElementById('rows'))"
    )
    assert wide <= there
    first, last = (page.locator(name).bounding_box()["y"] for name in ("#axis-x", "#zoom-out"))
    assert abs(first - last) < 5  # in one line


def test_groups_have_cards(shared, scene):
    card = shared.locator("#groups article")
    assert "8 objects" in card.inner_text()
    card.locator("button").last.click()
    assert shared.evaluate("peculiar.state.selected") == scene.groups[0].strangest[-1]


def test_all_text_can_be_read(shared):
    sizes = shared.evaluate(
        """() => [...document.querySelectorAll("body *")].filter((e) => e.innerText && e.offsetParent)
                .map((e) => parseFloat(getComputedStyle(e).fontSize))"""
    )
    assert min(sizes) >= 12.0


def test_marks_survive_a_reload_and_can_be_downloaded(
    open_page, browser, report, made, heard, tmp_path
):
    context = browser.new_context(accept_downloads=True)
    page = open_page(report, context=context)
    page.keyboard.press("i")
    page.keyboard.press("j")
    page.keyboard.press("a")
    page.keyboard.press("n")
    page.keyboard.type("a ghost, née “Î”")
    page.keyboard.press("Enter")
    page.keyboard.press("j")
    page.keyboard.press("u")
    page.keyboard.press("z")
    page.reload()
    page.wait_for_selector("html[data-ready=true]")
    assert page.locator("#marks-count").inner_text() == "1 interesting, 1 artefact."
    assert page.locator("#rows tr[data-at='0'] td").first.inner_text() == "★"
    page.keyboard.press("j")
    assert page.locator("#note").input_value() == "a ghost, née “Î”"
    with page.expect_download() as download:
        page.locator("#marks-download").click()
    assert download.value.suggested_filename == "stars.fits.marks.jsonl"
    path = tmp_path / "stars.fits.marks.jsonl"
    download.value.save_as(path)
    context.close()
    keys = object_keys(made.ranked)
    marks = Marks(tmp_path / "stars.fits", keys).load()
    assert {key: (mark.mark, mark.note) for key, mark in marks.items()} == {
        keys[0]: ("interesting", ""),
        keys[1]: ("artefact", "a ghost, née “Î”"),
    }
    assert json.loads(path.read_text().splitlines()[0])["kind"] == "peculiar marks"
    assert {url.split(":")[0] for url in heard.requests} <= {"file", "blob"}


def test_a_key_that_is_held_marks_once(open_page, report):
    page = open_page(report)
    for _ in range(5):
        page.keyboard.down("i")
    page.keyboard.up("i")
    page.keyboard.press("i")
    assert page.evaluate("peculiar.events().length") == 1
    page.keyboard.press("j")
    page.keyboard.press("x")  # there is no mark to take away
    assert page.evaluate("peculiar.events().length") == 1
    page.keyboard.press("z")
    assert page.locator("#marks-count").inner_text() == "No marks yet."


def test_two_windows_keep_each_others_marks(open_page, browser, report):
    context = browser.new_context()
    one, two = (open_page(report, context=context) for _ in range(2))
    one.keyboard.press("i")
    two.keyboard.press("j")
    two.keyboard.press("a")
    for page in (one, two):
        page.wait_for_function("() => peculiar.state.marks.size === 2")
    two.reload()
    two.wait_for_selector("html[data-ready=true]")
    assert two.locator("#marks-count").inner_text() == "1 interesting, 1 artefact."
    two.keyboard.press("z")  # its own, made before the reload
    assert two.locator("#marks-count").inner_text() == "1 interesting."
    two.keyboard.press("n")
    two.keyboard.type("why?")
    two.keyboard.press("Enter")
    assert two.locator("#marks-count").inner_text() == "1 interesting, 1 with a note only."
    context.close()


def test_a_phone(browser, open_page, report):
    phone = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
    page = open_page(report, context=(context := browser.new_context(**phone)))
    touch = page.evaluate(TOUCH)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    box = page.locator("#scatter canvas").first.bounding_box()
    assert box["width"] > 300
    assert touch == "pan-x pan-y"  # a finger on the scatter scrolls the page
    low = page.evaluate(
        """() => [...document.querySelectorAll("a, button, select, input, summary")]
                 .filter((e) => e.offsetParent && e.getBoundingClientRect().height < 24).map((e) => e.outerHTML)"""
    )
    assert low == []  # a finger hits what is as high as this
    context.close()


TOUCH = """() => { const view = Bokeh.index.find_one(peculiar.model("scatter"));
    return getComputedStyle(view.canvas_view.events_el).touchAction; }"""


def test_many_features_fit_on_the_page(open_page, tmp_path):
    d, rng = 20, np.random.default_rng(0)
    X = rng.normal(size=(80, d))
    X[7, 18] = 9.0
    detector = OutlierDetector.from_mixture(
        RobustMixture.from_parameters([1.0], np.zeros((1, d)), np.eye(d)[None], 30.0, 0.01)
    )
    detector.report(X, X_std=np.full((80, d), 0.1)).save(tmp_path / "report.html")
    page = open_page(tmp_path / "report.html")
    assert page.locator("#scatter .plot").bounding_box()["height"] <= 700
    assert page.locator("#all-bars").bounding_box()["height"] <= 420
    rows = page.locator("#bars tr")
    assert rows.count() == d
    assert "main" in rows.first.get_attribute("class")
