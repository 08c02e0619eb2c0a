"""``peculiar demo``: the whole way on a simulated catalogue, where the truth is known."""

from __future__ import annotations

import math
import time
import warnings
from collections.abc import Iterable
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from peculiar.cli.console import Screen
from peculiar.cli.options import RARITY, ListWanted, debug_option, folder_option, seed_option
from peculiar.errors import CatalogueError
from peculiar.files import check_writable
from peculiar.install import how_to_install

if TYPE_CHECKING:
    from peculiar.catalogue import Measurements
    from peculiar.datasets import Colours
    from peculiar.estimators.plain import PlainMixture
    from peculiar.report import Candidates

BANDS = "ugiz"
FEATURES = "u - r, g - r, i - r, z - r"
WANTED = ListWanted(
    fdr=0.05, method="bh", top=20, order="plain", groups=False, show=("name",), out=None
)

EPILOG = """\
\b
Example:
  peculiar demo --out demo
"""


@click.command(epilog=EPILOG, short_help="Simulate, fit, and compare with what was planted.")
@folder_option("demo-output", "demo")
@click.option(
    "--objects",
    type=click.IntRange(min=100),
    default=3000,
    show_default=True,
    help="Size of the catalogue.",
)
@click.option(
    "--peculiar",
    type=click.IntRange(min=0),
    default=30,
    show_default=True,
    help="Number of peculiar objects to plant.",
)
@seed_option("seed", 1, "Seed of the simulation and the fit.")
@debug_option
def command(out: Path, objects: int, peculiar: int, seed: int) -> None:
    """Simulate a catalogue, fit it, and compare what was planted with what was found.

    The catalogue has colours with errors, and some peculiar objects are planted in it. It is fitted and ranked, as
    `peculiar rank` does, and the discoveries are compared with the truth. The command writes catalogue.csv,
    ranking.csv, report.md, model.peculiar and, if Bokeh is installed, the page report.html.
    """
    from peculiar.catalogue.recipe import Recipe
    from peculiar.cli.judging import judge
    from peculiar.datasets import make_colours

    if peculiar >= objects:
        raise click.UsageError(f"cannot plant {peculiar} peculiar objects among {objects}")
    out.mkdir(parents=True, exist_ok=True)  # a folder that cannot be made is better known now
    _refuse_strangers(out)
    screen = Screen(writes=True)
    sky = make_colours(objects, n_peculiar=peculiar, random_state=seed)
    catalogue, recipe = as_catalogue(sky), Recipe(FEATURES)
    measured = recipe.measure(catalogue)
    screen.say(_describe(sky))
    model = _fit(screen, measured, recipe, seed)
    candidates = judge(screen, model, measured, WANTED)
    with screen.working("the same without errors"):
        naive = _ignoring_errors(sky, seed)
    lines = [
        *_populations(sky, model),
        "",
        *_candidates(sky, candidates),
        "",
        *_verdict(sky, candidates, naive),
    ]
    screen.lines("\n".join(lines))
    _write(out, catalogue, model, candidates, lines)
    page = _write_page(screen, out, catalogue, model, candidates, recipe)
    screen.lines(
        f"\nWritten to {out}: catalogue.csv (the simulated sky), ranking.csv (all objects, strangest first),\n"
        "report.md (this), model.peculiar (the fitted model). For instance:\n"
        f"  peculiar score {out}/model.peculiar {out}/catalogue.csv --show name,planted"
    )
    screen.lines(page)


WRITTEN = ("catalogue.csv", "ranking.csv", "report.md", "model.peculiar", "report.html")
TITLE = "# peculiar demo"


def _refuse_strangers(folder: Path) -> None:
    """Refuse files of these names that no earlier demo has written, or that cannot be written."""
    for name in WRITTEN:
        check_writable(folder / name)
    found = [name for name in WRITTEN if (folder / name).exists()]
    report = folder / "report.md"
    is_ours = report.is_file() and report.read_bytes().startswith(TITLE.encode())
    if found and not is_ours:
        raise CatalogueError(
            f"{folder} already has {', '.join(found)}, and not from an earlier demo; choose another folder with --out"
        )


def as_catalogue(sky: Colours) -> dict[str, Any]:
    """Magnitudes and their errors, from which the same colours and errors follow."""
    import numpy as np

    shared = np.sqrt(sky.X_cov[:, 0, 1])  # all colours have the error of r
    table: dict[str, Any] = {"name": sky.names}
    for j, band in enumerate(BANDS):
        table[band] = (sky.X[:, j] + sky.r_mag).round(4)
        table[f"{band}_err"] = np.sqrt(sky.X_cov[:, j, j] - np.square(shared)).round(4)
    table |= {"r": sky.r_mag.round(4), "r_err": shared.round(4)}
    order = ["name", *(name for band in "ugriz" for name in (band, f"{band}_err"))]
    return {name: table[name] for name in order} | {"planted": sky.is_peculiar}


def _describe(sky: Colours) -> str:
    import numpy as np

    errors = np.sqrt(np.diagonal(sky.X_cov, axis1=1, axis2=2))
    low, typical, high = np.percentile(errors[:, 0], [5, 50, 95])
    return (
        f"A simulated catalogue: {len(sky.X)} objects of three populations, {int(sky.is_peculiar.sum())} peculiar ones "
        f"planted.\nColours {', '.join(sky.feature_names)}; the error of u-r runs from {low:.2f} to {high:.2f} mag "
        f"(median {typical:.2f});\nerrors are correlated, {np.isnan(sky.X).mean():.1%} of the values are missing.\n"
    )


