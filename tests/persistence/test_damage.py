"""A damaged, foreign or newer file is refused with a message, whatever is wrong with it."""

import json
import pickle
import zlib

import numpy as np
import pytest

from peculiar import RobustMixture
from peculiar.errors import ModelFileError
from tests.persistence.helpers import ready_model, rewrite

NOT_COMPLETE = r"is not a complete peculiar model file \(.*\); truncated or not a model\? Copy or save it again$"
DAMAGED = r"is damaged: its content does not match its checksum; copy or save it again$"


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "model.peculiar"
    ready_model().save(path)
    return path


def refused(path, message="."):
    with pytest.raises(ModelFileError, match=message) as caught:
        RobustMixture.load(path)
    assert str(path) in str(caught.value)
    assert isinstance(caught.value, ValueError)


def test_truncated_anywhere(path):
    data = path.read_bytes()
    for length in range(0, len(data) - 2, 10):
        path.write_bytes(data[:length])
        refused(path, NOT_COMPLETE)


def test_a_lost_last_newline_does_no_harm(path):
    path.write_bytes(path.read_bytes().rstrip())
    RobustMixture.load(path)


def test_any_bit_flipped(path):
    """A flip that is not noticed must not have mattered: white space, or who wrote the file."""
    data = path.read_bytes()
    original = json.loads(data)
    for position in range(0, len(data), 7):
        for bit in (0, 4, 7):
            flipped = bytearray(data)
            flipped[position] ^= 1 << bit
            path.write_bytes(flipped)
            try:
                RobustMixture.load(path)
            except ModelFileError:
                continue
            document = json.loads(bytes(flipped))
            assert document["content"] == original["content"]


def test_a_changed_number(path):
    text = path.read_text()
    assert "3.141592653589793" in text
    path.write_text(text.replace("3.141592653589793", "3.141592653589794"))
    refused(path, DAMAGED)


def test_a_newer_file(path):
    rewrite(path, lambda document: document.update(format_version=2, written_by="peculiar 9.9"))
    refused(
        path,
        r"has format 2 \(written by peculiar 9\.9\), this is peculiar [\d.a-z+]+, which reads up to format 1; "
        r"upgrade peculiar$",
    )


@pytest.mark.parametrize("version", [0, -1, "1", None, 1.5, [1]])
def test_no_version(path, version):
    rewrite(path, lambda document: document.update(format_version=version))
    refused(path, r"is damaged: format_version is ")


@pytest.mark.parametrize(
    "text",
    ["", "[]", "{}", "null", "3", '"peculiar model"', '{"format": "other"}', '{"format": ["x"]}'],
)
def test_other_json(path, text):
    path.write_text(text)
    refused(path, r"is not a (complete )?peculiar model file")


@pytest.mark.parametrize(
    "data",
    [
        b"\x00" * 1000,
        bytes(range(256)),
        b"\x80\x04\x95",
        b"SIMPLE  =                    T",
        zlib.compress(b"peculiar"),
        pickle.dumps({"format": "peculiar model"}),
        '{"format": "peculiar model"}'.encode("utf-16"),
        b"\xff\xfe\x00\xd8",
    ],
)
def test_binary_garbage(path, data):
    path.write_bytes(data)
    refused(path, NOT_COMPLETE)


@pytest.mark.parametrize("depth", [500, 990, 2000, 100_000])
def test_deeply_nested(path, depth):
    nested = "[" * depth + "]" * depth
    path.write_text(nested)
    refused(path)
    head = (
        '{"format": "peculiar model", "format_version": 1, "sha256": "", "content": {"settings": '
    )
    path.write_text(head + nested + "}}")
    refused(path)


def test_deeply_nested_with_a_right_checksum(path):
    nested = []
    for _ in range(300):
        nested = [nested]
    rewrite(path, lambda document: document["content"]["settings"].update(dof=nested))
    refused(path)


@pytest.mark.parametrize("text", ["NaN", "Infinity", "-Infinity", "1e999", "9" * 5000])
def test_numbers_that_json_does_not_have(path, text):
    path.write_text(path.read_text().replace("3.141592653589793", text))
    refused(path)


KEYS = ["estimator", "settings", "parameters", "fit", "feature_names"]


@pytest.mark.parametrize("key", KEYS)
def test_missing_keys_with_a_right_checksum(path, key):
    rewrite(path, lambda document: document["content"].pop(key))
    refused(path, rf"is no usable RobustMixture: '{key}' is missing$")


@pytest.mark.parametrize("key", ["weights_", "locations_", "scatters_", "dofs_"])
def test_missing_parameters(path, key):
    rewrite(path, lambda document: document["content"]["parameters"].pop(key))
    refused(path, rf"is no usable RobustMixture: '{key}' is missing$")


