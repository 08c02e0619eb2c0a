"""Rows in partitions of Dask give the numbers of rows in memory, however they are cut."""

import pickle
import warnings

import numpy as np
import pandas as pd
import pytest
from sklearn.exceptions import ConvergenceWarning
from sklearn.preprocessing import StandardScaler

from peculiar import OutlierDetector, Partitions, RobustMixture, Transformed, scan
from peculiar.catalogue import measure, write
from peculiar.errors import (
    ClusterError,
    InputError,
    MissingNoiseWarning,
    NotShrunkWarning,
    SettingError,
)
from peculiar.estimators.partition_work import Measured

dask = pytest.importorskip("dask", reason="dask is not installed (the extra 'dask')")
da = pytest.importorskip("dask.array", reason="dask.array is not installed (the extra 'dask')")
dd = pytest.importorskip("dask.dataframe", reason="dask.dataframe is not installed")

N = 2500
UNEVEN = (900, 0, 33, 1, 1166, 400)
"""Rows of partitions; one is empty."""


@pytest.fixture(autouse=True)
def here():
    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.fixture
def few(monkeypatch):
    """Tables of more than 700 rows count as large."""
    for module in ("peculiar.backends.sample", "peculiar.estimators.plain"):
        monkeypatch.setattr(f"{module}.MAX_ROWS", 700)


def stars(seed=0):
    """Two clusters, some values missing, some rows without any; errors that differ by orders of magnitude."""
    rng = np.random.default_rng(seed)
    errors = 10 ** rng.uniform(-2, 0, size=(N, 2))
    clean = rng.standard_t(6, size=(N, 2)) + 4.0 * rng.integers(0, 2, size=(N, 1))
    values = clean + errors * rng.normal(size=(N, 2))
    values[rng.random((N, 2)) < 0.05] = np.nan
    values[900:950] = np.nan  # one of the partitions observes nothing
    return values, errors


X, ERRORS = stars()


def cut(array, rows=UNEVEN):
    return da.from_array(array, chunks=(rows, *array.shape[1:]))


def given(rows=UNEVEN):
    return {"X": cut(X, rows), "X_std": cut(ERRORS, rows)}


MEMORY = {"X": X, "X_std": ERRORS}


def fitted(table, n_components=2, **settings):
    model = RobustMixture(n_components, random_state=0, wild_fraction="estimate", **settings)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", ConvergenceWarning)  # after 20 iterations it is not wanted
        return model.fit(**table) if isinstance(table, dict) else model.fit(table)


@pytest.fixture(scope="module")
def model():
    return fitted(MEMORY, tol=1e-3)


# ------------------------------------------------------------------------------------------- fits


@pytest.mark.parametrize("rows", [UNEVEN, 1300])
@pytest.mark.parametrize(
    ("settings", "tolerance"), [({"max_iter": 20, "tol": 0.0}, 1e-9), ({"tol": 1e-8}, 1e-6)]
)
def test_a_fit_does_not_depend_on_where_the_rows_are(few, rows, settings, tolerance):
    memory, parts = fitted(MEMORY, **settings), fitted(given(rows), **settings)
    first = memory.lower_bounds_[:20], parts.lower_bounds_[:20]
    np.testing.assert_allclose(*first, rtol=0, atol=1e-9)
    assert abs(memory.lower_bound_ - parts.lower_bound_) < tolerance
    np.testing.assert_allclose(memory.locations_, parts.locations_, rtol=0, atol=1e-5)


def test_rows_that_are_made_anew_for_every_pass_give_the_same_to_the_last_bit(few):
    settings = {"max_iter": 4, "tol": 0.0}
    fits = [fitted(Partitions.of(**given(), keep=keep), **settings) for keep in (True, False)]
    np.testing.assert_array_equal(fits[0].lower_bounds_, fits[1].lower_bounds_)
    np.testing.assert_array_equal(fits[0].scatters_, fits[1].scatters_)


def test_the_order_in_which_threads_finish_changes_no_bit(few):
    one = fitted(given(100), max_iter=4, tol=0.0)
    with dask.config.set(scheduler="threads", num_workers=3):
        several = fitted(given(100), max_iter=4, tol=0.0)
    np.testing.assert_array_equal(one.lower_bounds_, several.lower_bounds_)
    np.testing.assert_array_equal(one.locations_, several.locations_)


