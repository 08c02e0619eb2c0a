"""How fast an iteration is, always beside something everybody can run: `python -m benchmarks`."""
