"""Rows in files give the numbers of rows in memory, however the files are cut."""

import functools
import itertools
import threading
import warnings

import numpy as np
import pytest
from astropy.io import fits
from astropy.table import Table
from hypothesis import given as each
from hypothesis import settings as limited
from hypothesis import strategies as st
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler

from peculiar import OutlierDetector, RobustMixture, Transformed, scan
from peculiar.backends.ahead import read_ahead
from peculiar.backends.sample import Sample, row_keys, sample_rows
from peculiar.catalogue import measure, write
from peculiar.errors import InputError, NotShrunkWarning, SettingError
from peculiar.observations import NoNoise

FEATURES = "u - r, g"
N = 2500


def stars(n=N, seed=0):
    """Two clusters, some values missing, some rows without any; errors that differ by orders of magnitude."""
    rng = np.random.default_rng(seed)
    centre = 4.0 * rng.integers(0, 2, size=n)
    table = {}
    for band in "ugr":
        errors = 10 ** rng.uniform(-2, 0, size=n)
        clean = rng.standard_t(6, size=n) + (centre if band != "r" else 0.0)
        table[band] = clean + errors * rng.normal(size=n)
        table[f"{band}_err"] = errors
    table["u"][rng.random(n) < 0.05] = np.nan
    table["g"][rng.random(n) < 0.05] = np.nan
    table["u"][:40] = table["g"][:40] = np.nan
    table["g_err"][:1000] = 1e-3
    return table


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("scan") / "stars.parquet"
    write(stars(), path)
    return path


@pytest.fixture
def few(monkeypatch):
    """Tables of more than 700 rows count as large."""
    for module in ("peculiar.backends.sample", "peculiar.estimators.plain"):
        monkeypatch.setattr(f"{module}.MAX_ROWS", 700)


def fitted(X, n_components=2, **settings):
    model = RobustMixture(n_components, random_state=0, wild_fraction="estimate", **settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # after 20 iterations it is not wanted
        return model.fit(**X) if isinstance(X, dict) else model.fit(X)


@pytest.mark.parametrize("rows", [10_000, 333])
@pytest.mark.parametrize(
    ("settings", "tolerance"), [({"max_iter": 20, "tol": 0.0}, 1e-9), ({"tol": 1e-8}, 1e-6)]
)
def test_a_fit_does_not_depend_on_where_the_rows_are(path, few, rows, settings, tolerance):
    memory = fitted(measure(path, FEATURES).arguments(), **settings)
    parts = fitted(scan(path, FEATURES, rows_at_a_time=rows), **settings)
    first = memory.lower_bounds_[:20], parts.lower_bounds_[:20]
    np.testing.assert_allclose(*first, rtol=0, atol=1e-9)
    assert abs(memory.lower_bound_ - parts.lower_bound_) < tolerance
    np.testing.assert_allclose(memory.locations_, parts.locations_, rtol=0, atol=1e-5)
    assert parts.recipe_.names == ("u - r", "g")


@pytest.mark.parametrize(("number", "most"), [("mml", 3), ("bic", 2)])
def test_the_number_of_components_is_the_same(path, few, number, most):
    settings = {"n_components": number, "max_components": most, "tol": 1e-3, "scatter": "auto"}
    memory = fitted(measure(path, FEATURES).arguments(), **settings)
    parts = fitted(scan(path, FEATURES, rows_at_a_time=900), **settings)
    assert memory.n_components_ == parts.n_components_ == 2
    for name in memory.selection_.dtype.names:
        np.testing.assert_allclose(memory.selection_[name], parts.selection_[name], rtol=1e-6)


@pytest.fixture(scope="module")
def model(path):
    return fitted(measure(path, FEATURES).arguments(), tol=1e-3)


def test_p_values_are_the_same_to_the_last_bit(path, model):
    given = measure(path, FEATURES).arguments()
    detector = OutlierDetector.from_mixture(model)
    found = scan(path, FEATURES, rows_at_a_time=300)
    np.testing.assert_array_equal(detector.p_values(found), detector.p_values(**given))
    np.testing.assert_array_equal(detector.score_samples(found), detector.score_samples(**given))


QUESTIONS = [
    "score_samples", "predict", "predict_proba", "robust_weights", "predict_latent", "outlier_probability"
]  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS)
def test_questions_about_rows_are_answered_in_their_order(path, model, question):
    given, found = measure(path, FEATURES).arguments(), scan(path, FEATURES, rows_at_a_time=300)
    answer, wanted = getattr(model, question)(found), getattr(model, question)(**given)
    np.testing.assert_allclose(answer, wanted, rtol=1e-12, atol=1e-14)


