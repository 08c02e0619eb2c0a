"""What stops a fit leaves a checkpoint, and says how to go on: Ctrl-C, signals, errors, a full disk."""

import errno
import signal
import subprocess
import sys
import time

import pytest

from peculiar import Checkpoint
from peculiar.errors import OutputError
from tests.checkpoints.helpers import Stop, StoppedError, assert_identical, fit, sky


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, MemoryError, StoppedError])
def test_whatever_stops_it_the_last_state_is_kept(tmp_path, error):
    path = tmp_path / "fit.ckpt"
    with pytest.raises(error) as caught:
        fit(sky(), path, Stop(8, error))
    assert caught.value.__notes__ == [f"the same call goes on from {path} (iteration 7)"]
    assert_identical(fit(sky(), path), fit(sky()))


def test_without_a_checkpoint_nothing_is_said_or_written(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with pytest.raises(KeyboardInterrupt) as caught:
        fit(sky(), stop=Stop(8, KeyboardInterrupt))
    assert not hasattr(caught.value, "__notes__")
    assert list(tmp_path.iterdir()) == []


def full_disk(*_, **__):
    raise OSError(errno.ENOSPC, "No space left on device")


def test_a_full_disk_leaves_the_old_checkpoint(tmp_path, monkeypatch):
    path = tmp_path / "fit.ckpt"
    with pytest.raises(StoppedError):
        fit(sky(), path, Stop(5))
    before = path.read_bytes()
    monkeypatch.setattr("pathlib.Path.write_text", full_disk)
    with pytest.raises(OutputError, match="no space is left on the disk") as caught:
        fit(sky(), Checkpoint(path, every_iterations=1))
    assert caught.value.__notes__ == [f"the same call goes on from {path} (iteration 4)"]
    monkeypatch.undo()
    assert path.read_bytes() == before
    assert [file.name for file in tmp_path.iterdir()] == ["fit.ckpt"]
    assert_identical(fit(sky(), path), fit(sky()))


def test_a_full_disk_when_the_fit_is_stopped(tmp_path, monkeypatch):
    path = tmp_path / "fit.ckpt"
    monkeypatch.setattr("pathlib.Path.write_text", full_disk)
    with pytest.raises(KeyboardInterrupt) as caught:
        fit(sky(), path, Stop(5, KeyboardInterrupt))
    (note,) = caught.value.__notes__
    assert note.startswith("what has been found since the last checkpoint is lost: ")
    assert "no space is left on the disk" in note
    assert list(tmp_path.iterdir()) == []


ENDLESS = """
import signal, sys, warnings
signal.signal(signal.SIGINT, signal.default_int_handler)
import numpy as np
from peculiar import RobustMixture
from peculiar.estimators.progress import listening

class Heard:
    def on_iteration(self, iteration, bound, change):
        print(iteration, flush=True)

X = np.random.default_rng(0).normal(size=(300, 2))
with listening(Heard()):
    model = RobustMixture(2, tol=0.0, max_iter=10**6, accelerate=False, random_state=0, dof=3.0)
    model.fit(X, checkpoint=sys.argv[1])
"""


@pytest.mark.skipif(sys.platform == "win32", reason="POSIX signals")
@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM"])
def test_signals(tmp_path, name):
    path, number = tmp_path / "fit.ckpt", getattr(signal, name)
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    with subprocess.Popen([sys.executable, "-c", ENDLESS, path], **pipes) as process:
        assert process.stdout.readline().strip() == "1"
        time.sleep(0.2)
        process.send_signal(number)
        _, said = process.communicate(timeout=120)
    assert process.returncode == -number
    assert f"the same call goes on from {path} (iteration " in said
    assert list(tmp_path.iterdir()) == [path]


def test_sigterm_is_left_to_whoever_hears_it(tmp_path):
    heard = []
    before = signal.signal(signal.SIGTERM, lambda *_: heard.append(1))
    try:
        stop = Stop()
        stop.on_iteration = lambda *_: signal.raise_signal(signal.SIGTERM) if not heard else None
        fit(sky(), tmp_path / "fit.ckpt", stop)
    finally:
        signal.signal(signal.SIGTERM, before)
    assert heard == [1]
