"""The paper's numbers for the lymphography data, beside ours."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from peculiar.reproduce.base import Comparison, Numbers
from peculiar.reproduce.claims.p_values import are_known, read_p_values
from peculiar.reproduce.contenders import LABELS, OURS

PAPER = {"idealised": 0.9391, "base": 0.9005, "structured": 0.9555}
"""In-sample areas under the ROC curve."""

PAPER_P_VALUES = {"idealised": 0.39, "base": 9.6e-5}
"""P-values of t-tests between the paper's method and these."""

SIGNIFICANT = 0.05

FEW = 5
"""A spread is not judged from fewer splits than this."""


def compare(numbers: Numbers) -> tuple[Comparison, ...]:
    """Areas, tests, new data, and our own scores."""
    fitted, new = (numbers["samples"][name] for name in ("in-sample", "out-of-sample"))
    return (
        *(_area(method, fitted[method]) for method in PAPER),
        *(_test(other, numbers["tests"][other]) for other in PAPER_P_VALUES),
        _new_data(new, numbers["n_new"]),
        _ours(fitted),
        _chosen(numbers["shrinkage"]["chosen"], fitted),
        _curve(numbers["shrinkage"]["curve"]),
    )


def _area(method: str, result: Numbers) -> Comparison:
    """Whether a single split, which is all the paper has, may well give the paper's area."""
    paper, mean, by_split = PAPER[method], result["mean"], np.asarray(result["by_split"])
    can_tell = len(by_split) >= FEW
    is_near = can_tell and abs(mean - paper) <= 2.0 * result["sd_between_splits"]
    words = (
        "A single split may well give the paper's number."
        if is_near
        else "The paper's number is more than two standard deviations from what our splits give."
    )
    return Comparison(
        f"AUC of {LABELS[method]}, in-sample",
        f"{paper:.4f}",
        f"{mean:.4f} (splits: {by_split.min():.3f} to {by_split.max():.3f})",
        is_near if can_tell else None,
        words if can_tell else "These are too few splits to tell.",
    )


def _test(other: str, result: Numbers) -> Comparison:
    """The paper tests within its one split; we test within each of ours."""
    p_values = read_p_values(result["p_value"])
    above, n = result["above"], len(p_values)
    paper = PAPER_P_VALUES[other]
    name, what = (
        f"structured e less {other}, in-sample",
        f"{PAPER['structured'] - PAPER[other]:+.4f}, p = {paper:.2g}",
    )
    if not are_known(p_values):
        return Comparison(
            name, what, f"{np.mean(above):+.4f}", None, "One realisation is too few for a test."
        )
    better, worse = (_count(above, p_values, sign) for sign in (1.0, -1.0))
    says_better = paper < SIGNIFICANT
    agrees = better > n / 2 if says_better else better + worse <= n / 2
    return Comparison(
        name,
        what,
        f"{np.mean(above):+.4f}, p = {min(p_values):.2g} to {max(p_values):.2g}",
        agrees,
        f"Significantly better in {better} of {n} splits, and worse in {worse}"
        + (", as in the paper." if agrees else "; the paper found otherwise."),
    )


def _count(above: Sequence[float], p_values: Sequence[float], sign: float) -> int:
    """Number of splits with a significant difference in one direction."""
    pairs = zip(above, p_values, strict=True)
    return sum(sign * difference > 0.0 and p < SIGNIFICANT for difference, p in pairs)


def _new_data(new: Numbers, n_new: Sequence[int]) -> Comparison:
    order = sorted(LABELS, key=lambda name: -new[name]["mean"])
    ahead = np.asarray(new["structured"]["by_split"]) - np.asarray(new["base"]["by_split"])
    n_outliers, n_rows = n_new
    step = 1.0 / (n_outliers * (n_rows - n_outliers))
    return Comparison(
        "out-of-sample AUC",
        "of the same quality",
        ", ".join(f"{name} {new[name]['mean']:.3f}" for name in order),
        bool((ahead >= 0.0).mean() > 0.5) if len(ahead) >= FEW else None,
        f"Structured e is not below base in {(ahead >= 0.0).sum()} of {len(ahead)} splits. With {n_outliers} outliers "
        f"among {n_rows} rows, an area changes by {step:.3f} when one of them swaps places with another row.",
    )


def _ours(fitted: Numbers) -> Comparison:
    best = max(OURS, key=lambda name: fitted[name]["mean"])
    difference = fitted[best]["mean"] - fitted["structured"]["mean"]
    side = "above" if difference >= 0.0 else "below"
    return Comparison(
        "AUC of exact e, tail and outlier probability, in-sample",
        "",
        ", ".join(f"{fitted[name]['mean']:.4f}" for name in ("exact", *OURS)),
        None,
        f"The better of tail and outlier probability is {abs(difference):.3f} {side} the paper's e.",
    )


def _chosen(chosen: Numbers, full: Numbers) -> Comparison:
    """Whether the scatter is better shrunk, by an amount for which no label was needed."""
    names = ("structured", "exact", *OURS)
    gain = {name: float(np.mean(chosen[name])) - full[name]["mean"] for name in names}
    amounts = np.asarray(chosen["pseudo_rows"])
    return Comparison(
        "AUC of structured and exact e, tail and outlier probability with scatter='auto', in-sample",
        "",
        ", ".join(f"{np.mean(chosen[name]):.4f}" for name in names),
        all(gain[name] > 0.0 for name in OURS),
        f"Rows left out of the fit ask for {amounts.min():.0f} to {amounts.max():.0f} pseudo-rows (means of a split). "
        "Compared with a full scatter: " + ", ".join(f"{gain[name]:+.3f}" for name in names) + ".",
    )


def _curve(curve: Numbers) -> Comparison:
    """What new data and what labels say of the amount of shrinkage."""
    likeliest = max(curve, key=lambda name: curve[name]["held_out"])
    best = max(curve, key=lambda name: curve[name]["tail"])
    lines = (
        f"{name}: {found['held_out']:.2f}, {found['exact']:.3f}, {found['tail']:.3f}, {found['outlier']:.3f}"
        for name, found in curve.items()
    )
    return Comparison(
        "pseudo-rows: log-likelihood of new data per row, AUC of exact e, tail and outlier probability, in-sample",
        "",
        "; ".join(lines),
        None,
        f"New data are likeliest with {likeliest} pseudo-rows; the AUC of the tail is highest with {best}. "
        + (
            "Both ask for the same."
            if likeliest == best
            else "By the labels one would go further towards a diagonal, or less far, than new data do; but a user has "
            "no labels, and gets what new data ask for."
        ),
    )
