"""How many components: by message length, or by BIC.

``n_components="mml"`` starts with more components than will be left and lets them compete: they are updated one at a
time, what does not pay for its parameters is removed, then the weakest, until one is left, and the mixture with the
shortest message is kept. ``n_components="bic"`` fits every number from scratch. A string stands for the criterion with
its default settings: ``"mml"`` is ``MessageLength()``.
"""

from peculiar.select.criteria import MessageLength

__all__ = ["MessageLength"]
