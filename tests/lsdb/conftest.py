"""A small sky on disk in HATS format, and the same rows in memory. Imports are made late: LSDB may not be installed."""

import pytest


@pytest.fixture(autouse=True)
def in_this_thread():
    """Quick, and whatever happens does so in an order that is known."""
    import dask

    with dask.config.set(scheduler="synchronous"):
        yield


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """The folder of a catalogue with 1,500 objects."""
    from tests.lsdb.helpers import make_catalog

    path = tmp_path_factory.mktemp("hats") / "sky"
    make_catalog().write_catalog(path, as_collection=False, progress_bar=False)
    return path


@pytest.fixture(scope="session")
def sky(folder):
    import lsdb

    return lsdb.open_catalog(folder)


@pytest.fixture(scope="session")
def memory(sky):
    """Its rows, in the order of the partitions."""
    return sky.compute(progress_bar=False)


@pytest.fixture(scope="session")
def model(memory):
    """Of the rows in memory."""
    from peculiar import RobustMixture
    from peculiar.catalogue.recipe import Recipe
    from tests.lsdb.helpers import FEATURES

    recipe = Recipe.of(FEATURES, missing=[-9999])
    model = RobustMixture(2, wild_fraction="estimate", random_state=0, tol=1e-4)
    model.fit(**recipe.measure(memory).arguments()).recipe_ = recipe
    return model
