"""What is drawn of the objects is what the detector says of them."""

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal

from peculiar.errors import InputError, SettingError
from peculiar.plot import OutlierDisplay


def half_widths(ellipses):
    """Half the extent of each ellipse of a collection, (n, 2)."""
    return np.array([np.ptp(path.vertices, axis=0) / 2 for path in ellipses.get_paths()])


def test_discoveries_are_marked_where_they_were_measured(detector, sky):
    shown = OutlierDisplay.from_estimator(detector, **sky)
    found = detector.discoveries(**sky).mask
    assert_array_equal(np.flatnonzero(found), [0, 1])
    assert_array_equal(shown.points_[""].get_offsets(), sky["X"][found])
    assert len(shown.bulk_.get_offsets()) == 200


def test_ellipses_are_the_errors(detector, sky):
    shown = OutlierDisplay.from_estimator(detector, **sky)
    order = np.argsort(detector.p_values(**sky)[:2])
    assert_allclose(half_widths(shown.ellipses_[""]), sky["X_std"][:2][order], rtol=2e-3)


def test_correlated_errors_are_tilted():
    cov = np.array([[[4.0, 1.9], [1.9, 1.0]]])
    shown = OutlierDisplay([[1.0, 2.0]], covs=cov, is_discovery=[True]).plot()
    (path,) = shown.ellipses_[""].get_paths()
    offset = path.vertices - [1.0, 2.0]
    assert_allclose(np.einsum("ni,ij,nj->n", offset, np.linalg.inv(cov[0]), offset), 1.0)


def test_components_are_outlined_at_two_levels(detector, sky):
    shown = OutlierDisplay.from_estimator(detector, **sky)
    mixture = detector.mixture_
    for line, share in zip(shown.components_, (0.68, 0.95), strict=True):
        offset = line.get_xydata() - mixture.locations_[0]
        sq_dist = np.einsum("ni,ij,nj->n", offset, np.linalg.inv(mixture.scatters_[0]), offset)
        assert_allclose(1.0 - np.exp(-sq_dist / 2), share)


def test_everybody_may_have_an_ellipse(detector, sky):
    shown = OutlierDisplay.from_estimator(detector, **sky, ellipses="all")
    assert len(shown.ellipses_["ordinary"].get_paths()) == 199  # one value is missing
    assert (
        OutlierDisplay.from_estimator(detector, **sky, ellipses=None).ellipses_[""].get_paths()
        == []
    )


def test_arrows_lead_to_the_clean_values(detector, sky):
    shown = OutlierDisplay.from_estimator(detector, **sky, clean=True, ellipses=[7, 3])
    clean, cov = detector.mixture_.predict_latent(**sky, return_cov=True)
    assert_allclose(shown.clean_points_.get_offsets(), clean[[7, 3]])
    tips = shown.arrows_.get_offsets() + np.stack([shown.arrows_.U, shown.arrows_.V], axis=1)
    assert_allclose(tips, clean[[7, 3]])
    assert_allclose(shown.arrows_.get_offsets(), sky["X"][[7, 3]])
    spread = np.sqrt(np.diagonal(cov, axis1=1, axis2=2))[[7, 3]]
    assert_allclose(half_widths(shown.clean_ellipses_), spread, rtol=2e-3)


def test_chosen_rows_are_inside_with_their_errors():
    values = np.vstack([np.random.default_rng(0).normal(size=(1000, 2)), [[9.0, 9.0]]])
    covs = np.tile(4.0 * np.eye(2), (1001, 1, 1))
    shown = OutlierDisplay(values, covs=covs)
    assert shown.plot().ax_.get_xlim()[1] < 9.0  # one of a thousand
    assert shown.plot(ellipses=[1000]).ax_.get_xlim()[1] > 11.0


def test_groups_have_shapes_colours_and_letters():
    shown = OutlierDisplay(
        [[0.0, 0.0], [5.0, 5.0], [9.0, 0.0], [1.0, 1.0]],
        is_discovery=[True, True, True, False],
        group=["", "A", "B", ""],
        locations=[[0.0, 0.0], [5.0, 5.0], [9.0, 0.0]],
        scatters=np.tile(np.eye(2), (3, 1, 1)),
        component_groups=["", "A", "B"],
    ).plot()
    assert list(shown.points_) == ["", "A", "B"]
    colours = {tuple(points.get_facecolor()[0]) for points in shown.points_.values()}
    shapes = {points.get_paths()[0].vertices.tobytes() for points in shown.points_.values()}
    assert len(colours) == len(shapes) == 3
    assert {text.get_text() for text in shown.ax_.texts} == {"A", "B"}


def test_many_objects_are_drawn_as_a_density():
    values = np.random.default_rng(0).normal(size=(5000, 2))
    shown = OutlierDisplay(values).plot()
    counts = np.ma.filled(shown.bulk_.get_array(), 0)
    inside = np.abs(values) < 2  # of the limits, which leave a few far ones out
    assert inside.all(axis=1).sum() < counts.sum() <= 5000


def test_axes_of_others_are_used_and_their_settings_left_alone(detector, sky):
    from matplotlib import pyplot as plt

    before = dict(plt.rcParams)
    _, axes = plt.subplots()
    shown = OutlierDisplay.from_estimator(detector, **sky, ax=axes, features=(1, 0))
    assert shown.ax_ is axes
    assert shown.figure_ is axes.figure
    assert (axes.get_xlabel(), axes.get_ylabel()) == ("x1", "x0")
    assert dict(plt.rcParams) == before


def test_wrong_wishes_are_refused(detector, sky):
    with pytest.raises(InputError, match="no feature 'x7'; choose one of x0, x1"):
        OutlierDisplay.from_estimator(detector, **sky, features=("x0", "x7"))
    with pytest.raises(InputError, match="two different features"):
        OutlierDisplay.from_estimator(detector, **sky, features=("x0", 0))
    with pytest.raises(InputError, match="not of dict"):
        OutlierDisplay.from_estimator({}, **sky)
    with pytest.raises(SettingError, match="'discoveries', 'all'"):
        OutlierDisplay.from_estimator(detector, **sky, ellipses="some")
    with pytest.raises(SettingError, match="clean values are not known"):
        OutlierDisplay([[0.0, 0.0]]).plot(clean=True)
