"""
Strange groups: quasars that are not like the others
====================================================

Where there are many strange objects, a component of the mixture settles on them. If every component counted as
ordinary, they would be ordinary too, and the top of the list would be lost. A component whose objects are far from
their company (the nearest tenth of all objects) is therefore a *strange group*: the others are the population that each
object is judged by.
"""

# %%
# The catalogue
# -------------
# Four colours of 4,000 quasars of SDSS DR3, with the full covariances of their errors. One in ten is at a redshift
# above 2.5, where the intergalactic gas absorbs the ultraviolet light. Nobody tells the detector.

import matplotlib.pyplot as plt
import numpy as np
import pandas as pd

from peculiar import OutlierDetector
from peculiar.datasets import load_dr3_quasars
from peculiar.plot import GroupDisplay, OutlierDisplay

quasars = load_dr3_quasars()
rows = np.random.default_rng(0).choice(len(quasars.X), 4000, replace=False)
X = pd.DataFrame(quasars.X[rows], columns=["u - r", "g - r", "i - r", "z - r"])
X_cov, redshift = quasars.X_cov[rows], quasars.redshift[rows]

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
# The strange group is wide and off the bulk.

OutlierDisplay.from_estimator(detector, X, X_cov=X_cov, most=20)
plt.show()

members = detector.mixture_.predict(X, X_cov=X_cov)
for group in groups:
    own = redshift[members == group["component"]]
    print(f"{group['group'] or 'ordinary'}: {(own > 2.5).mean():.0%} at z > 2.5")

# %%
# In every feature
# ----------------
# Centre and spread of each component, compared with the ordinary population: the group is far too red in u - r.

GroupDisplay.from_estimator(detector)
plt.show()
