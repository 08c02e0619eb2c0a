"""Compiled loops: arrays and named tuples in, arrays out.

No classes with behaviour, no input or output, no validation: what arrives here was checked at the door.
Everything is float64 and in the scaled units of :class:`peculiar.observations.Scaling`.

====================  ===========================================================================
``structs``           the named tuples that cross the border, and pick the code to compile
``block``             what rows with the same observed features share
``special``           digamma and the Stirling remainder, to full precision
*blocks at once*
``blocks``            loops over blocks of rows: sums for fitting, moments for scoring
``lanes``             a block against one component, in vector code of our own making
*row by row*          with all care, for rows that a lane cannot do, and for clean values
``rows``              loops over the rows that were left
``row``               one row against one component
``frame``             the axes in which scatter and noise are both diagonal
``integrand``         the density of log u, its slope, its peaks
``expect``            the rules of all engines, chosen by type
``exact``             the integral over u, with a proof
``wild``              the same, and a sum over the scales of a wild part
``peak``              the highest peak of the posterior of log u, found for certain
``factorized``        the best q(w) q(u) q(k)
``gibbs``             a chain of (k, u, w)
``moments``           where the results stand
*tail probabilities*
``tail``              how much of the population is as strange as an object: rays, and the mass beyond a point
*small matrices*
``linalg``            Cholesky and Jacobi for matrices too small for LAPACK
====================  ===========================================================================
"""
