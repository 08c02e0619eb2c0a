"""What the columns of a table are: values, errors, correlations; by convention, or as the user says."""
