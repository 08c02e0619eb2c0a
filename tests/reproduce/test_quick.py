"""`peculiar reproduce --quick`, all of it, and its numbers. Slow: a few minutes."""

import json
import re

import numpy as np
import pytest

from peculiar.cli import main
from peculiar.reproduce import NAMES
from peculiar.reproduce.claims.quasars import at_high_redshift
from peculiar.reproduce.documents import written_by
from tests.real_data import needs_data


@pytest.mark.slow
@needs_data
def test_all_experiments(tmp_path):
    # One test, so that one process runs them, once.
    assert main(["reproduce", "--quick", "--out", str(tmp_path)]) == 0
    every_file_is_there_and_on_the_page(tmp_path)
    numbers = {
        name: json.loads((tmp_path / f"{name}.json").read_text())["numbers"] for name in NAMES
    }
    check_illustration(numbers["illustration"])
    check_convergence(numbers["convergence"]["engines"])
    check_noise_levels(numbers["noise-levels"])
    check_lymphography(numbers["lymphography"]["samples"]["in-sample"])
    check_quasars(numbers["quasars"])


def every_file_is_there_and_on_the_page(folder):
    written = {file for name in NAMES for file in written_by(name)}
    assert {path.name for path in folder.iterdir()} == written | {"index.html"}
    page = (folder / "index.html").read_text()
    assert set(re.findall(r'(?:src|href)="([^"#]+)"', page)) == written
    for claim in ("0.9391", "0.9005", "0.9555", "9.6e-05"):
        assert claim in page


def check_illustration(found):
    planted = np.array(found["population"]) < 0
    assert (np.array(found["is_discovery"]) & planted).sum() >= 20
    assert found["planted_among_strangest"]["tail"] >= 22


def check_convergence(engines):
    end = {name: path["log_likelihood"][-1] for name, path in engines.items()}
    assert end["exact"] == pytest.approx(end["monte_carlo"], abs=2e-3)
    assert min(end["exact"], end["monte_carlo"]) > max(end["structured"], end["factorized"]) + 0.005
    assert end["structured"] > end["map"] + 0.1
    assert engines["structured"]["objective"][-1] > engines["factorized"]["objective"][-1]


def check_noise_levels(found):
    levels = found["levels"]
    for methods in found["samples"].values():
        mean = {name: np.array(result["mean"]) for name, result in methods.items()}
        best = np.maximum(mean["tail"], mean["outlier"])
        assert (best - mean["base"] >= -0.002).all()
        assert best[-1] - mean["base"][-1] > 0.03
        # Four realisations are few: an oracle is best on average only, and 0.02 becomes 0.03.
        assert (mean["oracle"] - best <= np.where(np.array(levels) <= 1, 0.005, 0.03)).all()
    fitted = found["samples"]["in-sample"]
    # [0, 10]: not what the paper says.
    assert fitted["structured"]["mean"][3] < fitted["base"]["mean"][3]


def check_lymphography(fitted):
    assert fitted["structured"]["mean"] > fitted["base"]["mean"]
    for name, paper in (("idealised", 0.9391), ("base", 0.9005), ("structured", 0.9555)):
        assert fitted[name]["mean"] == pytest.approx(paper, abs=0.06)


def check_quasars(found):
    for noise in ("diagonal", "full"):
        e = at_high_redshift(found, noise, "structured")
        assert e[1].min() > 0.93
        assert min(e[k].min() for k in (2, 3, 4, 5, 6)) < 0.6
        tail = at_high_redshift(found, noise, "tail")
        assert min(values.min() for values in tail.values()) > 0.9
    groups = at_high_redshift(found, "full", "groups")
    assert min(values.min() for values in groups.values()) > 0.9
    assert found["mml"]["the paper's criterion"]["n_components"] > 2
