"""Ranks: what a set of contacts can and cannot do."""

import numpy as np
import pytest

import articulated as art
from tests import doubtful

from .legged import IDS, QUADRUPEDS, SETS, contacts, legged, subsets

#: rows, internal, uncontrollable for 0 … 4 point feet (S3.20)
TABLE = [(0, 0, 6), (3, 0, 3), (6, 1, 1), (9, 3, 0), (12, 6, 0)]
ACTUATION = ["under", "under", "under", "over", "over"]


def tilted(name, rng):
    """Standing, somewhat tilted, no leg stretched."""
    robot = legged(name)
    q = robot.random(rng)
    q[3:7] = [0.1, -0.05, 0.2, 1.0] / np.linalg.norm([0.1, -0.05, 0.2, 1.0])
    return q


@pytest.mark.parametrize("name", QUADRUPEDS)
def test_the_lectures_table(name, rng):
    q = tilted(name, rng)
    for feet in subsets(QUADRUPEDS[name]):
        found = contacts(name, "point", feet).analyse(q)
        assert (found.k, found.internal, found.uncontrollable) == TABLE[len(feet)]
        assert found.rank == found.k and found.redundant == ()
        assert found.actuation == ACTUATION[len(feet)]
        assert found.internal - found.uncontrollable == found.rank - 6


@pytest.mark.parametrize(("name", "kind", "feet"), SETS, ids=IDS)
def test_bases_are_what_they_say(name, kind, feet, rng):
    for subset in subsets(feet):
        held = contacts(name, kind, subset)
        q = legged(name).random(rng)
        J, found = held.jacobian(q), held.analyse(q)
        pressing, unmoved = found.internal_basis, found.uncontrollable_basis
        assert pressing.shape == (found.k, found.internal) and unmoved.shape == (held.robot.nv, found.uncontrollable)
        assert abs(pressing.T @ pressing - np.eye(found.internal)).max(initial=0) < 1e-12
        assert abs(unmoved.T @ unmoved - np.eye(found.uncontrollable)).max(initial=0) < 1e-12
        assert abs(J[:, :6].T @ pressing).max(initial=0) < 1e-10 * max(1, abs(J).max(initial=0))
        assert np.linalg.matrix_rank(J.T @ pressing, 1e-8) == found.internal if found.internal else True
        assert abs(J @ unmoved).max(initial=0) < 1e-10 * max(1, abs(J).max(initial=0))
        assert abs(unmoved[held.actuated]).max(initial=0) == 0
        # S3.26: what tau0 can change is what the internal forces span
        P = np.eye(held.robot.nv) - np.linalg.pinv(J) @ J
        assert found.internal == len(held.actuated) - np.linalg.matrix_rank(P[:, held.actuated], 1e-8)


def test_one_clamped_foot_is_fully_actuated():
    """E3.1: k = 6 is not the same for two points and one surface."""
    found = art.Contacts(legged("biped"), surface=["left_sole"]).analyse(legged("biped").neutral())
    assert (found.k, found.internal, found.uncontrollable, found.actuation) == (6, 0, 0, "fully")


def test_planar_legs_have_redundant_rows(rng):
    """E3.5: solo8, standing on four feet, has twelve rows of rank ten (eleven when its legs are not alike)."""
    robot = doubtful.load("solo", floating_base=True)
    held = art.Contacts(robot, point=QUADRUPEDS["solo12"])
    standing = np.concatenate([robot.neutral()[:7], [0.8, -1.6, 0.8, -1.6, -0.8, 1.6, -0.8, 1.6]])
    assert held.analyse(robot.random(rng)).rank == held.structure.rank == 11
    found = held.analyse(standing)
    assert (found.k, found.rank, found.internal, found.uncontrollable) == (12, 10, 4, 0)
    assert len(found.redundant) == 2
    assert any("2 of its 3 directions" in note for note in found.notes)
    assert "redundant" in str(found) and found.redundant[0] in str(found)

    v, a = np.zeros(robot.nv), np.zeros(robot.nv)
    torques = held.inverse_dynamics(standing, v, a)
    assert torques.conditioning > 1e-8 and torques.residual < 1e-12  # by the law compiled for these ranks
    assert np.allclose(torques.tau, held.inverse_dynamics(standing, v, a, method="projector").tau, rtol=0, atol=1e-12)
    motion = held.forward_dynamics(standing, v, torques.tau)
    assert abs(motion.a).max() < 1e-9 and np.allclose(motion.forces, torques.forces, rtol=0, atol=1e-9)


