"""How many components: by message length, or by BIC.

``"mml"`` starts with more components than will be left and lets them compete. ``sweep`` updates
them one at a time and removes what does not pay for its parameters; ``descend`` goes on until
one is left; the mixture with the shortest message is kept. ``"bic"`` fits every number from scratch.
``criteria`` says what a mixture costs.
"""

from peculiar.select.criteria import MessageLength

__all__ = ["MessageLength"]