def _fit(screen: Screen, measured: Measurements, recipe: Any, seed: int) -> PlainMixture:
    from peculiar.cli.fitting import fit_model

    started = time.monotonic()
    screen.say(
        "Fitting three robust components and a wild tail (the first time, kernels are compiled) ..."
    )
    settings = {
        "n_components": 3,
        "wild_fraction": "estimate",
        "tol": 1e-6,
        "max_iter": 1000,
        "random_state": seed,
        "n_jobs": -1,
    }
    model = fit_model(screen, settings, measured, recipe, RARITY)
    screen.say(f"done: {model.n_iter_} iterations in {time.monotonic() - started:.0f} s.\n")
    return model


def _ignoring_errors(sky: Colours, seed: int) -> int:
    """How many planted objects the same model finds at the top if it takes every value as exact."""
    import numpy as np

    from peculiar.estimators import RobustMixture

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        model = RobustMixture(3, wild_fraction="estimate", random_state=seed, n_jobs=-1).fit(sky.X)
    top = np.argsort(model.tail_probabilities(sky.X).log_p)[: int(sky.is_peculiar.sum())]
    return int(sky.is_peculiar[top].sum())


def _populations(sky: Colours, model: PlainMixture) -> list[str]:
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
        "share": _interleave(shares, (1 - model.wild_fraction_) * model.weights_[nearest]),
    }
    for j, feature in enumerate(sky.feature_names):
        table[feature] = _interleave(centres[:, j], model.locations_[nearest, j])
    table["dof"] = _interleave([math.inf] * 3, model.dofs_[nearest])
    wild = (
        f"In no population: {sky.is_peculiar.mean():.3f} planted, {model.wild_fraction_:.3f} found."
    )
    return ["Populations, planted and found:", to_text(table), wild]


def _interleave(planted: Iterable[float], found: Iterable[float]) -> list[float]:
    return [float(value) for pair in zip(planted, found, strict=True) for value in pair]


def _candidates(sky: Colours, candidates: Candidates) -> list[str]:
    from peculiar.cli.show_list import top_of_list
    from peculiar.report import to_text

    order = candidates.order
    table = top_of_list(candidates, {"name": sky.names[order]}, WANTED.top)
    table["planted"] = [
        "yes" if planted else "" for planted in sky.is_peculiar[order[: WANTED.top]]
    ]
    return [f"The {len(table['rank'])} strangest objects:", to_text(table)]


def _verdict(sky: Colours, candidates: Candidates, naive: int) -> list[str]:
    planted = int(sky.is_peculiar.sum())
    verdict, found = candidates.verdict, candidates.n_discoveries
    right = int(sky.is_peculiar[verdict["row"][verdict["is_discovery"]]].sum())
    top = int(sky.is_peculiar[candidates.order[:planted]].sum())
    discoveries = (
        f"{found} objects are discoveries at a false-discovery rate of {100 * WANTED.fdr:g} %"
    )
    return [
        f"{discoveries}; {right} of them were planted, of {planted} in all.",
        f"Of the {planted} strangest objects, {top} were planted.",
        f"The same mixture, fitted and ranked without the errors, has {naive} planted objects in its first {planted}.",
        "(A planted object that was badly measured cannot be told from an ordinary one.)",
    ]


def _write(
    folder: Path,
    catalogue: dict[str, Any],
    model: PlainMixture,
    candidates: Candidates,
    lines: list[str],
) -> None:
    from peculiar.catalogue.columns.plain_names import plain_names
    from peculiar.files import write_whole
    from peculiar.report import to_csv

    ranking = {"rank": candidates.verdict["rank"]}
    ranking |= {"name": catalogue["name"][candidates.order], **candidates.verdict}
    for name, own in zip(
        plain_names([*candidates.features]), candidates.features.values(), strict=True
    ):
        ranking |= {f"{name}{end}": column for end, column in own.items()}
    ranking["planted"] = catalogue["planted"][candidates.order]
    write_whole(folder / "catalogue.csv", to_csv(catalogue))
    write_whole(folder / "ranking.csv", to_csv(ranking))
    write_whole(folder / "report.md", "\n".join([TITLE, "", "```text", *lines, "```", ""]))
    model.save(folder / "model.peculiar")


def _write_page(
    screen: Screen,
    folder: Path,
    catalogue: dict[str, Any],
    model: PlainMixture,
    candidates: Candidates,
    recipe: Any,
) -> str:
    """Write the page about the list; a line that says where it is, or what it takes."""
    from peculiar.catalogue import as_table
    from peculiar.report import describe_run, model_in_words, ranked_table
    from peculiar.report.scene import read_scene

    if find_spec("bokeh") is None:
        return f"With Bokeh there would be a page to look at, too: {how_to_install('explore')}"
    from peculiar.explore import write_report

    by: dict[str, Any] = {"fdr": WANTED.fdr, "method": WANTED.method}
    place, command = f"{folder}/catalogue.csv", f"peculiar demo --out {folder}"
    about = describe_run(command, place, model_in_words(model), candidates, recipe, **by)
    with screen.working("writing report.html"):
        ranked = ranked_table(as_table(catalogue), candidates, about)
        page = folder / "report.html"
        write_report(read_scene(ranked, model, show=("planted",), title="A simulated sky"), page)
    return f"\nThe page to look at, in a browser: {page.resolve()}"
