"""``--workers`` and ``--dask``: a cluster that works on the parts of a catalogue until the command ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from peculiar.cli.console import Screen
    from peculiar.cli.plan import Plan


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
