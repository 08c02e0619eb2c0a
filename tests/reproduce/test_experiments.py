"""What holds for every experiment: it says how far it is, its numbers can be written and drawn, its words follow."""

import dataclasses
import json
import math

import numpy as np
import pytest
from matplotlib import image

from peculiar.report import to_csv, to_json
from peculiar.reproduce import NAMES, find, find_claims, find_figure
from peculiar.reproduce.convergence import Convergence
from peculiar.reproduce.documents import carry_out, prepare, read_documents, written_by
from peculiar.reproduce.lymphography import LymphographyErrors
from peculiar.reproduce.noise_levels import NoiseLevels
from peculiar.reproduce.quasars import QuasarRedshifts
from tests.real_data import needs_data
from tests.reproduce.conftest import TINY

EACH = [pytest.param(name, marks=needs_data if find(name).load else ()) for name in NAMES]


@pytest.mark.parametrize("name", NAMES)
def test_experiments_are_found_by_name(name):
    experiment = find(name)
    assert experiment.name == name
    assert experiment() == dataclasses.replace(experiment(), seed=0)
    quick = dataclasses.asdict(experiment.quick())
    for setting, value in dataclasses.asdict(experiment()).items():
        if isinstance(value, int) and setting != "seed":
            assert 0 < quick[setting] <= value


@pytest.mark.parametrize("name", EACH)
def test_progress_goes_from_start_to_end(run, name):
    _, steps = run(name)
    done = [step[0] for step in steps]
    assert done[0] == 0
    assert done == sorted(done)
    assert {step[1] for step in steps} == {done[-1]}
    assert all(what for _, _, what in steps[:-1])


@pytest.mark.parametrize("name", EACH)
def test_numbers_are_numbers(run, name):
    outcome, _ = run(name)

    def walk(value):
        if isinstance(value, dict):
            for item in value.values():
                yield from walk(item)
        elif isinstance(value, list):
            for item in value:
                yield from walk(item)
        else:
            yield value

    plain = list(walk(json.loads(to_json(outcome.numbers))))
    assert len(plain) > 50
    assert all(isinstance(item, int | float | str | bool) for item in plain)
    lines = to_csv(outcome.table).splitlines()
    assert len({line.count(",") for line in lines}) == 1
    assert len(lines) > 20


@pytest.mark.parametrize("name", EACH)
def test_comparisons_are_sentences(run, name):
    numbers = json.loads(to_json(run(name)[0].numbers))
    comparisons = find_claims(name)(numbers)
    assert comparisons == find_claims(name)(run(name)[0].numbers)
    assert len(comparisons) >= 3
    for comparison in comparisons:
        assert comparison.quantity
        assert comparison.here
        assert "nan" not in comparison.here
        assert comparison.sentence[0].isupper() or comparison.sentence[0].isdigit()
        assert comparison.sentence.endswith(".")
        assert isinstance(comparison.agrees, bool | None)


@pytest.mark.parametrize("name", EACH)
def test_the_figure_is_drawn_from_the_numbers_alone(run, name, tmp_path):
    outcome, _ = run(name)
    figure = find_figure(name)(json.loads(to_json(outcome.numbers)))
    figure.savefig(tmp_path / "figure.png")
    pixels = image.imread(tmp_path / "figure.png")
    assert min(pixels.shape[:2]) >= 600
    colours = np.round(255 * pixels[:, :, :3]).astype(int) @ [1, 256, 256**2]
    assert len(np.unique(colours)) > 50
    for axis in figure.axes:
        assert axis.get_title() or axis.get_xlabel() or axis.get_ylabel()


ONE = {
    "convergence": Convergence(n_iterations=2, n_sweeps=20, burn_in=4),
    "noise-levels": NoiseLevels(levels=(1.0,), n_realisations=1),
    "lymphography": LymphographyErrors(n_splits=1, n_realisations=1, amounts=(72.0,)),
    "quasars": QuasarRedshifts(n_objects=150, n_components=(1,), n_starts=1, n_selected=60),
}


@pytest.mark.parametrize(
    "name", [pytest.param(name, marks=needs_data if find(name).load else ()) for name in ONE]
)
def test_one_of_everything_is_no_error_and_no_verdict(name, tmp_path):
    document = carry_out(ONE[name], tmp_path, lambda *_: None)
    assert not document["is_full"]
    assert "nan" not in (tmp_path / "index.html").read_text()
    assert "Not the full run" in (tmp_path / "index.html").read_text()
    verdicts = {entry["quantity"]: entry["agrees"] for entry in document["comparisons"]}
    for quantity, verdict in verdicts.items():
        if "significant" in quantity or "structured e less" in quantity or "AUC of e" in quantity:
            assert verdict is None


@pytest.mark.parametrize(
    "experiment", [TINY["illustration"], ONE["convergence"], ONE["noise-levels"]]
)
def test_the_same_settings_give_the_same_files(tmp_path, experiment):
    folders = [tmp_path / name for name in ("one", "two")]
    for folder in folders:
        folder.mkdir()
        carry_out(experiment, folder, lambda *_: None)
    for name in (*written_by(experiment.name), "index.html"):
        one, two = (folder / name for folder in folders)
        if name.endswith(".png"):  # matplotlib's layout may shift marks by a pixel
            pixels, others = (image.imread(path) for path in (one, two))
            assert (pixels != others).any(axis=-1).mean() < 0.005
        else:
            assert one.read_bytes() == two.read_bytes()


def test_the_document_has_settings_seed_and_every_number(tmp_path):
    (experiment,) = prepare(("illustration",), quick=True, seed=7)
    written = carry_out(experiment, tmp_path, lambda *_: None)
    (document,) = read_documents(tmp_path)
    assert document["settings"] == {"seed": 7, "noise_variance": 4.0, "fdr": 0.1}
    assert document["experiment"] == "illustration"
    assert document["is_full"]  # it takes seconds anyway
    assert document["made_by"].startswith("peculiar ")
    assert len(document["numbers"]["X"]) == 330
    assert document["comparisons"][0]["here"] == written["comparisons"][0]["here"]
    assert math.isfinite(document["numbers"]["wild_fraction"])
