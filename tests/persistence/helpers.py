"""Models to store, and ways to write files that `save` would not."""

import hashlib
import json

import numpy as np

from peculiar import RobustMixture


def ready_model(**settings):
    """Two components with numbers that have no short decimal form."""
    rng = np.random.default_rng(0)
    factors = rng.standard_normal((2, 3, 3))
    scatters = factors @ factors.transpose(0, 2, 1) + np.eye(3)
    return RobustMixture.from_parameters(
        [1 / 3, 2 / 3],
        rng.standard_normal((2, 3)) / 3,
        0.5 * (scatters + scatters.transpose(0, 2, 1)),
        [np.pi, np.inf],
        **settings,
    )


def checksum(content):
    text = json.dumps(content, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def rewrite(path, change):
    """Change the document in a file in place, and make its checksum right again."""
    document = json.loads(path.read_text())
    change(document)
    document["sha256"] = checksum(document["content"])
    path.write_text(json.dumps(document))
