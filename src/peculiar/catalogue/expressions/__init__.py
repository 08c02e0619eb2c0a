"""Features as expressions of columns: their grammar, their values, and their errors."""
