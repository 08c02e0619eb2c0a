"""Compiled loops: arrays and named tuples in, arrays out.

No classes with behaviour, no input or output, no validation: what arrives here was checked at the door.
Everything is float64 and in the scaled units of :class:`peculiar.observations.Scaling`.

The mathematics of a row and a component is there twice, and tests hold the two to each other: ``lanes`` is fast and
leaves the few rows that it cannot do to full accuracy; ``careful`` does any row, one at a time.

===================== ===========================================================================
``structs``           the named tuples that cross the border, and pick the code to compile
``_references``       how they cross it: by their address
``shared``            what both use
``shared.block``      what rows with the same observed features share
``shared.special``    digamma and the Stirling remainder, to full precision
``shared.linalg``     Cholesky and Jacobi for matrices too small for LAPACK
``lanes``             blocks of rows at once, in vector code of our own making
``lanes.loops``       loops over blocks of rows: sums for fitting, moments for scoring
``lanes.waist``       the frame: what a rule for u sees of a row and a component
``careful``           row by row, with all care; and clean values
``careful.loops``     loops over the rows that the lanes have left
``careful.row``       one row against one component
``careful.frame``     the axes in which scatter and noise are both diagonal
``careful.integrand`` the density of log u, its slope, its peaks
``careful.expect``    the rules of all engines, chosen by type
``careful.exact``     the integral over u, with a proof
``careful.wild``      the same, and a sum over the scales of a wild part
``careful.peak``      the highest peak of the posterior of log u, found for certain
``careful.factorized`` the best q(w) q(u) q(k)
``careful.gibbs``     a chain of (k, u, w)
``careful.moments``   where the results stand
``tail``              how much of the population is as strange as an object: rays, and the mass beyond a point
===================== ===========================================================================
"""
