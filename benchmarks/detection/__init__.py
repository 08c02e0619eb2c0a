"""How good the list is: catalogues with known strange objects, our default and fixed numbers of components, and peers.

`python -m benchmarks detection [--out DIR] [--page FILE]`.
"""