def test_covariances(few):
    covs = np.einsum("ni,ij,nj->nij", ERRORS, [[1.0, 0.4], [0.4, 1.0]], ERRORS)
    memory = fitted({"X": X, "X_cov": covs}, max_iter=5, tol=0.0)
    parts = fitted({"X": cut(X), "X_cov": cut(covs)}, max_iter=5, tol=0.0)
    np.testing.assert_allclose(memory.lower_bounds_, parts.lower_bounds_, rtol=0, atol=1e-9)


@pytest.mark.parametrize(("number", "most"), [("mml", 3), ("bic", 2)])
def test_the_number_of_components_is_the_same(few, number, most):
    settings = {"n_components": number, "max_components": most, "tol": 1e-3, "scatter": "auto"}
    memory, parts = fitted(MEMORY, **settings), fitted(given(), **settings)
    assert memory.n_components_ == parts.n_components_
    for name in memory.selection_.dtype.names:
        np.testing.assert_allclose(memory.selection_[name], parts.selection_[name], rtol=1e-6)


def test_few_rows_are_taken_into_memory(model):
    assert fitted(given(), tol=1e-3).lower_bound_ == model.lower_bound_


def test_partitions_may_differ_in_their_kind_of_errors(few):
    """Without errors, independent ones, correlated ones: the table has the kind that has most."""
    std = ERRORS.copy()
    std[:900] = 0.0
    covs = np.zeros((N, 2, 2))
    covs[:, [0, 1], [0, 1]] = np.square(std)
    parts = [
        Measured(X[:900]),
        Measured(X[900:1500], std[900:1500]),
        Measured(X[1500:], None, covs[1500:]),
    ]
    mixed = Partitions([dask.delayed(part, traverse=False) for part in parts], ["a", "b"])
    settings = {"max_iter": 3, "tol": 0.0}
    found, wanted = fitted(mixed, **settings), fitted({"X": X, "X_cov": covs}, **settings)
    np.testing.assert_allclose(found.lower_bounds_, wanted.lower_bounds_, rtol=0, atol=1e-9)
    assert list(found.feature_names_in_) == ["a", "b"]


# ---------------------------------------------------------------------------- questions about rows

QUESTIONS = [
    "score_samples", "predict", "predict_proba", "robust_weights", "predict_latent", "outlier_probability"
]  # fmt: skip


@pytest.mark.parametrize("question", QUESTIONS)
def test_questions_are_answered_later_and_in_order(model, question):
    answer, wanted = getattr(model, question)(**given()), getattr(model, question)(**MEMORY)
    assert isinstance(answer, da.Array)
    assert (answer.shape, answer.dtype) == (wanted.shape, wanted.dtype)
    assert answer.chunks[0] == UNEVEN
    np.testing.assert_allclose(answer.compute(), wanted, rtol=1e-12, atol=1e-14)


def test_nothing_is_computed_before_it_is_asked_for(model):
    def fail(block):
        raise AssertionError("nobody asked for it")

    later = cut(X).map_blocks(fail, dtype=np.float64, meta=np.empty((0, 2)))
    detector = OutlierDetector.from_mixture(model)
    lazy = detector.p_values(later, X_std=cut(ERRORS)), detector.explain(later, X_std=cut(ERRORS))
    assert [a.shape for a in (lazy[0], lazy[1].surprise)] == [(N,), (N, 2)]


def test_p_values_are_the_same_to_the_last_bit(model):
    """One partition has errors so large that they decide which code is run for all."""
    errors = ERRORS.copy()
    errors[1:20] *= 1e3
    detector = OutlierDetector.from_mixture(model)
    p = detector.p_values(cut(X), X_std=cut(errors))
    np.testing.assert_array_equal(p.compute(), detector.p_values(X, X_std=errors))
    with_errors = detector.p_values(cut(X), X_std=cut(errors), return_error=True)
    assert len(with_errors) == 2
    np.testing.assert_array_equal(with_errors[0].compute(), p.compute())


