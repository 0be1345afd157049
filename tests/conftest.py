import gc
import os
import re
import tempfile
from importlib import metadata
from importlib.util import find_spec

import numpy as np
import pytest


def pytest_configure(config):
    """One kernel cache for the run, shared by its workers; never the user's."""
    if not hasattr(config, "workerinput"):
        config.kernel_cache = tempfile.TemporaryDirectory(prefix="articulated-test-")
        os.environ["ARTICULATED_CACHE"] = os.path.join(config.kernel_cache.name, "cache")


@pytest.hookimpl(wrapper=True)
def pytest_collection(session):
    """What is collected stays: no search for garbage meanwhile, nor among it later."""
    gc.disable()
    yield
    gc.freeze()
    gc.enable()


def pytest_unconfigure(config):
    if hasattr(config, "kernel_cache"):
        config.kernel_cache.cleanup()


# -- with the hard dependencies alone -------------------------------------------------------


def _installed(name):
    if name != "example_robot_data":  # files alone
        return find_spec(name) is not None
    try:
        return bool(metadata.version(name))
    except metadata.PackageNotFoundError:
        return False


#: packages of the extras, by the names they are imported and asked for by
EXTRAS = {
    "casadi": "casadi", "daqp": "test", "dask": "test", "matplotlib": "plot", "mpmath": "symbolic", "mujoco": "mjcf",
    "pandas": "data", "pinocchio": "test", "pyarrow": "data", "scipy": "test", "sympy": "symbolic",
    "xacro": "xacro", "xarray": "data", "example_robot_data": "robots",
    "torch": "torch", "jax": "jax", "gymnasium": "rl", "viser": "view", "trimesh": "view",
    "roboticstoolbox": "docs",
}  # fmt: skip
ABSENT = {name for name in EXTRAS if not _installed(name)}
#: tests that must pass all the same: a run that found nothing to do is no success
LEAST = 500


def pytest_addoption(parser):
    parser.addoption("--bare", action="store_true", help="skip what needs an extra; fail if one is installed")


def absent(text):
    """Packages of extras that an error is about, and that are really absent."""
    named = set(re.findall(r"No module named '(\w+)", text))
    named |= {name for name, extra in EXTRAS.items() if f"pip install 'articulated[{extra}]'" in text}
    return sorted(named & ABSENT)


def without_an_extra(report, path, text):
    """A failure becomes a skip if the error is about a package of an extra, and that is absent."""
    if report.failed and (missing := absent(text)):
        report.outcome, report.longrepr = "skipped", (str(path), 1, f"Skipped: {', '.join(missing)} not installed")
    return report


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector):
    report = yield
    bare = collector.config.getoption("--bare")
    return without_an_extra(report, collector.path, str(report.longrepr)) if bare else report


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item, call):
    report = yield
    bare = item.config.getoption("--bare") and call.excinfo
    return without_an_extra(report, item.path, str(call.excinfo.value)) if bare else report


def pytest_sessionfinish(session):
    config = session.config
    if config.getoption("--bare") and not hasattr(config, "workerinput"):
        reporter = config.pluginmanager.get_plugin("terminalreporter")
        passed, there = len(reporter.stats.get("passed", ())), [name for name in EXTRAS if name not in ABSENT]
        if passed < LEAST or there:
            session.exitstatus = pytest.ExitCode.TESTS_FAILED
            reporter.write_line(f"\n{passed} tests passed, at least {LEAST} should; extras that are there: {there}")


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(20261115)
