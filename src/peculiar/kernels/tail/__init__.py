"""Tail probabilities: how much of the population is at most as dense as an object.

``frames`` brings the rows of a block into the frames of all components; ``nodes`` finds the level of an object and the
u that matter there, ``metric`` the shape of a component's own contour. ``view`` is what rays from one component meet,
``ray`` where a ray is strange, ``sums`` the densities along it and the mass beyond a point; ``objects`` casts the
rays of one object after another, and ``effort`` says when there are enough.
"""
