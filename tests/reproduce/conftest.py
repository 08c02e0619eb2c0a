"""Every experiment in a tiny version, run once."""

from pathlib import Path

import pytest

from peculiar.reproduce.convergence import Convergence
from peculiar.reproduce.illustration import Illustration
from peculiar.reproduce.lymphography import LymphographyErrors
from peculiar.reproduce.noise_levels import NoiseLevels
from peculiar.reproduce.quasars import QuasarRedshifts

TINY = {
    "illustration": Illustration(),
    "convergence": Convergence(n_iterations=20, n_sweeps=100, burn_in=20),
    "noise-levels": NoiseLevels(levels=(1e-10, 1.0, 100.0), n_realisations=2),
    "lymphography": LymphographyErrors(n_splits=2, n_realisations=2),
    "quasars": QuasarRedshifts(n_objects=400, n_components=(1, 2), n_starts=2, n_selected=150),
}


def pytest_collection_modifyitems(items):
    """All tests here go to one worker: two would run every experiment twice."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.xdist_group("reproduce"))


class Steps(list):
    """Remembers how far an experiment said it was."""

    def __call__(self, done, n, what):
        self.append((done, n, what))


@pytest.fixture(scope="session")
def run():
    """The outcome of a tiny experiment by name, and what it said on the way."""
    done = {}

    def outcome_of(name):
        if name not in done:
            import warnings

            steps = Steps()
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")  # of fits to so little; the documents count them
                done[name] = TINY[name].run(steps), steps
        return done[name]

    return outcome_of
