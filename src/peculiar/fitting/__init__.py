"""From rows to parameters.

====================  ===========================================================================
``loop``              expect, add, maximise, accelerate, stop: the one EM loop
``start``             starting points, and the units in which everything is computed
``stopping``          what is still to be gained
``accelerate``        longer steps, from earlier ones
``select``            how many components
``journal``           what runs long goes from state to state, so that it can be stopped anywhere
``online``            rows that come once: running averages of the same sums
====================  ===========================================================================
"""
