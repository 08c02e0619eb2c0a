"""Tables over SAMP, with a hub and a program of the test's own, on the loopback only."""

import urllib.request
from pathlib import Path
from urllib.parse import urlparse

import pytest
from astropy.table import Table

from peculiar.errors import SampError
from peculiar.triage.samp import send_rows, send_table

samp = pytest.importorskip("pyvo.samp")
RANKED = Table({"row": [5, 2], "name": ["=1+1", "<script>"], "p_value": [1e-9, 0.2]})


@pytest.fixture
def no_hub(tmp_path, monkeypatch):
    """A place for the file that says where the hub is; nobody else's hub is met."""
    lock = tmp_path / "samp"
    monkeypatch.setenv("SAMP_HUB", f"std-lockurl:{lock.as_uri()}")

    def never(*args, **kwargs):
        raise AssertionError("a request to the outside")

    monkeypatch.setattr("pyvo.samp.utils.urlopen", never)
    return lock


@pytest.fixture
def hub(no_hub):
    with samp.conf.set_temp("use_internet", False):
        hub = samp.SAMPHubServer(web_profile=False, addr="127.0.0.1", lockfile=str(no_hub))
        hub.start()
        yield hub
        hub.stop()


class Program:
    """Takes tables and selections, as TOPCAT does."""

    def __init__(self, name, status="samp.ok"):
        self.tables, self.params, self.status = [], [], status
        self.client = samp.SAMPIntegratedClient(name=name, addr="127.0.0.1")
        self.client.connect()
        for kind in ("table.load.votable", "table.select.rowList"):
            self.client.bind_receive_call(kind, self.take)

    def take(self, private_key, sender_id, msg_id, mtype, params, extra):
        self.params.append(params)
        if "url" in params:
            self.tables.append(
                Table.read(urllib.request.url2pathname(urlparse(params["url"]).path))
            )
        error = {"samp.errortxt": "too strange"} if self.status == "samp.error" else {}
        answer = {"samp.status": self.status, "samp.result": {}, "samp.error": error}
        self.client.reply(msg_id, answer)


@pytest.fixture
def programs(hub):
    made = []

    def start(*args):
        made.append(Program(*args))
        return made[-1]

    yield start
    for program in made:
        program.client.disconnect()


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
