"""Screws: every pose is the product of matrix exponentials, computed here by SciPy."""

import numpy as np
import pytest

from articulated.algebra.spatial import Inertia, Transform
from articulated.errors import ModelError
from articulated.files.screws import screw_links
from articulated.joints import Helical, Prismatic, Revolute
from articulated.model import build

from .poses import poses

rng = np.random.default_rng(5)
UNIT = np.array([1.0, 2.0, -2.0]) / 3
SCREWS = [
    [0, 0, 0, 0, 0, 1],  # revolute through the origin
    [*np.cross([0.1, 0.2, 0.3], UNIT), *UNIT],  # revolute through a point
    [*UNIT, 0, 0, 0],  # prismatic
    [*(np.cross([0.3, -0.1, 0.2], UNIT) + 0.05 * UNIT), *UNIT],  # helical
    [0, 0.02, 0, 0, 1, 0],  # helical through the origin
]
KINDS = [Revolute, Revolute, Prismatic, Helical, Helical]
HOME = [Transform.from_rpy(rng.uniform(-1, 1, 3), rng.uniform(-1, 1, 3)) for _ in SCREWS]
Q = rng.uniform(-2, 2, len(SCREWS))
PARENTS = [None, 0, 1, 1, 3]


def expm(matrix):
    return pytest.importorskip("scipy.linalg").expm(matrix)


def hat(twist):
    v, (x, y, z) = twist[:3], twist[3:]
    return np.array([[0, -z, y, v[0]], [z, 0, -x, v[1]], [-y, x, 0, v[2]], [0, 0, 0, 0]])


def matrices(home):
    return [np.array(X.matrix(), float) for X in home]


@pytest.mark.parametrize("parents", [None, PARENTS], ids=["chain", "tree"])
def test_body_form_is_the_local_product_of_exponentials(parents):
    links = screw_links(HOME, SCREWS, [None] * 5, parents)
    assert [type(link.joint) for link in links] == KINDS
    ours = poses(build(links), Q)
    above = parents or [None, 0, 1, 2, 3]
    for i, g in enumerate(matrices(HOME)):
        parent = np.eye(4) if above[i] is None else ours[f"link{above[i] + 1}"]
        np.testing.assert_allclose(ours[f"link{i + 1}"], parent @ g @ expm(hat(SCREWS[i]) * Q[i]), atol=1e-14)


@pytest.mark.parametrize("parents", [None, PARENTS], ids=["chain", "tree"])
def test_space_form_is_the_product_of_exponentials_times_home(parents):
    ours = poses(build(screw_links(HOME, SCREWS, [None] * 5, parents, form="space")), Q)
    above = parents or [None, 0, 1, 2, 3]
    moved = {None: np.eye(4)}
    for i, M in enumerate(matrices(HOME)):
        moved[i] = moved[above[i]] @ expm(hat(SCREWS[i]) * Q[i])
        np.testing.assert_allclose(ours[f"link{i + 1}"], moved[i] @ M, atol=1e-13)


def test_matrices_and_inertias_are_taken():
    body = Inertia(2.0, [0, 0, 0.1])
    (link,) = screw_links([np.eye(4)], [np.array(SCREWS[0])], [body])
    assert link.inertia is body and (link.name, link.joint.name) == ("link1", "joint1")


def test_several_links_on_the_world_share_a_base():
    model = build(screw_links(HOME[:2], SCREWS[:2], [None, None], [None, None]))
    assert model.links[0].name == "base" and model.nv == 2


def test_the_joint_screw_in_the_frame_of_the_link_is_the_one_given():
    model = build(screw_links(HOME, SCREWS, [None] * 5))
    for body, screw in zip(model.bodies, SCREWS, strict=True):
        np.testing.assert_allclose(np.array(body.S[:, 0], float), screw, atol=1e-15)


ONE = [0, 0, 0, 0, 0, 1]


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        (([], [], []), "at least one screw"),
        (([np.eye(4)], [[0] * 6], [None]), r"screws\[0\] is zero"),
        (([np.eye(4)], [[0, 0, 0, 0, 0, 2]], [None]), "has length 2"),
        (([np.eye(4)], [[0, 0, 3, 0, 0, 0]], [None]), "has length 3"),
        (([np.eye(4)], [[0, 0, 1]], [None]), "6 components"),
        (([np.eye(3)], [ONE], [None]), "4×4"),
        (([np.eye(4)] * 2, [ONE], [None]), "2 home"),
        (([np.eye(4)], [ONE], []), "0 inertias"),
        (([np.eye(4)], [ONE], [None], [3]), r"parents\[0\] is 3"),
        (([np.eye(4)], [ONE], [None], None, "spatial"), "'body' or 'space'"),
        (([np.eye(4)] * 2, [ONE] * 2, [None] * 2, [1, 0]), "closed loop"),
    ],
)
def test_mistakes_are_named(arguments, says):
    with pytest.raises(ModelError, match=says):
        build(screw_links(*arguments))
