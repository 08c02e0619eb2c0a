"""Tables and selections for TOPCAT, Aladin and other programs on this computer, through a SAMP hub."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from peculiar.errors import SampError
from peculiar.install import how_to_install

TABLE, ROWS = "table.load.votable", "table.select.rowList"
"""Kinds of messages: load this table, select these rows of it."""

PATIENCE = 60
"""Seconds that a program may take to load a table."""


def send_table(
    table: Any, *, name: str, table_id: str = "", to: str | None = None, timeout: int = PATIENCE
) -> list[str]:
    """Send a table to the programs that listen, and wait until they have loaded it.

    A program that acts as a hub must run: TOPCAT and Aladin do. Nothing leaves this computer.

    Parameters
    ----------
    table : table
        Anything :func:`peculiar.catalogue.as_table` takes: the ranked list, or some rows of it.
    name : str
        What the table is called there.
    table_id : str, optional
        By which :func:`send_rows` can refer to it.
    to : str, optional
        Only to programs of this name, such as "topcat"; otherwise to all that take tables.
    timeout : int, default=60
        Seconds that each program may take to load it.

    Returns
    -------
    list of str
        The programs that have loaded it.

    Raises
    ------
    SampError
        No hub runs, no program takes tables, or one could not load this one.
    """
    from peculiar.catalogue import write

    with connected() as client, tempfile.TemporaryDirectory(prefix="peculiar-samp-") as folder:
        listeners = _listeners(client, TABLE, to)
        path = Path(folder) / "table.vot"
        write(table, path)
        params = {"url": path.as_uri(), "name": name, "table-id": table_id or name}
        return [_call(client, who, TABLE, params, timeout) for who in listeners.items()]


def send_rows(
    rows: Sequence[int], *, table_id: str, to: str | None = None, timeout: int = PATIENCE
) -> list[str]:
    """Select rows of a table that was sent before, in the programs that have it.

    Parameters
    ----------
    rows : sequence of int
        Positions in that table, from 0.
    table_id : str
        As it was given to :func:`send_table`.
    to, timeout : optional
        As for :func:`send_table`.

    Returns
    -------
    list of str
        The programs that have selected them.
    """
    with connected() as client:
        listeners = _listeners(client, ROWS, to)
        params = {"table-id": table_id, "row-list": [str(int(row)) for row in rows]}
        return [_call(client, who, ROWS, params, timeout) for who in listeners.items()]


@contextlib.contextmanager
def connected() -> Iterator[Any]:
    """A client at the hub that runs, on this computer only; SampError if there is none."""
    if find_spec("pyvo") is None:
        raise SampError(
            f"sending tables needs pyvo, which is not installed: {how_to_install('samp')}"
        )
    from pyvo import samp

    # Otherwise pyvo asks a server in the internet whether there is one.
    with samp.conf.set_temp("use_internet", False):
        client = samp.SAMPIntegratedClient(name="peculiar", addr="127.0.0.1", callable=False)
        try:
            client.connect()
        except (samp.SAMPHubError, samp.SAMPProxyError, OSError) as error:
            raise SampError(
                "no SAMP hub runs on this computer: start TOPCAT or Aladin, which bring one, and send again"
            ) from error
        try:
            yield client
        finally:
            client.disconnect()


def _listeners(client: Any, kind: str, to: str | None) -> dict[str, str]:
    """Id and name of the programs that take such messages."""
    found = {
        who: str(client.get_metadata(who).get("samp.name", who))
        for who in client.get_subscribed_clients(kind)
    }
    chosen = {who: name for who, name in found.items() if to is None or name.lower() == to.lower()}
    if not chosen:
        others = ", ".join(sorted(found.values())) or "none"
        which = "" if to is None else f"called {to!r} "
        raise SampError(
            f"no program {which}at the SAMP hub takes {kind} (those that do: {others}); "
            "start TOPCAT or Aladin, or look into its SAMP menu whether it is connected"
        )
    return chosen


def _call(
    client: Any, who: tuple[str, str], kind: str, params: dict[str, Any], timeout: int
) -> str:
    """Send a message, wait for the answer, and return the name of the program."""
    from pyvo.samp import SAMPProxyError

    recipient, name = who
    message = {"samp.mtype": kind, "samp.params": params}
    try:
        answer = client.call_and_wait(recipient, message, str(timeout))
    except SAMPProxyError as error:
        raise SampError(
            f"{name} did not answer in {timeout} s ({error.faultString}); look whether it is busy, and send again"
        ) from error
    if answer.get("samp.status") == "samp.error":
        said = answer.get("samp.error", {}).get("samp.errortxt", "no reason given")
        raise SampError(f"{name} could not take what was sent: {said}")
    return name
