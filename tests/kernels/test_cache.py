"""Compiled code is kept where there is a place for it, and damaged files are compiled again."""

import importlib.util
import logging
import os
import random
import stat
import subprocess
import sys

import numba
import pytest
from numba.core import caching

from peculiar.kernels import _cache, _jit

SOURCE = "def double(x):\n    return x + x\n"


@pytest.fixture
def function(tmp_path):
    """A function in a file of its own, made anew with every call, as a new process would."""
    path = tmp_path / "doubling.py"
    path.write_text(SOURCE)

    def make():
        spec = importlib.util.spec_from_file_location("doubling", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
        return module.double

    return make


@pytest.fixture
def homeless(monkeypatch, tmp_path):
    """No folder takes files, but those below the one for temporary files."""
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr("tempfile.tempdir", str(temporary))
    monkeypatch.setattr(numba.config, "CACHE_DIR", "")
    known = caching._CacheLocator.ensure_cache_path

    def ensure(self):
        if not self.get_cache_path().startswith(str(temporary)):
            raise PermissionError("read-only")
        known(self)

    monkeypatch.setattr(caching._CacheLocator, "ensure_cache_path", ensure)
    _cache.private_folder.cache_clear()
    yield temporary
    _cache.private_folder.cache_clear()


def test_without_a_place_code_is_kept_in_a_private_temporary_folder(homeless, function, caplog):
    with caplog.at_level(logging.WARNING, "peculiar"):
        assert _jit.row_kernel(function())(2.0) == 4.0
    assert "neither beside the package nor in your home; it is kept in" in caplog.text
    (folder,) = homeless.iterdir()
    assert stat.S_IMODE(folder.stat().st_mode) == 0o700
    assert list(folder.rglob("*.nbc"))
    again = _jit.row_kernel(function())
    assert again(2.0) == 4.0
    assert sum(again.stats.cache_hits.values()) == 1
    assert numba.config.CACHE_DIR == ""


@pytest.mark.parametrize("trap", ["open", "link"])
def test_a_folder_that_others_can_write_to_is_not_used(homeless, function, tmp_path, trap):
    name = homeless / f"peculiar-cache-{os.getuid()}"
    if trap == "open":
        name.mkdir()
        name.chmod(0o777)
    else:
        (tmp_path / "theirs").mkdir(mode=0o700)
        name.symlink_to(tmp_path / "theirs")
    assert _jit.row_kernel(function())(2.0) == 4.0
    assert list(name.iterdir()) == []


def test_with_no_folder_at_all_nothing_is_kept(homeless, function, monkeypatch, caplog):
    def nowhere():
        raise FileNotFoundError("no usable temporary directory")

    monkeypatch.setattr("tempfile.gettempdir", nowhere)
    with caplog.at_level(logging.WARNING, "peculiar"):
        assert _jit.row_kernel(function())(2.0) == 4.0
        made = _jit.callback(numba.float64(numba.float64))(function())
    assert made.ctypes(2.0) == 4.0
    assert "compiled code cannot be kept anywhere" in caplog.text


DAMAGES = {
    "cut": lambda content: content[: len(content) // 2],
    "empty": lambda _: b"",
    "random": lambda content: random.Random(0).randbytes(len(content)),
    "one bit": lambda content: content[:-200] + bytes([content[-200] ^ 4]) + content[-199:],
}


@pytest.mark.parametrize("ending", ["nbi", "nbc"])
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_damaged_cache_is_compiled_again(function, monkeypatch, tmp_path, ending, damage):
    if (ending, damage) == ("nbi", "one bit"):
        return  # of the key, or of a name: no such code
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))
    kernel, made = _jit.row_kernel, _jit.callback(numba.float64(numba.float64))
    for _ in range(2):
        assert kernel(function())(2.0) == made(function()).ctypes(2.0) == 4.0
    paths = list(tmp_path.rglob(f"*.{ending}"))
    assert paths
    for path in paths:
        path.write_bytes(DAMAGES[damage](path.read_bytes()))
    if damage != "one bit":  # code for C has no digest
        assert made(function()).ctypes(2.0) == 4.0
    found = kernel(function())
    assert found(2.0) == 4.0
    assert not found.stats.cache_hits
    found = kernel(function())
    assert found(2.0) == 4.0
    assert sum(found.stats.cache_hits.values()) == 1  # it is whole again


def test_a_full_disk_is_no_error(function, monkeypatch, tmp_path):
    monkeypatch.setattr(numba.config, "CACHE_DIR", str(tmp_path / "cache"))
    found = _jit.row_kernel(function())

    def full(*_):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(found._cache._cache_file, "_save_data", full)
    assert found(2.0) == 4.0


def test_everything_can_be_imported_without_the_compiler():
    code = (
        "import pkgutil, importlib, peculiar.kernels as kernels\n"
        "for found in pkgutil.walk_packages(kernels.__path__, 'peculiar.kernels.'):\n"
        "    importlib.import_module(found.name)\n"
        "import peculiar; print([getattr(peculiar, name) for name in peculiar.__all__] and 'fine')\n"
    )
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert (done.stderr, done.stdout) == ("", "fine\n")


def test_a_fit_without_the_compiler_says_what_is_missing():
    code = (
        "import peculiar\n"
        "try:\n"
        "    peculiar.RobustMixture(1).fit([[1.0], [2.0], [4.0]])\n"
        "except peculiar.errors.SettingError as error:\n"
        "    print(error)\n"
    )
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "OMP_NUM_THREADS": "1"}
    command = [sys.executable, "-W", "error", "-c", code]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    assert done.stderr == ""
    assert done.stdout.startswith("NUMBA_DISABLE_JIT is set, but fits and scores need compiled")
