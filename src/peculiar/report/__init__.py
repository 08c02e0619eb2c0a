"""Results as plain tables and sentences: data, no drawing."""

from peculiar.estimators.rows import feature_names
from peculiar.report.candidates import Candidates, check_discoveries, rank
from peculiar.report.fitted import describe_components, describe_model
from peculiar.report.ranked import describe_run, model_in_words, ranked_table
from peculiar.report.tables import to_csv, to_json, to_text

__all__ = [
    "Candidates",
    "check_discoveries",
    "describe_components",
    "describe_model",
    "describe_run",
    "feature_names",
    "model_in_words",
    "rank",
    "ranked_table",
    "to_csv",
    "to_json",
    "to_text",
]
