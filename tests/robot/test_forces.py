"""`forces=` in every method that takes it: in other axes, as what the robot exerts, in batches, compiled ahead."""

import inspect

import numpy as np
import pytest

import articulated as art
from articulated.robot.study import Study
from tests.methods import ROBOT, arguments, results
from tests.near import near
from tests.zoo import STRUCTURES, state, zoo

TAKING = [name for name, taken in ROBOT.items() if any(p.name == "forces" for p in taken)]
STUDY = [
    name for name, f in vars(Study).items() if inspect.isfunction(f) and "forces" in inspect.signature(f).parameters
]
robots = pytest.mark.parametrize("robot", [zoo()[name] for name in ("mimic_floating", "tree6_6")], ids=lambda r: r.name)


def asked(robot, name):
    return getattr(robot.study if name in STUDY else robot, name)


def values(robot, name, rng, shape=()):
    if name not in STUDY:
        return list(arguments(robot, name, rng, shape).values())
    return list(state(robot, rng, shape))


def same(one, other):
    return all(near(x, y, 1e-10) for x, y in zip(results(one), results(other), strict=True))


def in_other_axes(robot, q, frame, F):
    """Forces (n, 6) in the axes of the frame, written in each of the axes."""
    pose = robot.pose(q, frame)
    turned = np.concatenate([np.einsum("nij,nj->ni", pose[:, :3, :3], part) for part in (F[:, :3], F[:, 3:])], axis=-1)
    about_origin = turned.copy()
    about_origin[:, 3:] += np.cross(pose[:, :3, 3], turned[:, :3])
    return {"frame": F, "world": turned, "spatial": about_origin}


@robots
def test_forces_in_other_axes_are_the_same_forces(robot, rng):
    given, frame = values(robot, "inverse_dynamics", rng, (4,)), robot.frame_names[-1]
    F = rng.normal(size=(4, 6))
    expected = robot.inverse_dynamics(*given, forces={frame: F})
    for axes, written in in_other_axes(robot, given[0], frame, F).items():
        assert same(robot.inverse_dynamics(*given, forces=art.Wrenches({frame: written}, axes)), expected)
        exerted = robot.inverse_dynamics(*given, forces=art.Wrenches({frame: -written}, axes, "environment"))
        assert same(exerted, expected)
        one = robot.inverse_dynamics(*(x[2] for x in given), forces=art.Wrenches({frame: written[2]}, axes))
        assert same(one, tuple(x[2] for x in results(expected)))


def test_a_linear_system_knows_what_a_force_turns_with(rng):
    """A force in world axes does not turn with its frame: the columns of q differ, and are differences of each kind."""
    robot = art.load("3r")
    frame, n = robot.frame_names[-1], robot.nv
    q, v, tau = robot.random(rng), *rng.normal(size=(2, n))
    F, h = rng.normal(size=6), 1e-6
    for axes in ("frame", "world", "spatial"):
        A = robot.linearize(q, v, tau, forces=art.Wrenches({frame: F}, axes)).A
        forward = [
            robot.forward_dynamics(q + s * h * np.eye(n), v, tau, forces=art.Wrenches({frame: F}, axes))
            for s in (1, -1)
        ]
        difference = ((forward[0] - forward[1]) / (2 * h)).T
        # central differences: h² and rounding / h
        assert np.allclose(A[n:, :n], difference, rtol=1e-5, atol=1e-5 * abs(difference).max())


@pytest.mark.parametrize("name", [name for name in (*TAKING, *STUDY) if name != "linearize"])
def test_every_method_knows_the_axes(name, rng):
    """All of them hand their forces to the same code, which the test above tries on other robots."""
    robot = zoo()["mimic"]
    given, frame = values(robot, name, rng, (1,)), robot.frame_names[-1]
    F = rng.normal(size=(1, 6))
    one = [x[0] for x in given]
    expected = asked(robot, name)(*one, forces={frame: F[0]})
    for axes, written in in_other_axes(robot, given[0], frame, F).items():
        sign, on = (-1, "environment") if axes == "world" else (1, "robot")
        found = asked(robot, name)(*one, forces=art.Wrenches({frame: sign * written[0]}, axes, on))
        assert same(found, expected)


def test_the_weight_of_a_load_in_world_axes(rng):
    """S0.25: a load of 2 kg in the hand is a force straight down, whatever the arm does."""
    robot = art.load("panda")
    load = art.Link("load", "panda_hand", inertia=art.Inertia(2.0))
    loaded = art.build([*robot.links, load], robot.gravity)
    q = robot.random(rng, 5)
    down = {"panda_hand": [0, 0, -2 * 9.81, 0, 0, 0]}
    still = np.zeros(7)
    assert near(robot.bias_forces(q, still, art.Wrenches(down, "world")), loaded.gravity_forces(q))


