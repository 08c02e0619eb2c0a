"""``--checkpoint``: a command that was stopped goes on, and says how."""

import signal
import sys
import time

import pytest

from peculiar import RobustMixture
from tests.checkpoints.helpers import assert_identical
from tests.cli.conftest import QUICK


def read_until(process, word):
    """Lines of standard error up to one with a word."""
    lines = []
    while not lines or word not in lines[-1]:
        lines.append(process.stderr.readline())
        assert lines[-1], lines
    return lines


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize(("name", "code"), [("SIGINT", 130), ("SIGTERM", 143)])
def test_a_stopped_fit_says_how_to_go_on(start, catalogue, tmp_path, name, code):
    kept, out = tmp_path / "fit.ckpt", tmp_path / "model.peculiar"
    endless = ["--features", "u - r, g - r", "-k", "3", "--tol", "0", "--max-iter", "1000000"]
    process = start("fit", catalogue, *endless, "--checkpoint", kept, "--out", out)
    assert process.stdout.readline()  # errors are shown: the fit begins
    time.sleep(5)
    process.send_signal(getattr(signal, name))
    _, said = process.communicate(timeout=120)
    assert process.returncode == code
    assert said.startswith(f"peculiar: stopped; the same call goes on from {kept} (iteration ")
    assert [file.name for file in tmp_path.iterdir()] == ["fit.ckpt"]


def test_the_second_time_the_fit_is_there(peculiar, catalogue, tmp_path):
    kept = tmp_path / "fit.ckpt"
    whole, first, second = (tmp_path / f"{name}.peculiar" for name in "abc")
    assert peculiar("fit", catalogue, *QUICK, "--out", whole).code == 0
    assert peculiar("fit", catalogue, *QUICK, "--checkpoint", kept, "--out", first).code == 0
    done = peculiar("rank", catalogue, *QUICK, "--checkpoint", kept, "--save-model", second)
    assert done.code == 0
    assert f"going on from {kept} (1 finished stage)" in done.err
    for path in (first, second):
        assert_identical(RobustMixture.load(path), RobustMixture.load(whole))


def test_what_is_no_checkpoint_of_this_fit_is_refused(peculiar, catalogue, tmp_path):
    kept, out = tmp_path / "fit.ckpt", tmp_path / "model.peculiar"
    fit = ["fit", catalogue, *QUICK, "--out", out, "--checkpoint"]
    assert peculiar(*fit, kept).code == 0
    done = peculiar(*fit, kept, "--overwrite", "-k", "2")
    assert (done.code, "n_components=1, here it is 2" in done.err) == (1, True)
    before = catalogue.read_bytes()
    assert "not a complete peculiar checkpoint" in peculiar(*fit, catalogue, "--overwrite").err
    assert catalogue.read_bytes() == before
    assert "are the same file" in peculiar(*fit, out, "--overwrite").err
