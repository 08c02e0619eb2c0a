"""A file that is replaced keeps what its owner has made of it."""

import stat
import sys

import pytest

from peculiar.files import write_whole

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="no modes, and no links, there")


def test_keeps_its_mode(tmp_path):
    path = tmp_path / "secret.txt"
    path.write_text("old")
    path.chmod(0o600)
    write_whole(path, "new")
    assert path.read_text() == "new"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_a_link_stays_a_link(tmp_path):
    target, link = tmp_path / "real.txt", tmp_path / "link.txt"
    target.write_text("old")
    link.symlink_to(target)
    write_whole(link, "new")
    assert link.is_symlink()
    assert target.read_text() == "new"
