"""The fast formulations, on the regrouped model, against the textbook recursions."""

import inspect
import pickle
from itertools import pairwise

import numpy as np
import pytest

import articulated as art
from articulated.algebra.scalars import array
from articulated.algebra.spatial import Transform
from articulated.algorithms.fast.formulations import FORMULATIONS
from articulated.algorithms.fast.moments import completed
from articulated.algorithms.fast.regrouping import hinged, regrouped, settled
from articulated.algorithms.jacobians import jacobian
from articulated.algorithms.kinematics import frame_pose
from articulated.model import build
from tests.near import near
from tests.zoo import STRUCTURES, state, zoo

PAIRS = [(textbook, fast) for textbook, formulations in FORMULATIONS.items() for fast in formulations]
ROBOTS = [*STRUCTURES, zoo()["tree0_8"], zoo()["quadruped_floating"]]
OUTSIDE = ("forces", "base_velocity", "base_acceleration")
everywhere = pytest.mark.parametrize("robot", ROBOTS, ids=lambda r: r.name)


def names(pairs):
    return [f"{textbook.__name__}-{getattr(fast, '__name__', 'by_moments')}" for textbook, fast in pairs]


def given_to(robot, rng, textbook):
    """A random state, as many arrays of it as the algorithm takes."""
    values = dict(zip("qva", map(array, state(robot, rng)), strict=True))
    values["tau"] = values["a"]
    return [values[name] for name in inspect.signature(textbook).parameters if name in values]


def agree(robot, textbook, fast, given, **outside):
    condition = np.linalg.cond(robot.mass_matrix(np.array(given[0], float)))
    found, expected = fast(robot.kernels.regrouped, *given, **outside), textbook(robot.model, *given, **outside)
    return near(found, expected, 1e-14 * max(100, condition))


@everywhere
@pytest.mark.parametrize("textbook, fast", PAIRS, ids=names(PAIRS))
def test_formulations_agree(robot, rng, textbook, fast):
    given = given_to(robot, rng, textbook)
    assert agree(robot, textbook, fast, given)


def takes(function):
    """Which of the things outside the robot an algorithm takes."""
    known = inspect.signature(function).parameters
    return OUTSIDE if "outside" in known else tuple(name for name in OUTSIDE if name in known)


PUSHED = [(textbook, fast) for textbook, fast in PAIRS if takes(textbook)]


@everywhere
@pytest.mark.parametrize("textbook, fast", PUSHED, ids=names(PUSHED))
def test_formulations_agree_under_forces_and_on_a_moving_base(robot, rng, textbook, fast):
    """Forces at frames of the first and the last body, some of them on links that were welded to it."""
    assert takes(fast) == takes(textbook)
    given = given_to(robot, rng, textbook)
    frames = [robot.body_names[0], *robot.frame_names[-2:]]
    values = {
        "forces": {name: array(rng.normal(size=6)) for name in frames},
        "base_velocity": array(rng.normal(size=6)),
        "base_acceleration": array(rng.normal(size=6)),
    }
    known = {name: values[name] for name in takes(textbook)}
    for outside in ({name: value} for name, value in known.items()):
        assert agree(robot, textbook, fast, given, **outside)
    assert agree(robot, textbook, fast, given, **known)


def test_pushed_and_carried_formulations_are_all_there():
    by_name = {textbook.__name__: takes(textbook) for textbook, _ in PUSHED}
    assert by_name == dict.fromkeys(("inverse_dynamics", "forward_dynamics", "bias_forces"), OUTSIDE)


@pytest.mark.parametrize("robot", [zoo()[name] for name in ("ur5", "stanford", "tree9")], ids=lambda r: r.name)
def test_regrouping_leaves_most_bodies_without_mass(robot):
    """Every body but those on sliders gives its mass to its parent, and the first one to the world."""
    for b in regrouped(robot.model).bodies:
        assert (b.inertia.mass == 0) != b.joint.slides


def test_a_slider_keeps_no_second_moments():
    robot = zoo()["cart_pole"]
    cart = regrouped(robot.model).bodies[0]
    assert not np.array(cart.inertia.spread, float).any()


