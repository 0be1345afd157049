"""Thousands of mutants of valid files meet our errors, or load."""

import pytest

from .fuzz import run


@pytest.mark.parametrize("seed", range(2))
@pytest.mark.parametrize(("name", "count"), [("urdf", 2000), ("toml", 2000), ("mjcf", 2000)])
def test_mutants_only_meet_our_errors(name, count, seed):
    if name == "mjcf":
        import mujoco  # noqa: F401 (without it every mutant would meet the same error)
    met = run(name, count, seed)
    assert met["loads"] > 50 and len(met) > {"urdf": 15, "toml": 6, "mjcf": 3}[name]
