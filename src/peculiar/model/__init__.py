"""The model: its parameters, the sums that determine them, and the one M-step."""
