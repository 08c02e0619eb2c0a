"""Catalogues of LSDB, in partitions on the sky: a catalogue goes in, a model or a catalogue of scores comes out.

::

    sky = lsdb.open_catalog("survey")
    model = peculiar.lsdb.fit(sky, "u - g, g - r")
    scored = peculiar.lsdb.score(sky, model)
    scored.write_catalog("scores", resume=True)

The work is done by Dask: in threads of this process, or on the cluster of the current client. LSDB itself is never
imported here: who has a catalogue has it.
"""

from peculiar.lsdb.discovering import discoveries
from peculiar.lsdb.fitting import fit
from peculiar.lsdb.scanning import CatalogScan, scan
from peculiar.lsdb.scoring import score

__all__ = ["CatalogScan", "discoveries", "fit", "scan", "score"]
