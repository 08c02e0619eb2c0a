"""det.report(X): the page in a notebook, with the same numbers as the detector gives."""

import base64
import json
import re
from html import unescape

import numpy as np
import pandas as pd
import pytest

from peculiar import OutlierDetector, RobustMixture
from peculiar.errors import InputError


@pytest.fixture(scope="module")
def rows():
    rng = np.random.default_rng(0)
    cov = np.array([[0.04, 0.01], [0.01, 0.02]]) * rng.uniform(0.5, 2.0, size=(60, 1, 1))
    X = rng.normal(size=(60, 2))
    X[7] = [9.0, -9.0]
    return {"X": X, "X_cov": cov}


@pytest.fixture(scope="module")
def detector():
    eye = np.eye(2)[None]
    return OutlierDetector.from_mixture(
        RobustMixture.from_parameters([1.0], [[0.0, 0.0]], eye, 30.0, 0.01)
    )


def unpacked(array):
    return np.frombuffer(base64.b64decode(array["base64"]), array["dtype"])


def content(report):
    return json.loads(re.search(r'id="content">(.*?)</script>', report.html)[1])


def test_the_page_has_the_numbers_of_the_detector(detector, rows):
    names = [f"star {i}" for i in range(60)]
    names[7] = "<script>alert(1)</script>"
    report = detector.report(**rows, names=names)
    objects = content(report)["objects"]
    assert objects["name"][0] == names[7]
    np.testing.assert_allclose(
        unpacked(objects["p"]), np.sort(detector.p_values(**rows)), rtol=1e-9
    )
    triangle = rows["X_cov"][7][np.tril_indices(2)]
    np.testing.assert_allclose(unpacked(objects["covariance"])[:3], triangle, rtol=1e-5)


def test_a_notebook_gets_a_frame_of_its_own(detector, rows):
    report = detector.report(rows["X"], X_std=np.full((60, 2), 0.1))
    frame = report._repr_html_()
    assert frame.startswith('<iframe sandbox="allow-scripts')
    assert "allow-same-origin" not in frame
    assert "allow-popups-to-escape-sandbox" in frame  # Aladin is a page like any other
    assert unescape(re.search(r'srcdoc="(.*?)"></iframe>', frame, re.DOTALL)[1]) == report.html
    assert len(repr(report)) < 100


def test_it_can_be_written_to_a_file_and_needs_no_errors(detector, rows, tmp_path):
    report = detector.report(rows["X"])
    report.save(tmp_path / "page.html")
    assert (tmp_path / "page.html").read_text(encoding="utf-8") == report.html
    assert content(report)["objects"]["covariance"] is None


def test_frames_of_pandas_are_taken_by_their_names(rows):
    """Without scikit-learn's warning that rows have no names; a frame in another order is refused."""
    values = pd.DataFrame(rows["X"], columns=["u", "r"])
    errors = pd.DataFrame(np.full((60, 2), 0.1), columns=["u", "r"])
    found = OutlierDetector(1, random_state=0).fit(values, X_std=errors)
    objects = content(found.report(values, X_std=errors))["objects"]
    p = np.sort(found.p_values(values, X_std=errors))
    np.testing.assert_allclose(unpacked(objects["p"]), p, rtol=1e-9)
    assert list(found.feature_names_in_) == ["u", "r"]
    with pytest.raises(ValueError, match="same order"):
        found.report(values[["r", "u"]], X_std=errors[["r", "u"]])
    with pytest.raises(InputError, match="X_std has the columns of X in another order"):
        found.report(values, X_std=errors[["r", "u"]])
