"""Choose the number of components: by message length, or by BIC.

``n_components="mml"`` starts with more components than needed and lets them compete. Those that do not pay for their
parameters are removed, then the weakest, until one is left. Of a large table some rows lead the way down, and all of
them decide: the mixture with the shortest message is kept. ``n_components="bic"`` fits every number from scratch. A
string stands for the criterion with its default settings: ``"mml"`` is ``MessageLength()``.
"""

from peculiar.fitting.select.criteria import MessageLength

__all__ = ["MessageLength"]
