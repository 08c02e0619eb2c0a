"""What is found in spite of the errors."""

from __future__ import annotations

import numpy as np

from peculiar.reproduce.base import Comparison, Numbers


def compare(numbers: Numbers) -> tuple[Comparison, ...]:
    """Outliers, discoveries and groups."""
    planted, found = np.asarray(numbers["population"]) < 0, np.asarray(numbers["is_discovery"])
    top, share = numbers["planted_among_strangest"], numbers["rightly_grouped"]
    is_recovered = share > 0.95
    return (
        Comparison(
            f"outliers among the {planted.sum()} strangest",
            "",
            f"tail {top['tail']}, structured e {top['structured']}, errors ignored {top['base']}",
            None,
            "The paper shows only the picture. No method can find an outlier that is in a cluster by chance, or "
            "because of its errors.",
        ),
        Comparison(
            f"discoveries at a false-discovery rate of {100 * numbers['fdr']:g} %",
            "",
            f"{found.sum()}, of which {(found & planted).sum()} are outliers",
            None,
            "The paper draws no line between outliers and the rest; p-values do.",
        ),
        Comparison(
            "groups",
            "recovered",
            f"{100 * share:.1f} % of the ordinary points are in the right group",
            is_recovered,
            "The clusters are recovered, as in the paper."
            if is_recovered
            else "With errors as large as these, the clusters are not recovered.",
        ),
    )
