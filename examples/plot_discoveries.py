"""
Which ones to believe: p-values and discoveries
===============================================

A ranking says which objects are strangest. It does not say how many of the first hundred are worth telescope time.
Calibrated p-values do: among the discoveries at a false-discovery rate of 10 %, about nine out of ten are really
strange, and the number of strange objects does not have to be known.
"""

# %%
# The catalogue
# -------------
# Three populations of 300 objects each, 60 objects that belong nowhere, and errors of very different size.

import matplotlib.pyplot as plt
import numpy as np

from peculiar import OutlierDetector
from peculiar.plot import OutlierDisplay, PValueDisplay, SurpriseDisplay

rng = np.random.default_rng(4)
centres = np.array([[0.0, 0.0], [12.0, 0.0], [6.0, 10.0]])
clean = centres[np.repeat([0, 1, 2], 300)] + rng.normal(size=(900, 2)) * [1.3, 1.0]
clean = np.vstack([clean, rng.uniform(-12.0, 24.0, size=(60, 2))])
planted = np.arange(960) >= 900
X_std = np.sqrt(rng.uniform(0.0, 6.0, size=clean.shape))
X = clean + X_std * rng.normal(size=clean.shape)

# %%
# The fit
# -------
# The mixture has a wild tail, whose weight is estimated. Its components without that tail are the ordinary population.

detector = OutlierDetector(3, random_state=0).fit(X, X_std=X_std)
print(f"wild fraction: {detector.mixture_.wild_fraction_:.3f} (planted: {planted.mean():.3f})")

p = detector.p_values(X, X_std=X_std)
found = detector.discoveries(X, X_std=X_std, fdr=0.1)
print(f"{found.mask.sum()} discoveries (p up to {found.threshold:.2g}),", end=" ")
print(f"{(found.mask & ~planted).sum()} of them ordinary")

# %%
# The pictures
# ------------
# In the first, ellipses are the errors of the discoveries. Planted objects that were not found (crosses) lie on a
# population, or their errors reach one: no method could find them. In the second, the p-values of ordinary objects are
# uniform, whatever their errors; the planted objects make the peak.

sky = OutlierDisplay.from_estimator(detector, X, X_std=X_std, fdr=0.1).ax_
sky.scatter(*X[planted & ~found.mask].T, s=60, c="k", marker="x", label="planted, not found")
sky.legend(loc="upper left")
PValueDisplay.from_estimator(detector, X, X_std=X_std, fdr=0.1)
plt.show()

# %%
# Why these?
# ----------
# Of the strangest object: how surprising each feature is, given the other one. And of the five strangest: the factor by
# which their errors would have to be too small for them to be ordinary.

strangest = np.argsort(p)[:5]
SurpriseDisplay.from_estimator(
    detector, X, X_std=X_std, row=strangest[0], name=f"row {strangest[0]}"
)
plt.show()

for row, factor in zip(
    strangest, detector.error_tolerance(X[strangest], X_std=X_std[strangest]), strict=True
):
    print(f"row {row}: p = {p[row]:.1e}, errors {factor:.1f} times too small?")
