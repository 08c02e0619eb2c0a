"""What somebody meets who uses it for the first time: hints that work, one message on compiling, tabs, progress."""

import logging
import re
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from peculiar.cli import progress
from peculiar.cli.bar import Bar
from peculiar.cli.console import Screen
from peculiar.cli.progress import Lines
from peculiar.kernels import _jit

ROOT = Path(__file__).parents[2]


def test_hints_to_install_name_what_works_from_a_clone():
    pages = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.py")]
    wrong = re.compile(r"(?<![\w.])peculiar\[\w")
    assert [path for path in pages if wrong.search(path.read_text())] == []
    extras = set(
        re.findall(r"^(\w+) = \[", (ROOT / "pyproject.toml").read_text(), flags=re.MULTILINE)
    )
    for path in pages:
        for wanted in re.findall(r"pip install '\.\[([\w,]+)\]'", path.read_text()):
            assert set(wanted.split(",")) <= extras, path


@pytest.fixture
def new_process(monkeypatch):
    """As if nothing had been said yet."""
    _jit.announce_compilation.cache_clear()
    yield
    _jit.announce_compilation.cache_clear()


def test_one_message_for_all_compilation(new_process, caplog):
    load = _jit._announcing(lambda *arguments: None)
    for _ in range(3):
        load("a kernel")
        _jit._announcing(lambda *arguments: None)("another")
    (record,) = caplog.records
    assert "about a minute in all" in record.getMessage()


def test_nothing_is_said_of_what_is_there(new_process, caplog):
    assert _jit._announcing(lambda *arguments: "found")("a kernel") == "found"
    assert caplog.records == []


def test_the_message_is_seen_in_a_pipe_too(new_process, capsys):
    with Screen().working("fitting"):
        _jit.announce_compilation()
        _jit.announce_compilation()
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert said.startswith("peculiar: compiling for this machine, once, about a minute in all")


def test_on_a_terminal_it_is_what_is_being_done(new_process):
    bar = Bar("fitting")
    with Screen(quiet=True).working("fitting"):
        bar.remark("compiling for this machine, once, about a minute in all: the result is kept")
    (task,) = bar.display.tasks
    assert task.description == "fitting: compiling for this machine, once, about a minute in all"


def test_quiet_is_quiet(new_process, capsys):
    with Screen(quiet=True).working("fitting"):
        _jit.announce_compilation()
    assert capsys.readouterr().err == ""
    assert logging.getLogger("peculiar").propagate


def test_work_that_says_nothing_of_itself_has_lines_too(capsys, monkeypatch):
    monkeypatch.setattr(progress, "EVERY", 0.02)
    with Screen().working("reading a.fits"):
        time.sleep(0.3)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) >= 2
    said = r"peculiar: reading a\.fits: \d+ s so far; [\d.]+ [MG]B of memory"
    assert all(re.fullmatch(said, line) for line in lines)
    time.sleep(0.1)
    assert capsys.readouterr().err == ""  # none after the end


def test_lines_between_two_steps_repeat_how_far_it_is(capsys, monkeypatch):
    monkeypatch.setattr(progress, "EVERY", 0.02)
    with Lines("fitting") as work:
        work.on_pass(17, 12, -1234.5)
        time.sleep(0.3)
    lines = capsys.readouterr().err.splitlines()
    assert len(lines) >= 2
    told = r"peculiar: fitting: 17 components, pass 12, message length -1,234\.5; \d+ s so far; [\d.]+ [MG]B of memory"
    assert all(re.fullmatch(told, line) for line in lines)


def test_all_long_work_is_done_where_it_is_shown(peculiar, catalogue, tmp_path, monkeypatch):
    """Reading, fitting, judging, writing, and what the demo does besides."""
    seen = []
    monkeypatch.setattr(Lines, "__init__", _noting(Lines.__init__, seen))
    small = ["-k", "1", "--tol", "1e-3", "--jobs", "1"]
    out = tmp_path / "a.ecsv"
    done = peculiar("rank", catalogue, "--features", "u - r, g - r", *small, "--out", out)
    assert done.code == 0, done.err
    assert list(dict.fromkeys(seen)) == [
        "reading catalogue.csv", "making features", "fitting", "judging", "writing a.ecsv",
    ]  # fmt: skip


def _noting(make, seen):
    def make_and_note(self, what):
        seen.append(what)
        make(self, what)

    return make_and_note


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_scripts_for_shells(peculiar, shell):
    done = peculiar("completion", shell)
    assert done.code == 0, done.err
    assert f"_PECULIAR_COMPLETE={shell}_complete" in done.out
    assert "peculiar" in done.out


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
def test_the_script_for_bash_is_one(peculiar):
    script = peculiar("completion", "bash").out
    assert subprocess.run(["bash", "-n"], input=script, text=True, check=False).returncode == 0


def test_an_unknown_shell(peculiar):
    done = peculiar("completion", "tcsh")
    assert done.code == 2
    assert "bash" in done.err


@pytest.mark.parametrize(
    ("line", "expected"),
    [
        ("peculiar ra", "plain,rank"),
        ("peculiar rank --sc", "plain,--scatter"),
        ("peculiar rank --order m", "plain,mixed"),
        ("peculiar score ", "file,"),
        ("peculiar completion z", "plain,zsh"),
    ],
)
def test_the_tab_key(peculiar, monkeypatch, line, expected):
    words = line.split(" ")
    monkeypatch.setenv("_PECULIAR_COMPLETE", "bash_complete")
    monkeypatch.setenv("COMP_WORDS", line)
    monkeypatch.setenv("COMP_CWORD", str(len(words) - 1))
    done = peculiar()
    assert done.code == 0
    assert expected in done.out.splitlines()


@pytest.mark.parametrize("command", [["rank"], ["fit", "--out", "model.peculiar"]])
@pytest.mark.parametrize(
    ("columns", "hint"),
    [
        ("u,e_u,g,g_err,name", 'With errors: u, g. For instance: --features "u, g"'),
        ("flux-1,flux-1_err", "--features '`flux-1`'"),
        ("u,g", "say where they are with --error X=COLUMN"),
    ],
)
def test_who_names_no_features_hears_which_there_are(tmp_path, peculiar, command, columns, hint):
    path = tmp_path / "stars.csv"
    path.write_text(f"{columns}\n{','.join('1' for _ in columns.split(','))}\n")
    result = peculiar(command[0], path, *command[1:])
    assert result.code == 2
    assert "Missing option '--features'" in result.err
    assert hint in result.err


def test_who_names_no_features_hears_first_of_a_catalogue_that_is_not_there(peculiar):
    result = peculiar("rank", "nowhere.csv")
    assert result.code != 0
    assert "there is no file nowhere.csv" in result.err
