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


#: a state of a Puma 560 in a standard table (theta, d, a, alpha), parameters of its links (Lxx
#: Lxy Lxz Lyy Lyz Lzz lx ly lz m, about the frames) and the torques that SymPyBotics publishes for them, 10 decimals
PUMA = [(0, 0, 0, 1), (0, 0, 0.4318, 0), (0, 0.15005, 0.0203, -1), (0, 0.4318, 0, 1), (0, 0, 0, -1), (0, 0, 0, 0)]
STATE = [
    [0.7504516826728697, 0.8395156106908136, 0.16851233582594916,
     0.3849629637427072, 0.5252993946810777, 0.6701207256444748],
    [0.24721855939629367, 0.9805915670454258, 0.9895299755642817,
     0.7861135739668947, 0.273842245476577, 0.17182358900767503],
    [0.707405815485141, 0.25295715193420953, 0.9763909835998361,
     0.8412822676113918, 0.4867768296473465, 0.11480270540937143],
]  # fmt: skip
LINKS = [
    [0.47804562306292275, 0.5871876506259908, 0.9487349009746813, 0.35387185413632094, 0.28071604959871554,
     0.368556182617345, 0.24355010647230801, 0.6753463418802456, 0.9728151452953864, 0.6620741264406734],
    [0.34669638996014096, 0.01593886435340608, 0.3521748260592804, 0.5384045845183812, 0.021600503502885116,
     0.4654003203805651, 0.5202014161122065, 0.33744920539722967, 0.052363297799702835, 0.07051826001770234],
    [0.7389222546505236, 0.771434543548951, 0.3652539269897015, 0.2603059367721896, 0.4310648491411889,
     0.7071252186366607, 0.16320122542325732, 0.44948421506462655, 0.48085540250421277, 0.08408482356412372],
    [0.923593157615906, 0.46852453511703684, 0.6670004526434297, 0.573634975268657, 0.12665814747855264,
     0.3152822779549781, 0.21725524421221942, 0.5727451645276381, 0.7984025459787872, 0.7630923700903489],
    [0.27670044727992893, 0.919667661316697, 0.8828363383223908, 0.3618378476984413, 0.20690997158181246,
     0.8321536435628591, 0.556153477173109, 0.3985225289975399, 0.7128303168401632, 0.433898343199971],
    [0.35116090526732047, 0.551636779637059, 0.03397585970570116, 0.28333059714010744, 0.4785548774382852,
     0.16258401709779136, 0.8246056496848533, 0.23027686557606952, 0.26655111443159285, 0.6087446254045791],
]  # fmt: skip
TORQUES = [
    4.55384377546122,
    -18.3482765770679,
    -18.5150406032816,
    -3.48354572715293,
    -4.22434630683546,
    -8.50580534103007,
]


def test_published_vectors_of_a_puma():
    rows = [art.DH(theta, d, a, quarters * np.pi / 2) for theta, d, a, quarters in PUMA]
    robot = art.from_dh(rows, "standard", [art.Inertia(1.0, (0, 0, 0), np.eye(3))] * 6)
    ours = np.array(LINKS)[:, [9, 6, 7, 8, 0, 1, 3, 2, 4, 5]].ravel()
    Y, base = np.asarray(robot.regressor(*STATE)), art.base_parameters(robot)
    assert abs(Y @ ours - TORQUES).max() < 1e-9
    assert len(base) == 36
    assert abs(Y[:, base.columns] @ (base.matrix @ ours) - TORQUES).max() < 1e-9


def test_published_count_of_an_rx90_with_its_rotors():
    # Khalil and Dombre 2002, table 9.4: 40, four of them rotor inertias; 36 of the links
    table = [(0, 0, 0, 0), (0, 0, 0, 1), (0, 0, 0.45, 0), (0, 0.45, 0, -1), (0, 0, 0, 1), (0, 0, 0, -1)]
    rows = [art.DH(theta, d, a, quarters * np.pi / 2) for theta, d, a, quarters in table]
    robot = art.from_dh(rows, "modified", [art.Inertia(1.0, (0.1, 0.2, 0.3), np.eye(3))] * 6)
    assert len(art.base_parameters(robot)) == 36
    q, v, a = np.random.default_rng(0).normal(size=(3, 100, 6))
    Y = np.asarray(robot.regressor(q, v, a, friction="armature")).reshape(600, -1)
    assert np.linalg.matrix_rank(Y, tol=1e-9 * np.linalg.norm(Y)) == 40


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