@pytest.mark.parametrize("key", KEYS)
@pytest.mark.parametrize("value", ["x", 3, [], [1, 2], {"a": 1}, True])
def test_other_things_in_the_place_of_a_part(path, key, value):
    rewrite(path, lambda document: document["content"].update({key: value}))
    if (key, str(value)) in {("fit", "x"), ("fit", "[]"), ("fit", "[1, 2]"), ("fit", "{'a': 1}")}:
        RobustMixture.load(path)  # what a fit left behind may be missing
    else:
        refused(path, "is no usable RobustMixture: ")


@pytest.mark.parametrize(
    ("name", "value", "message"),
    [
        ("weights_", ["a", "b"], "weights must be numbers"),
        ("weights_", [0.5, "nan"], "weights must be 0 or more and have sum 1"),
        ("weights_", [2.0, -1.0], "weights must be 0 or more and have sum 1"),
        ("weights_", [1.0], "weights has shape"),
        ("weights_", {}, "weights must be numbers"),
        ("locations_", [["nan", 0, 0], [0, 0, 0]], "locations must be finite"),
        ("locations_", [["inf", 0, 0], [0, 0, 0]], "locations must be finite"),
        ("locations_", [], "locations has shape"),
        ("locations_", [[0, 0], [0, 0]], "scatters has shape"),
        ("scatters_", (-np.array([np.eye(3)] * 2)).tolist(), "scatters.0. has the variances"),
        ("scatters_", np.ones((2, 3, 3)).tolist(), "scatters.0. is not positive definite"),
        ("scatters_", [[["nan"] * 3] * 3] * 2, "scatters.0. must be finite"),
        ("scatters_", "x", "scatters must be numbers"),
        ("dofs_", [-1.0, 2.0], "dofs must be positive"),
        ("dofs_", ["nan", 2.0], "dofs must be positive"),
        ("dofs_", [1.0, 2.0, 3.0], "dofs has shape"),
        ("dofs_", None, "dofs must be positive"),
    ],
)
def test_hostile_parameters(path, name, value, message):
    rewrite(path, lambda document: document["content"]["parameters"].update({name: value}))
    refused(path, "is no usable RobustMixture: " + message)


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"engine": "fast"}, "engine='fast' is unknown"),
        ({"engine": {"name": "fast", "settings": {}}}, "the file asks for 'fast'"),
        ({"engine": {"name": "exact", "settings": {"rtol": "x"}}}, "."),
        ({"engine": {"name": "exact", "settings": {"rtol": 5}}}, "rtol must be between"),
        ({"engine": {"name": "exact", "settings": {"speed": 5}}}, "unexpected keyword argument"),
        ({"engine": {"name": ["exact"], "settings": {}}}, "."),
        ({"engine": {"__class__": "os.system"}}, "the file asks for None"),
        ({"engine": ["exact"]}, "engine must be a name or an object"),
        ({"scatter": 3}, "scatter must be a name or an object"),
        ({"n_components": 7}, "n_components=7 was given, but parameters of 2"),
        ({"n_components": "2"}, "n_components='2' is unknown"),
        ({"tol": "x"}, "tol must be a number"),
        ({"max_iter": -1}, "max_iter must be a whole number"),
        ({"n_jobs": "x"}, "n_jobs must be None or a whole number"),
        ({"dof": 5.0}, "the setting dof fixes"),
        ({"dof": {"a": 1}}, "dof must be numbers"),
        ({"unknown": 1}, "unexpected keyword argument 'unknown'"),
    ],
)
def test_hostile_settings(path, settings, message):
    rewrite(path, lambda document: document["content"]["settings"].update(settings))
    refused(path, "is no usable RobustMixture: .*" + message)


@pytest.mark.parametrize(
    ("names", "message"),
    [
        (["a", "b"], "2 feature names for 3 features"),
        ("abc", "feature names must be a list of text, not 'abc'"),
        ([1, 2, 3], r"feature names must be a list of text, not \[1, 2, 3\]"),
    ],
)
def test_hostile_feature_names(path, names, message):
    rewrite(path, lambda document: document["content"].update(feature_names=names))
    refused(path, "is no usable RobustMixture: " + message)


@pytest.mark.parametrize(
    ("name", "value"),
    [("lower_bound_", "x"), ("lower_bounds_", ["x"]), ("n_iter_", []), ("n_iter_", "inf")],
)
def test_hostile_facts(path, name, value):
    rewrite(path, lambda document: document["content"]["fit"].update({name: value}))
    refused(path, "is no usable RobustMixture: ")


def test_another_estimator(path):
    rewrite(path, lambda document: document["content"].update(estimator="OutlierDetector"))
    refused(path, "is no usable RobustMixture: it holds a OutlierDetector$")


def test_no_file(tmp_path):
    with pytest.raises(FileNotFoundError, match="nowhere"):
        RobustMixture.load(tmp_path / "nowhere")
    with pytest.raises(IsADirectoryError):
        RobustMixture.load(tmp_path)
