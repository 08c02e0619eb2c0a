"""Every experiment in a tiny version, run once."""

import pickle
import warnings

import pytest

from peculiar.kernels._jit import alone
from peculiar.reproduce.convergence import Convergence
from peculiar.reproduce.illustration import Illustration
from peculiar.reproduce.lymphography import LymphographyErrors
from peculiar.reproduce.noise_levels import NoiseLevels
from peculiar.reproduce.quasars import QuasarRedshifts

TINY = {
    "illustration": Illustration(),
    "convergence": Convergence(n_iterations=20, n_sweeps=100, burn_in=20),
    "noise-levels": NoiseLevels(levels=(1e-10, 1.0, 100.0), n_realisations=2),
    "lymphography": LymphographyErrors(n_splits=2, n_realisations=2, amounts=(72.0,)),
    "quasars": QuasarRedshifts(n_objects=400, n_components=(1, 2), n_starts=2, n_selected=150),
}


@pytest.fixture(scope="session")
def run(tmp_path_factory, worker_id):
    """The outcome of a tiny experiment by name, and what it said on the way.

    Files of tests may be run by several processes: the first that needs an experiment leaves its outcome to the others.
    """
    own = tmp_path_factory.getbasetemp()
    folder = own if worker_id == "master" else own.parent
    done = {}

    def outcome_of(name):
        if name not in done:
            file = folder / f"{name}.outcome"
            with alone(file.with_suffix(".lock")):
                if not file.exists():
                    file.write_bytes(pickle.dumps(carried_out(name)))
                done[name] = pickle.loads(file.read_bytes())
        return done[name]

    return outcome_of


def carried_out(name):
    steps = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of fits to so little; the documents count them
        outcome = TINY[name].run(lambda *step: steps.append(step))
    return outcome, steps
