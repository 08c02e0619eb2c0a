"""Streams that are closed, full or read by nobody, and signals: files are written first, and codes mean something."""

import io
import os
import signal
import stat
import sys

import pytest

from peculiar.cli import main, streams
from peculiar.cli.fitting import load_model
from tests.cli.conftest import QUICK

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="POSIX streams and signals")


class Deaf(io.StringIO):
    """A stream that takes so many writes, and then fails."""

    def __init__(self, error, after=0):
        super().__init__()
        self.error, self.left = error, after

    def write(self, text):
        self.left -= 1
        if self.left < 0:
            raise self.error
        return super().write(text)


GONE, FULL = BrokenPipeError(32, "Broken pipe"), OSError(28, "No space left on device")


@pytest.fixture
def run(monkeypatch):
    """Run a command with these streams."""

    def with_streams(*arguments, out, err=None):
        err = io.StringIO() if err is None else err
        monkeypatch.setattr("peculiar.cli.progress.EVERY", 1e9)  # machines may be slow
        monkeypatch.setattr("peculiar.cli.progress.Lines.remark", lambda self, text: None)  # or new
        monkeypatch.setattr(sys, "stdout", out)
        monkeypatch.setattr(sys, "stderr", err)
        code = main([str(argument) for argument in arguments])
        monkeypatch.undo()
        return code, err.getvalue()

    return with_streams


@pytest.mark.parametrize("after", [0, 1, 5])
@pytest.mark.parametrize("more", [[], ["--json"]], ids=["text", "json"])
def test_files_are_written_though_nobody_reads_on(run, catalogue, tmp_path, after, more):
    out, model = tmp_path / "r.csv", tmp_path / "m.peculiar"
    arguments = ["rank", catalogue, *QUICK, "--out", out, "--save-model", model, *more]
    assert run(*arguments, out=Deaf(GONE, after)) == (0, "")
    assert len(out.read_text().splitlines()) == 301
    assert load_model(model).n_components_ == 1


def test_score_and_fit_write_theirs_too(run, catalogue, model, tmp_path):
    out = tmp_path / "r.csv"
    assert run("score", model, catalogue, "--out", out, out=Deaf(GONE)) == (0, "")
    assert len(out.read_text().splitlines()) == 301
    saved = tmp_path / "m.peculiar"
    assert run("fit", catalogue, *QUICK, "--out", saved, out=Deaf(GONE)) == (0, "")
    assert load_model(saved).n_components_ == 1


def test_without_a_file_the_work_ends_when_nobody_reads(run, catalogue, model):
    assert run("score", model, catalogue, out=Deaf(GONE)) == (141, "")
    assert run("info", catalogue, out=Deaf(GONE)) == (141, "")


def test_a_full_disk_is_said_but_files_come_first(run, catalogue, model, tmp_path):
    out = tmp_path / "r.csv"
    code, said = run("score", model, catalogue, "--out", out, out=Deaf(FULL))
    assert code == 1
    assert "all files are written, but not all could be shown: No space left on device" in said
    assert len(out.read_text().splitlines()) == 301
    code, said = run("info", catalogue, out=Deaf(FULL))
    assert (code, said) == (1, "peculiar: standard output: No space left on device\n")


def test_a_standard_output_that_is_closed(run, catalogue, model, tmp_path):
    out = tmp_path / "r.csv"
    assert run("score", model, catalogue, "--out", out, out=None) == (0, "")
    assert len(out.read_text().splitlines()) == 301
    code, said = run("info", catalogue, out=None)
    assert (code, said) == (1, "peculiar: standard output is closed: nothing can be shown\n")


def test_nobody_hears_standard_error(run, catalogue, tmp_path):
    for err in (Deaf(GONE), Deaf(FULL)):
        assert run("info", catalogue, out=io.StringIO(), err=err)[0] == 0
        assert run("info", tmp_path / "no.csv", out=io.StringIO(), err=err)[0] == 1
        assert run("rank", out=io.StringIO(), err=err)[0] == 2


def test_all_streams_closed_in_a_real_process(start, catalogue, model, tmp_path):
    """The numbers 0, 1 and 2 are not given to files: nothing is printed into the catalogue."""
    out, before = tmp_path / "r.csv", catalogue.read_bytes()
    code = "import os\nfor n in range(3): os.close(n)\n"
    code += (
        "import sys\nsys.stdin = sys.stdout = sys.stderr = None\nfrom peculiar.cli import main\n"
    )
    code += "sys.exit(main(sys.argv[1:]))"
    process = start("score", model, catalogue, "--out", out, code=code)
    assert process.wait() == 0
    assert len(out.read_text().splitlines()) == 301
    assert catalogue.read_bytes() == before


@pytest.mark.parametrize("columns", ["0", "1", "-5", "many", "", "1" * 50])
def test_impossible_widths(run, catalogue, monkeypatch, columns):
    monkeypatch.setenv("COLUMNS", columns)
    out = io.StringIO()
    assert streams.width_of(out, 100) == (20 if columns == "1" else 100)
    assert run("info", catalogue, out=out) == (0, "")
    assert "u_err" in out.getvalue()


@pytest.mark.parametrize("argument", ["info", "rank", "score", "model"])
def test_a_file_that_may_not_be_read(run, catalogue, model, tmp_path, monkeypatch, argument):
    """No wrong usage (2), and no defect (3)."""
    locked = tmp_path / "locked.csv"
    locked.write_bytes(catalogue.read_bytes())
    locked.chmod(0)
    known = io.open

    def refuse(path, *arguments, **options):
        if str(path) == str(locked):  # root may read anything
            raise PermissionError(13, "Permission denied", str(path))
        return known(path, *arguments, **options)

    monkeypatch.setattr(os, "access", lambda *_, **__: False)
    monkeypatch.setattr(io, "open", refuse)
    words = {
        "info": ["info", locked],
        "rank": ["rank", locked, *QUICK],
        "score": ["score", model, locked],
        "model": ["score", locked, catalogue],
    }[argument]
    code, said = run(*words, out=io.StringIO())
    assert (code, said) == (1, f"peculiar: {locked}: Permission denied\n")


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_signal_leaves_no_temporary_file(run, tmp_path, monkeypatch, catalogue, model, number):
    out = tmp_path / "r.csv"
    out.write_text("precious")
    names = []

    def half(rows, form, path, *, is_zipped):
        path.write_text("half a fi")
        names.extend(path.name for path in tmp_path.iterdir())
        os.kill(os.getpid(), number)

    monkeypatch.setattr("peculiar.catalogue.writing._write_plain", half)
    before = signal.getsignal(number)
    arguments = ["score", model, catalogue, "--out", out, "--overwrite", "-q"]
    assert run(*arguments, out=io.StringIO()) == (128 + number, "peculiar: stopped\n")
    assert len(names) == 2
    assert [path.name for path in tmp_path.iterdir()] == ["r.csv"]
    assert out.read_text() == "precious"
    assert signal.getsignal(number) == before
    assert stat.S_ISREG(out.stat().st_mode)


def test_a_signal_that_is_ignored_stays_ignored():
    """As nohup has it."""
    signal.signal(signal.SIGHUP, signal.SIG_IGN)
    try:
        with streams.hearing_signals():
            assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
        assert signal.getsignal(signal.SIGHUP) == signal.SIG_IGN
    finally:
        signal.signal(signal.SIGHUP, signal.SIG_DFL)
