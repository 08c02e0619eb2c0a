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
``exact``             the integral over u, with a proof
``peak``              the highest peak of the posterior of log u, found for certain
``moments``           where the results stand
*tail probabilities*
``tail``              the rays of one object, and when there are enough
``tail_frames``       the rows of a block in the frames of all components
``tail_nodes``        the level of an object, and the u that matter there
``tail_metric``       the shape of a component's own contour
``tail_ray``          where a ray is strange
``tail_sums``         densities along a ray, and the mass beyond a point of it
*small matrices*
``linalg``            Cholesky and Jacobi for matrices too small for LAPACK
====================  ===========================================================================
"""
