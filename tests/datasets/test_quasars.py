"""The quasars: where they are looked for, and what is said when they are not there. Nothing is fetched here."""

import gzip

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from peculiar.datasets import load_dr3_quasars, quasars, sources
from peculiar.errors import MissingDataError
from tests.real_data import needs_data

BANDS = "ugriz"
PUBLISHED = "SDSS_J R.A. Dec. z " + " ".join(f"{b}_mag sig_{b}" for b in BANDS) + " Radio"
OURS = "name,ra,dec,redshift," + ",".join(f"{b}_mag,{b}_err" for b in BANDS) + ",radio"
ROWS = [
    ["000009.26+151754.5", 0.04, 15.3, 1.2, 19.9, 0.04, 19.8, 0.03, 19.4, 0.02, 19.1, 0.02, 19.3, 0.07, -1.0],
    ["000009.38+135618.4", 0.04, 13.9, 2.2, 19.2, 0.03, 18.9, 0.02, 18.4, 0.02, 18.3, 0.02, 18.1, 0.03, 0.0],
    ["000011.41+145545.6", 0.05, 14.9, 0.5, 25.0, 9.99, 18.9, 0.02, 18.4, 0.02, 18.3, 0.02, 18.1, 0.03, 0.0],
]  # fmt: skip


def as_text(header, separator):
    return "\n".join([header, *(separator.join(str(cell) for cell in row) for row in ROWS)]) + "\n"


