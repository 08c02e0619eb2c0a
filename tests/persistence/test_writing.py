"""A file is there as a whole, or not at all."""

import os
import stat
import subprocess
import sys

import pytest

from peculiar import RobustMixture
from peculiar.errors import OutputError
from peculiar.files import replacing, write_whole
from tests.persistence.helpers import ready_model

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX permissions")


@pytest.fixture
def umask():
    """Set a umask for one test."""
    before = os.umask(0o022)
    yield os.umask
    os.umask(before)


@pytest.mark.parametrize("step", ["fsync", "fdopen", "replace"])
@pytest.mark.parametrize("error", [OSError("disk full"), KeyboardInterrupt()], ids=repr)
def test_a_failure_in_the_middle_leaves_the_old_file(tmp_path, monkeypatch, step, error):
    path = tmp_path / "model.peculiar"
    ready_model().save(path)
    before = path.read_bytes()

    def fail(*_, **__):
        raise error

    target = "pathlib.Path.replace" if step == "replace" else f"os.{step}"
    monkeypatch.setattr(target, fail)
    with pytest.raises(type(error)):
        ready_model(tol=1e-3).save(path)
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["model.peculiar"]
    RobustMixture.load(path)


def test_what_cannot_be_stored_leaves_the_old_file(tmp_path):
    path = tmp_path / "model.peculiar"
    ready_model().save(path)
    before = path.read_bytes()
    with pytest.raises(ValueError, match="object cannot be stored in a model file"):
        ready_model(verbose=object()).save(path)
    assert path.read_bytes() == before
    assert len(list(tmp_path.iterdir())) == 1


def test_text_that_cannot_be_encoded_leaves_nothing(tmp_path):
    with pytest.raises(UnicodeEncodeError):
        write_whole(tmp_path / "text", "\ud800")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(("mask", "mode"), [(0o022, 0o644), (0o077, 0o600), (0o002, 0o664)])
def test_permissions_follow_the_umask(tmp_path, umask, mask, mode):
    umask(mask)
    path = tmp_path / "model.peculiar"
    for _ in range(2):  # new, and again
        ready_model().save(path)
        assert stat.S_IMODE(path.stat().st_mode) == mode
    assert os.umask(mask) == mask  # and it is left as it was


def test_paths_as_text_and_in_the_working_directory(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    ready_model().save("model.peculiar")
    assert RobustMixture.load("model.peculiar").n_components == 2
    ready_model().save(str(tmp_path / "name with spaces and ü"))
    assert len(list(tmp_path.iterdir())) == 2


def test_no_such_directory(tmp_path):
    with pytest.raises(FileNotFoundError):
        ready_model().save(tmp_path / "nowhere" / "model.peculiar")


@pytest.mark.parametrize("form", ["csv", "parquet", "h5"])
def test_a_disk_that_is_full_is_said_and_nothing_is_left(tmp_path, form):
    """A limit of 4 kB for a file is met as a full disk is: HDF5 would end the process in either case."""
    code = (
        "import errno, resource, signal, sys\n"
        "from peculiar import files\n"
        "from peculiar.catalogue import write\n"
        "files._FULL.add(errno.EFBIG)\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (4096, 4096))\n"
        "try:\n"
        "    write({'name': [str(i) for i in range(9000)]}, sys.argv[1])\n"
        "except files.OutputError as error:\n"
        "    print(error)\n"
    )
    path = tmp_path / f"a.{form}"
    command = [sys.executable, "-B", "-c", code, str(path)]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.startswith(f"{path} cannot be written: no space is left on the disk")
    assert list(tmp_path.iterdir()) == []


def test_a_full_disk_in_the_words_of_astropy(tmp_path):
    """What it says of FITS, without a number that could be asked for."""
    said = "Not enough space on disk: requested 66112500, available 0. 65360 requested and 19776 written"
    path = tmp_path / "a.fits"
    path.write_text("old")
    with (
        pytest.raises(OutputError, match=r"a\.fits cannot be written: no space is left"),
        replacing(path),
    ):
        raise OSError(said)
    assert [file.read_text() for file in tmp_path.iterdir()] == ["old"]
