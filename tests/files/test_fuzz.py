"""Ten thousand mutants of valid files meet our errors, or load."""

import pytest

from .fuzz import run


@pytest.mark.parametrize("seed", range(4))
def test_mutants_only_meet_our_errors(seed):
    met = run(2500, seed)
    assert met["loads"] > 50 and len(met) > 15
