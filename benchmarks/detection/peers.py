"""Detectors of scikit-learn and PyOD, in a process and a venv of their own: `python peers.py TABLE.npz SCORES.npz`.

None of them knows of errors. All have their default settings; a row with a missing value is given the median.
"""

from __future__ import annotations

import sys
import time
import warnings

import numpy as np


def contenders():
    """Functions from a table to scores, high for strange rows."""
    from sklearn.covariance import EllipticEnvelope
    from sklearn.ensemble import IsolationForest
    from sklearn.neighbors import LocalOutlierFactor

    def scikit(estimator):
        return lambda X: -estimator.fit(X).score_samples(X)

    found = {
        "EllipticEnvelope": scikit(EllipticEnvelope(random_state=0)),
        "IsolationForest": scikit(IsolationForest(random_state=0)),
        "LOF": lambda X: -LocalOutlierFactor().fit(X).negative_outlier_factor_,
    }
    try:
        from pyod.models.ecod import ECOD
        from pyod.models.knn import KNN
    except ImportError:
        return found
    return found | {
        "ECOD": lambda X: ECOD().fit(X).decision_scores_,
        "KNN": lambda X: KNN().fit(X).decision_scores_,
    }


def main() -> None:
    """Score a table by each."""
    warnings.simplefilter("ignore")
    X = np.load(sys.argv[1])["X"]
    X = np.where(np.isnan(X), np.nanmedian(X, axis=0), X)
    results = {}
    for name, score in contenders().items():
        began = time.process_time()
        results[name] = score(X)
        results[f"{name} seconds"] = time.process_time() - began
    np.savez(sys.argv[2], **results)


if __name__ == "__main__":
    main()
