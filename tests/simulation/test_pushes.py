"""Ten seconds of standing, a drop from 0.3 m and 500 pushes, as one batch.

On another robot and under the whole-body law: `python -m tests.simulation.pushes`.
"""

import articulated as art

from .pushes import CATALOGUE, under_springs


def test_a_quadruped_stands_lands_and_is_pushed():
    found = under_springs(art.load("quadruped", floating_base=True), CATALOGUE)
    assert found.pushes >= 500 and found.falls == 0
    assert found.deepest < 5e-6 and found.residual <= 1e-6  # 0.1 mm was asked for
    assert found.crept < 1e-6
