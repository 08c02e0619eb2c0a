"""What was found, as plain tables and sentences: data, no drawing."""

from peculiar.report.ranking import Ranking, rank
from peculiar.report.tables import to_csv, to_text

__all__ = ["Ranking", "rank", "to_csv", "to_text"]
