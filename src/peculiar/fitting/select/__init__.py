"""How many components: by message length, or by BIC. The user meets it as :mod:`peculiar.select`."""
