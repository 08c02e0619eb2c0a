"""
Strange groups: quasars that are not like the others
====================================================

Where there are many strange objects, a component of the mixture settles on them. If every component counted as
ordinary, they would be ordinary too, and the top of the list would be lost. A component whose own objects lie where the
population is thin is therefore a *strange group*: the others are the population that each object is judged by.
"""

# %%
# The catalogue
# -------------
# Four colours of 4,000 quasars of SDSS DR3, with the full covariances of their errors. One in ten is at a redshift
# above 2.5, where the intergalactic gas absorbs the ultraviolet light. Nobody tells the detector.

import matplotlib.pyplot as plt
import numpy as np

from peculiar import OutlierDetector
from peculiar.datasets import load_dr3_quasars

quasars = load_dr3_quasars()
rows = np.random.default_rng(0).choice(len(quasars.X), 4000, replace=False)
X, X_cov, redshift = quasars.X[rows], quasars.X_cov[rows], quasars.redshift[rows]

# %%
# Two detectors
# -------------
# The same mixture of three components: once all of them are ordinary (``rarity=inf``), once strange groups are told.

detectors = {
    "every component ordinary": OutlierDetector(3, rarity=np.inf, random_state=0),
    "strange groups told": OutlierDetector(3, random_state=0),
}
for name, detector in detectors.items():
    detector.fit(X, X_cov=X_cov)
    first = np.argsort(detector.score_samples(X, X_cov=X_cov))[:100]
    print(f"{name}: {(redshift[first] > 2.5).mean():.0%} of the first 100 are at z > 2.5")

groups = detector.groups_
for group in groups:
    kind = f"strange group {group['group']}" if group["group"] else "ordinary"
    print(f"{kind}: {group['n_objects']:.0f} objects, z = {group['z']:.1f}")

# %%
# In the space of colours
# -----------------------
# Ellipses contain 90 % of each component. The strange group is wide and off the bulk; most of its members
# are at high redshift (dark colours).

figure, axes = plt.subplots(figsize=(7.5, 5.2), layout="constrained")
order = np.argsort(redshift)
shown = axes.scatter(
    *X[order][:, :2].T, c=redshift[order], s=5, lw=0, cmap="viridis_r", vmin=0, vmax=4.5
)
figure.colorbar(shown, label="redshift (not used)")
mixture = detector.mixture_
circle = np.stack([np.cos(angles := np.linspace(0, 2 * np.pi, 200)), np.sin(angles)])
for group, centre, scatter in zip(groups, mixture.locations_, mixture.scatters_, strict=True):
    edge = centre[:2, None] + 2.15 * np.linalg.cholesky(scatter[:2, :2]) @ circle
    colour = "tab:red" if group["group"] else "0.15"
    axes.plot(*edge, color=colour, lw=1.6, ls="-" if group["group"] else "--")
    if group["group"]:
        axes.annotate(
            group["group"], edge[:, np.argmax(edge[0])], color=colour, weight="bold", size=13
        )
axes.plot([], [], color="0.15", ls="--", label="ordinary component")
axes.plot([], [], color="tab:red", label="strange group")
axes.set(xlabel="u - r", ylabel="g - r", xlim=(-1.2, 8), ylim=(-1.2, 4))
axes.legend(loc="upper left", frameon=False)
plt.show()
