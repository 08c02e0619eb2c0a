"""
How many components?
====================

A mixture with more components always fits better. ``n_components="mml"`` keeps those that are worth their price: it
starts with many components and lets them compete, until each one that is left pays for its own parameters. The *message
length* is the cost of describing the catalogue that way; the number of components with the lowest cost is chosen.
"""

# %%
# Four groups
# -----------
# One is small, one has heavy tails, and the errors are up to half the size of the groups.

import matplotlib.pyplot as plt
import numpy as np

from peculiar import RobustMixture
from peculiar.plot import OutlierDisplay, SelectionDisplay

rng = np.random.default_rng(11)
groups = [
    # centre, widths, how many, degrees of freedom
    ((-7.0, 0.0), (1.0, 0.7), 200, np.inf),
    ((0.0, 5.0), (0.8, 1.0), 150, 4.0),
    ((6.0, -1.0), (1.0, 1.0), 120, np.inf),
    ((1.0, -6.0), (0.5, 0.5), 40, np.inf),
]
clean, X_std = [], []
for centre, widths, n, dof in groups:
    u = np.ones(n) if np.isinf(dof) else rng.gamma(dof / 2, 2 / dof, n)
    clean.append(centre + widths * rng.normal(size=(n, 2)) / np.sqrt(u)[:, None])
    X_std.append(rng.uniform(0.0, 0.5, size=(n, 2)) * widths)
X_std = np.vstack(X_std)
X = np.vstack(clean) + X_std * rng.normal(size=X_std.shape)

# %%
# The search
# ----------
# ``selection_`` has a line for each number of components at which the search converged. It is a NumPy table; pandas
# takes it as it is.

model = RobustMixture("mml", max_components=20, random_state=0).fit(X, X_std=X_std)
print(f"{model.n_components_} components\n")
table = model.selection_
print(" k  message log-lik.      BIC      ICL")
for k, *costs in table.tolist():
    print(f"{k:2d}", *(f"{cost:8.1f}" for cost in costs))

# %%
# The search begins at 20 and often converges for the first time near the end. ``n_components="bic"`` fits every
# number from scratch instead, takes the one with the lowest BIC, and leaves a line for each.

other = RobustMixture("bic", max_components=8, random_state=0).fit(X, X_std=X_std)
print(f"by BIC: {other.n_components_} components")

# %%
# The curves
# ----------
# Below the minimum a component has to serve two groups, and the message grows by hundreds of nats. Above it, more
# components cost more than they explain. BIC and ICL (halved here, to be in nats as well) charge by the number of
# objects in the catalogue rather than in the component, and rise faster.

SelectionDisplay.from_estimator(other)
OutlierDisplay.from_estimator(model, X, X_std=X_std, ellipses="all")
plt.show()

# %%
# From any number
# ---------------
# The answer should not depend on where the search begins.

for most in (4, 8, 12, 20):
    found = RobustMixture("mml", max_components=most, random_state=1).fit(X, X_std=X_std)
    print(f"at most {most:2d}: {found.n_components_} components")
