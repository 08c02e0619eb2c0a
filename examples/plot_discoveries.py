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
# The picture
# -----------
# On the left, planted objects that were not found lie on a population, or their bars reach one: no method could find
# them. On the right, the p-values of ordinary objects are uniform, whatever their errors; the planted objects make the
# peak.

figure, (sky, histogram) = plt.subplots(
    1, 2, figsize=(10.5, 4.6), layout="constrained", width_ratios=[1.25, 1]
)
sky.errorbar(
    *X[planted].T,
    xerr=X_std[planted, 0],
    yerr=X_std[planted, 1],
    fmt="none",
    ecolor="tab:orange",
    elinewidth=0.7,
    alpha=0.6,
)
sky.scatter(*X[~planted].T, s=7, color="0.6", lw=0, label="ordinary")
sky.scatter(*X[planted].T, s=20, color="tab:orange", lw=0, label="planted", zorder=3)
sky.scatter(
    *X[found.mask].T,
    s=85,
    facecolors="none",
    edgecolors="tab:red",
    lw=1.1,
    zorder=4,
    label="discovery",
)
sky.set(xlabel="feature 1", ylabel="feature 2", title="Discoveries at a rate of 10 %")
sky.legend(loc="upper left", frameon=True, framealpha=0.9, fontsize=9)

edges = np.linspace(0.0, 1.0, 21)
histogram.hist([p[~planted], p[planted]], edges, stacked=True, color=["0.7", "tab:orange"])
histogram.axhline(45, color="0.25", lw=1.0, ls="--")
histogram.text(0.98, 63, "dashed: 900 objects, uniform", ha="right", fontsize=9, color="0.25")
histogram.set(xlabel="p-value", ylabel="objects", title="P-values", xlim=(0.0, 1.0))
for axes in (sky, histogram):
    axes.spines[["top", "right"]].set_visible(False)
plt.show()

# %%
# Why these?
# ----------
# For each of the five strangest objects: the feature that makes it strange, and the factor by which its errors would
# have to be too small for it to be ordinary.

strangest = np.argsort(p)[:5]
reasons = detector.explain(X[strangest], X_std=X_std[strangest])
tolerance = detector.error_tolerance(X[strangest], X_std=X_std[strangest])
for i, row in enumerate(strangest):
    feature = reasons.main_feature[i]
    side = "high" if reasons.sign[i, feature] > 0 else "low"
    print(f"row {row}: p = {p[row]:.1e}, feature {feature + 1} too {side},", end=" ")
    print(f"errors {tolerance[i]:.1f} times too small?")
