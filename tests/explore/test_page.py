"""What the page is made of, without a browser."""

import json
import re

import numpy as np
import pytest

from peculiar.explore import SCRIPTS, make_page
from peculiar.explore.colours import as_levels, bulk_palette, shape_of
from peculiar.explore.content import as_json
from peculiar.explore.page import static
from peculiar.explore.report import as_html
from peculiar.report.scene import read_scene
from tests.scene.made import make_catalogue, make_ranked


@pytest.fixture(scope="module")
def scene():
    made = make_ranked(make_catalogue())
    return read_scene(made.ranked, made.model, top=20)


@pytest.fixture(scope="module")
def html(scene):
    return as_html(make_page(scene))


def test_the_fullest_bin_is_the_darkest():
    for count in range(4, 3000):
        assert as_levels(np.array([[0, 1, count]]))[0, 2] == 255
    assert as_levels(np.array([[0, 1]])).tolist()[0][0] == 0
    assert len(bulk_palette()) == 256


def test_groups_have_different_shapes():
    assert len({shape_of(letter) for letter in ["", *"ABCDEFG"]}) == 8


def test_no_script_needs_eval(html):
    assert "unsafe-eval" not in html
    policy = re.search(r'http-equiv="Content-Security-Policy" content="([^"]*)"', html)[1]
    assert policy.startswith("default-src 'none'; script-src 'sha256-")
    assert "unsafe-inline" not in policy.split("style-src")[0]
    for name in SCRIPTS:
        assert not re.search(
            r"\beval\(|new Function|innerHTML|insertAdjacentHTML|document\.write", static(name)
        )


def test_nothing_is_loaded_from_elsewhere(html):
    outside = re.findall(r'<(?:script|link|img|iframe)[^>]*\b(?:src|href)="([^"]*)"', html)
    assert outside == ["data:,"]


def test_the_content_is_what_the_scene_says(scene, html):
    text = re.search(
        r'<script type="application/json" id="content">(.*?)</script>', html, re.DOTALL
    )[1]
    content = json.loads(text)
    assert content["list"] == {"objects": 400, "sha256": scene.fingerprint}
    assert content["objects"]["key"] == list(scene.objects.key)
    assert content["objects"]["sentence"] == list(scene.objects.sentence)


def test_content_cannot_end_its_element():
    for text in ("</script>", "<!--<script>", "]]>", "&lt;"):
        made = as_json({"name": text})
        assert "<" not in made
        assert "&" not in made
        assert json.loads(made) == {"name": text}


def test_a_list_beyond_the_slider_is_said_to_be_so(html):
    assert "the slider ends at" not in html
    made = make_ranked(make_catalogue(), fdr=0.3)
    assert "The list was made at 30 %" in as_html(make_page(read_scene(made.ranked)))


def test_every_script_is_there():
    from importlib.resources import files

    there = {path.name for path in (files("peculiar.explore") / "static").iterdir()}
    assert set(SCRIPTS) <= there
