"""What a person decides about the objects of a ranked list: interesting, artefact or unsure, with a note.

:class:`Marks` keeps the decisions in a file beside the list. :func:`order_by_likeness` puts first what resembles the
objects marked as interesting, and last what resembles artefacts: an order only, p-values never move.
:func:`send_table` and :func:`send_rows` hand tables and selections to TOPCAT or Aladin on the same computer.
"""

from peculiar.triage.export import export
from peculiar.triage.keys import object_keys
from peculiar.triage.likeness import clean_values, order_by_likeness, resembles
from peculiar.triage.marks import Event, Mark, Marks
from peculiar.triage.samp import send_rows, send_table

__all__ = [
    "Event",
    "Mark",
    "Marks",
    "clean_values",
    "export",
    "object_keys",
    "order_by_likeness",
    "resembles",
    "send_rows",
    "send_table",
]
