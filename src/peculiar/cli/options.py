"""Options that several commands share."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import click

from peculiar.cli.kinds import FILE, Components, Names, NumberOr
from peculiar.cli.memory import Size

F = TypeVar("F", bound=Callable[..., Any])


def together(*decorators: Callable[[F], F]) -> Callable[[F], F]:
    """Several options as one decorator, in this order in the help."""

    def decorate(function: F) -> F:
        for decorator in reversed(decorators):
            function = decorator(function)
        return function

    return decorate


# ------------------------------------------------------------------------------------ every command


def _debug(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and ctx.find_root().obj is not None:
        ctx.find_root().obj.is_debugging = True


debug_option = click.option(
    "--debug",
    is_flag=True,
    is_eager=True,
    expose_value=False,
    callback=_debug,
    help="Show errors with their traceback.",
)

json_option = click.option(
    "--json", "as_json", is_flag=True, help="Print one JSON object, for machines, and nothing else."
)

quiet_option = click.option("-q", "--quiet", is_flag=True, help="Print errors and warnings only.")

format_option = click.option(
    "--format",
    "format_",
    metavar="NAME",
    help="Format of the catalogue, if its extension and its look do not say: fits, votable, ecsv, csv, parquet, hdf5, "
    "mrt, ipac, sextractor, vizier, text.",
)

hdu_option = click.option(
    "--hdu",
    "table",
    metavar="TABLE",
    help="Which table of the file, by number or name; the same as FILE[TABLE].  [default: the first]",
)

overwrite_option = click.option(
    "--overwrite", is_flag=True, help="Replace files that exist already."
)

show_options = together(json_option, quiet_option, debug_option)


# ------------------------------------------------------------------------------------ features and errors


def seed_option(name: str, default: int, text: str) -> Callable[[F], F]:
    """``--seed``, as the argument of that name."""
    return click.option(
        "--seed",
        name,
        type=click.IntRange(min=0, max=2**32 - 1),
        default=default,
        show_default=True,
        metavar="N",
        help=text,
    )


def folder_option(default: str, writer: str) -> Callable[[F], F]:
    """``--out``, for a command that writes several files."""
    return click.option(
        "--out",
        type=click.Path(path_type=Path, file_okay=False),
        default=Path(default),
        show_default=True,
        help=f"Folder for the results; files that an earlier {writer} wrote there are replaced.",
    )


def features_option(*, required: bool) -> Callable[[F], F]:
    """How features are given. Where they are required, the command itself asks for them: it can say which there are."""
    more = "  [required]" if required else " They replace the features that the model remembers."
    return click.option(
        "--features",
        metavar="TEXT",
        help=f'Expressions of columns, separated by commas: "u - r, size = log10(radius)".{more}',
    )


error_options = together(
    click.option(
        "--error",
        "errors",
        multiple=True,
        metavar="X=ERROR",
        help="The error of column X: a column, UPPER,LOWER, ivar:COLUMN, variance:COLUMN, percent:COLUMN, or a number.",
    ),
    click.option("--no-error", "no_error", multiple=True, metavar="X", help="Column X is exact."),
    click.option(
        "--cov",
        "covariances",
        multiple=True,
        metavar="X,Y=COLUMN",
        help="The column with the covariance of the errors of X and Y; corr:COLUMN is a correlation, none means 0.",
    ),
    click.option(
        "--limit",
        "limits",
        multiple=True,
        metavar="X=COLUMN",
        help="The column that flags upper and lower limits in X, which count as missing; none takes all as measured.",
    ),
    click.option(
        "--missing",
        type=Names(),
        metavar="VALUE,VALUE...",
        help="Values that mean 'missing', such as -9999,99.",
    ),
    click.option(
        "--zero-errors",
        type=click.Choice(["missing", "exact", "refuse"]),
        help="What an error of exactly 0 means in a column with positive errors.  [default: missing]",
    ),
    click.option(
        "--sigma",
        type=click.FloatRange(min=0, min_open=True),
        metavar="N",
        help="Errors in the catalogue are N standard deviations.  [default: 1]",
    ),
    click.option(
        "--percent",
        is_flag=True,
        default=None,
        help="Errors in the catalogue are in per cent of their values.",
    ),
    click.option(
        "--error-floor",
        "error_floor",
        multiple=True,
        metavar="[X=]NUMBER",
        help="Raise smaller errors, also those of 0, to this: of all columns, or of X.",
    ),
    click.option(
        "--where",
        metavar="CONDITION",
        help="Which rows to take: \"class == 'QSO' and r < 19\", with == != < <= > >=, and, or, not.",
    ),
    hdu_option,
    format_option,
)


# ------------------------------------------------------------------------------------ large catalogues

large_options = together(
    click.option(
        "--memory",
        type=Size(),
        metavar="SIZE",
        help="How much memory may be used, such as 2GB: a catalogue that needs more is read in parts.  [default: what "
        "is free]",
    ),
    click.option(
        "--workers",
        type=click.IntRange(min=1),
        metavar="N",
        help="Read the catalogue in parts, and let so many processes of this computer work on them (Dask).",
    ),
    click.option(
        "--dask",
        "scheduler",
        metavar="ADDRESS",
        help="The same on a cluster of Dask that is there already: tcp://10.0.0.7:8786. Its workers must see the files "
        "under the same names.",
    ),
    click.option(
        "--dry-run",
        is_flag=True,
        help="Say what would be done, and about how long it takes; do nothing.",
    ),
)


# ------------------------------------------------------------------------------------ the fit

fit_options = together(
    click.option(
        "-k",
        "--components",
        "n_components",
        type=Components(),
        metavar="mml|bic|N",
        default="mml",
        show_default=True,
        help="Number of components, or how to find it: by message length (mml), which takes about a minute for 50,000 "
        "objects, or by BIC (bic), which takes longer.",
    ),
    click.option(
        "--max-components",
        type=click.IntRange(min=1),
        default=20,
        show_default=True,
        metavar="N",
        help="Largest number of components that mml and bic may find.",
    ),
    click.option(
        "--dof",
        type=NumberOr("estimate", "shared"),
        metavar="estimate|shared|NUMBER",
        default="estimate",
        show_default=True,
        help="Degrees of freedom of the components; inf means Gaussian.",
    ),
    click.option(
        "--scatter",
        type=click.Choice(["auto", "full", "diag"]),
        default="auto",
        show_default=True,
        help="Whether features may be correlated within a component (full), or not (diag), or as far as objects that "
        "were left out of the fit bear it out (auto).",
    ),
    click.option(
        "--wild",
        "wild_fraction",
        type=NumberOr("estimate"),
        metavar="estimate|NUMBER",
        default="estimate",
        show_default=True,
        help="Share of objects that belong to no component; 0 means none.",
    ),
    click.option(
        "--tol",
        type=click.FloatRange(min=0),
        default=1e-6,
        show_default=True,
        metavar="NUMBER",
        help="Stop when the log-likelihood per object can still rise by less than this.",
    ),
    click.option(
        "--max-iter",
        type=click.IntRange(min=1),
        default=1000,
        show_default=True,
        metavar="N",
        help="Stop after this many iterations.",
    ),
    seed_option(
        "random_state", 0, "Random seed of the start; the same seed gives the same result."
    ),
    click.option(
        "--jobs",
        "n_jobs",
        type=int,
        default=-1,
        metavar="N",
        help="Number of threads; results do not depend on it.  [default: all cores]",
    ),
)

RARITY = 2.5
"""That of OutlierDetector."""

rarity_option = click.option(
    "--rarity",
    type=click.FloatRange(min=0),
    default=RARITY,
    show_default=True,
    metavar="NUMBER",
    help="A component whose objects are this many standard deviations further from their company (the nearest tenth of "
    "all objects) than those of the bulk is a strange group, not a part of the ordinary population; inf: every "
    "component is ordinary.",
)


checkpoint_option = click.option(
    "--checkpoint",
    type=FILE,
    help="Keep what the fit has found so far in this file, every minute and when it is stopped. The same command goes "
    "on from there.",
)


# ------------------------------------------------------------------------------------ the ranked list

list_options = together(
    click.option(
        "--fdr",
        type=click.FloatRange(min=0, max=1, min_open=True),
        default=0.05,
        show_default=True,
        metavar="RATE",
        help="Accepted false-discovery rate.",
    ),
    click.option(
        "--method",
        type=click.Choice(["bh", "storey", "bayes"]),
        default="bh",
        show_default=True,
        help="How the false-discovery rate is controlled: by Benjamini and Hochberg's rule, by Storey's, or by "
        "outlier probabilities.",
    ),
    click.option(
        "--top",
        type=click.IntRange(min=0),
        default=20,
        show_default=True,
        metavar="N",
        help="How many objects to show, strangest first.",
    ),
    click.option(
        "--order",
        type=click.Choice(["plain", "mixed"]),
        default="plain",
        show_default=True,
        help="Strangest first (plain); or the discoveries in turns, the first of each strange group before the second "
        "of any (mixed).",
    ),
    click.option("--groups", is_flag=True, help="Show the strange groups alone, without the list."),
    click.option("--show", type=Names(), help="Columns of the catalogue to show for each object."),
    click.option(
        "--out",
        type=FILE,
        help="Write all objects, strangest first, with all their columns; the extension sets the format.",
    ),
    click.option(
        "--plain",
        is_flag=True,
        help="Write text to CSV as it is, also what a spreadsheet would run as a formula (= + - @ at its beginning).",
    ),
)


@dataclass(frozen=True)
class ListWanted:
    """What ``list_options`` give."""

    fdr: float
    method: str
    top: int
    order: str
    groups: bool
    show: Sequence[str] | None
    out: Path | None
    plain: bool = False

    @classmethod
    def of(cls, options: dict[str, Any]) -> ListWanted:
        """Those among all options of a command."""
        return cls(*(options[name] for name in cls.__dataclass_fields__))

    @property
    def reads(self) -> dict[str, Any]:
        """Which columns that takes besides those of the features."""
        return {"whole": self.out is not None, "show": self.show}
