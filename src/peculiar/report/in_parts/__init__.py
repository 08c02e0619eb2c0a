"""Ranked lists of catalogues that are larger than memory: judged piece by piece, sorted on disk."""

from peculiar.report.in_parts.listing import ListInParts, Workshop, list_in_parts
from peculiar.report.in_parts.mixed import refuse_mixed
from peculiar.report.in_parts.ordering import Rule
from peculiar.report.in_parts.pieces import map_on_cluster, map_pieces

__all__ = [
    "ListInParts",
    "Rule",
    "Workshop",
    "list_in_parts",
    "map_on_cluster",
    "map_pieces",
    "refuse_mixed",
]
