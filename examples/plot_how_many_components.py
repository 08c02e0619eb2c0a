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
from matplotlib.patches import Ellipse

from peculiar import RobustMixture

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
# Left of the minimum a component has to serve two groups, and the message grows by hundreds of nats. Right of it, more
# components cost more than they explain. BIC and ICL (halved here, to be in nats as well) charge by the number of
# objects in the catalogue rather than in the component, and rise faster.

figure, (left, right) = plt.subplots(1, 2, figsize=(11, 4.4), layout="constrained")
every = other.selection_
for name, style, colour in (
    ("message_length", "o-", "#1b6ca8"),
    ("bic", "s--", "#e08a1e"),
    ("icl", "^:", "#7a5195"),
):
    nats = every[name] if name == "message_length" else every[name] / 2
    label = name.replace("_", " ") if name == "message_length" else f"{name.upper()} / 2"
    left.plot(every["n_components"], nats - nats.min(), style, color=colour, label=label, ms=5)
least = every["message_length"].min()
way_down = table["n_components"], table["message_length"] - least
left.plot(*way_down, "x", color="k", ms=9, mew=1.5, label='message length, on the way of "mml"')
left.axvline(model.n_components_, color="0.7", lw=1, zorder=0)
left.set(
    xlabel="components",
    ylabel="nats above the least",
    title="What a number of components costs",
    yscale="symlog",
    xticks=every["n_components"],
)
left.set_ylim(-0.5, 2e4)
left.legend(frameon=False, loc="upper right")
right.errorbar(*X.T, xerr=X_std[:, 0], yerr=X_std[:, 1], fmt="none", ecolor="0.75", elinewidth=0.5)
right.scatter(*X.T, c=model.predict(X, X_std=X_std), cmap="tab10", s=10, zorder=3, vmax=9)
for location, scatter in zip(model.locations_, model.scatters_, strict=True):
    variances, directions = np.linalg.eigh(scatter)
    angle = np.degrees(np.arctan2(directions[1, 1], directions[0, 1]))
    height, width = 2 * 2.45 * np.sqrt(variances)  # 95 % of a Gaussian
    right.add_patch(Ellipse(location, width, height, angle=angle, fill=False, lw=1.5, zorder=4))
right.set(xlabel="feature 1", ylabel="feature 2", title="The components that were kept")
plt.show()

# %%
# From any number
# ---------------
# The answer should not depend on where the search begins.

for most in (4, 8, 12, 20):
    found = RobustMixture("mml", max_components=most, random_state=1).fit(X, X_std=X_std)
    print(f"at most {most:2d}: {found.n_components_} components")
