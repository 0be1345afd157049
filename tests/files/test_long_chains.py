"""Work per link does not grow; `python -m tests.files.long_chains` measures the time for 10^3 to 10^5."""

from functools import partial

import pytest

import articulated as art
from tests.counting import calls

from .long_chains import chain, star


@pytest.mark.parametrize("text", [chain(2000), star(2000)], ids=["chain", "star"])
def test_two_thousand_links(text):
    assert art.load(text).nv == 2000


@pytest.mark.parametrize("shape", [chain, star], ids=["chain", "star"])
def test_work_per_link_does_not_grow(shape):
    """It is 510 calls of functions; 0.2 ms."""
    short, long = (calls(partial(art.load, shape(n))) / n for n in (200, 1000))
    assert long < 1.05 * short < 560
