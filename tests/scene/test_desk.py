"""What the live page asks, without a server: against plain counts and loops."""

import base64

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from peculiar.catalogue import read, write
from peculiar.errors import SettingError
from peculiar.explore.colours import as_levels
from peculiar.explore.desk import Desk
from peculiar.report.scene import read_scene


@pytest.fixture(scope="module")
def desk(made, tmp_path_factory):
    path = tmp_path_factory.mktemp("desk") / "ranked.fits"
    write(made.ranked, path)
    return Desk(path, read_scene(path, made.model, top=60))


def event(key, mark="interesting", ident="a"):
    return {"id": ident, "time": "now", "window": "w", "key": key, "mark": mark, "note": ""}


def test_an_image_counts_all_objects_in_sight(desk):
    found = desk.image(1, 0, [0.0, 0.5], [1.0, 1.5])
    x, y = desk.scene.values[:, 1], desk.scene.values[:, 0]
    counts, _, _ = np.histogram2d(y, x, bins=160, range=[[0.5, 1.5], [0.0, 1.0]])
    image = np.frombuffer(base64.b64decode(found["image"]["base64"]), dtype=np.uint8)
    assert found["n"] == counts.sum() > 100
    assert_array_equal(image.reshape(160, 160), as_levels(counts.astype(np.int64)))


@pytest.mark.parametrize(
    ("x", "y", "low", "high"),
    [
        (0, 2, [0, 0], [1, 1]),
        (-1, 0, [0, 0], [1, 1]),
        (0.5, 1, [0, 0], [1, 1]),
        (0, 1, [0, 0], [1, 0]),
        (0, 1, [0], [1]),
        (0, 1, [0, 0], [1, float("inf")]),
    ],
)
def test_a_part_that_is_none_is_refused(desk, x, y, low, high):
    with pytest.raises(SettingError, match="there is no part"):
        desk.image(x, y, low, high)


def test_more_like_this_puts_the_clump_together(desk):
    objects = desk.scene.objects
    clump = {at for at, row in enumerate(objects.row) if row < 8}
    first, p = min(clump), objects.p.copy()
    order = desk.order([objects.key[first]], [])["order"]
    assert order[0] == first
    assert set(order[: len(clump)]) == clump
    assert sorted(order) == list(range(objects.n))
    assert_array_equal(objects.p, p)


def test_what_looks_like_an_artefact_is_hidden_but_not_what_is_looked_for(desk):
    objects = desk.scene.objects
    clump = [at for at, row in enumerate(objects.row) if row < 8]
    found = desk.order([], [objects.key[clump[0]]])
    assert found["n_hidden"] == objects.n - len(found["order"]) >= len(clump)
    assert not set(clump) & set(found["order"])
    wanted = desk.order([objects.key[clump[1]]], [objects.key[clump[0]]])["order"]
    assert wanted[0] == clump[1]


def test_marks_are_exported_with_the_columns_of_the_list(desk, tmp_path):
    key = desk.scene.objects.key[2]
    assert desk.keep([event(key)])["events"] == [event(key)]
    for extension in ("csv", "vot"):
        path = tmp_path / f"marks.{extension}"
        path.write_bytes(desk.export(extension))
        table = read(path)
        assert list(table["key"]) == [key]
        assert list(table["mark"]) == ["interesting"]
        assert float(table["u"][0]) == float(desk._table()[0]["u"][2])


def test_objects_are_sent_row_by_row(desk, monkeypatch):
    sent = []
    monkeypatch.setattr(
        "peculiar.explore.desk.send_table",
        lambda table, **how: sent.append((list(table["name"]), how)) or ["topcat"],
    )
    objects = desk.scene.objects
    assert desk.send([objects.key[1]]) == {"to": ["topcat"]}
    assert sent[0] == ([objects.name[1]], {"name": "ranked.fits", "to": None})
    desk.send()
    assert len(sent[1][0]) == objects.n
    with pytest.raises(SettingError, match="nothing to send"):
        desk.send([])
