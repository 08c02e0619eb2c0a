"""Catalogues: simulated ones, with known truth, and real ones, which are fetched when first asked for."""

from peculiar.datasets.clusters import Clusters, make_clusters
from peculiar.datasets.colours import Colours, make_colours
from peculiar.datasets.lymphography import Lymphography, load_lymphography
from peculiar.datasets.quasars import Quasars, load_dr3_quasars

__all__ = [
    "Clusters",
    "Colours",
    "Lymphography",
    "Quasars",
    "load_dr3_quasars",
    "load_lymphography",
    "make_clusters",
    "make_colours",
]
