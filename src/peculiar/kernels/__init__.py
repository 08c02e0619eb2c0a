"""Compiled loops: arrays and named tuples in, arrays out.

No classes with behaviour, no input or output, no validation: what arrives here was checked at the door.
Everything is float64 and in the scaled units of :class:`peculiar.observations.Scaling`.

====================  ===========================================================================
``structs``           the named tuples that cross the border, and pick the code to compile
``special``           digamma and the Stirling remainder, to full precision
``linalg``            Cholesky and Jacobi for matrices too small for LAPACK
``frame``             the axes in which scatter and noise are both diagonal
``integrand``         the density of log u, its slope, its peaks
``exact``             the integral over u by the trapezoidal rule
``structured``        the best fixed point of the paper's variational distribution
``rows``              loops over blocks of rows: sums for fitting, moments for scoring
====================  ===========================================================================
"""
