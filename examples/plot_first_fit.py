"""
A first fit: strange, or badly measured?
========================================

Two clusters, each object with its own error bars, and a few objects that belong to neither. The errors vary by a
factor of ten, so that many ordinary objects *look* far out. The model tells them apart.
"""

# %%
# The catalogue
# -------------
# 300 ordinary objects, most measured well, some badly, and eight planted strange ones, all measured well.

import matplotlib.pyplot as plt
import numpy as np

from peculiar import OutlierDetector
from peculiar.plot import OutlierDisplay

rng = np.random.default_rng(8)
centres = np.array([[-3.0, -1.0], [3.0, 1.5]])
spreads = np.array([[[1.0, 0.6], [0.6, 0.7]], [[0.5, -0.3], [-0.3, 0.9]]])

member = rng.integers(2, size=300)
ordinary = centres[member] + np.einsum(
    "nij,nj->ni", np.linalg.cholesky(spreads)[member], rng.normal(size=(300, 2))
)
strange = rng.uniform([-8.0, -6.0], [8.0, 6.5], size=(8, 2))

clean = np.vstack([ordinary, strange])
X_std = 10.0 ** rng.uniform(-0.9, 0.35, size=clean.shape)
X_std[300:] = rng.uniform(0.1, 0.3, size=strange.shape)
X = clean + X_std * rng.normal(size=clean.shape)

# %%
# The fit
# -------
# A discovery is an object that neither a cluster nor its own errors explain; at most about 5 % of them are false.

detector = OutlierDetector(2, random_state=0).fit(X, X_std=X_std)
found = detector.discoveries(X, X_std=X_std).mask
print(f"{found.sum()} discoveries, {found[300:].sum()} of the 8 planted objects among them")

# %%
# The picture
# -----------
# Ellipses are errors, one standard deviation; the black outlines hold 68 % and 95 % of a cluster. Points far out with
# wide ellipses are not marked: uncertain, not strange. The marked ones have narrow ellipses.

OutlierDisplay.from_estimator(detector, X, X_std=X_std, ellipses="all")
plt.show()

# %%
# Without their errors
# --------------------
# Where were the badly measured objects really? Arrows lead from where the twelve worst were measured to where the
# model thinks that they are, with an ellipse for what is still not known.

worst = np.argsort(-X_std.min(axis=1))[:12]
OutlierDisplay.from_estimator(detector, X, X_std=X_std, clean=True, ellipses=worst)
plt.show()
