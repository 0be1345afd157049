import os
import re
import tempfile
from importlib.util import find_spec

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


# -- with the hard dependencies alone -------------------------------------------------------

#: what test files import beyond them; without it they are skipped
EXTRAS = [
    "casadi", "daqp", "dask", "matplotlib", "mpmath", "mujoco", "pinocchio", "pyarrow", "scipy", "sympy", "xacro",
    "xarray",
]  # fmt: skip
#: tests that must pass all the same: a run that found nothing to do is no success
LEAST = 2500


def pytest_addoption(parser):
    parser.addoption("--bare", action="store_true", help="what works without any extra: fails if one is installed")


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    """A file that imports an extra which is not there is skipped, and says so."""
    report = yield
    missing = re.search(r"No module named '(\w+)", str(report.longrepr)) if report.failed else None
    if missing and missing[1] in EXTRAS:
        report.outcome, report.longrepr = "skipped", (str(collector.path), 1, f"Skipped: {missing[1]} is not installed")
    return report


def pytest_sessionfinish(session):
    config = session.config
    if config.getoption("--bare") and not hasattr(config, "workerinput"):
        reporter = config.pluginmanager.get_plugin("terminalreporter")
        passed, there = len(reporter.stats.get("passed", ())), [name for name in EXTRAS if find_spec(name)]
        if passed < LEAST or there:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
            reporter.write_line(f"\n{passed} tests passed, at least {LEAST} should; extras found: {there}")


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20261115)
