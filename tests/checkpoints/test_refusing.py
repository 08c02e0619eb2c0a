"""A checkpoint of other data or settings, and a damaged one, are refused; the message says what to do."""

import json

import numpy as np
import pytest

from peculiar import Checkpoint, RobustMixture
from peculiar.errors import CheckpointError, OutputError, SettingError
from tests.checkpoints.helpers import Stop, StoppedError, fit, sky
from tests.persistence.helpers import ready_model, rewrite

WAY_OUT = "delete it to begin anew, or give another name"


@pytest.fixture(scope="module")
def text(tmp_path_factory):
    """A checkpoint of a fit that was stopped, as text."""
    path = tmp_path_factory.mktemp("stopped") / "fit.ckpt"
    with pytest.raises(StoppedError):
        fit(sky(), path, Stop(6))
    return path.read_text()


@pytest.fixture
def path(tmp_path, text):
    path = tmp_path / "fit.ckpt"
    path.write_text(text)
    return path


def refusal(path, data=None, **settings):
    before = path.read_bytes()
    with pytest.raises(CheckpointError) as caught:
        fit(sky() if data is None else data, path, **settings)
    assert path.read_bytes() == before
    return str(caught.value)


@pytest.mark.parametrize(
    ("settings", "difference"),
    [
        ({"n_components": 3}, "n_components=2, here it is 3"),
        ({"n_components": "bic"}, "n_components=2, here it is Bic()"),
        ({"tol": 1e-3}, "tol=1e-06, here it is 0.001"),
        ({"scatter": "diag"}, "scatter=FullScatter(), here it is DiagScatter()"),
        ({"random_state": 1}, "random_state=0, here it is 1"),
        ({"weights_init": [0.25, 0.75]}, "weights_init=None, here it is [0.25, 0.75]"),
    ],
    ids=str,
)
def test_other_settings_are_named(path, settings, difference):
    message = refusal(path, **settings)
    assert message.startswith(f"the fit cannot go on from {path}: it was made with {difference}. ")
    assert message.endswith(WAY_OUT)


def test_the_same_settings_in_other_words_are_the_same(path):
    from peculiar.engines import Exact

    fit(sky(), path, engine=Exact(), dof="estimate", n_components=np.int64(2), verbose=0)


def changed(data, change):
    return {name: change(name, values.copy()) for name, values in data.items()}


def one_value(name, values):
    if name == "X":
        values[7, 0] += 1e-9
    return values


def one_error(name, values):
    if name == "X_cov":
        values[7, 0, 0] *= 1.001
    return values


@pytest.mark.parametrize(
    ("change", "difference"),
    [
        (lambda _, values: values[:200], "it was made from 300 rows, here there are 200"),
        (
            lambda name, values: values[:, :3] if name == "X" else values[:, :3, :3],
            "it was made from 4 features, here there are 3",
        ),
        (one_value, "it was made from other rows: as many, but with other values, errors or"),
        (one_error, "it was made from other rows: as many, but with other values, errors or"),
    ],
)
def test_other_rows_are_named(path, change, difference):
    assert difference in refusal(path, changed(sky(), change))


def test_other_errors_and_weights_are_named(path):
    data = sky()
    assert "its errors were of the kind 'full', here they are 'none'" in refusal(
        path, {"X": data["X"]}
    )
    weights = np.full(len(data["X"]), 2.0)
    message = refusal(path, data | {"sample_weight": weights})
    assert "its rows had weights of sum 300, here they have 600" in message


def test_names_of_features(tmp_path):
    pandas = pytest.importorskip("pandas")
    X, path = np.random.default_rng(0).normal(size=(100, 2)), tmp_path / "fit.ckpt"
    fit({"X": pandas.DataFrame(X, columns=["u", "g"])}, path, n_components=1)
    message = refusal(path, {"X": pandas.DataFrame(X, columns=["u", "r"])}, n_components=1)
    assert "it was made from the features u, g, here they are u, r" in message
    fit({"X": X}, path, n_components=1)  # without names there is nothing to compare


def test_a_damaged_file(path):
    whole = path.read_text()
    for damaged in (whole[: len(whole) // 2], "", whole.replace('"seed": 0', '"seed": 1')):
        path.write_text(damaged)
        assert WAY_OUT.lower() in refusal(path).lower()


def test_other_files_are_not_overwritten(tmp_path):
    model, table = tmp_path / "model.peculiar", tmp_path / "stars.csv"
    ready_model().save(model)
    table.write_text("u,g\n1,2\n")
    assert "is not a peculiar checkpoint file" in refusal(model)
    assert "is not a complete peculiar checkpoint file" in refusal(table)


@pytest.mark.parametrize(
    "change",
    [
        lambda content: content.pop("made_with"),
        lambda content: content["made_with"].pop("sample"),
        lambda content: content["running"].update(task="Other"),
        lambda content: content["running"]["state"].update(kind="Popen"),
        lambda content: content["running"]["state"].update(more=1),
        lambda content: content["running"]["state"]["params"]["locations"].update(shape=[9]),
        lambda content: content.update(done=[{"task": "Climb"}]),
        lambda content: content.update(done=3),
    ],
)
def test_content_that_was_never_written(path, change):
    rewrite(path, lambda document: change(document["content"]))
    assert WAY_OUT in refusal(path)


def test_a_newer_format_and_another_version(path):
    rewrite(path, lambda document: document.update(format_version=9))
    assert "upgrade peculiar" in refusal(path)
    rewrite(path, lambda document: document.update(format_version=1))
    rewrite(path, lambda document: document["content"]["made_with"].update(peculiar="0.0.1"))
    assert "it was written by peculiar 0.0.1, this is" in refusal(path)


def test_the_file_is_text_without_code(path):
    document = json.loads(path.read_text())
    assert document["format"] == "peculiar checkpoint"
    assert set(document["content"]) == {"made_with", "seed", "done", "running"}


def test_settings_of_a_checkpoint():
    X = np.random.default_rng(0).normal(size=(50, 2))
    for wrong in (3, "", True, b"fit.ckpt"):
        with pytest.raises(SettingError, match="must be the name of a file, or a Checkpoint"):
            RobustMixture().fit(X, checkpoint=wrong)
    for often in (0, -1, 2.5, True):
        with pytest.raises(SettingError, match="every_iterations must be a whole number"):
            Checkpoint("fit.ckpt", every_iterations=often)
    for minutes in (0, -1.0, np.nan, "1", None):
        with pytest.raises(SettingError, match="every_minutes must be a number above 0"):
            Checkpoint("fit.ckpt", every_minutes=minutes)


def test_a_generator_is_no_seed(tmp_path):
    for generator in (np.random.default_rng(0), np.random.RandomState(0)):
        with pytest.raises(SettingError, match="with a checkpoint random_state must be a whole"):
            fit(sky(), tmp_path / "fit.ckpt", random_state=generator)


def test_where_nothing_can_be_written_is_known_before_the_fit(tmp_path):
    stop = Stop()
    with pytest.raises(OutputError, match="there is no folder"):
        fit(sky(), tmp_path / "no" / "fit.ckpt", stop)
    with pytest.raises(OutputError, match="is a folder"):
        fit(sky(), tmp_path, stop)
    assert stop.heard == 0