@pytest.fixture(autouse=True)
def small(monkeypatch, tmp_path):
    """Three quasars make a catalogue; no folder is set, and nothing can be fetched."""
    monkeypatch.setattr(quasars, "N_QUASARS", 3)
    monkeypatch.delenv("PECULIAR_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))

    def no_network(url):
        raise OSError("no network in tests")

    monkeypatch.setattr(sources, "download", no_network)


def check(sky):
    assert_array_equal(sky.names, [row[0] for row in ROWS[:2]])
    assert_array_equal(sky.redshift, [1.2, 2.2])
    assert sky.feature_names == ("u-r", "g-r", "i-r", "z-r")
    assert_allclose(sky.X[0], [0.5, 0.4, -0.3, -0.1], atol=1e-12)
    expected = np.diag([0.04, 0.03, 0.02, 0.07]) ** 2 + 0.02**2
    assert_allclose(sky.X_cov[0], expected, rtol=1e-12)


def test_a_folder_that_was_named(monkeypatch, tmp_path):
    with gzip.open(tmp_path / "sdss_dr3_quasars.csv.gz", "wt") as file:
        file.write(as_text(OURS, ","))
    monkeypatch.setenv("PECULIAR_DATA", str(tmp_path))
    check(load_dr3_quasars())
    everybody = load_dr3_quasars(keep_useless=True)
    assert len(everybody.X) == 3
    assert everybody.X_cov[2, 0, 0] > 99


def test_the_table_as_it_is_published(monkeypatch, tmp_path):
    (tmp_path / "SDSS_quasar.dat").write_text(as_text(PUBLISHED, "  "))
    monkeypatch.setenv("PECULIAR_DATA", str(tmp_path))
    check(load_dr3_quasars())


def test_a_named_folder_without_the_file(monkeypatch, tmp_path):
    monkeypatch.setenv("PECULIAR_DATA", str(tmp_path))
    message = (
        r"^PECULIAR_DATA is '.*', but there is no sdss_dr3_quasars\.csv\.gz or SDSS_quasar\.dat; fetch "
        r"https://astrostatistics\.psu\.edu/datasets/SDSS_quasar\.dat into that folder, or unset the variable"
    )
    with pytest.raises(MissingDataError, match=message):
        load_dr3_quasars()


def test_fetched_once_into_the_cache(monkeypatch, tmp_path):
    asked = []

    def answer(url):
        asked.append(url)
        return as_text(PUBLISHED, " ")

    monkeypatch.setattr(sources, "download", answer)
    check(load_dr3_quasars())
    check(load_dr3_quasars())
    assert asked == [quasars.QUASAR_URL]
    folder = tmp_path / "cache" / "peculiar"
    assert [path.name for path in folder.iterdir()] == ["SDSS_quasar.dat"]


def test_no_network_and_no_file(tmp_path):
    message = (
        r"^there is no .* in .*peculiar, and https://.* could not be fetched \(no network in tests\); fetch it by "
        r"other means, and set PECULIAR_DATA to the folder it is in$"
    )
    with pytest.raises(MissingDataError, match=message):
        load_dr3_quasars()
    assert not (tmp_path / "cache").exists()


def test_a_failure_while_writing_leaves_nothing(monkeypatch, tmp_path):
    def disk_full(*_):
        raise OSError("disk full")

    monkeypatch.setattr(sources, "download", lambda url: as_text(PUBLISHED, " "))
    monkeypatch.setattr("os.fsync", disk_full)
    with pytest.raises(MissingDataError, match="disk full"):
        load_dr3_quasars()
    assert list((tmp_path / "cache" / "peculiar").iterdir()) == []


def test_a_table_cut_off(monkeypatch, tmp_path):
    monkeypatch.setenv("PECULIAR_DATA", str(tmp_path))
    path = tmp_path / "SDSS_quasar.dat"
    path.write_text(as_text(PUBLISHED, " ")[:-80])
    with pytest.raises(MissingDataError, match=r"has 3 rows, 1 of them cut off; it must have 3\."):
        load_dr3_quasars()
    path.write_text("")
    with pytest.raises(MissingDataError, match="has 0 rows"):
        load_dr3_quasars()


DAMAGED = {
    "empty": b"",
    "a page": b"<html>not found</html>",
    "cut off": gzip.compress(b"name,ra\n" * 99)[:-9],
    "no text": gzip.compress(b"\xff\xfe"),
}


@pytest.mark.parametrize("content", DAMAGED.values(), ids=DAMAGED)
def test_a_damaged_file(monkeypatch, tmp_path, content):
    monkeypatch.setenv("PECULIAR_DATA", str(tmp_path))
    (tmp_path / "sdss_dr3_quasars.csv.gz").write_bytes(content)
    with pytest.raises(MissingDataError, match=r"(?i)delete it, and fetch it again"):
        load_dr3_quasars()


def test_words_among_the_numbers(monkeypatch, tmp_path):
    monkeypatch.setenv("PECULIAR_DATA", str(tmp_path))
    text = as_text(PUBLISHED, " ").replace("18.9", "bright")
    (tmp_path / "SDSS_quasar.dat").write_text(text)
    with pytest.raises(
        MissingDataError, match=r"column g_mag has values that are not numbers .*bright"
    ):
        load_dr3_quasars()


def test_another_table(monkeypatch, tmp_path):
    monkeypatch.setenv("PECULIAR_DATA", str(tmp_path))
    with gzip.open(tmp_path / "sdss_dr3_quasars.csv.gz", "wt") as file:
        file.write("name,redshift,u_mag\na,1,2\nb,1,2\nc,1,2\n")
    with pytest.raises(MissingDataError, match="has no column g_mag; it has name, redshift, u_mag"):
        load_dr3_quasars()


@needs_data
def test_the_real_one(monkeypatch):
    monkeypatch.undo()
    sky = load_dr3_quasars()
    n = 46_415  # five have useless errors
    assert sky.X.shape == (n, 4)
    assert sky.X_cov.shape == (n, 4, 4)
    assert len(set(sky.names.tolist())) == n
    assert_allclose(np.median(sky.X, axis=0), [0.396, 0.157, -0.140, -0.222], atol=6e-4)
    assert np.count_nonzero(sky.redshift > 5) == 17
    assert np.linalg.eigvalsh(sky.X_cov).min() > 0
    assert len(load_dr3_quasars(keep_useless=True).X) == 46_420
