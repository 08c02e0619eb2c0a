"""Blocks of rows at once: the fast way of every engine.

``code`` is the small language the rest is written in; ``whiten`` and ``frames`` bring a row into the units of a
component, ``exact``, ``peak`` and ``closed_forms`` are the rules for its scale u, ``expect`` puts these together,
``share`` adds up, and ``kernels`` makes of all that functions Numba can call.
"""