def spider(feet):
    """A body on three-jointed legs with feet where we want them."""
    light = art.Inertia(0.1, (0, 0, -0.1), np.eye(3) * 1e-4)
    links = [art.Link("body", inertia=art.Inertia(5, (0, 0, 0), np.eye(3) * 0.1))]
    for i, (x, y) in enumerate(feet):
        tip = [(f"foot{i}", art.Transform(p=[0, 0, -0.4]))]
        links += [
            art.Link(f"hip{i}", "body", art.Revolute((1, 0, 0)), art.Transform(p=[x, y, 0]), light),
            art.Link(f"thigh{i}", f"hip{i}", art.Revolute((0, 1, 0)), inertia=light),
            art.Link(f"shank{i}", f"thigh{i}", art.Prismatic((0, 0, -1)), inertia=light, frames=tip),
        ]
    return art.build(links, name="spider").floating()


@pytest.mark.parametrize(
    ("feet", "expected", "note"),
    [
        (((0, 0), (1, 0), (2, 0)), (4, 1), "which lie on one line"),
        (((0, 0), (0, 0)), (3, 3), "at one point"),
        (((0, 0), (1, 0), (0, 1)), (3, 0), None),
    ],
)
def test_collinear_and_coincident_feet(feet, expected, note):
    robot = spider(feet)
    held = art.Contacts(robot, point=[f"foot{i}" for i in range(len(feet))])
    found = held.analyse(robot.neutral())
    assert (found.internal, found.uncontrollable) == expected
    assert any(note in text for text in found.notes) if note else not found.notes


@pytest.mark.parametrize("feet", [((0, 0), (1, 0), (2, 0)), ((0, 0), (0, 0), (0, 1))])
def test_unusual_ranks_take_the_other_way_and_give_the_lectures_torques(feet, rng):
    """Three feet on a line have another rank than three feet; laws.py must notice."""
    robot = spider(feet)
    held = art.Contacts(robot, point=[f"foot{i}" for i in range(3)])
    q = robot.neutral()
    v, a, tau0 = np.zeros(robot.nv), rng.normal(size=robot.nv), rng.normal(size=9)
    for wish in ({}, {"tau0": tau0}):
        found = held.inverse_dynamics(q, v, a, **wish)
        assert found.conditioning < 1e-8 or held.special_structures
        for method in ("projector",):
            other = held.inverse_dynamics(q, v, a, method=method, **wish)
            assert np.allclose(found.tau, other.tau, rtol=0, atol=1e-10)
            assert np.allclose(found.residual, other.residual, rtol=0, atol=1e-10)
    # in a batch, beside an ordinary state
    ordinary = robot.integrate(q, 0.3 * rng.normal(size=robot.nv))
    both = held.inverse_dynamics(np.stack([q, ordinary]), v, a)
    assert np.array_equal(both.tau[1], held.inverse_dynamics(ordinary, v, a).tau)
    assert np.allclose(both.tau[0], held.inverse_dynamics(q, v, a).tau, rtol=0, atol=1e-12)


def test_without_contacts(rng):
    held = art.Contacts(legged("quadruped"))
    found = held.analyse(legged("quadruped").random(rng))
    assert (found.k, found.internal, found.uncontrollable, found.actuation) == (0, 0, 6, "under")
    assert "free fall" in str(found)
