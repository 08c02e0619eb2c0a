"""Rows in the frame, (e, b, dof), on which engines are held to their twins; and how errors count."""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np

from tests.reference.rows import Floats
from tests.reference.scale import ScaleMoments

OfRow = Callable[[Floats, Floats, float], ScaleMoments]


class Case(NamedTuple):
    """Residuals and noise variances in the frame, and the degrees of freedom."""

    e: Floats
    b: Floats
    dof: float


def case(e: tuple[float, ...], b: tuple[float, ...], dof: float) -> Case:
    return Case(np.array(e, dtype=float), np.array(b, dtype=float), float(dof))


HARD = {
    "ordinary": case((0.5, -1.0), (0.3, 2.0), 4),
    # Two modes: an outlier, or a bad measurement of an ordinary object?
    "two modes, equal weight": case((30,), (75,), 1.6),
    "two modes, as wide as deep": case((30,), (30**2 / 12,), 2),
    "valley of e^-23": case((9e3,), (1e6,), 5),
    "valley of e^-35, equal weight": case((1e6,), (1e10,), 3.6),
    "valley of e^-69": case((1e6,), (5e9,), 8),
    "E[u] from e^-30 of the probability": case((1e6,), (1e10,), 1.5),
    "E[t t] from e^-38 of the probability": case((8.7, 0.04, 2e-3), (2e8, 1e-7, 0), 2.8),
    "E[t t] from the far left mode": case((1e6, 1, 0.7), (4.7e11, 1e-2, 0), 1),
    "three modes": case((20, 2e3, 2e5), (10, 1e5, 1e9), 3),
    "four modes, one carries all": case((1e2, 1e4, 1e6), (2e2, 1e6, 1e10), 3),
    "two modes, dof 1000": case((1e5,), (6.229e5,), 1e3),
    "two modes, dof 1e6, equal weight": case((1e6,), (72796.9241565848,), 1e6),
    "two modes among 20 features": case((1e4, *[0.7] * 19), (1e6, *[0.1] * 19), 5),
    # One feature, few degrees of freedom: the longest tails
    "dof 0.5, exact": case((0.1,), (0,), 0.5),
    "dof 0.5, useless measurement": case((0.1,), (1e12,), 0.5),
    "dof 0.5, far and useless": case((1e6,), (1e12,), 0.5),
    "dof 0.5, far and exact": case((1e6,), (1e-12,), 0.5),
    "dof 0.5, at the centre": case((0,), (1,), 0.5),
    "dof 0.5, 20 useless features": case((3,) * 20, (1e12,) * 20, 0.5),
    # Noise of deficient rank
    "one of two exact": case((1.5, -3), (0, 10), 3),
    "one of three noisy": case((1e3, 0.2, 0), (0, 1e6, 0), 1),
    "all exact": case((1, -2, 30), (0, 0, 0), 2.5),
    "all exact, far": case((1e6, 1e6), (0, 0), 0.5),
    "one exact of 20": case((2,) * 20, (0, *[1e3] * 19), 2),
    # Nearly Gaussian
    "dof 1e6, far": case((1e6,), (1e-3,), 1e6),
    "dof 1e6, far and noisy": case((1e6, 1), (1e8, 1e-6), 1e6),
    "dof 1e6, near": case((0.3, 1, 2), (0, 1, 1e3), 1e6),
    "dof inf": case((0.3, 1, 20), (0, 1, 1e3), np.inf),
    "dof inf, far": case((1e6, 1e6), (1e12, 1e-12), np.inf),
    # The ends of the range together
    "noise from 1e-12 to 1e12": case((1e-3, 1, 1e3, 1e6, -1e6), (1e-12, 1e-6, 1, 1e6, 1e12), 2),
    "noise from 1e12 to 1e-12": case((1e-3, 1, 1e3, 1e6, -1e6), (1e12, 1e6, 1, 1e-6, 1e-12), 2),
    "20 features, ends of the range": case((1e6,) * 20, (0, 1e-12, *[1e12] * 18), 0.5),
    "20 features at the centre": case((0,) * 20, (1e12, *[0] * 19), 30),
}


def random_case(seed: int) -> Case:
    """A row from anywhere in the range asked of the engines.

    A third has residuals of any size; a third such as their own noise makes ordinary; a third such
    that noise and outlier compete for them. The dof is finite.
    """
    rng = np.random.default_rng([2007, seed])
    p = int(rng.integers(1, 21)) if rng.random() < 0.3 else int(rng.integers(1, 6))
    dof = np.exp(rng.uniform(np.log(0.5), np.log(1e6)))
    b = 10 ** rng.uniform(-12, 12, p) * (rng.random(p) < 0.8)
    if seed % 3 == 0:
        e = 10 ** rng.uniform(-3, 6, p) * (rng.random(p) < 0.9)
    elif seed % 3 == 1:
        e = np.sqrt(1 + b) * rng.normal(size=p)
    else:
        dof = np.exp(rng.uniform(np.log(0.5), np.log(100)))
        e = np.sqrt(b * rng.uniform(2, 120, p)) + rng.normal(size=p)
    sign = rng.choice([-1.0, 1.0], p)
    return Case(sign * np.minimum(np.abs(e), 1e6), b, float(dof))


def relative_errors(ours: ScaleMoments, twin: ScaleMoments) -> dict[str, float]:
    """The largest error of each quantity, relative to what it is measured by.

    log_prob counts relative to 1e3 (1e-9 absolute is 1e-12 of that) or its own size if larger;
    log_u, which crosses zero, relative to itself or its posterior standard deviation.
    """
    scales = {
        "log_prob": max(1e3, abs(twin.log_prob)),
        "log_u": max(abs(twin.log_u), twin.std_log_u, 1e-300),
    }
    errors = {}
    for name in ("log_prob", "u", "log_u", "ut", "utt", "t", "tt"):
        mine, theirs = np.asarray(getattr(ours, name)), np.asarray(getattr(twin, name))
        assert mine.shape == theirs.shape, name
        scale = scales.get(name, np.abs(theirs))
        errors[name] = float(np.max(np.abs(mine - theirs) / scale))
    return errors


def assert_as_accurate_as_promised(ours: OfRow, twin: OfRow, case: Case, *, limit: float) -> None:
    """That an engine's log_prob is right to 1e-12, and its other moments to ``limit``."""
    for name, error in relative_errors(ours(*case), twin(*case)).items():
        allowed = 1e-12 if name == "log_prob" else limit
        assert error <= allowed, f"{name} is off by {error:.2g} (allowed: {allowed}) for {case}"
