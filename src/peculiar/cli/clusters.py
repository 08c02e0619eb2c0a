"""``--workers`` and ``--dask``: a cluster that works on the parts of a catalogue until the command ends."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from peculiar.errors import SettingError

if TYPE_CHECKING:
    from peculiar.cli.console import Screen
    from peculiar.cli.plan import Plan


@dataclass(frozen=True)
class Workers:
    """A cluster of Dask that is to be used.

    Attributes
    ----------
    number : int or None
        Of the processes to start on this computer.
    scheduler : str or None
        Address of one that is there.
    """

    number: int | None
    scheduler: str | None

    @classmethod
    def of(cls, options: dict[str, Any]) -> Workers | None:
        """Those that the options ask for; None without any."""
        number, scheduler = options["workers"], options["scheduler"]
        if number is not None and scheduler is not None:
            raise SettingError(
                "--workers starts a cluster, --dask uses one that is there; give one of them"
            )
        return None if number is None and scheduler is None else cls(number, scheduler)


def join_cluster(screen: Screen, plan: Plan) -> None:
    """Start or find the cluster that a plan asks for; say how many workers it has, and where to watch them."""
    from peculiar.backends.dask.local import cluster_at, local_cluster

    wanted = plan.workers
    assert wanted is not None, "the plan asks for one"
    with screen.working("starting workers"):
        if wanted.scheduler is None:
            cluster = local_cluster(wanted.number or 1)
        else:
            cluster = cluster_at(wanted.scheduler)
        found = click.get_current_context().with_resource(cluster)
    workers = f"{found.n_workers} worker{'s' * (found.n_workers != 1)}"
    where = "" if wanted.scheduler is None else f" of {wanted.scheduler}"
    watched = f"; watch them at {found.dashboard}" if found.dashboard else ""
    screen.say(f"Work is done by {workers}{where}{watched}.\n")
