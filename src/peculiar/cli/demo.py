"""``peculiar demo``: the whole way on a simulated catalogue, where the truth is known."""

from __future__ import annotations

import argparse
import math
import sys
import time
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from peculiar.datasets import Colours
    from peculiar.mixture import RobustMixture
    from peculiar.report import Ranking

N_SHOWN = 20


def add_parser(commands: Any) -> None:
    """Declare the command and its options."""
    parser = commands.add_parser(
        "demo",
        help="simulate a catalogue, fit it, and rank its objects",
        description="Simulates a catalogue of colours with errors in which some peculiar objects are planted, fits it, "
        "ranks the objects and says how many of the planted ones were found.",
        epilog="example: peculiar demo --out demo-output",
    )
    parser.add_argument(
        "--out", type=Path, default=Path("demo-output"), help="folder for the results (%(default)s)"
    )
    parser.add_argument(
        "--objects", type=int, default=3000, help="size of the catalogue (%(default)s)"
    )
    parser.add_argument(
        "--peculiar", type=int, default=30, help="how many are planted (%(default)s)"
    )
    parser.add_argument(
        "--seed", type=int, default=1, help="seed of the simulation and the fit (%(default)s)"
    )
    parser.set_defaults(run=run)


def run(options: argparse.Namespace) -> None:
    """Simulate, fit, rank, print, write."""
    from peculiar.datasets import make_colours
    from peculiar.report import rank

    sky = make_colours(options.objects, n_peculiar=options.peculiar, random_state=options.seed)
    print(_describe(sky))
    model = _fit(sky, options.seed)
    ranking = rank(model, sky.X, X_cov=sky.X_cov, names=sky.names, features=sky.feature_names)
    ranking.table["planted"] = sky.is_peculiar[ranking.order]
    naive = _ignoring_errors(sky, options.seed)
    lines = [
        *_populations(sky, model),
        "",
        *_candidates(ranking),
        "",
        *_verdict(sky, ranking, naive),
    ]
    print("\n".join(lines))
    _write(options.out, model, ranking, lines)


def _describe(sky: Colours) -> str:
    import numpy as np

    errors = np.sqrt(np.diagonal(sky.X_cov, axis1=1, axis2=2))
    low, typical, high = np.percentile(errors[:, 0], [5, 50, 95])
    return (
        f"A simulated catalogue: {len(sky.X)} objects of three populations, {int(sky.is_peculiar.sum())} peculiar ones "
        f"planted.\nColours {', '.join(sky.feature_names)}; the error of u-r runs from {low:.2f} to {high:.2f} mag "
        f"(median {typical:.2f});\nerrors are correlated, {np.isnan(sky.X).mean():.1%} of the values are missing.\n"
    )


def _fit(sky: Colours, seed: int) -> RobustMixture:
    from peculiar.mixture import RobustMixture

    started = time.monotonic()
    print(
        "Fitting three robust components (the first time, the kernels are compiled) ...", flush=True
    )
    model = RobustMixture(
        3, tol=1e-5, random_state=seed, n_jobs=-1, verbose=int(sys.stdout.isatty())
    )
    model.fit(sky.X, X_cov=sky.X_cov)
    print(f"done: {model.n_iter_} iterations in {time.monotonic() - started:.0f} s.\n", flush=True)
    return model


def _ignoring_errors(sky: Colours, seed: int) -> int:
    """How many planted objects the same model finds at the top if it takes every value as exact."""
    import numpy as np

    from peculiar.mixture import RobustMixture

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = RobustMixture(3, tol=1e-5, random_state=seed, n_jobs=-1).fit(sky.X)
    top = np.argsort(model.robust_weights(sky.X))[: int(sky.is_peculiar.sum())]
    return int(sky.is_peculiar[top].sum())


def _populations(sky: Colours, model: RobustMixture) -> list[str]:
    """What was planted against what was found."""
    import numpy as np

    from peculiar.report import to_text

    centres = np.array([sky.clean[sky.population == k].mean(axis=0) for k in range(3)])
    nearest = [
        int(np.argmin(np.square(model.locations_ - centre).sum(axis=1))) for centre in centres
    ]
    shares = [float((sky.population == k).mean()) for k in range(3)]
    table: dict[str, Any] = {
        "population": [f"{k} {what}" for k in (1, 2, 3) for what in ("planted", "found  ")],
        "share": _interleave(shares, model.weights_[nearest]),
    }
    for j, feature in enumerate(sky.feature_names):
        table[feature] = _interleave(centres[:, j], model.locations_[nearest, j])
    table["dof"] = _interleave([math.inf] * 3, model.dofs_[nearest])
    return ["Populations, planted and found:", to_text(table)]


def _interleave(planted: Iterable[float], found: Iterable[float]) -> list[float]:
    return [float(value) for pair in zip(planted, found, strict=True) for value in pair]


def _candidates(ranking: Ranking) -> list[str]:
    from peculiar.report import to_text

    shown = (
        "rank",
        "name",
        "robust_weight",
        "u-r",
        "u-r_error",
        "g-r",
        "g-r_error",
        "i-r",
        "z-r",
        "planted",
    )
    return [
        f"The {N_SHOWN} strangest objects (robust_weight: 1 is typical, 0 an outlier):",
        to_text({name: ranking.table[name] for name in shown}, N_SHOWN),
    ]


def _verdict(sky: Colours, ranking: Ranking, naive: int) -> list[str]:
    planted = int(sky.is_peculiar.sum())
    found = int(ranking.table["planted"][:planted].sum())
    return [
        f"Of the {planted} strangest objects, {found} were planted.",
        f"The same mixture, fitted and ranked as if there were no errors, has {naive} among its first {planted}.",
        "(A planted object that was badly measured cannot be told from an ordinary one.)",
    ]


def _write(folder: Path, model: RobustMixture, ranking: Ranking, lines: list[str]) -> None:
    from peculiar.files import write_whole
    from peculiar.report import to_csv

    folder.mkdir(parents=True, exist_ok=True)
    write_whole(folder / "ranking.csv", to_csv(ranking.table))
    write_whole(
        folder / "report.md", "\n".join(["# peculiar demo", "", "```text", *lines, "```", ""])
    )
    model.save(folder / "model.peculiar")
    print(
        f"\nWritten: {folder}/ranking.csv (all objects), report.md (this), model.peculiar (the fitted model)."
    )
