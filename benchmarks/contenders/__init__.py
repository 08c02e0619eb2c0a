"""Who runs: one small file per program, one function per contender.

A contender is a function ``(problem, iterations) -> Mixture`` that runs so many iterations from the problem's
start and stops for no other reason. This file imports none of them, because each needs its own libraries: the
worker imports the one it was asked for.
"""

from __future__ import annotations

from dataclasses import dataclass

REFERENCE = "numpy_xd"


@dataclass(frozen=True)
class Contender:
    """A row of the tables.

    Attributes
    ----------
    label : str
        What the tables call it.
    module, function : str
        Where it is, below ``benchmarks.contenders``.
    model : {"t with errors", "Gaussian with errors", "t", "Gaussian"}
        What it fits. Likelihoods are comparable within a model.
    package : str
        What must be installed for it, "" if nothing but NumPy. The peers' packages live in their own venv.
    max_pairs : int
        Problems with more (object x component) are left out: they would take minutes per iteration.
    """

    label: str
    module: str
    function: str
    model: str
    package: str = ""
    max_pairs: int = 10**9

    @property
    def is_peer(self) -> bool:
        """Whether it runs in the peers' venv."""
        return self.package not in {"", "peculiar"}

    @property
    def takes_errors(self) -> bool:
        """Whether the model knows of measurement errors."""
        return self.model.endswith("errors")


CONTENDERS = {
    REFERENCE: Contender("NumPy XD (reference)", "numpy_xd", "fit", "Gaussian with errors"),
    "peculiar_xd": Contender(
        "peculiar, dof=inf", "peculiar_mixture", "fit_xd", "Gaussian with errors", "peculiar"
    ),
    "pygmmis": Contender(
        "pygmmis", "pygmmis_gmm", "fit", "Gaussian with errors", "pygmmis", max_pairs=1_000_000
    ),
    "astroml": Contender(
        "astroML XDGMM",
        "astroml_xdgmm",
        "fit",
        "Gaussian with errors",
        "astroML",
        max_pairs=100_000,
    ),
    "peculiar_structured": Contender(
        "peculiar, structured", "peculiar_mixture", "fit_structured", "t with errors", "peculiar"
    ),
    "peculiar_exact": Contender(
        "peculiar, exact", "peculiar_mixture", "fit_exact", "t with errors", "peculiar"
    ),
    "studenttmixture": Contender(
        "studenttmixture", "studenttmixture_em", "fit", "t", "studenttmixture"
    ),
    "peculiar_t": Contender("peculiar, no errors", "peculiar_mixture", "fit_t", "t", "peculiar"),
    "sklearn": Contender(
        "scikit-learn GaussianMixture", "sklearn_gmm", "fit", "Gaussian", "scikit-learn"
    ),
    "peculiar_gmm": Contender(
        "peculiar, no errors, dof=inf", "peculiar_mixture", "fit_gmm", "Gaussian", "peculiar"
    ),
    # Not fits: one "iteration" is one call of score_samples.
    "peculiar_score_exact": Contender(
        "peculiar, exact: score_samples",
        "peculiar_mixture",
        "score_exact",
        "t with errors",
        "peculiar",
    ),
    "peculiar_score_structured": Contender(
        "peculiar, structured: score_samples",
        "peculiar_mixture",
        "score_structured",
        "t with errors",
        "peculiar",
    ),
}
