"""Results as plain tables and sentences: data, no drawing."""

from peculiar.estimators.rows import feature_names
from peculiar.report.candidates import Candidates, check_discoveries, rank
from peculiar.report.fitted import describe_components, describe_model
from peculiar.report.tables import to_csv, to_json, to_text

__all__ = [
    "Candidates",
    "check_discoveries",
    "describe_components",
    "describe_model",
    "feature_names",
    "rank",
    "to_csv",
    "to_json",
    "to_text",
]
