"""Ranks that a set has at special configurations: planar legs on flat ground.

solo8 holds its four feet in eleven independent ways, on flat ground in ten.
"""

import numpy as np
import pytest

import articulated as art
from articulated.contacts.kernels import ContactKernels
from articulated.contacts.ranks import by_singular_values
from articulated.contacts.ranks.subspaces import pseudo_inverse
from tests import doubtful

from .legged import QUADRUPEDS, relative

FEET = QUADRUPEDS["solo12"]
KNEE = 8  # in q: the knee of FL, whose foot then leaves the ground


@pytest.fixture(scope="module")
def solo8():
    return doubtful.load("solo", floating_base=True)


@pytest.fixture
def compiled_only(monkeypatch):
    """Nothing is computed from singular values."""

    def refused(*given):
        raise AssertionError("the slow way")

    monkeypatch.setattr(ContactKernels, "moved", refused)


def standing(robot, rng, shape=()):
    """Legs alike in front and alike behind, the body pitched, turned and anywhere: feet on one plane, level along y."""
    q = np.empty((*shape, robot.nq))
    for i in np.ndindex(shape):
        hip, knee = rng.uniform(0.3, 1.0), rng.uniform(-1.8, -0.8)
        place, pitch, yaw = rng.normal(size=3), rng.uniform(-0.3, 0.3), rng.uniform(-3, 3)
        # about z, then about y
        turn = np.array([-np.sin(yaw / 2) * np.sin(pitch / 2), np.cos(yaw / 2) * np.sin(pitch / 2),
                         np.sin(yaw / 2) * np.cos(pitch / 2), np.cos(yaw / 2) * np.cos(pitch / 2)])  # fmt: skip
        q[i] = [*place, *turn, *[hip, knee] * 2, *[-hip, -knee] * 2]
    return q


def by_values(held, q, v, a):
    """Torques and forces from singular values."""
    f, J = held.robot.inverse_dynamics(q, v, a), held.jacobian(q)
    return by_singular_values.split(f, J, held.structure, np.zeros(len(held.actuated)), None, None)


@pytest.mark.parametrize(
    ("feet", "usual", "special"), [(FEET, 11, 10), (FEET[:3], 9, 8), (FEET[:2], 6, 5), (FEET[2:], 6, 5)]
)
def test_planar_legs_on_flat_ground_go_the_compiled_way(solo8, feet, usual, special, rng, compiled_only):
    held = art.Contacts(solo8, point=feet)
    assert held.structure.rank == usual and [s.rank for s in held.special_structures] == [special]
    for _ in range(3):
        q, v, a = standing(solo8, rng), rng.normal(size=solo8.nv), rng.normal(size=solo8.nv)
        assert held.analyse(q).rank == special
        found, (tau, forces) = held.inverse_dynamics(q, v, a), by_values(held, q, v, a)
        scale = 1e-13 / found.conditioning
        assert found.conditioning > 1e-8
        assert relative(found.tau, tau) < scale and relative(found.forces, forces) < scale
        tau0 = rng.normal(size=8)
        nearest = held.inverse_dynamics(q, v, a, tau0=tau0).tau
        assert np.linalg.norm(nearest - tau0) < np.linalg.norm(found.tau - tau0) + 1e-12
        assert (abs(nearest - found.tau).max() > 1e-3) == (special > 5)  # if there are internal forces


def test_motion_and_impact_on_flat_ground(solo8, rng, compiled_only):
    held = art.Contacts(solo8, point=FEET[:2])
    q, v, tau, a0 = standing(solo8, rng), rng.normal(size=14), rng.normal(size=8), rng.normal(size=14)
    M, J, bias = solo8.mass_matrix(q), held.jacobian(q), held.bias(q, v)
    free = solo8.forward_dynamics(q, v, np.concatenate([np.zeros(6), tau]))
    for found, start, wanted in (
        (held.forward_dynamics(q, v, tau), free, -bias),
        (held.forward_dynamics(q, v, np.concatenate([np.zeros(6), tau])), free, -bias),
        (held.impact(q, v, 0.2), v, -0.2 * J @ v),
    ):
        value, forces = by_singular_values.held(M, J, start, wanted, held.structure)
        assert relative(found[0], value) < 1e-9 and relative(found[1], forces) < 1e-9
    nearest = a0 - pseudo_inverse(J) @ (J @ a0 + bias)
    assert relative(held.acceleration(q, v, a0), nearest) < 1e-11


def test_every_state_of_a_batch_goes_its_own_way(solo8, rng, monkeypatch):
    """Usual ranks, those of flat ground, and a stretched leg beside them."""
    held = art.Contacts(solo8, point=FEET)
    q, v, a = standing(solo8, rng, (2, 3)), np.zeros(14), rng.normal(size=14)
    q[0, 1] = solo8.random(rng)
    q[1, 2, 7:] = 0.0
    seen, moved = [], ContactKernels.moved

    def watched(kernels, q, v):
        seen.append(len(q))
        return moved(kernels, q, v)

    monkeypatch.setattr(ContactKernels, "moved", watched)
    found, motion = held.inverse_dynamics(q, v, a), held.forward_dynamics(q, v, np.ones(8))
    assert seen == [1, 1]
    monkeypatch.undo()
    assert (found.conditioning < 1e-8).tolist() == [[False, False, False], [False, False, True]]
    for i in np.ndindex(2, 3):
        one = held.inverse_dynamics(q[i], v, a)
        assert relative(found.tau[i], one.tau) < 1e-12 and relative(found.forces[i], one.forces) < 1e-12
        assert relative(motion.a[i], held.forward_dynamics(q[i], v, np.ones(8)).a) < 1e-9


