"""A multiple of a quaternion is the same rotation, however long or short: on every way a state comes in."""

import re

import numpy as np
import pytest

import articulated as art
from articulated.compiler.runtime.quaternions import moderate
from tests.methods import CONFIGURATIONS, EVALUATED, arguments, results
from tests.near import near
from tests.zoo import random_inertia, random_pose

SCALES = [1e-300, 1e-200, 1e-160, 1e-100, 1e100, 1e160, 1e200, 1e300]
WAYS = {"in C": {}, "through Python": {"ARTICULATED_EXTENSION": "off"}, "by NumPy": {"ARTICULATED_JIT": "off"}}
#: methods whose results depend on the length
BY_LENGTH = ["configuration_rate"]


def free(rng):
    """A ball on a slide on a free body: two quaternions, neither at the beginning of q."""
    links = [
        art.Link("body", None, art.Floating(), inertia=random_inertia(rng)),
        art.Link("slide", "body", art.Prismatic([1, 0, 0]), random_pose(rng), random_inertia(rng)),
        art.Link("ball", "slide", art.Spherical(), random_pose(rng), random_inertia(rng)),
    ]
    return art.build(links, name="free")


def quaternions(robot):
    return [slice(b.coords.start + b.joint.quaternion.start, b.coords.start + b.joint.quaternion.stop)
            for b in robot.model.bodies if b.joint.quaternion]  # fmt: skip


def stretched(robot, q, *scales):
    q = np.array(q)
    for place, scale in zip(quaternions(robot), scales, strict=True):
        q[..., place] *= scale
    return q


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("name", sorted(set(EVALUATED) - set(BY_LENGTH)))
def test_every_method_takes_quaternions_of_any_length(way, name, rng, monkeypatch):
    for key, value in WAYS[way].items():
        monkeypatch.setenv(key, value)
    robot = free(rng)
    given, method = arguments(robot, name, rng, (5,)), getattr(robot, name)
    if not set(given) & set(CONFIGURATIONS):
        pytest.skip("takes no configuration")
    usual = results(method(**given))
    for scale in SCALES:
        # one of five states, of one quaternion or both, of one configuration or two
        far = {
            key: np.concatenate([x[:3], stretched(robot, x[3], scale, 1.0)[None], stretched(robot, x[4:], 2, scale)])
            if key in CONFIGURATIONS
            else x
            for key, x in given.items()
        }
        found = results(method(**far))
        single = [results(method(**{k: x if isinstance(x, str) else x[3] for k, x in far.items()})) for _ in range(2)]
        for k, (x, expected) in enumerate(zip(found, usual, strict=True)):
            assert (x[:3] == expected[:3]).all()  # the others are not affected
            assert near(x, expected, 1e-11)
            assert all((alone[k] == x[3]).all() for alone in single)


@pytest.mark.parametrize("entry", [5e-324, 1.7e308])
def test_the_smallest_and_largest_numbers(entry, rng):
    robot = free(rng)
    q, there = robot.random(rng, 2)
    q[:] = there
    q[quaternions(robot)[1]], there[quaternions(robot)[1]] = [entry, 0, 0, -entry], [1, 0, 0, -1]
    assert near(robot.pose(q, "ball"), robot.pose(there, "ball"))


@pytest.mark.parametrize("threads", [1, 2])
def test_large_batches(threads, rng):
    robot = free(rng)
    q, v, a = robot.random(rng, 3001), *rng.normal(size=(2, 3001, robot.nv))
    usual = robot.inverse_dynamics(q, v, a, threads=threads)
    far, out = q.copy(), np.empty_like(v)
    far[2000] = stretched(robot, q[2000], 1e-200, 1e200)
    found = robot.inverse_dynamics(far, v, a, out=out, threads=threads)
    assert found is out and near(found, usual) and (np.delete(found, 2000, 0) == np.delete(usual, 2000, 0)).all()


@pytest.mark.parametrize("scale", [1e-200, 1e-30, 1e-12, 1e12, 1e30, 1e200])
def test_single_precision(scale, rng):
    """Also of numbers that single precision does not have."""
    robot = free(rng)
    q, v, a = robot.random(rng, 9), *rng.normal(size=(2, 9, robot.nv))
    usual = robot.inverse_dynamics(q, v, a, dtype=np.float32)
    q[4] = stretched(robot, q[4], scale, scale)
    assert near(robot.inverse_dynamics(q, v, a, dtype=np.float32), usual, 1e-5)
    assert near(robot.inverse_dynamics(q[4], v[4], a[4], dtype=np.float32), usual[4], 1e-5)
    assert near(robot.inverse_dynamics(q.astype(np.longdouble), v, a, dtype=np.float32), usual, 1e-5)


def test_zeros_are_no_rotation(rng):
    robot = free(rng)
    for q in (np.zeros(robot.nq), np.zeros((3, robot.nq))):
        assert np.isnan(robot.pose(q, "ball")[..., :3, :3]).any(axis=(-1, -2)).all()


