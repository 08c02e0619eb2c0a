"""Names of the Bokeh models that scripts and servers look for on the page."""

SCATTER = "scatter"
"""The figure of two features. Its ranges say what is seen."""

OBJECTS = "objects"
"""Source of the listed objects, in their order: ``x``, ``y``, and how they look. Its selection is that of the page."""

BULK = "bulk"
"""Source with one image of all objects: ``image``, ``x``, ``y``, ``dw``, ``dh``. Numbers from 0 (none) to 255."""

ELLIPSES = "ellipses"
"""Source of the outlines of components and groups."""

ERROR, CLEAN, ARROW = "error", "clean", "arrow"
"""Sources about the selected object: outline of its error, of its clean position, and the arrow between them."""

CHOSEN = "chosen"
"""Source with the places of the selected object: as measured, and clean."""

P_VALUES = "p_values"
"""The figure with the histogram of p-values."""

LINE = "line"
"""The span in it where the discoveries end."""

NOISE, PULLS, CONVERGENCE = "noise", "pulls", "convergence"
"""Figures about how far the list can be trusted."""
