"""Figure 3: bounds are bounds, and samples agree with the integral."""

import numpy as np
from numpy.testing import assert_array_equal

from peculiar.reproduce import find_claims


def path(run, engine):
    return run("convergence")[0].numbers["engines"][engine]


def test_all_engines_start_at_one_place(run):
    starts = {
        path(run, engine)["log_likelihood"][0]
        for engine in ("exact", "structured", "factorized", "monte_carlo", "map")
    }
    assert len(starts) == 1


def test_exact_climbs_the_log_likelihood(run):
    exact = path(run, "exact")
    assert_array_equal(exact["objective"], exact["log_likelihood"])
    assert np.diff(exact["log_likelihood"]).min() > 0


def test_bounds_are_bounds_and_never_fall(run):
    structured, factorized = path(run, "structured"), path(run, "factorized")
    for one in (structured, factorized):
        assert (np.array(one["objective"]) < np.array(one["log_likelihood"])).all()
        assert np.diff(one["objective"]).min() > -1e-12
    # Where both have the same parameters.
    assert structured["objective"][0] > factorized["objective"][0]


def test_samples_and_integral_agree(run):
    exact, sampled = (
        np.array(path(run, name)["log_likelihood"]) for name in ("exact", "monte_carlo")
    )
    assert np.abs(exact - sampled).max() < 0.02 * (exact[-1] - exact[0])


def test_the_paper_is_right_about_its_engines(run):
    exact, structured = (path(run, name)["log_likelihood"][-1] for name in ("exact", "structured"))
    assert exact > structured
    assert structured > path(run, "map")["log_likelihood"][-1]
    claims = {
        c.quantity: c.agrees for c in find_claims("convergence")(run("convergence")[0].numbers)
    }
    assert claims["which bound is nearer to Monte-Carlo EM"] is True