def test_the_final_form_of_the_lecture(rng):
    """S2.24: tau = M a + c + g + Jᵀ F with F exerted by the hand on its surroundings."""
    robot = art.load("panda").frictionless()
    q, v, a = state(robot, rng)
    F = rng.normal(size=6)
    tau = robot.mass_matrix(q) @ a + robot.coriolis_forces(q, v) + robot.gravity_forces(q)
    tau += robot.jacobian(q, "panda_hand").T @ F
    found = robot.inverse_dynamics(q, v, a, art.Wrenches({"panda_hand": F}, "world", "environment"))
    assert near(found, tau)


def test_compiled_ahead(rng):
    robot = art.load("ur5")
    frame = robot.frame_names[-1]
    choices = {"forces": art.Wrenches({frame: None}, "world", "environment")}
    robot.warm(("inverse_dynamics", choices))
    made = len(robot.kernels.made)
    q, v, a = state(robot, rng)
    robot.inverse_dynamics(q, v, a, art.Wrenches({frame: np.ones(6)}, "world", "environment"))
    assert len(robot.kernels.made) == made == 1
    assert "force_0" in robot.c_source(("inverse_dynamics", choices))


def test_without_forces_their_axes_do_not_matter(rng):
    robot = art.load("ur5")
    q, v, a = state(robot, rng)
    assert (robot.inverse_dynamics(q, v, a, art.Wrenches({}, "world")) == robot.inverse_dynamics(q, v, a)).all()
    assert len(robot.kernels.made) == 1


@pytest.mark.parametrize("wrong", [{"axes": "hand"}, {"axes": None}, {"on": "ground"}])
def test_mistakes_name_the_choice(wrong):
    (name,) = wrong
    with pytest.raises(art.UnknownName, match=rf"{name} = .* in Wrenches; .*[Ii]t has: (frame|world|robot)"):
        art.Wrenches({"tool0": np.zeros(6)}, **wrong)
    with pytest.raises(art.ShapeError, match="by frame"):
        art.Wrenches(np.zeros(6))
    with pytest.raises(TypeError):
        art.load("ur5").mass_matrix(np.zeros(6), forces={})


# -- E and B of the Rennes lecture --------------------------------------------------------------


@pytest.mark.parametrize("robot", STRUCTURES, ids=lambda r: r.name)
def test_force_map(robot, rng):
    q, v, a = state(robot, rng)
    frames = [robot.frame_names[-1], robot.frame_names[0], robot.body_names[0]]
    f = rng.normal(size=(3, 6))
    for axes in ("frame", "world", "spatial"):
        E = robot.force_map(q, frames, force_axes=axes)
        assert E.shape == (robot.nv, 18)
        pushed = robot.inverse_dynamics(q, v, a) - E @ f.ravel()
        if len(set(frames)) == 3:
            assert near(
                robot.inverse_dynamics(q, v, a, art.Wrenches(dict(zip(frames, f, strict=True)), axes)),
                pushed,
                scale=abs(E @ f.ravel()).max(initial=1),
            )
        assert near(E[:, :6], robot.jacobian(q, frames[0], axes).T)
    assert robot.force_map(q).shape == (robot.nv, 6 * len(robot.body_names))
    assert near(robot.force_map(q)[:, -6:], robot.body_jacobians(q)[-1].T)


@pytest.mark.parametrize("robot", STRUCTURES, ids=lambda r: r.name)
def test_actuation_map(robot, rng):
    B = robot.actuation_map()
    free = sum(b.joint.nv for b in robot.model.bodies if b.joint.floats)
    assert B.shape == (robot.nv, robot.nv - free) and near(B.T @ B, np.eye(robot.nv - free))
    if not free:
        assert (np.eye(robot.nv) == B).all()
    assert not B[: 6 if robot.model.bodies[0].joint.floats else 0].any()


def test_passive_joints_have_no_motor():
    robot = art.load("cart_pole")
    B = robot.actuation_map(passive=[robot.joint_names[1]])
    assert B.tolist() == [[1], [0]] and robot.actuation_map(robot.joint_names).shape == (2, 0)
    with pytest.raises(art.UnknownName, match="no joint 'pole_' in cart_pole"):
        robot.actuation_map(["pole_"])
    dog = art.load("quadruped").floating()
    assert (dog.actuation_map()[:6] == 0).all() and (dog.actuation_map()[6:] == np.eye(12)).all()


def test_equations_of_motion_with_both_maps(rng):
    """H a + C = E f + B u (S4.1), on a quadruped in the air with forces on two feet."""
    dog = art.load("quadruped").floating()
    q, v, _ = state(dog, rng)
    u, f, feet = rng.normal(size=12), rng.normal(size=(2, 6)), ["FL_FOOT", "HR_FOOT"]
    a = dog.forward_dynamics(q, v, dog.actuation_map() @ u, art.Wrenches(dict(zip(feet, f, strict=True)), "world"))
    left = dog.mass_matrix(q) @ a + dog.bias_forces(q, v)
    assert near(left, dog.force_map(q, feet, force_axes="world") @ f.ravel() + dog.actuation_map() @ u, 1e-9)
