"""Transformed: a scaler or a PCA before a model, for values and errors together."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Self

import numpy as np
from sklearn.base import BaseEstimator, MetaEstimatorMixin, clone
from sklearn.utils import get_tags
from sklearn.utils.metaestimators import available_if
from sklearn.utils.validation import check_is_fitted

from peculiar.arrays import Floats
from peculiar.errors import InputError, SettingError
from peculiar.estimators.affine import AffineMap, as_numbers
from peculiar.validation import CheckedRows, check_rows, refuse_errors_as_y, refuse_other_rows
from peculiar.validation.scaled import errors_are_scaled


def _has(name: str) -> Callable[[Any], bool]:
    """Whether the model has a method."""

    def has(transformed: Transformed) -> bool:
        return hasattr(getattr(transformed, "estimator_", transformed.estimator), name)

    return has


def _asks(name: str, gives: str) -> Any:
    """A method that asks the model about transformed rows."""

    def ask(self: Any, X: Any, *, X_std: Any = None, X_cov: Any = None, **settings: Any) -> Any:
        check_is_fitted(self)
        return getattr(self.estimator_, name)(**self.carry(X, X_std=X_std, X_cov=X_cov), **settings)

    ask.__name__, ask.__qualname__ = name, f"Transformed.{name}"
    ask.__doc__ = f"""{gives}, of the transformed rows.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`fit`.
        **settings
            As the model takes them.
        """
    return available_if(_has(name))(ask)


def _refuse_others(step: Any, name: str, verbs: tuple[str, ...]) -> None:
    """SettingError for what is no estimator, such as a name or a class."""
    if isinstance(step, type) or not all(hasattr(step, verb) for verb in (*verbs, "get_params")):
        given = f"the class {step.__name__}" if isinstance(step, type) else repr(step)[:100]
        raise SettingError(
            f"{name} is {given}, but has to be an object of scikit-learn's kind with {' and '.join(verbs)}, such as "
            f"{'StandardScaler()' if name == 'transformer' else 'RobustMixture(3)'}"
        )


def _missing(values: Floats, error: ValueError) -> ValueError:
    """The error of a transformer, with the place of the first missing value if that may be the reason."""
    holes = np.argwhere(np.isnan(values))
    if not len(holes):
        return error
    row, column = holes[0]
    return InputError(
        f"row {row}, column {column} is missing, which the transformer does not take ({str(error).splitlines()[0]}); "
        "leave such rows out, or give any value with an error much larger than the spread"
    )


class Transformed(MetaEstimatorMixin, BaseEstimator):  # type: ignore[misc]  # scikit-learn has no types
    """A model behind a transformation that values and errors go through together.

    A scaler in scikit-learn's ``Pipeline`` sees the values alone, and the errors that follow them by metadata routing
    stay in the old units: the result is wrong, without a message. Here :math:`x` becomes :math:`A x + b`, and its error
    covariance :math:`S` becomes :math:`A S A^T`.

    Parameters
    ----------
    transformer : transformer
        Any affine one: StandardScaler, RobustScaler, MinMaxScaler, PCA, FactorAnalysis, a ColumnTransformer or a
        Pipeline of them ... It is fitted to the values. What is not affine is refused.
    estimator : RobustMixture or OutlierDetector
        Fitted to the transformed values with their transformed errors. Both are copied, not changed.

    Attributes
    ----------
    transformer_ : transformer
        The fitted copy.
    estimator_ : RobustMixture or OutlierDetector
        The fitted copy. Its parameters, and all answers, are about the transformed features.
    matrix_ : ndarray of shape (d_out, d)
        The linear part A of the transformation.
    n_features_in_ : int
    feature_names_in_ : ndarray of str
        Names of the columns, if a table with names was given.

    Examples
    --------
    Two features in very different units; the third row is far away, but badly measured:

    >>> import numpy as np
    >>> from sklearn.decomposition import PCA
    >>> from sklearn.pipeline import make_pipeline
    >>> from sklearn.preprocessing import StandardScaler
    >>> from peculiar import OutlierDetector, Transformed
    >>> rng = np.random.default_rng(0)
    >>> X = rng.normal([5800.0, 4.4], [100.0, 0.1], size=(300, 2))
    >>> X_std = np.tile([20.0, 0.02], (300, 1))
    >>> X[:3] = [[9000.0, 4.4], [5800.0, 1.0], [5800.0, 1.0]]
    >>> X_std[2] = [20.0, 3.0]
    >>> steps = make_pipeline(StandardScaler(), PCA(whiten=True))
    >>> model = Transformed(steps, OutlierDetector(1, random_state=0)).fit(X, X_std=X_std)
    >>> model.predict(X, X_std=X_std)[:4]
    array([-1, -1,  1,  1])

    The p-values are those of the model without any transformation:

    >>> plain = OutlierDetector(1, random_state=0).fit(X, X_std=X_std)
    >>> p, same = (m.p_values(X, X_std=X_std) for m in (plain, model))
    >>> bool(np.abs(p - same).max() < 0.01)
    True
    """

    def __init__(self, transformer: Any, estimator: Any) -> None:
        self.transformer = transformer
        self.estimator = estimator

    def fit(
        self,
        X: Any,
        y: Any = None,
        *,
        X_std: Any = None,
        X_cov: Any = None,
        sample_weight: Any = None,
    ) -> Self:
        """Fit the transformer to the values, and the model to the transformed values and errors.

        Parameters
        ----------
        X : array-like of shape (n, d)
            Measured values; NaN where missing, if the transformer takes it and mixes no features.
        y : ignored
        X_std : array-like of shape (n, d), optional
            One-sigma errors, in the units of ``X``.
        X_cov : array-like of shape (n, d, d), optional
            Error covariances, if errors are correlated. Give one of the two.
        sample_weight : array-like of shape (n,), optional
            How often each row counts for the model, if that takes weights. The transformer does not see it.

        Returns
        -------
        Transformed
        """
        self._fit(X, y, X_std, X_cov, sample_weight)
        return self

    @available_if(_has("fit_predict"))  # type: ignore[untyped-decorator]  # scikit-learn has no types
    def fit_predict(
        self,
        X: Any,
        y: Any = None,
        *,
        X_std: Any = None,
        X_cov: Any = None,
        sample_weight: Any = None,
    ) -> Any:
        """Fit, and predict the rows of the fit.

        Parameters
        ----------
        X, y, X_std, X_cov, sample_weight
            As for :meth:`fit`.
        """
        given = self._fit(X, y, X_std, X_cov, sample_weight)
        return self.estimator_.predict(**given)

    def _fit(self, X: Any, y: Any, X_std: Any, X_cov: Any, weight: Any) -> dict[str, Floats]:
        """Fit both; the transformed rows."""
        refuse_errors_as_y(X, y)
        refuse_other_rows(X, weight, "sample_weight")
        _refuse_others(self.transformer, "transformer", ("fit", "transform"))
        _refuse_others(self.estimator, "estimator", ("fit",))
        rows = check_rows(self, X, X_std, X_cov, reset=True)
        table = self._table(X, rows)
        try:
            transformer = clone(self.transformer).fit(table)
        except ValueError as error:
            raise _missing(rows.values, error) from error
        self._map = AffineMap.of(transformer, table, rows.values)
        self.transformer_, self.matrix_ = transformer, self._map.matrix
        given = self._carry_rows(table, rows)
        weights = {} if weight is None else {"sample_weight": weight}
        with errors_are_scaled():
            self.estimator_ = clone(self.estimator).fit(**given, **weights)
        return given

    def carry(self, X: Any, *, X_std: Any = None, X_cov: Any = None) -> dict[str, Floats]:
        """Transformed values and errors, as keyword arguments of a model.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`fit`.

        Returns
        -------
        dict of ndarray
            ``X`` and, if there are errors, ``X_std``; ``X_cov`` if they are correlated, as by a PCA.
        """
        check_is_fitted(self)
        rows = check_rows(self, X, X_std, X_cov, reset=False)
        return self._carry_rows(self._table(X, rows), rows)

    def _table(self, X: Any, rows: CheckedRows) -> Any:
        """What the transformer gets: the user's own table if it has names, which a ColumnTransformer may ask for."""
        return X if hasattr(self, "feature_names_in_") and hasattr(X, "dtypes") else rows.values

    def _carry_rows(self, table: Any, rows: CheckedRows) -> dict[str, Floats]:
        try:
            found = self.transformer_.transform(table)
        except ValueError as error:
            raise _missing(rows.values, error) from error
        values = as_numbers(found, len(rows.values), type(self.transformer_).__name__)
        self._map.check(rows.values, values)
        return {"X": values, **self._map.errors(rows.noise)}

    @available_if(_has("score"))  # type: ignore[untyped-decorator]  # as above
    def score(
        self,
        X: Any,
        y: Any = None,
        *,
        X_std: Any = None,
        X_cov: Any = None,
        sample_weight: Any = None,
    ) -> float:
        """Mean log-density per row of the transformed values.

        Parameters
        ----------
        X, y, X_std, X_cov, sample_weight
            As for :meth:`fit`.

        Returns
        -------
        float
        """
        refuse_errors_as_y(X, y)
        refuse_other_rows(X, sample_weight, "sample_weight")
        given = self.carry(X, X_std=X_std, X_cov=X_cov)
        return float(self.estimator_.score(**given, sample_weight=sample_weight))

    predict = _asks("predict", "What the model predicts")
    predict_proba = _asks("predict_proba", "Probabilities of the components")
    score_samples = _asks("score_samples", "Scores of the model")
    decision_function = _asks("decision_function", "Scores less the threshold")
    robust_weights = _asks("robust_weights", "Robust weights")
    predict_latent = _asks("predict_latent", "Clean values, and their covariances if wanted")
    tail_probabilities = _asks("tail_probabilities", "Tail probabilities")
    outlier_probability = _asks("outlier_probability", "Outlier probabilities")
    p_values = _asks("p_values", "P-values")
    discoveries = _asks("discoveries", "Discoveries")
    calibration = _asks("calibration", "Expected and seen numbers of small p-values")
    explain = _asks("explain", "What makes each object strange")
    error_tolerance = _asks("error_tolerance", "Error tolerances")
    bic = _asks("bic", "The Bayesian information criterion")
    aic = _asks("aic", "Akaike's information criterion")

    def __sklearn_is_fitted__(self) -> bool:
        return hasattr(self, "estimator_")

    def __sklearn_tags__(self) -> Any:
        tags, of_model = super().__sklearn_tags__(), get_tags(self.estimator)
        tags.estimator_type = of_model.estimator_type
        tags.input_tags.allow_nan = get_tags(self.transformer).input_tags.allow_nan
        return tags