@pytest.mark.parametrize("scale", SCALES)
def test_where_the_length_counts_it_is_refused_in_words(scale, rng):
    robot = free(rng)
    q, v = robot.random(rng, 4), rng.normal(size=(4, robot.nv))
    for function, more in (
        (robot.configuration_rate, (v,)),
        (robot.derivatives("pose", space="coordinates"), ("ball",)),
        (robot.derivatives("configuration_rate"), (v,)),
    ):
        far = q.copy()
        far[2] = stretched(robot, q[2], 1.0, scale)
        longer = stretched(robot, q, 2.0, 3.0)
        assert all(np.isfinite(x).all() for x in results(function(longer, *more)))
        with pytest.raises(art.ShapeError, match="the quaternion in q is too long or too short"):
            function(far, *more)
        with pytest.raises(art.ShapeError, match="scale it to unit length"):
            function(far[2], *(x if isinstance(x, str) else x[2] for x in more))
    # by the velocities that `integrate` takes, the length does not count
    by_velocities = robot.derivatives("pose")
    assert near(by_velocities(stretched(robot, q, 1.0, scale), "ball").q, by_velocities(q, "ball").q)


@pytest.mark.parametrize("library", ["mujoco", "drake", "pinocchio"])
@pytest.mark.parametrize("scale", SCALES)
def test_states_of_other_libraries(library, scale, rng):
    robot = art.load("quadruped", floating_base=True)
    to, back = (getattr(art.conventions, f"{way}_{library}") for way in ("to", "from"))
    q, v, a = robot.random(rng, 20), *rng.normal(size=(2, 20, robot.nv))
    theirs = to(robot, q, v, a)
    place = slice(0, 4) if library == "drake" else slice(3, 7)
    far = theirs.q.copy()
    far[7, place] *= scale
    ours = back(robot, far, theirs.v, theirs.a)
    assert near(ours.v, v) and near(ours.a, a) and near(robot.pose(ours.q, "base"), robot.pose(q, "base"))
    alone = back(robot, far[7], theirs.v[7], theirs.a[7])
    assert all((x == y[7]).all() for x, y in zip(alone, ours, strict=True))
    longer = to(robot, stretched(robot, q, scale), v, a)
    assert near(longer.v, theirs.v) and near(longer.a, theirs.a)


@pytest.mark.parametrize("scale", SCALES)
def test_contacts_laws_and_searches(scale, rng):
    robot = art.load("quadruped", floating_base=True)
    q, v = robot.random(rng), rng.normal(size=robot.nv)
    far = stretched(robot, q, scale)
    contacts = art.Contacts(robot, ["FL_FOOT", "HR_FOOT"])
    tau = rng.normal(size=len(contacts.actuated))
    for x, y in zip(contacts.forward_dynamics(far, v, tau), contacts.forward_dynamics(q, v, tau), strict=True):
        assert near(x, y, 1e-9)
    assert near(contacts.jacobian(far), contacts.jacobian(q)) and near(contacts.poses(far), contacts.poses(q))
    law = art.ComputedTorque(contacts, stiffness=100.0, damping=20.0)
    assert near(law(far, v, q, v, v), law(q, v, q, v, v)) and near(law(q, v, far, v, v), law(q, v, q, v, v))
    there = robot.pose(q, "FL_FOOT")
    for given in ({"q0": far}, {"posture": far}, {"q0": np.stack([q, far])}):
        found = robot.inverse_kinematics({"FL_FOOT": there}, restarts=0, **given)
        assert np.all(found.success)
        assert near(robot.pose(found.q, "FL_FOOT"), np.broadcast_to(there, (*np.shape(found.success), 4, 4)), 1e-7)
    with pytest.raises(art.ShapeError, match=re.escape(f"has length {scale:g}, not 1")):
        art.simulate(robot, far, v, duration=0.01)


@pytest.mark.parametrize("scale", [1e-200, 1e200])
@pytest.mark.parametrize("law", [art.PD, art.ComputedTorque])
def test_references_of_a_simulation(law, scale, rng):
    inertias = [random_inertia(rng), random_inertia(rng)]
    links = [art.Link("first", None, art.Spherical(), inertia=inertias[0]),
             art.Link("second", "first", art.Spherical(), random_pose(rng), inertias[1])]  # fmt: skip
    robot = art.build(links)
    q = robot.random(rng)
    usual, far = (
        art.simulate(robot, robot.neutral(), duration=0.005, torque=law(robot, 10.0, 1.0).towards(x))
        for x in (q, stretched(robot, q, scale, 1 / scale))
    )
    assert near(far.q, usual.q) and near(far.tau, usual.tau, 1e-9)


def test_scaling_keeps_every_bit(rng):
    x = rng.normal(size=(50, 9))
    x[::2, 3:7] *= 1e-200
    x[::3, 3:7] *= 1e250
    found = moderate(x, [3], "float64")
    ratio = found[:, 3:7] / x[:, 3:7]
    assert (ratio == ratio[:, :1]).all() and (np.frexp(ratio)[0] == 0.5).all()
    assert (np.delete(found, slice(3, 7), 1) == np.delete(x, slice(3, 7), 1)).all()
    lengths = np.linalg.norm(found[:, 3:7], axis=1)
    assert (lengths > 2.0**-250).all() and (lengths < 2.0**250).all() and found is not x
    usual = rng.normal(size=(5, 9))
    assert moderate(usual, [3], "float64") is usual