def test_unknown_lengths(model):
    """A filter of Dask leaves it open how many rows each partition has, and one of them empty."""
    chosen = ~((X[:, 0] > 4) | (np.arange(N) < 900))
    keep = cut(chosen)
    answer = model.score_samples(cut(X)[keep], X_std=cut(ERRORS)[keep])
    assert np.isnan(answer.shape[0])
    wanted = model.score_samples(X[chosen], X_std=ERRORS[chosen])
    np.testing.assert_array_equal(answer.compute(), wanted)
    latent, cov = model.predict_latent(cut(X)[keep], X_std=cut(ERRORS)[keep], return_cov=True)
    assert latent.compute().shape == (len(wanted), 2)
    assert cov.compute().shape == (len(wanted), 2, 2)


def frames(**options):
    values, errors = pd.DataFrame(X, columns=["u", "g"]), pd.DataFrame(ERRORS, columns=["u", "g"])
    return {
        "X": dd.from_pandas(values, **options),
        "X_std": dd.from_pandas(errors, **options),
    }


def test_data_frames(few):
    memory, parts = (
        fitted(MEMORY, max_iter=5, tol=0.0),
        fitted(frames(npartitions=4), max_iter=5, tol=0.0),
    )
    np.testing.assert_allclose(memory.lower_bounds_, parts.lower_bounds_, rtol=0, atol=1e-9)
    assert list(parts.feature_names_in_) == ["u", "g"]
    answer = parts.score_samples(**frames(npartitions=3))
    assert np.isnan(answer.shape[0])
    wanted = parts.score_samples(pd.DataFrame(X, columns=["u", "g"]), X_std=ERRORS)
    np.testing.assert_array_equal(answer.compute(), wanted)
    with pytest.raises(InputError, match="fitted to u, g, but the table has g, u"):
        parts.score_samples(frames(npartitions=3)["X"][["g", "u"]])


def test_columns_of_arrow(model):
    values = pd.DataFrame(X, columns=["u", "g"]).convert_dtypes(dtype_backend="pyarrow")
    assert str(values.dtypes.iloc[0]) == "double[pyarrow]"
    table = dd.from_pandas(values, npartitions=3)
    with pytest.warns(MissingNoiseWarning):
        answer = model.score_samples(table)
    with pytest.warns(MissingNoiseWarning):
        wanted = model.score_samples(X)
    np.testing.assert_array_equal(answer.compute(), wanted)


def test_sums_over_rows(model):
    for question in ("score", "bic", "aic"):
        answer, wanted = getattr(model, question)(**given()), getattr(model, question)(**MEMORY)
        assert isinstance(answer, float)
        assert answer == pytest.approx(wanted, rel=1e-12)


# ---------------------------------------------------------------------------------------- detector


@pytest.fixture(scope="module")
def detectors():
    with pytest.MonkeyPatch.context() as patch, dask.config.set(scheduler="synchronous"):
        for module in ("peculiar.backends.sample", "peculiar.estimators.plain"):
            patch.setattr(f"{module}.MAX_ROWS", 700)
        return [
            OutlierDetector(2, scatter="full", random_state=0).fit(**rows)
            for rows in (MEMORY, given())
        ]


def test_a_detector_is_the_same(detectors):
    memory, parts = detectors
    assert parts.offset_ == pytest.approx(memory.offset_, rel=1e-4)
    np.testing.assert_allclose(parts.groups_["z"], memory.groups_["z"], atol=1e-4)
    np.testing.assert_allclose(parts.groups_["n_objects"], memory.groups_["n_objects"], rtol=1e-5)
    np.testing.assert_array_equal(memory.predict(**MEMORY), parts.predict(**given()).compute())
    np.testing.assert_array_equal(memory.calibration(**MEMORY), parts.calibration(**given()))
    surprises = memory.explain(**MEMORY).surprise, parts.explain(**given()).surprise.compute()
    np.testing.assert_allclose(*surprises, atol=1e-4)


@pytest.mark.parametrize("method", ["bh", "storey"])
def test_discoveries_need_no_p_values_in_one_place(detectors, method):
    detector, _ = detectors
    wanted = detector.discoveries(**MEMORY, method=method, fdr=0.3)
    found = detector.discoveries(**given(), method=method, fdr=0.3)
    assert wanted.mask.sum() > 3
    assert found.threshold == wanted.threshold
    np.testing.assert_array_equal(found.mask.compute(), wanted.mask)
    q_values = found.q_values.compute()
    np.testing.assert_allclose(q_values[wanted.mask], wanted.q_values[wanted.mask], rtol=1e-12)
    assert np.isnan(q_values[~wanted.mask]).all()
    with pytest.raises(SettingError, match="method='bayes' ranks the outlier probabilities"):
        detector.discoveries(**given(), method="bayes")


