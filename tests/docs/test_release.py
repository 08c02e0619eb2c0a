"""The version is the same wherever it is written."""

import re
from pathlib import Path

from peculiar import __version__

ROOT = Path(__file__).parents[2]
RELEASES = re.findall(r"^## (\d\S*)", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)


def test_the_changelog_has_this_release():
    assert ".dev" in __version__ or RELEASES[0] == __version__


def test_the_citation_is_of_the_last_release():
    cited = re.search(r"^version: (\S+)$", (ROOT / "CITATION.cff").read_text(), flags=re.MULTILINE)
    assert cited[1] == RELEASES[0]
