"""What the columns of a ranked list mean: description and UCD of each."""

from __future__ import annotations

VERDICT = {
    "rank": ("1 is the strangest object", "stat.rank"),
    "row": ("number of the row in the catalogue, from 0", "meta.record"),
    "p_value": (
        "how often an ordinary object with the same errors looks as strange",
        "stat.probability",
    ),
    "q_value": (
        "smallest false-discovery rate at which it is a discovery",
        "stat.probability",
    ),
    "is_discovery": ("whether it is a discovery", "meta.code"),
    "outlier_probability": (
        "probability that it belongs to no ordinary component",
        "stat.probability",
    ),
    "log_density": ("log-density of the measurement", "stat.likelihood"),
    "robust_weight": ("about 1 for ordinary objects, near 0 for outliers", "stat.weight"),
    "component": ("most probable component, from 0", "meta.code.class"),
    "component_probability": ("probability of that component", "stat.probability"),
    "group": ("strange group that it belongs to, if any", "meta.code.class"),
    "error_tolerance": (
        "factor by which larger errors would make it no discovery",
        "stat.param",
    ),
    "main_feature": ("feature that makes it strange", "meta.note"),
    "main_side": ("whether that feature is too high or too low", "meta.note"),
}
"""Of the columns about an object as a whole."""

FEATURE = {
    "": ("{}", "stat.value"),
    "_err": ("error of {}", "stat.error"),
    "_clean": ("{} without its measurement error, estimated", "stat.value;stat.fit"),
    "_clean_err": ("error of the clean value of {}", "stat.error;stat.fit"),
    "_surprise": ("how surprising {} is, given the other features", "stat.likelihood"),
}
"""Of the columns about each feature, by the end of their names; the braces stand for the feature."""
