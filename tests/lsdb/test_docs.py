"""The page about LSDB says what happens."""

import re
from pathlib import Path

import pytest

from tests.lsdb.helpers import MARKS

pytestmark = MARKS

PAGE = Path(__file__).parents[2] / "docs" / "lsdb.md"


@pytest.mark.slow
def test_the_page_runs(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    blocks = re.findall(r"```python\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert len(blocks) == 3
    namespace = {}
    for block in blocks:
        exec(block, namespace)
    out = capsys.readouterr().out
    assert re.search(r"\n\d+ +7 .* u - r +high", out)
    assert "u_err" in out
    assert namespace["one"].npartitions == 1
    assert {"stars", "scores", "stars.peculiar"} == {path.name for path in tmp_path.iterdir()}