def test_the_law_of_special_ranks_knows_where_it_does_not_hold(solo8, rng):
    """Asked alone, it refuses states with more rank, however little more."""
    held = art.Contacts(solo8, point=FEET)
    (special,) = held.special_structures
    law = held.kernels.law_kernel("inverse_dynamics", special)
    v = np.zeros(14)
    for _ in range(5):
        q = standing(solo8, rng)
        assert law(q, v, v).checks[-1] > 1e-8
        assert law(solo8.random(rng), v, v).checks[-1] == 0
        for lifted in (1e-1, 1e-3, 1e-5):
            assert law(uneven(q, lifted), v, v).checks[-1] == 0


def uneven(q, lifted):
    """Standing with one knee bent a little more."""
    off = q.copy()
    off[KNEE] += lifted
    return off


def test_the_smallest_torques_jump_where_ranks_are_lost(solo8, rng):
    """As the page says: forces grow as 1 / distance, torques tend to others than those on flat ground."""
    held = art.Contacts(solo8, point=FEET)
    q, v, a = standing(solo8, rng), np.zeros(14), rng.normal(size=14)
    flat = held.inverse_dynamics(q, v, a)
    near = {lifted: held.inverse_dynamics(uneven(q, lifted), v, a) for lifted in (1e-3, 1e-4, 1e-5)}
    sizes = [lifted * abs(found.forces).max() for lifted, found in near.items()]
    assert sizes[0] > 1e-4 and np.allclose(sizes, sizes[0], rtol=0.1)
    assert abs(near[1e-5].forces).max() > 100 * abs(flat.forces).max()
    torques = [np.linalg.norm(found.tau) for found in near.values()]
    assert max(torques) < np.linalg.norm(flat.tau) * (1 - 1e-4) and np.ptp(torques) < 1e-2 * torques[0]


@pytest.mark.parametrize("weight", [1e-6, 1e-4])
def test_a_weight_on_forces_keeps_them_from_jumping(solo8, weight, rng, compiled_only):
    """As the page says: then torques and forces tend to those on flat ground, and no rank is lost."""
    held = art.Contacts(solo8, point=FEET)
    q, v, a = standing(solo8, rng), np.zeros(14), rng.normal(size=14)
    flat = held.inverse_dynamics(q, v, a, force_weight=weight)
    assert flat.conditioning > 1e-8
    for lifted in (1e-4, 1e-6, 1e-8):
        found = held.inverse_dynamics(uneven(q, lifted), v, a, force_weight=weight)
        bound = 10 * lifted / np.sqrt(weight)
        assert relative(found.forces, flat.forces) < bound + 1e-11 and relative(found.tau, flat.tau) < bound + 1e-11
    # and it costs next to nothing
    least = held.inverse_dynamics(q, v, a)
    assert np.linalg.norm(flat.tau) < np.linalg.norm(least.tau) * (1 + 100 * weight)


def test_warm_compiles_special_ranks_too(solo8):
    robot = art.Robot(solo8.model)
    art.Contacts(robot, point=FEET[:2]).warm("acceleration")
    made = [request for request in robot.kernels.made if request.method.endswith("acceleration")]
    assert len(made) == 2


@pytest.mark.parametrize("name", ["quadruped", "biped"])
def test_legs_that_reach_all_around_have_no_special_ranks(name):
    robot = art.load(name, floating_base=True)
    frames = FEET if name == "quadruped" else ("left_sole", "right_sole")
    assert art.Contacts(robot, **{"point" if name == "quadruped" else "surface": frames}).special_structures == ()


def lame(rng):
    """Planar legs, none like another, with feet where they touch flat ground at zero angles."""
    inertia = art.Inertia(0.3, (0, 0, -0.1), np.eye(3) * 1e-3)
    links = [art.Link("body", None, art.Floating(), inertia=art.Inertia(5, (0, 0, 0), np.eye(3) * 0.1))]
    for i, (x, y) in enumerate([(0.3, 0.2), (0.3, -0.2), (-0.3, 0.2), (-0.3, -0.2)]):
        thigh, ahead = rng.uniform(0.1, 0.3), rng.uniform(0.05, 0.2)
        links += [
            art.Link(f"thigh{i}", "body", art.Revolute((0, 1, 0)), art.Transform(p=(x, y, 0)), inertia),
            art.Link(f"shank{i}", f"thigh{i}", art.Revolute((0, 1, 0)), art.Transform(p=(ahead, 0, -thigh)), inertia,
                     frames=[(f"foot{i}", art.Transform(p=(-2 * ahead, 0, thigh - 0.5)))]),
        ]  # fmt: skip
    return art.build(links, name="lame")


def test_flat_ground_that_was_not_found_is_as_right_as_before(rng):
    robot = lame(rng)
    held = art.Contacts(robot, point=[f"foot{i}" for i in range(4)])
    q, v, a = robot.neutral(), np.zeros(14), rng.normal(size=14)
    assert held.analyse(q).rank == 10
    found, (tau, forces) = held.inverse_dynamics(q, v, a), by_values(held, q, v, a)
    assert relative(found.tau, tau) < 1e-11 and relative(found.forces, forces) < 1e-11
