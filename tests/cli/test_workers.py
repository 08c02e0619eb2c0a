"""Workers of Dask for the command line: the list is the one that this process makes."""

import os
import signal
import sys
import time

import numpy as np
import pytest

from peculiar.catalogue import read, write

distributed = pytest.importorskip("distributed", reason="distributed is not installed")

QUICK = ["--features", "u, g", "-k", "1", "--tol", "1e-3"]


@pytest.fixture
def path(table, tmp_path):
    path = tmp_path / "sky.parquet"
    write(table, path)
    return path


def alike(one, other):
    one, other = read(one), read(other)
    assert one.colnames == other.colnames
    assert (one["row"] == other["row"]).all()
    for name in ("p_value", "q_value", "u_clean"):
        np.testing.assert_allclose(one[name], other[name], rtol=1e-9)


@pytest.mark.filterwarnings("ignore::ResourceWarning")  # sockets of distributed, closed late
def test_a_cluster_that_is_there_makes_the_same_list(peculiar, path, tmp_path):
    here, there = tmp_path / "here.parquet", tmp_path / "there.parquet"
    assert peculiar("rank", path, *QUICK, "--memory", "1MB", "--out", here).code == 0
    with distributed.LocalCluster(
        n_workers=1,
        processes=False,
        protocol="tcp",
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",  # any port that is free
        scheduler_kwargs={"dashboard": False},
    ) as cluster:
        address = cluster.scheduler_address
        done = peculiar("rank", path, *QUICK, "--dask", address, "--out", there)
    assert done.code == 0, done.err
    assert f"Work is done by 1 worker of {address}" in done.out
    alike(here, there)


@pytest.mark.slow
def test_workers_of_this_computer_make_the_same_list(start, path, tmp_path):
    here, there = tmp_path / "here.parquet", tmp_path / "there.parquet"
    assert start("rank", path, *QUICK, "--memory", "1MB", "--out", here).wait() == 0
    process = start("rank", path, *QUICK, "--workers", 2, "--out", there)
    out, err = process.communicate()
    assert process.returncode == 0, err
    assert "Work is done by 2 workers" in out
    alike(here, there)


@pytest.mark.skipif(sys.platform == "win32", reason="no groups of processes")
def test_ctrl_c_of_a_terminal_says_one_thing(start, tmp_path):
    """It reaches the workers, too, and may be pressed again: nobody but the command says anything."""
    rng, n = np.random.default_rng(0), 20_000
    sky = tmp_path / "sky.parquet"
    errors = {f"{name}_err": np.full(n, 0.1) for name in "ug"}
    write({name: rng.normal(size=n) for name in "ug"} | errors, sky)
    settings = ["--features", "u, g", "-k", "3", "--tol", "0", "--max-iter", "1000000"]
    out = tmp_path / "list.parquet"
    process = start("rank", sky, *settings, "--workers", 2, "--out", out, start_new_session=True)
    while "Work is done by 2 workers" not in (line := process.stdout.readline()):
        assert line or process.poll() is None, process.communicate()
    while not list(tmp_path.glob(".list.parquet.parts-*")):
        assert process.poll() is None, process.communicate()
        time.sleep(0.05)
    time.sleep(2)  # within the fit, which never ends
    os.killpg(process.pid, signal.SIGINT)
    time.sleep(0.5)
    if process.poll() is None:
        os.killpg(process.pid, signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130
    kept, stopped = err.splitlines()
    assert "what is done is kept in" in kept
    assert stopped.startswith("peculiar: stopped; the same call goes on from")


def test_what_does_not_go_with_workers(peculiar, path, table, tmp_path):
    done = peculiar("rank", path, *QUICK, "--workers", 2, "--dask", "tcp://127.0.0.1:1")
    assert done.code
    assert "--workers starts a cluster, --dask uses one that is there" in done.err
    text = tmp_path / "sky.csv"
    write(table, text)
    done = peculiar("rank", text, *QUICK, "--workers", 2)
    assert done.code
    assert "workers read catalogues in parts" in done.err
