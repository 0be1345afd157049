"""Long chains and wide stars load in linear time; `python -m tests.files.long_chains` measures 10^3 to 10^5."""

import pytest

import articulated as art

from .long_chains import chain, seconds, star


@pytest.mark.parametrize("text", [chain(2000), star(2000)], ids=["chain", "star"])
def test_two_thousand_links(text):
    assert art.load(text).nv == 2000


def test_time_per_link_does_not_grow():
    short, long = (min(seconds(n) for _ in range(2)) / n for n in (300, 3000))
    assert long < 2.5 * short
    assert long < 1e-3  # 0.2 ms on an idle machine
