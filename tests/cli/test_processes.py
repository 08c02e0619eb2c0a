"""Real processes: pipes, signals, exit codes."""

import json
import os
import signal
import sys
import time

import pytest

from tests.cli.conftest import QUICK


def test_a_pipe_hears_only_the_result_and_only_what_is_needed_is_loaded(start, catalogue):
    """One process for it all, since it takes seconds to start: a table, a document, and what is loaded then."""
    code = (
        "import sys; from peculiar.cli import main\n"
        "rank = sys.argv[1:]\n"
        "codes = [main([*rank, '-k', '1']), print('NEXT'),"
        " main([*rank, '-k', 'mml', '--max-components', '3', '--json'])]\n"
        "print('NEXT'); print(*sys.modules); sys.exit(any(codes))"
    )
    options = ["--features", "u - r, g - r", "--tol", "1e-3", "--jobs", "1", "--top", "3"]
    process = start("rank", catalogue, *options, code=code)
    out, err = process.communicate()
    assert (process.returncode, err) == (0, "")
    table, document, modules = out.split("NEXT\n")
    assert "\x1b" not in table
    assert max(map(len, table.splitlines())) <= 100
    assert len(json.loads(document)["candidates"]) == 3
    # Any of them takes as long to load as all the rest to run: scikit-learn brings scipy.stats and pandas with it.
    heavy = {"sklearn", "scipy.stats", "scipy.optimize", "pandas", "matplotlib", "dask", "astropy"}
    heavy |= {"pyarrow.compute"}
    loaded = set(modules.split())
    assert {"numba", "pyarrow.csv"} <= loaded
    assert not loaded & heavy


def test_exit_codes(start, tmp_path, catalogue):
    for code, arguments in {0: ["cite"], 1: ["info", tmp_path / "no.csv"], 2: ["rank"]}.items():
        process = start(*arguments)
        process.communicate()
        assert process.returncode == code


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a process of its own")
@pytest.mark.parametrize("command", ["rank", "fit"])
def test_ctrl_c_leaves_no_file(start, tmp_path, catalogue, command):
    folder = tmp_path / "out"
    folder.mkdir()
    out = folder / ("ranked.fits" if command == "rank" else "model.peculiar")
    arguments = ["--features", "u - r, g - r", "-k", "3", "--tol", "0", "--max-iter", "1000000"]
    process = start(command, catalogue, *arguments, "--out", out)
    _wait_for_output(process)  # errors are shown: the fit, which never ends, begins
    time.sleep(3)
    assert process.poll() is None
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=120)
    assert process.returncode == 130
    assert err.strip() == "peculiar: stopped"
    assert list(folder.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="no SIGINT for a process of its own")
def test_ctrl_c_while_a_file_is_written(start, tmp_path, catalogue, model):
    """The writer is stopped within the file: what was there stays, and nothing is left beside it."""
    out = tmp_path / "ranked.csv"
    out.write_text("precious")
    code = (
        "import sys, time, peculiar.catalogue.writing as writing\n"
        "def slowly(rows, form, path, *, is_zipped):\n"
        "    path.write_text('half a fi')\n"
        "    print('writing', flush=True)\n"
        "    time.sleep(60)\n"
        "writing._write_plain = slowly\n"
        "from peculiar.cli import main\n"
        "sys.exit(main(sys.argv[1:]))"
    )
    options = "-q", "--out", out, "--overwrite"
    process = start("score", model, catalogue, *options, code=code)
    assert process.stdout.readline() == "writing\n"
    assert len(list(tmp_path.iterdir())) == 2
    process.send_signal(signal.SIGINT)
    _, err = process.communicate(timeout=60)
    assert (process.returncode, err.strip()) == (130, "peculiar: stopped")
    assert [path.name for path in tmp_path.iterdir()] == ["ranked.csv"]
    assert out.read_text() == "precious"


@pytest.mark.parametrize("command", ["info", "cite"])  # one by rich, one by print
def test_whoever_does_not_read_on_is_no_error(start, catalogue, command):
    arguments = [command, catalogue] if command == "info" else [command]
    for unbuffered in ("", "1"):
        process = start(*arguments, env={"PYTHONUNBUFFERED": unbuffered})
        process.stdout.close()
        with process.stderr:
            assert process.stderr.read() == ""
        assert process.wait() == 141


@pytest.mark.skipif(sys.platform == "win32", reason="no terminals to pretend to be")
def test_a_terminal_sees_the_progress(start, catalogue):
    import pty

    ours, theirs = pty.openpty()
    process = start("rank", catalogue, *QUICK, "--top", "1", stderr=theirs)
    os.close(theirs)
    shown = b""
    while True:
        try:
            part = os.read(ours, 4096)
        except OSError:  # Linux says so when the other end is closed
            break
        if not part:
            break
        shown += part
    os.close(ours)
    out, _ = process.communicate()
    assert process.returncode == 0
    assert b"fitting" in shown
    assert b"judging: 300 of 300 objects" in shown
    assert "fitting" not in out


def _wait_for_output(process):
    line = ""
    while not line.startswith("g "):
        line = process.stdout.readline()
        assert line or process.poll() is None
