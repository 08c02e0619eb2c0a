"""Long tables look as rich would show them, in a tenth of the time."""

import pytest

from peculiar.cli import long_tables
from peculiar.cli.console import Screen
from peculiar.cli.long_tables import long_table


@pytest.mark.parametrize("to_the_left", [(), ("name", "b")])
def test_they_look_as_short_ones(capsys, monkeypatch, to_the_left):
    columns = {
        "name": ["x" * (i % 7) for i in range(300)],
        "b": ["\u00e9\u661f" * (i % 3) for i in range(300)],  # a letter that takes two places
        "a longer name": [str(i) for i in range(300)],
    }
    Screen().table(columns, to_the_left=to_the_left)
    ours = capsys.readouterr().out
    monkeypatch.setattr(long_tables, "LONG", 1000)
    Screen().table(columns, to_the_left=to_the_left)
    assert ours == capsys.readouterr().out
    assert len(ours.splitlines()) == 302


def test_what_is_wider_than_the_screen_is_left_to_rich():
    assert long_table({"a": ["x" * 50] * 300, "b": ["y" * 50] * 300}, (), 100) == []
    assert len(long_table({"a": ["x" * 50] * 300, "b": ["y" * 48] * 300}, (), 100)) == 302
