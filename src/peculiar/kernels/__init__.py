"""Compiled loops: arrays and named tuples in, arrays out.

No classes with behaviour, no input or output, no validation: what arrives here was checked at the door.
Everything is float64 and in the scaled units of :class:`peculiar.observations.Scaling`.

====================  ===========================================================================
``structs``           the named tuples that cross the border, and pick the code to compile
``rows``              loops over blocks of rows: sums for fitting, moments for scoring
``block``             what the rows of a block share
``special``           digamma and the Stirling remainder, to full precision
*blocks at once*
``lanes``             a block of rows, one row a lane, against one component
``reflect``           axes in which the residual is one number and the noise tridiagonal
``minors``            determinants and solutions of I + u B in those axes
``lane_exact``        the integral over u
``lane_structured``   the best fixed point of the paper's variational distribution
``lane_limits``       infinite dof, and no noise
``lane_math``         exp and log that vectorise
*row by row*          with all care, for rows that a lane cannot do
``row``               one row against one component
``frame``             the axes in which scatter and noise are both diagonal
``integrand``         the density of log u, its slope, its peaks
``exact``             the integral over u, with a proof
``structured``        the best fixed point, found for certain
``moments``           where the results stand
``linalg``            Cholesky and Jacobi for matrices too small for LAPACK
====================  ===========================================================================
"""
