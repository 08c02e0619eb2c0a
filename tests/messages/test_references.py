"""Files that point into other files: nothing is opened but the file that was named, and nothing is fetched."""

import http.server
import threading

import h5py
import numpy as np
import pytest

from peculiar.catalogue import list_columns, read, write
from peculiar.errors import CatalogueError

SECRET = "the secret of another file"
HEAD = (
    '<?xml version="1.0"?>\n<VOTABLE version="1.3" xmlns="http://www.ivoa.net/xml/VOTable/v1.3"'
    ' xmlns:v="http://www.ivoa.net/xml/VOTable/v1.3">\n'
    '<RESOURCE><TABLE><FIELD name="u" datatype="char" arraysize="*"/>'
)
TAIL = "</TABLE></RESOURCE></VOTABLE>"


def refused(path, message):
    for function in (read, list_columns):
        with pytest.raises(CatalogueError, match=message) as caught:
            function(path)
        assert SECRET not in str(caught.value)


@pytest.fixture
def secret(tmp_path):
    path = tmp_path / "secret.txt"
    path.write_text(SECRET)
    return path


@pytest.mark.parametrize(
    ("data", "element"),
    [
        ('<BINARY><STREAM href="{href}"/></BINARY>', "<STREAM href>"),
        ('<BINARY2><STREAM encoding="none" href="{href}"/></BINARY2>', "<STREAM href>"),
        ('<BINARY2><v:STREAM href="{href}"/></BINARY2>', "<v:STREAM href>"),
        ('<FITS extnum="1"><STREAM href="{href}"/></FITS>', "<FITS>"),
        ('<PARQUET type="VOTable-remote-file"><STREAM href="{href}"/></PARQUET>', "<PARQUET>"),
    ],
)
def test_votable(tmp_path, secret, data, element):
    path = tmp_path / "a.vot"
    path.write_text(HEAD + "<DATA>" + data.format(href=secret.as_uri()) + "</DATA>" + TAIL)
    refused(path, f"a.vot, line 3: {element} .*not opened; give that file itself")


def test_nothing_is_fetched(tmp_path):
    asked = []

    class Server(http.server.BaseHTTPRequestHandler):
        def do_GET(self):
            asked.append(self.path)

        def log_message(self, *_):
            pass

    with http.server.HTTPServer(("127.0.0.1", 0), Server) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        href = f"http://127.0.0.1:{server.server_port}/x"
        path = tmp_path / "a.vot"
        data = f'<DATA><BINARY><STREAM href="{href}"/></BINARY></DATA>'
        path.write_text(HEAD + data + TAIL)
        refused(path, "<STREAM href>")
        server.shutdown()
        thread.join()
    assert asked == []


def test_entities(tmp_path, secret):
    path = tmp_path / "a.vot"
    for entity in ('a "lol"', f'a SYSTEM "{secret.as_uri()}"'):
        doctype = f"<!DOCTYPE VOTABLE [<!ENTITY {entity}>]>"
        data = "<DATA><TABLEDATA><TR><TD>&a;</TD></TR></TABLEDATA></DATA>"
        path.write_text(HEAD.replace("\n<VOT", f"\n{doctype}\n<VOT") + data + TAIL)
        refused(path, "a.vot, line 2: <!ENTITY a> defines text")


def test_streams_within_the_file_are_read(tmp_path):
    write({"u": [1.5, 2.5]}, tmp_path / "a.vot")
    assert "<STREAM" in (tmp_path / "a.vot").read_text()
    assert list(read(tmp_path / "a.vot")["u"]) == [1.5, 2.5]


@pytest.fixture
def other(tmp_path):
    """An HDF5 file that was not named, and a raw one."""
    with h5py.File(tmp_path / "other.h5", "w") as file:
        file["u"] = np.arange(3.0)
    (tmp_path / "raw").write_bytes(np.arange(3.0).tobytes())
    return tmp_path


def linked(file, folder):
    file["v"] = np.arange(3.0)
    file["u"] = h5py.ExternalLink("other.h5", "/u")


def stored(file, folder):
    file.create_dataset("u", (3,), float, external=[(str(folder / "raw"), 0, 24)])


def virtual(file, folder):
    layout = h5py.VirtualLayout((3,), float)
    layout[:] = h5py.VirtualSource(folder / "other.h5", "u", (3,))
    file.create_group("deep").create_virtual_dataset("u", layout)


def virtual_of_nothing(file, _):
    kind, shape = h5py.h5t.NATIVE_DOUBLE, h5py.h5s.create_simple((3,))
    settings = h5py.h5p.create(h5py.h5p.DATASET_CREATE)
    settings.set_layout(h5py.h5d.VIRTUAL)
    h5py.h5d.create(file.id, b"u", kind, shape, settings)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (virtual_of_nothing, "'u' is a virtual data set, made of other files, none of which"),
        (linked, "'u' is an external link into another file .'other.h5'"),
        (stored, "'u' has external storage .'"),
        (virtual, "'deep/u' is a virtual data set, made of other files .'"),
    ],
)
def test_hdf5(tmp_path, other, make, message):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        make(file, tmp_path)
    refused(tmp_path / "a.h5", message)


def test_links_within_the_file_are_followed(tmp_path):
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["data/u"] = np.arange(3.0)
        file["soft"] = h5py.SoftLink("/data")
    assert list(read(tmp_path / "a.h5")["u"]) == [0.0, 1.0, 2.0]
