"""Model files of earlier versions can be read, and nothing of them is lost.

``written_by_0.1.0.peculiar`` is what `peculiar demo` of that version wrote (default settings, seed 1).
"""

import json
from pathlib import Path

import numpy as np
from numpy.testing import assert_array_equal

from peculiar import OutlierDetector, RobustMixture

FILE = Path(__file__).parent / "files/written_by_0.1.0.peculiar"


def test_all_that_the_file_says_is_there():
    content, model = json.loads(FILE.read_text())["content"], RobustMixture.load(FILE)
    for name, stored in content["parameters"].items():
        assert_array_equal(getattr(model, name), np.array(stored), err_msg=name)
    assert_array_equal(model.lower_bounds_, content["fit"]["lower_bounds_"])
    assert model.get_params()["n_components"] == content["settings"]["n_components"]
    assert model.recipe_.names == ("u - r", "g - r", "i - r", "z - r")


def test_written_again_it_says_the_same(tmp_path):
    RobustMixture.load(FILE).save(tmp_path / "again.peculiar")
    old, new = (json.loads(path.read_text()) for path in (FILE, tmp_path / "again.peculiar"))
    assert old["written_by"] == "peculiar 0.1.0"
    assert new["content"] == old["content"]
    assert new["sha256"] == old["sha256"]


def test_it_can_be_asked():
    model = RobustMixture.load(FILE)
    X, _ = model.sample(50, random_state=0)
    X[0] += 30.0
    p = OutlierDetector.from_mixture(model).p_values(X, X_std=np.full(X.shape, 0.02))
    assert p[0] < 1e-6
    assert 0.2 < np.median(p[1:]) < 0.8
