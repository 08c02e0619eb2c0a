"""What a mixture says about how strange an object is."""

from __future__ import annotations

import copy
from typing import Any, NamedTuple, Self

from sklearn.utils.validation import check_is_fitted

from peculiar.errors import SettingError
from peculiar.kernels.structs import Floats
from peculiar.mixture.fitted import FittedMixture
from peculiar.outliers.tail import log_tail_probabilities
from peculiar.settings import check_jobs


class TailProbabilities(NamedTuple):
    """Tail probabilities of rows, in logarithms, and their relative errors (one sigma)."""

    log_p: Floats
    error: Floats


class JudgingMixture(FittedMixture):
    """Outlier and tail probabilities."""

    def ordinary_part(self) -> Self:
        """The population without its wild tail: a mixture with the same components.

        Returns
        -------
        RobustMixture
        """
        check_is_fitted(self)
        ordinary = copy.copy(self)
        ordinary.wild_fraction = ordinary.wild_fraction_ = 0.0
        return ordinary

    def tail_probabilities(
        self, X: Any, *, X_std: Any = None, X_cov: Any = None
    ) -> TailProbabilities:
        r"""How often an ordinary object, measured with the same errors, looks at least as strange as each row.

        .. math:: p_n = P\left( \log p(x' | S_n) \le \log p(x_n | S_n) \right),

        with x' drawn from the population without its wild tail and measured with the noise of row n. Small for strange
        rows, and uniform for ordinary ones, whatever their errors.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`score_samples`.

        Returns
        -------
        TailProbabilities
            ``log_p``, as p itself may be smaller than any number, and the relative ``error`` of p.

        Examples
        --------
        A Gaussian, two standard deviations away; the same measured with an error of 1:

        >>> import numpy as np
        >>> from peculiar import RobustMixture
        >>> model = RobustMixture.from_parameters([1.0], [[0.0]], [[[1.0]]], dofs=np.inf)
        >>> tail = model.tail_probabilities([[2.0], [2.0]], X_std=[[0.0], [1.0]])
        >>> np.exp(tail.log_p).round(3)
        array([0.046, 0.157])
        """
        obs, params, _ = self._observe(X, X_std, X_cov)
        ordinary = params.with_scale(params.scale._replace(wild_fraction=0.0))
        tail = log_tail_probabilities(obs, ordinary, n_threads=check_jobs(self.n_jobs))
        return TailProbabilities(tail.log_p, tail.error)

    def outlier_probability(self, X: Any, *, X_std: Any = None, X_cov: Any = None) -> Floats:
        """Probability that each row is wild: of no component, for all its errors can explain.

        Only for a model with a wild tail (``wild_fraction`` not 0). A row of which nothing is observed has the
        probability of any object, ``wild_fraction_``.

        Parameters
        ----------
        X, X_std, X_cov
            As for :meth:`score_samples`.

        Returns
        -------
        ndarray of shape (n,)

        Examples
        --------
        Six units away, measured well and badly:

        >>> import numpy as np
        >>> from peculiar import RobustMixture
        >>> numbers = [1.0], [[0.0, 0.0]], [np.eye(2)], np.inf
        >>> model = RobustMixture.from_parameters(*numbers, wild_fraction=0.01)
        >>> far, errors = np.full((2, 2), 6.0), np.array([[0.1, 0.1], [5.0, 5.0]])
        >>> model.outlier_probability(far, X_std=errors).round(2)
        array([1., 0.])
        """
        check_is_fitted(self)
        if not self.wild_fraction_:
            raise SettingError(
                "this model has no wild tail (wild_fraction=0.0), so that nothing has a probability of being in it; "
                "fit with wild_fraction='estimate'"
            )
        return self._describe(X, X_std, X_cov)[0].wild
