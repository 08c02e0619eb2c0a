"""A SAMP hub of the test's own, on the loopback only, and a program that listens there."""

import time
import urllib.request
from urllib.parse import urlparse

import pytest
from astropy.table import Table
from pyvo import samp


class Hub(samp.SAMPHubServer):
    """pyvo's hub, which loses an answer that is there before it begins to wait for it."""

    def _reply_(self, private_key, msg_id, response):
        while self._is_running and msg_id not in self._sync_msg_ids_heap:
            time.sleep(0.01)
        super()._reply_(private_key, msg_id, response)


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
        hub = Hub(web_profile=False, addr="127.0.0.1", lockfile=str(no_hub))
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
