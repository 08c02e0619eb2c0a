"""Help: every command has an example, and every example runs."""

import json
import re
import shlex
import subprocess
import sys

import pytest

from peculiar.cli.commands import NAMES
from peculiar.cli.running import commands


def examples(text):
    """The commands in a help text: indented lines below 'Example' that begin with 'peculiar'."""
    _, _, after = text.partition("Example")
    block = after.partition("\n\n")[0]
    return re.findall(r"^ +(peculiar .+)$", block, flags=re.MULTILINE)


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    """Where the examples run: all of them in one folder, one after the other."""
    return tmp_path_factory.mktemp("examples")


def help_of(peculiar, *command):
    done = peculiar(*command, "--help")
    assert done.code == 0
    assert done.err == ""
    assert max(map(len, done.out.splitlines())) <= 110
    return done.out


def test_every_command_has_an_example(peculiar):
    for name in NAMES:
        found = examples(help_of(peculiar, name))
        assert found
        assert all(line.startswith(f"peculiar {name} ") for line in found)


@pytest.fixture
def one_look(monkeypatch):
    """A live page is stopped by Ctrl-C once it is there, and no browser opens it."""
    pytest.importorskip("bokeh")
    from peculiar.explore import live

    serve = live.serve

    def serve_and_stop(desk, html, port, begun):
        def stop(address):
            begun(address)
            raise KeyboardInterrupt

        serve(desk, html, port, stop)

    monkeypatch.setattr(live, "serve", serve_and_stop)
    monkeypatch.setattr("webbrowser.open", lambda address: True)


@pytest.mark.usefixtures("one_look")
@pytest.mark.parametrize("command", [[], ["demo"], *([name] for name in NAMES if name != "demo")])
def test_examples_run(peculiar, folder, monkeypatch, command):
    monkeypatch.chdir(folder)
    if command != ["demo"] and not (folder / "demo").exists():
        assert peculiar("demo", "--out", "demo", "--objects", 400, "--peculiar", 8).code == 0
    for line in examples(help_of(peculiar, *command)):
        words = shlex.split(line.partition(">")[0])
        if words[1] == "demo":
            words += ["--objects", "400", "--peculiar", "8"]
        done = peculiar(*words[1:])
        assert done.code == 0, (line, done.err)
        if "--json" in words:
            json.loads(done.out)
        elif ">" in line:
            assert done.out.startswith("@")


def test_exit_codes_are_in_the_help(peculiar):
    text = help_of(peculiar)
    for code in (0, 1, 2, 3, 130):
        assert re.search(rf"^ +{code}  ", text, flags=re.MULTILINE)


def test_every_option_says_what_it_does():
    for name in NAMES:
        command = commands.get_command(None, name)
        assert command.help
        for parameter in command.params:
            assert parameter.param_type_name == "argument" or parameter.help, parameter.name


def test_help_loads_nothing_heavy():
    heavy = {"numba", "sklearn", "scipy", "astropy", "numpy", "pandas", "pyarrow", "rich"}
    code = (
        "import sys; from peculiar.cli import main\n"
        "for arguments in (['--help'], ['rank', '--help'], ['--version'], ['cite']):\n"
        "    assert main(arguments) == 0\n"
        "print(*{name.partition('.')[0] for name in sys.modules}, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert {"peculiar", "click"} <= set(done.stderr.split())
    assert not set(done.stderr.split()) & heavy


def test_version(peculiar):
    import peculiar as package

    assert peculiar("--version").out == f"peculiar {package.__version__}\n"


def test_without_click_or_rich(tmp_path):
    """A bare install says what is missing, in one line."""
    code = (
        "import importlib.util as u, sys; real = u.find_spec\n"
        "u.find_spec = lambda name, *a: None if name == 'rich' else real(name, *a)\n"
        "from peculiar.cli import main; sys.exit(main(['--help']))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.returncode == 1
    assert done.stdout == ""
    assert done.stderr.count("\n") == 1
    assert "pip install '.[cli]', in the folder that you have cloned" in done.stderr
