import os
import tempfile

import numpy as np
import pytest


def pytest_configure(config):
    """One kernel cache for the run, shared by its workers; never the user's."""
    if not hasattr(config, "workerinput"):
        config.kernel_cache = tempfile.TemporaryDirectory(prefix="articulated-test-")
        os.environ["ARTICULATED_CACHE"] = os.path.join(config.kernel_cache.name, "cache")


def pytest_unconfigure(config):
    if hasattr(config, "kernel_cache"):
        config.kernel_cache.cleanup()


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20261115)