@pytest.mark.parametrize("score", ["tail", "density", "weight"])
def test_thresholds_of_rows_elsewhere(detectors, score):
    mixture = detectors[0].mixture_
    memory = OutlierDetector.from_mixture(mixture, **MEMORY, score=score)
    parts = OutlierDetector.from_mixture(mixture, **given(), score=score)
    assert parts.offset_ == memory.offset_
    for choice in ({"contamination": 0.1}, {"contamination": 0.0371}, {"fdr": 0.3}, {"p": 0.02}):
        assert parts.set_threshold(**choice).offset_ == memory.set_threshold(**choice).offset_


def test_tolerances_of_rows_elsewhere(detectors):
    detector, some = OutlierDetector.from_mixture(detectors[0].mixture_), slice(0, 600)
    wanted = detector.error_tolerance(X[some], X_std=ERRORS[some])
    parts = {"X": cut(X[some], 200), "X_std": cut(ERRORS[some], 200)}
    np.testing.assert_allclose(detector.error_tolerance(**parts).compute(), wanted, rtol=1e-9)


# --------------------------------------------------------------------------------- scans, delayed


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    path = tmp_path_factory.mktemp("scan") / "stars.parquet"
    table = {"u": X[:, 0], "g": X[:, 1], "u_err": ERRORS[:, 0], "g_err": ERRORS[:, 1]}
    write(table, path)
    return path


def test_pieces_of_a_scan_are_partitions(few, path):
    found = scan(path, "u - g, g", where="u < 5", rows_at_a_time=400)
    table, settings = Partitions.of(found), {"max_iter": 5, "tol": 0.0}
    memory, parts = fitted(found, **settings), fitted(table, **settings)
    np.testing.assert_allclose(memory.lower_bounds_, parts.lower_bounds_, rtol=0, atol=1e-9)
    assert parts.recipe_.names == ("u - g", "g")
    np.testing.assert_array_equal(parts.score_samples(table).compute(), parts.score_samples(found))


def test_measurements_are_partitions(path, model):
    @dask.delayed
    def read(first):
        rows = {name: column[first : first + 500] for name, column in columns.items()}
        return measure(rows, "u, g")

    columns = {"u": X[:, 0], "g": X[:, 1], "u_err": ERRORS[:, 0], "g_err": ERRORS[:, 1]}
    table = Partitions([read(first) for first in range(0, N, 500)], ["u", "g"])
    answer = model.score_samples(table)
    np.testing.assert_array_equal(answer.compute(), model.score_samples(**MEMORY))
    assert table.n_rows == N
    assert len(table) == 5


# ------------------------------------------------------------------------------------------ errors


def test_a_partition_that_cannot_be_used_names_itself(model):
    wrong = X.copy()
    wrong[1000, 1] = np.inf
    message = r"partition 4 \(rows 934 to 2,099\), counted here from its first row: X contains infinity: row 66"
    with pytest.raises(InputError, match=message):
        RobustMixture(1).fit(cut(wrong), X_std=cut(ERRORS))
    with pytest.raises(InputError, match=message):
        model.score_samples(cut(wrong), X_std=cut(ERRORS)).compute()


def test_a_partition_with_words_or_dates_names_itself():
    table = dd.from_pandas(pd.DataFrame({"u": range(6), "id": [*"1234xy"]}), npartitions=3)
    message = (
        r"partition 2, counted here from its first row: X, row 0, column 1 \('id'\): 'x' is not"
    )
    with pytest.raises(InputError, match=message):
        RobustMixture(1).fit(table)
    with pytest.raises(InputError, match=r"partition 1 \(rows 2 to 3\), .*: X has dates or times"):
        RobustMixture(1).fit(da.zeros((4, 1), chunks=2).map_blocks(_dates_later, dtype=float))


def _dates_later(block, block_info=None):
    return block.astype("M8[s]") if block_info and block_info[0]["chunk-location"][0] else block