def test_sums_over_rows(path, model):
    given, found = measure(path, FEATURES).arguments(), scan(path, FEATURES, rows_at_a_time=300)
    for question in ("score", "bic", "aic"):
        answer, wanted = getattr(model, question)(found), getattr(model, question)(**given)
        assert answer == pytest.approx(wanted, rel=1e-12)


def test_a_detector_is_the_same(path, few):
    given, found = measure(path, FEATURES).arguments(), scan(path, FEATURES, rows_at_a_time=900)
    memory = OutlierDetector(2, scatter="full", random_state=0).fit(**given)
    parts = OutlierDetector(2, scatter="full", random_state=0).fit(found)
    assert parts.offset_ == pytest.approx(memory.offset_, rel=1e-4)
    np.testing.assert_allclose(parts.groups_["z"], memory.groups_["z"], atol=1e-4)
    np.testing.assert_allclose(parts.groups_["n_objects"], memory.groups_["n_objects"], rtol=1e-5)
    one, other = memory.discoveries(**given), parts.discoveries(found)
    np.testing.assert_array_equal(one.mask, other.mask)
    np.testing.assert_array_equal(memory.predict(**given), parts.predict(found))
    tolerances = memory.error_tolerance(**given), parts.error_tolerance(found)
    np.testing.assert_allclose(*tolerances, rtol=0.01)
    surprises = memory.explain(**given).surprise, parts.explain(found).surprise
    np.testing.assert_allclose(*surprises, atol=1e-4)
    again = OutlierDetector.from_mixture(parts.mixture_, found)
    assert again.offset_ == parts.offset_


def test_few_rows_are_taken_into_memory(path, model):
    same = fitted(scan(path, FEATURES, rows_at_a_time=900), tol=1e-3)
    assert model.lower_bound_ == same.lower_bound_


def test_shrinkage_that_cannot_be_tried_is_said(path, few):
    settings = {"n_components": 20, "max_iter": 2, "scatter": "auto"}
    with pytest.warns(NotShrunkWarning, match="scatters are left as they are"):
        fitted(scan(path, FEATURES), **settings)


def test_small_groups_are_found_wherever_the_rows_are(tmp_path, few):
    """Too few for a scatter of their own in eight features."""
    rng = np.random.default_rng(0)
    X = rng.normal(size=(1000, 8)) * np.linspace(0.5, 1.5, 8)
    X[::60] *= 0.4
    X[::60, 1] += 8.0
    names = [f"x{j}" for j in range(8)]
    write(dict(zip(names, X.T, strict=True)), tmp_path / "table.parquet")
    settings = {"n_components": "mml", "max_components": 2, "scatter": "auto"}
    memory = fitted({"X": X}, **settings)
    found = scan(tmp_path / "table.parquet", ", ".join(names), no_error=names)
    parts = fitted(found, **settings)
    assert memory.n_components_ == parts.n_components_ == 2
    assert min(parts.weights_) == pytest.approx(0.017, abs=1e-3)
    np.testing.assert_allclose(parts.scatters_, memory.scatters_, rtol=1e-3, atol=1e-5)


def test_what_does_not_go_with_a_scan(path):
    found = scan(path, FEATURES)
    with pytest.raises(InputError, match="sample_weight was given beside a scan"):
        RobustMixture(1).fit(found, sample_weight=np.ones(3))
    with pytest.raises(SettingError, match="engine='monte_carlo' draws random numbers"):
        RobustMixture(1, engine="monte_carlo").fit(found)
    with pytest.raises(InputError, match="X is a scan"):
        Transformed(StandardScaler(), RobustMixture(1)).fit(found)
    model = RobustMixture.from_parameters([1.0], [[0.0]], [[[1.0]]], dofs=3)
    with pytest.raises(InputError, match=r"the scan has 2 features .* fitted to 1"):
        model.score_samples(found)


