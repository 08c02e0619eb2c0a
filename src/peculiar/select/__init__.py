"""How many components: by message length, or by BIC.

``"mml"`` starts with more components than will be left and lets them compete. :mod:`~peculiar.select.sweep` updates
them one at a time and removes what does not pay for its parameters; :mod:`~peculiar.select.descend` goes on until
one is left; the mixture with the shortest message is kept. ``"bic"`` fits every number from scratch.
:mod:`~peculiar.select.criteria` says what a mixture costs.
"""

from peculiar.select.choose import Candidate, Table, by_bic, by_message_length
from peculiar.select.criteria import TABLE, ParameterCount, Row
from peculiar.select.descend import LEAST_START, Progress

__all__ = [
    "LEAST_START",
    "TABLE",
    "Candidate",
    "ParameterCount",
    "Progress",
    "Row",
    "Table",
    "by_bic",
    "by_message_length",
]
