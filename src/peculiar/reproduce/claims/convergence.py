"""How near each engine is to the truth."""

from __future__ import annotations

from collections.abc import Mapping

from peculiar.reproduce.base import Comparison, Numbers

MATTERS = {"auc": 0.005, "rightly_grouped": 0.01}
"""Differences larger than these are not just a matter of a few objects."""


def compare(numbers: Numbers) -> tuple[Comparison, ...]:
    """Engines against Monte-Carlo EM, and against each other."""
    paths = numbers["engines"]
    end = {name: path["log_likelihood"][-1] for name, path in paths.items()}
    below = {name: end["monte_carlo"] - value for name, value in end.items()}
    gap = {
        name: end["monte_carlo"] - paths[name]["objective"][-1]
        for name in ("structured", "factorized")
    }
    noise, apart = paths["monte_carlo"]["fluctuation"], abs(below["exact"])
    remaining = max(path["last_gain"] for path in paths.values() if path["objective_is"] != "joint")
    return (
        Comparison(
            "Monte-Carlo EM against the variational engines",
            "superior to both",
            f"above structured by {below['structured']:.4f}, factorized by {below['factorized']:.4f} nats per object",
            min(below["structured"], below["factorized"]) > 2.0 * noise,
            "By the true log-likelihood of the parameters reached.",
        ),
        Comparison(
            "which bound is nearer to Monte-Carlo EM",
            "structured",
            f"structured {gap['structured']:.4f} below, factorized {gap['factorized']:.4f} below",
            gap["structured"] < gap["factorized"],
            "By the bound of each engine on its own parameters, which is what the paper could compute.",
        ),
        Comparison(
            "whose parameters are nearer to those of Monte-Carlo EM",
            "",
            f"structured {below['structured']:.4f} below, factorized {below['factorized']:.4f} below",
            None,
            _nearer(below["factorized"] - below["structured"]),
        ),
        Comparison(
            "exact against Monte-Carlo EM",
            "",
            f"{end['exact']:.5f} against {end['monte_carlo']:.5f} (which fluctuates by {noise:.1g})",
            None,
            "They agree: the integral that the paper calls intractable is one-dimensional, and needs no samples."
            if apart <= 4.0 * noise + abs(remaining)
            else f"They are {apart:.5f} apart: after so few iterations, or with so few samples, they need not agree.",
        ),
        _inferior("outliers (AUC of e)", "auc", paths, 4),
        _inferior(
            "groups (share of ordinary objects in the right one)", "rightly_grouped", paths, 3
        ),
    )


def _nearer(difference: float) -> str:
    if abs(difference) < 1e-3:
        return "The two differ in how they rate their parameters, but hardly in the parameters."
    return f"By their true log-likelihood; {'structured' if difference > 0 else 'factorized'} is ahead."


def _inferior(what: str, key: str, paths: Mapping[str, Numbers], digits: int) -> Comparison:
    """Whether factorized and map do worse than structured by more than a few objects."""
    lost = [paths["structured"][key] - paths[name][key] for name in ("factorized", "map")]
    verdict = True if min(lost) > MATTERS[key] else False if min(lost) < -MATTERS[key] else None
    words = {
        True: "It is so on this data set.",
        False: "It is not so on this data set.",
        None: "On this data set, at least one of them is as good, apart from a few objects.",
    }
    return Comparison(
        what,
        "factorized and map inferior to structured",
        ", ".join(f"{name} {path[key]:.{digits}f}" for name, path in paths.items()),
        verdict,
        words[verdict],
    )