def test_a_model_is_asked_about_its_own_features(path):
    model = fitted(scan(path, FEATURES), tol=1e-2)
    with pytest.raises(InputError, match="fitted to u - r, g, but the scan has g, u"):
        model.score_samples(scan(path, "g, u"))


def test_constant_features_are_refused_by_all_rows(tmp_path, few):
    path, x = tmp_path / "a.parquet", np.random.default_rng(0).normal(size=3000)
    constant = np.zeros(3000)
    write({"a": x, "b": constant}, path)
    with pytest.raises(InputError, match=r"column 1 is constant \(0 in every row"):
        RobustMixture(1).fit(scan(path, "a, b", no_error=["a", "b"], rows_at_a_time=500))
    constant[2999] = 1.0
    write({"a": x, "b": constant}, path, overwrite=True)
    found = scan(path, "a, b", no_error=["a", "b"], rows_at_a_time=500)
    assert fitted(found, 1, max_iter=2).n_features_in_ == 2


# ------------------------------------------------------------------------------------ the sample


@each(cuts=st.lists(st.integers(1, 399), max_size=5), seed=st.integers(0, 99))
@limited(max_examples=25)
def test_the_sample_does_not_depend_on_the_cuts(cuts, seed):
    rng = np.random.default_rng(seed)
    values = rng.normal(size=(400, 2))
    values[rng.random(400) < 0.9, 1] = np.nan
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("peculiar.backends.sample.MAX_ROWS", 50)
        patch.setattr("peculiar.backends.sample.OF_EACH_FEATURE", 12)
        wanted = values[sample_rows(values)]
        places = sorted({0, *cuts, 400})
        parts = [
            Sample.of(first, values[first:last], NoNoise(last - first))
            for first, last in itertools.pairwise(places)
        ]
        total = functools.reduce(Sample.plus, parts)
    np.testing.assert_array_equal(total.values, wanted)
    assert len(wanted) >= 50
    assert np.count_nonzero(~np.isnan(wanted[:, 1])) >= 12


def test_keys_are_uniform():
    keys = row_keys(10**12, 20_000)
    assert abs(keys.mean() - 0.5) < 0.01
    assert len(np.unique(keys)) == len(keys)


# ------------------------------------------------------------------------------------ reading ahead


def test_parts_come_in_order_from_another_thread():
    threads = set()

    def count():
        for i in range(20):
            threads.add(threading.get_ident())
            yield i

    assert list(read_ahead(count)) == list(range(20))
    assert threading.get_ident() not in threads


def test_an_error_in_the_reader_is_raised_here():
    def fail():
        yield 1
        raise InputError("row 7")

    parts = read_ahead(fail)
    assert next(parts) == 1
    with pytest.raises(InputError, match="row 7"):
        next(parts)


def test_a_reader_that_nobody_wants_any_more_ends():
    closed = threading.Event()

    def endless():
        try:
            while True:
                yield 0
        finally:
            closed.set()

    before = threading.active_count()
    parts = read_ahead(endless)
    next(parts)
    parts.close()
    assert closed.is_set()
    assert threading.active_count() == before


def test_reading_ahead_leaves_warnings_alone(tmp_path):
    """Two threads that both save and restore filters would leave those of one block for good."""
    path = tmp_path / "a.fits"
    sky = Table({"u": np.arange(50.0), "v": np.arange(50.0) ** 2})
    write(sky, path)
    with fits.open(path, mode="update") as units:
        units[1].header["TUNIT1"] = "furlongs"  # astropy warns of it
    model = RobustMixture.from_parameters([1.0], [[0.0, 0.0]], [np.eye(2)], dofs=3)
    found = scan(path, "u, v", no_error=["u", "v"], rows_at_a_time=10)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        model.score(found)
        kinds = [entry[2].__name__ for entry in warnings.filters[:2]]
    assert kinds == ["_WhileReading", "Warning"]
