"""`peculiar reproduce`: files, messages, and what is checked before the work."""

import json

import pytest

from peculiar.datasets import sources


def test_the_same_experiment_twice(peculiar, tmp_path):
    out = tmp_path / "deep" / "paper"
    done = peculiar("reproduce", "illustration", "--quick", "--out", out)
    assert done.code == 0, done.err
    assert all(line.startswith("peculiar: ") for line in done.err.splitlines())
    assert "illustration (figure 2): What errors hide" in done.out
    assert "of which" in done.out
    files = {path.name for path in out.iterdir()}
    assert files == {"illustration.json", "illustration.csv", "illustration.png", "index.html"}
    assert (out / "illustration.png").read_bytes().startswith(b"\x89PNG")
    again = peculiar("reproduce", "illustration", "--quick", "--out", out, "--seed", "3")
    assert again.code == 0
    assert json.loads((out / "illustration.json").read_text())["settings"]["seed"] == 3
    assert {path.name for path in out.iterdir()} == files


def test_an_experiment_that_is_none(peculiar, tmp_path):
    done = peculiar("reproduce", "figure-2", "--out", tmp_path)
    assert done.code == 2
    assert "noise-levels" in done.err


def test_files_of_others(peculiar, tmp_path):
    (tmp_path / "quasars.csv").write_text("precious")
    done = peculiar("reproduce", "quasars", "--out", tmp_path)
    assert done.code == 1
    assert "already has quasars.csv, and not from an earlier run" in done.err
    assert (tmp_path / "quasars.csv").read_text() == "precious"


@pytest.mark.parametrize("names", [[], ["illustration", "lymphography"]])
def test_missing_data_are_missed_before_the_work(peculiar, monkeypatch, tmp_path, names):
    def no_network(url):
        raise OSError("no network in tests")

    monkeypatch.setattr(sources, "download", no_network)
    monkeypatch.delenv("PECULIAR_DATA", raising=False)
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    done = peculiar("reproduce", *names, "--quick", "--out", tmp_path / "out")
    assert done.code == 1
    assert done.out == ""
    assert "there is no lymphography.csv or lymphography.data" in done.err
    assert "peculiar reproduce illustration convergence noise-levels" in done.err
    assert list((tmp_path / "out").iterdir()) == []


def test_without_matplotlib(peculiar, monkeypatch, tmp_path):
    monkeypatch.setattr("peculiar.cli.reproduce.find_spec", lambda name: None)
    done = peculiar("reproduce", "--out", tmp_path)
    assert done.code == 1
    assert "pip install '.[plot]', in the folder that you have cloned" in done.err
