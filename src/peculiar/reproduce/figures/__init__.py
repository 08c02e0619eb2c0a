"""Figures of the experiments: drawing, no computing. Matplotlib is imported here and nowhere above."""