def test_a_partition_that_cannot_be_made_is_named():
    @dask.delayed
    def night(number):
        if number == 70:
            raise OSError("the disk of night 70 is broken")
        return Measured(X[:10])

    table = Partitions([night(number) for number in range(100)], 2)
    with pytest.raises(ClusterError, match="partition 70 cannot be made: OSError: the disk"):
        RobustMixture(1).fit(table)


def test_values_that_are_too_far_away(few):
    far = X.copy()
    far[2200, 0] = 1e90
    with pytest.raises(InputError, match=r"partition 5 .*: row 100, column 0: the value 1e\+90"):
        fitted({"X": cut(far), "X_std": cut(ERRORS)})


def test_what_does_not_go_with_a_table_of_dask(model, few):
    with pytest.raises(
        InputError, match=r"sample_weight .* beside a table of Dask; there each row counts once"
    ):
        RobustMixture(1).fit(cut(X), sample_weight=np.ones(N))
    with pytest.raises(InputError, match="X_std is a ndarray, and other arguments are collections"):
        RobustMixture(1).fit(cut(X), X_std=ERRORS)
    with pytest.raises(InputError, match="X is a ndarray, and other arguments are collections"):
        model.score_samples(X, X_std=cut(ERRORS))
    with pytest.raises(InputError, match="X has 3 dimensions"):
        RobustMixture(1).fit(cut(np.zeros((N, 2, 2))))
    with pytest.raises(InputError, match="X has 4 partitions, X_std has 3"):
        RobustMixture(1).fit(frames(npartitions=4)["X"], X_std=frames(npartitions=3)["X_std"])
    with pytest.raises(InputError, match="both X_std and X_cov"):
        RobustMixture(1).fit(cut(X), X_std=cut(ERRORS), X_cov=cut(np.zeros((N, 2, 2))))
    with pytest.raises(SettingError, match="engine='monte_carlo' draws random numbers"):
        RobustMixture(1, engine="monte_carlo").fit(cut(X))
    for table, what in ((cut(X), "an? Array of Dask"), (Partitions.of(cut(X)), "a table in")):
        with pytest.raises(InputError, match=f"X is {what}"):
            Transformed(StandardScaler(), RobustMixture(1)).fit(table)
    with pytest.raises(InputError, match="the table has 1 features, but the model was fitted to 2"):
        model.score_samples(cut(X)[:, :1])
    with pytest.raises(InputError, match="no partitions"):
        Partitions([], 2)
    with pytest.raises(InputError, match="no row has an observed value"):
        RobustMixture(1).fit(cut(np.full((N, 2), np.nan)))


def test_errors_of_other_rows_are_refused(model):
    """Of known lengths they are cut alike; of unknown ones each partition says so."""
    others = da.from_array(ERRORS, chunks=(500, 2))
    answer = model.score_samples(cut(X), X_std=others)
    np.testing.assert_array_equal(answer.compute(), model.score_samples(**MEMORY))
    fewer = cut(ERRORS)[cut(np.arange(N) != 7)]
    with pytest.raises(InputError, match=r"partition 0 .*X_std has shape \(899, 2\)"):
        model.score_samples(cut(X), X_std=fewer).compute()


def test_missing_errors_are_said(model):
    with pytest.warns(MissingNoiseWarning):
        model.score_samples(cut(X))


def test_shrinkage_that_cannot_be_tried_is_said(few):
    with pytest.warns(NotShrunkWarning, match="scatters are left as they are"):
        fitted(given(), n_components=20, max_iter=2, scatter="auto")


def test_observations_travel():
    """What a worker gets may be read-only, for which kernels would be compiled anew."""
    from peculiar.observations import DiagonalNoise, Observations, Scaling

    obs = Observations.of(X, DiagonalNoise(ERRORS), Scaling(np.zeros(2), np.ones(2)))
    assert obs.rows is obs.rows
    buffers = []
    content = pickle.dumps(obs, protocol=5, buffer_callback=buffers.append)
    read_only = [memoryview(bytes(buffer.raw())) for buffer in buffers]
    there = pickle.loads(content, buffers=read_only)
    assert "rows" not in vars(there)
    assert all(array.flags.writeable for array in (there.values, there.noise[0], *there.layout))
    np.testing.assert_array_equal(there.rows.std, obs.rows.std)
    assert obs.__sizeof__() > X.nbytes + ERRORS.nbytes
