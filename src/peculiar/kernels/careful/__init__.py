"""One row at a time, with all care: for rows that a lane cannot do, and for clean values.

The same mathematics as ``lanes``, and tests hold the two to each other. Here nothing is left to chance: integrals have
a proven error, peaks are found for certain, and errors may differ by any number of orders of magnitude.
"""