@pytest.mark.parametrize("robot", STRUCTURES, ids=lambda r: r.name)
def test_moved_origins_leave_the_robot_as_it_is(robot, rng):
    model, other = robot.model, settled(robot.model)
    q = array(state(robot, rng)[0])
    assert sum(map(coordinates, other.bodies)) <= sum(map(coordinates, model.bodies))
    for name in model.frames:
        assert near(frame_pose(other, q, name).matrix(), frame_pose(model, q, name).matrix(), 1e-14)
        assert near(jacobian(other, q, name), jacobian(model, q, name), 1e-14)


def test_origins_move_to_where_fewer_coordinates_are_needed():
    """Offsets along a hinge are gathered in the place of one joint, or vanish with that of the last one."""
    offsets = [(0.1, 0.2, 0), (0, 0.3, 0), (0, 0.4, -0.5)]
    links = [art.Link("body", None, art.Floating())]
    for name, parent, axis, p in zip("abc", ("body", "a", "b"), ("x", "y", "y"), offsets, strict=True):
        joint = art.Revolute(tuple(int(axis == k) for k in "xyz"))
        links.append(art.Link(name, parent, joint, Transform(p=array(p)), art.Inertia(1.0, (0.1, 0.2, 0.3))))
    places = [b.placement.p.tolist() for b in settled(build(links)).bodies]
    assert places == [[0, 0, 0], [0.1, 0.2, 0], [0, 0, 0], [0, 0, -0.5]]


def coordinates(body):
    return sum(x != 0 for x in body.placement.p) if body.parent else 0


@pytest.mark.parametrize("robot", STRUCTURES, ids=lambda r: r.name)
def test_bodies_are_completed_once_and_after_all_beyond_them(robot):
    bodies, seen, order = robot.model.bodies, [], []
    for b, done in zip(bodies, completed(robot.model), strict=True):
        seen.append(b)
        assert all(c in seen for d in done for c in bodies if d in c.support())
        assert all(c.parent is d for c, d in pairwise(done))
        order += done
    assert sorted(order, key=lambda b: b.index) == list(bodies)


@pytest.mark.parametrize(("far", "left"), [(0.01, 0.0), (0.5, 0.5), (10.0, 10.0), (1e4, 1e4)])
def test_long_moves_cost_no_digits(far, left):
    """The hinge's origin goes up to the slider only where that is not far from the small body it carries."""
    small = art.Inertia(1.0, (0.001, 0.0005, 0), np.diag([1e-4] * 3))
    slider = art.Prismatic((1, 0, 0), armature=1.0)
    robot = art.build(
        [
            art.Link("a", None, art.Revolute((0, 0, 1)), inertia=small),
            art.Link("b", "a", slider, Transform(p=array((0, 0.1, far)))),
        ]
    )
    assert settled(robot.model).bodies[1].placement.p.tolist() == [0, 0.1, left]
    exact = 1e-4 + 0.001**2 + 0.0005**2
    assert abs(robot.mass_matrix([0.3, 0.4])[0, 0] / exact - 1) < 1e-15


def test_small_coordinates_stay():
    body = art.Inertia(1.0, (0, 0.3, 0), np.diag([0.1] * 3))
    link = art.Link("a", "base", art.Revolute((0, 1, 0)), Transform(p=array((1e-10, 0.5, 1e6))), body)
    model = settled(build([art.Link("base", None, art.Floating()), link]))
    assert model.bodies[1].placement.p.tolist() == [1e-10, 0, 1e6]


@pytest.mark.parametrize("robot", [zoo()[name] for name in ("ur5", "tree9", "one_universal")], ids=lambda r: r.name)
def test_a_copied_robot_has_the_same_programs(robot):
    """Pickled robots share kernels with the one they were made from."""
    copied = pickle.loads(pickle.dumps(robot))
    assert [hinged(b) for b in copied.model.bodies] == [hinged(b) for b in robot.model.bodies]
    both = [settled(model).bodies for model in (robot.model, copied.model)]
    assert all(a.placement.p.tolist() == b.placement.p.tolist() for a, b in zip(*both, strict=True))


def test_turning_joints_without_a_tail_are_hinges():
    link = art.Link("a", None, art.Revolute((0, 0, 1)), inertia=art.Inertia(1.0))
    assert hinged(build([link]).bodies[0])
    assert hinged(build([link.replace(tail=Transform())]).bodies[0])
    assert not hinged(build([link.replace(tail=Transform(p=array((0, 0, 1.0))))]).bodies[0])
