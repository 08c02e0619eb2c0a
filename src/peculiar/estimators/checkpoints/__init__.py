"""Fits that survive: what a fit has found so far is in a file, and the same call goes on from there.

====================  ===========================================================================
``setting``           :class:`~peculiar.Checkpoint`: which file, and how often
``keeping``           a fit that keeps a checkpoint, from its beginning to its end or a stop
``written``           the journal of a search that is in a file
``made_with``         the data and settings that it belongs to
``plain``             states and results as JSON's types, to the last bit, and back
``stops``             what a signal does to a fit
====================  ===========================================================================
"""
