"""Base parameters: published counts, and the law that nothing is lost and nothing is left over."""

import numpy as np
import pytest

import articulated as art
from articulated.identification.base import random_rows
from tests.zoo import random_tree, with_mimic

#: published counts of the links alone: Gaz et al. 2019; Mayeda et al. 1990 (no rotors); Kufieta 2014; Khalil and Dombre
PUBLISHED = {"panda": 43, "puma560": 36, "ur5": 36, "stanford": 33}
ROBOTS = {
    "mimic": with_mimic,
    "tree of every joint": lambda: random_tree(5, 8),
    "floating": lambda: art.load("quadruped", floating_base=True),
    "motors": lambda: art.load("tree4").add_motors([art.Motor("j2", ratio=50, inertia=1e-4)]),
    "no gravity": lambda: art.load("3r").replace(gravity=(0, 0, 0)),
}


@pytest.mark.parametrize("name", PUBLISHED)
def test_published_counts(name):
    assert len(art.base_parameters(art.load(name))) == PUBLISHED[name]


def test_a_floating_quadruped_has_as_many_as_solo():
    # ten of the trunk and seven of each hinge beyond it
    assert len(art.base_parameters(art.load("quadruped", floating_base=True))) == 10 + 12 * 7


@pytest.mark.parametrize("make", ROBOTS.values(), ids=ROBOTS)
def test_base_parameters_are_all_that_torques_show(make):
    robot = make()
    base, W = art.base_parameters(robot), random_rows(robot, seed=7)
    size = abs(W @ robot.parameters).max()
    assert abs(W[:, base.columns] @ base.values - W @ robot.parameters).max() < 1e-12 * size
    assert np.linalg.matrix_rank(W[:, base.columns] / np.linalg.norm(W[:, base.columns], axis=0)) == len(base)
    assert (base.matrix[:, base.columns] == np.eye(len(base))).all()
    assert base.gap > 5


def test_they_read_as_sums():
    base = art.base_parameters(art.load("2r"))
    assert base.combinations[0] == "link1_Izz - 0.25 link1_m - 0.25 link2_m"
    assert "link1_Ixx" in base.unseen
    assert "6 base parameters of 20" in str(base)
