"""From rows to parameters.

====================  ===========================================================================
``loop``              expect, add, maximise, accelerate, stop: the one EM loop
``start``             starting points, and the units in which everything is computed
``stopping``          what is still to be gained
``accelerate``        longer steps, from earlier ones
``select``            how many components
====================  ===========================================================================
"""
