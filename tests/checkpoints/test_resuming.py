"""A fit that was stopped goes on from its checkpoint, and ends where it would have ended, to the last bit."""

import signal
import subprocess
import sys
import time

import numpy as np
import pytest

from peculiar import Checkpoint, OutlierDetector, RobustMixture, scan
from peculiar.backends import MemoryBackend
from peculiar.catalogue import write
from peculiar.engines import MonteCarlo
from tests.checkpoints.helpers import (
    Stop,
    StoppedError,
    assert_identical,
    count_steps,
    fit,
    fit_with_stops,
    sky,
)
from tests.grid import everyday

SEARCHES = {
    "starts": {"n_components": 2, "n_init": 3, "wild_fraction": "estimate"},
    "plain steps": {"accelerate": False, "max_iter": 30},
    "mml": {"n_components": "mml", "max_components": 4, "n_init": 2},
    "bic": {"n_components": "bic", "max_components": 3},
    "shrunk": {"n_components": 3, "scatter": "auto", "max_iter": 40},
    "random": {"engine": MonteCarlo(), "max_iter": 12, "dof": 5.0},
}


SLOW = SEARCHES.keys() - {"starts", "plain steps", "mml"}


@pytest.mark.parametrize("name", everyday("starts", "plain steps", "mml", slow=sorted(SLOW)))
def test_stopped_at_several_places_it_ends_the_same(tmp_path, name):
    settings = SEARCHES[name]
    data = sky(120)
    whole, n = count_steps(data, **settings)
    at = [1, 2, *np.random.default_rng(0).integers(2, max(3, n // 4), size=6)]
    resumed, n_stops = fit_with_stops(data, tmp_path / "fit.ckpt", at, **settings)
    assert n_stops >= 5
    assert_identical(resumed, whole)


def test_acceleration_goes_on_with_what_it_has_learnt(tmp_path):
    """Stopped before every single iteration of a fit whose steps are extrapolated."""
    data = sky(300)
    settings = {"n_components": 3, "tol": 1e-7}
    whole = fit(data, **settings)
    plain = fit(data, **settings, accelerate=False)
    assert whole.n_iter_ < plain.n_iter_  # it is at work
    resumed, n_stops = fit_with_stops(data, tmp_path / "fit.ckpt", [2] * 500, **settings)
    assert n_stops >= whole.n_iter_ - 2
    assert_identical(resumed, whole)


@pytest.mark.parametrize("n_components", everyday(2, slow=["mml"]))
def test_rows_in_files(tmp_path, monkeypatch, n_components):
    for module in ("peculiar.backends.sample", "peculiar.estimators.plain"):
        monkeypatch.setattr(f"{module}.MAX_ROWS", 200)
    rng = np.random.default_rng(0)
    table = {"x_err": rng.uniform(0.1, 0.5, 500), "y_err": rng.uniform(0.1, 0.5, 500)}
    table |= {name: rng.normal(size=500) + 3 * (np.arange(500) % 2) for name in "xy"}
    write(table, tmp_path / "stars.parquet")
    stars = {"X": scan(tmp_path / "stars.parquet", "x, y", rows_at_a_time=128)}
    settings = {"n_components": n_components, "max_components": 3, "max_iter": 15}
    whole, n = count_steps(stars, **settings)
    at = [2, n // 4, n // 4]
    resumed, n_stops = fit_with_stops(stars, tmp_path / "fit.ckpt", at, **settings)
    assert n_stops >= 2
    assert_identical(resumed, whole)


def test_what_is_done_is_not_done_again(tmp_path, monkeypatch):
    """Passes over the rows: those of both runs together are those of one, and the one in which it was stopped."""
    passes = []
    real = MemoryBackend.summarise
    monkeypatch.setattr(MemoryBackend, "summarise", lambda *args: passes.append(1) or real(*args))
    data, settings = sky(120), {"n_components": "bic", "max_components": 3}
    _, n = count_steps(data, **settings)
    needed = len(passes)
    for name, at in {"early": [3], "late": [n - 3], "often": [n // 5] * 4}.items():
        passes.clear()
        _, n_stops = fit_with_stops(data, tmp_path / name, at, **settings)
        assert (
            needed <= len(passes) <= needed + 2 * n_stops
        )  # a longer step may have been taken back


def test_a_fit_that_is_done_is_not_done_again(tmp_path, monkeypatch):
    data, path = sky(), tmp_path / "fit.ckpt"
    first = fit(data, path, n_components="mml", max_components=3)
    monkeypatch.setattr(MemoryBackend, "summarise", lambda *_: pytest.fail("computed again"))
    assert_identical(fit(data, path, n_components="mml", max_components=3), first)


def test_without_a_seed_the_file_knows_it(tmp_path):
    data, path = sky(), tmp_path / "fit.ckpt"
    settings = {"n_components": 3, "n_init": 4, "random_state": None, "max_iter": 15}
    with pytest.raises(StoppedError):
        fit(data, path, Stop(10), **settings)
    kept = path.read_bytes()
    first = fit(data, path, **settings)
    path.write_bytes(kept)
    assert_identical(fit(data, path, **settings), first)


def test_threads_may_be_others(tmp_path):
    data, path = sky(), tmp_path / "fit.ckpt"
    with pytest.raises(StoppedError):
        fit(data, path, Stop(5), n_jobs=1)
    assert_identical(fit(data, path, n_jobs=2), fit(data))


def test_a_detector_goes_on_too(tmp_path):
    X = np.random.default_rng(0).normal(size=(200, 2))
    path = tmp_path / "fit.ckpt"
    first = OutlierDetector(1, random_state=0).fit(X, checkpoint=path)
    again = OutlierDetector(1, random_state=0).fit(X, checkpoint=str(path))
    assert_identical(first.mixture_, again.mixture_)
    assert first.offset_ == again.offset_
    assert_identical(first.mixture_, OutlierDetector(1, random_state=0).fit(X).mixture_)


def test_how_often_it_is_written(tmp_path, monkeypatch):
    written = []
    home = "peculiar.estimators.checkpoints.written.write_sealed"
    monkeypatch.setattr(home, lambda *_: written.append(1))
    data, settings = sky(), {"max_iter": 12, "tol": 0.0}
    for checkpoint, expected in {
        Checkpoint(tmp_path / "a"): 1,  # in the end
        Checkpoint(tmp_path / "a", every_iterations=5): 3,
        Checkpoint(tmp_path / "a", every_minutes=1e-9): 13,
    }.items():
        written.clear()
        fit(data, checkpoint, **settings)
        assert len(written) == expected, checkpoint


PROGRAM = """
import sys
from peculiar import Checkpoint, RobustMixture
from peculiar.datasets import make_colours
sky = make_colours(3000, n_peculiar=30, random_state=1)
settings = {"wild_fraction": "estimate", "random_state": 0, "tol": 1e-8, "n_init": 2}
model = RobustMixture(sys.argv[2] if sys.argv[2] == "mml" else int(sys.argv[2]), **settings)
checkpoint = Checkpoint(sys.argv[1], every_iterations=1)
print("begins", flush=True)
model.fit(sky.X, X_cov=sky.X_cov, checkpoint=checkpoint).save(sys.argv[3])
"""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="no SIGKILL")
@pytest.mark.parametrize("n_components", ["3", "mml"])
def test_killed_ten_times_it_ends_the_same(tmp_path, n_components):
    """Whole processes, SIGKILL at random moments, the same command again; one that was too quick for us begins anew."""
    path, out = tmp_path / "fit.ckpt", tmp_path / "model.peculiar"
    command = [sys.executable, "-c", PROGRAM, path, n_components, out]
    duration = _ended_after(command, timeout=None)
    assert duration is not None
    path.unlink()
    whole, rng, n_killed = RobustMixture.load(out), np.random.default_rng(0), 0
    while n_killed < 10:
        if _ended_after(command, timeout=rng.uniform(0.05, 1.0) * duration) is None:
            n_killed += 1
        else:
            assert_identical(RobustMixture.load(out), whole)
            path.unlink()
    subprocess.run(command, check=True, capture_output=True)
    assert_identical(RobustMixture.load(out), whole)


def _ended_after(command, timeout):
    """How long a process took after its first line; None if it had to be killed."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as process:
        process.stdout.readline()
        began = time.monotonic()
        try:
            process.wait(timeout=timeout)
        except subprocess.TimeoutExpired:
            process.send_signal(signal.SIGKILL)
            return None
    assert process.returncode == 0
    return time.monotonic() - began
