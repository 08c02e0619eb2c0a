"""Tables over SAMP, with a hub and a program of the test's own, on the loopback only."""

from pathlib import Path
from urllib.parse import urlparse

import pytest
from astropy.table import Table

from peculiar.errors import SampError
from peculiar.triage.samp import send_rows, send_table

RANKED = Table({"row": [5, 2], "name": ["=1+1", "<script>"], "p_value": [1e-9, 0.2]})


def test_a_table_arrives_whole(programs):
    topcat = programs("topcat")
    assert send_table(RANKED, name="ranked", table_id="r1") == ["topcat"]
    (there,) = topcat.tables
    assert list(there["name"]) == ["=1+1", "<script>"]
    assert list(there["p_value"]) == [1e-9, 0.2]
    assert topcat.params[0]["name"] == "ranked"
    assert topcat.params[0]["table-id"] == "r1"
    assert not Path(urlparse(topcat.params[0]["url"]).path).exists()  # nothing is left behind


def test_a_selection_arrives(programs):
    topcat = programs("topcat")
    assert send_rows([1, 0], table_id="r1") == ["topcat"]
    assert topcat.params[0] == {"table-id": "r1", "row-list": ["1", "0"]}


def test_to_one_program_only(programs):
    topcat, aladin = programs("topcat"), programs("Aladin")
    assert send_table(RANKED, name="ranked", to="aladin") == ["Aladin"]
    assert (len(topcat.tables), len(aladin.tables)) == (0, 1)
    with pytest.raises(SampError, match=r"called 'ds9' .*those that do: Aladin, topcat"):
        send_table(RANKED, name="ranked", to="ds9")


def test_a_program_that_fails_is_named(programs):
    programs("topcat", "samp.error")
    with pytest.raises(SampError, match="topcat could not take what was sent: too strange"):
        send_table(RANKED, name="ranked")


def test_nobody_listens(hub):
    with pytest.raises(SampError, match=r"no program at the SAMP hub .*start TOPCAT or Aladin"):
        send_table(RANKED, name="ranked")


def test_no_hub_runs(no_hub):
    with pytest.raises(SampError, match="no SAMP hub runs on this computer: start TOPCAT"):
        send_table(RANKED, name="ranked")


def test_without_pyvo(monkeypatch):
    monkeypatch.setattr("peculiar.triage.samp.find_spec", lambda name: None)
    with pytest.raises(SampError, match=r"needs pyvo.*pip install '\.\[samp\]'"):
        send_table(RANKED, name="ranked")
