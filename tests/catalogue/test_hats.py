"""A folder in HATS format is one catalogue: its partitions in the order of their pixels, and nothing else in it."""

import numpy as np
import pytest

from peculiar.catalogue import count_rows, list_columns, measure, read, scan, write
from peculiar.errors import CatalogueError
from tests.catalogue.helpers import PIXELS, write_hats


def stars(n=53):
    rng = np.random.default_rng(0)
    columns = {"number": np.arange(n), "u": rng.normal(size=n), "g": rng.normal(size=n)}
    return columns | {"u_err": rng.uniform(0.1, 0.2, n), "g_err": rng.uniform(0.1, 0.2, n)}


def centre(order, number):
    """Where the pixel is among all of the highest order: half-way between its first and its last part."""
    first, last = number, number
    for _ in range(order, 29):
        first, last = 4 * first, 4 * last + 3
    return (first + last) / 2


def collection(folder):
    """A catalogue with its margin, which repeats some of its rows."""
    write_hats(folder / "sky", stars())
    write_hats(folder / "sky_10arcs", stars(9))
    about = "obs_collection=sky\nhats_primary_table_url=sky\nall_margins=sky_10arcs\n"
    (folder / "collection.properties").write_text(about)
    return folder


def test_the_pixels_of_the_test_are_in_order():
    places = [centre(*pixel) for pixel in PIXELS]
    assert places == sorted(places)
    assert sorted(PIXELS) != PIXELS


@pytest.mark.parametrize("suffix", [".parquet", ".parq", "/"])
@pytest.mark.parametrize("lacking", [None, "partition_info.csv"])
def test_partitions_are_one_catalogue(tmp_path, suffix, lacking):
    folder = write_hats(tmp_path / "sky", stars(), suffix)
    if lacking:
        (folder / lacking).unlink()
    table = read(folder)
    np.testing.assert_array_equal(table["number"], np.arange(53))
    assert table.colnames == ["number", "u", "g", "u_err", "g_err", "source_file"]
    assert table["source_file"][0].endswith(("Npix=0.parquet", "Npix=0.parq", "a.parquet"))
    assert count_rows(folder) == 53
    assert [info.name for info in list_columns(folder)] == table.colnames


def test_older_catalogues_have_properties_under_another_name(tmp_path):
    folder = write_hats(tmp_path, stars())
    (folder / "hats.properties").rename(folder / "properties")
    np.testing.assert_array_equal(read(folder, columns=["number"])["number"], np.arange(53))


def test_a_scan_gives_the_features_of_memory(tmp_path):
    folder = write_hats(tmp_path, stars())
    found = scan(folder, "u - g, g", rows_at_a_time=7)
    X = np.concatenate([batch.measured.X for batch in found.batches()])
    np.testing.assert_array_equal(X, measure(stars(), "u - g, g").X)


def test_margins_of_a_collection_are_not_rows(tmp_path):
    np.testing.assert_array_equal(read(collection(tmp_path))["number"], np.arange(53))


def test_leftovers_are_not_rows(tmp_path):
    folder = write_hats(tmp_path, stars())
    write(stars(3), folder / "dataset" / "Norder=0" / "Dir=0" / "Npix=11.parquet")
    assert count_rows(folder) == 53


def test_properties_of_a_survey_of_images_do_not_matter(tmp_path):
    (tmp_path / "properties").write_text("hips_order = 3\n")
    write(stars(), tmp_path / "stars.parquet")
    assert count_rows(tmp_path) == 53


def refused(folder, *words):
    with pytest.raises(CatalogueError) as caught:
        read(folder)
    for word in words:
        assert word in str(caught.value)


def test_a_lost_partition_is_named(tmp_path):
    folder = write_hats(tmp_path, stars())
    (folder / "dataset" / "Norder=2" / "Dir=0" / "Npix=33.parquet").unlink()
    refused(folder, "Npix=33.parquet is not there", "partition Norder=2, Npix=33", "complete?")


@pytest.mark.parametrize("text", ["a,b\n1,2\n", "Norder,Npix\n1,x\n", "Norder,Npix\n1\n"])
def test_a_damaged_list_of_partitions(tmp_path, text):
    folder = write_hats(tmp_path, stars())
    (folder / "partition_info.csv").write_text(text)
    refused(folder, "partition_info.csv should have columns Norder and Npix", "delete the file")


@pytest.mark.parametrize("line", ["30,1", "1,-1"])
def test_no_pixel(tmp_path, line):
    folder = write_hats(tmp_path, stars())
    (folder / "partition_info.csv").write_text(f"Norder,Npix\n{line}\n")
    refused(folder, "there is no HEALPix pixel Norder=")


def test_a_catalogue_without_rows(tmp_path):
    folder = write_hats(tmp_path, stars())
    (folder / "partition_info.csv").write_text("Norder,Npix\n")
    refused(folder, "without partitions")


def test_an_unfinished_catalogue(tmp_path):
    folder = write_hats(tmp_path / "sky", stars())
    (folder / "hats.properties").unlink()
    for given in (folder, tmp_path):
        refused(given, f"{folder} is an unfinished HATS catalogue", "resume=True")


def test_catalogues_beside_each_other(tmp_path):
    collection(tmp_path)
    (tmp_path / "collection.properties").unlink()
    refused(tmp_path, "holds HATS catalogues", "give the folder of one of them: sky, sky_10arcs")


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "is not named"),
        ("hats_primary_table_url=s3\\://survey/sky", "is elsewhere (s3://survey/sky)"),
        ("hats_primary_table_url=lost", "lost as its catalogue, but there is no hats.properties"),
    ],
)
def test_a_collection_without_its_catalogue(tmp_path, line, words):
    collection(tmp_path)
    (tmp_path / "collection.properties").write_text(line)
    refused(tmp_path, "collection.properties", words)
