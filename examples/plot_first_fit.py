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
from matplotlib.patches import Ellipse

from peculiar import RobustMixture

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
# ``robust_weights`` is about 1 for an ordinary object and goes to 0 for one that its errors do not explain.

model = RobustMixture(2, random_state=0).fit(X, X_std=X_std)
weights = model.robust_weights(X, X_std=X_std)

for k in range(2):
    location = np.round(model.locations_[k], 2)
    print(f"component {k}: weight {model.weights_[k]:.2f} at {location}, dof {model.dofs_[k]:.1f}")

strangest = np.argsort(weights)[:8]
print(f"of the 8 lowest weights, {np.sum(strangest >= 300)} are planted objects")

# %%
# The picture
# -----------
# Colour is the robust weight. The ellipses hold 68 % and 95 % of a Gaussian of that scatter. Points with long bars
# stay bright wherever they lie: uncertain, not strange. The dark points with short bars are the ones to look at.


def draw_component(axes, location, scatter, colour):
    """Outline of a component at two levels."""
    variances, directions = np.linalg.eigh(scatter)
    angle = np.degrees(np.arctan2(directions[1, 1], directions[0, 1]))
    for inside, alpha in ((0.68, 0.9), (0.95, 0.45)):
        radius = np.sqrt(-2.0 * np.log(1.0 - inside))
        height, width = 2.0 * radius * np.sqrt(variances)
        ellipse = Ellipse(location, width, height, angle=angle, fill=False)
        ellipse.set(edgecolor=colour, linewidth=1.6, alpha=alpha)
        axes.add_patch(ellipse)


figure, axes = plt.subplots(figsize=(8.0, 5.6), layout="constrained")
axes.errorbar(
    *X.T, xerr=X_std[:, 0], yerr=X_std[:, 1], fmt="none", ecolor="0.6", elinewidth=0.6, alpha=0.45
)
order = np.argsort(-weights)  # the strange ones on top
points = axes.scatter(
    *X[order].T,
    c=weights[order],
    cmap="inferno",
    vmin=0.0,
    vmax=1.3,
    s=26,
    lw=0.4,
    ec="white",
    zorder=3,
)
axes.scatter(
    *X[strangest].T,
    s=130,
    facecolors="none",
    edgecolors="tab:red",
    lw=1.3,
    zorder=4,
    label="8 lowest weights",
)
for location, scatter in zip(model.locations_, model.scatters_, strict=True):
    draw_component(axes, location, scatter, "tab:blue")
axes.set(xlabel="feature 1", ylabel="feature 2", title="Strange, or badly measured?")
axes.spines[["top", "right"]].set_visible(False)
axes.legend(loc="lower right", frameon=False)
figure.colorbar(points, ax=axes, label="robust weight  E[u | x]", shrink=0.85)
plt.show()
