"""The variational method: symplectic to rounding, momenta conserved, no drift of energy, order two, on every joint."""

import numpy as np
import pytest

import articulated as art
from articulated import PD, Diverged, simulate, traced
from articulated.algebra.scalars import array
from articulated.algebra.spatial import cross_motion
from articulated.algorithms.configuration import halfway
from articulated.joints import Joint

from ..near import near
from ..zoo import MOVING, random_inertia, random_pose, random_tree, single, zoo
from .closed_forms import order, pendulum


def geared():
    """Three links, the last joint following the first."""
    rng = np.random.default_rng(4)
    follows = art.Mimic("j0", -0.7, 0.3)
    joints = [
        art.Revolute([0, i % 2, 1], name=f"j{i}", mimic=follows if i == 2 else None, armature=0.1) for i in range(3)
    ]
    links = [
        art.Link(f"link{i}", f"link{i - 1}" if i else None, joint, random_pose(rng), random_inertia(rng))
        for i, joint in enumerate(joints)
    ]
    return art.build(links, name="geared")


def mixed():
    """Joints whose velocities are in moving axes, one on the other."""
    return random_tree(3, 3, ["planar", "spherical", "floating"]).replace(name="mixed")


def free():
    """An arm of three links on a free base."""
    arm = random_tree(5, 3, ["revolute"])
    return arm.replace("base", inertia=random_inertia(np.random.default_rng(3))).floating()


SMOOTH = {name: robot for name, robot in zoo().items() if not any(b.friction for b in robot.model.bodies)}
SMOOTH |= {robot.name: robot for robot in (geared(), mixed())}


def step_map(robot, q, p, method, h):
    """(q, p) of some states after one step."""
    v = np.linalg.solve(robot.mass_matrix(q), p[..., None])[..., 0]
    run = simulate(robot, q, v, h, dt=h, method=method)
    q, v = run.q[:, -1], run.v[:, -1]
    return q, np.einsum("nij,nj->ni", robot.mass_matrix(q), v)


def derivative(robot, q, p, method, h, size=1e-3):
    """Derivative of the step map, (2 nv, 2 nv), by velocities of joints and momenta; differences of order six."""
    n = robot.nv
    weights = np.array([-1, 9, -45, 45, -9, 1]) / (60 * size)
    moves = np.array([-3, -2, -1, 1, 2, 3]) * size
    shifts = np.einsum("k,ij->ikj", moves, np.eye(2 * n)).reshape(-1, 2 * n)
    states = robot.integrate(np.broadcast_to(q, (len(shifts), robot.nq)).copy(), shifts[:, :n].copy())
    ends, momenta = step_map(robot, states, p + shifts[:, n:], method, h)
    here, at = step_map(robot, q[None], p[None], method, h)
    apart = np.concatenate([robot.difference(np.broadcast_to(here, ends.shape).copy(), ends), momenta - at], axis=1)
    return np.einsum("k,ikj->ji", weights, apart.reshape(2 * n, 6, 2 * n)), here[0], at[0]


def symplectic_form(robot, p):
    """The canonical one in velocities of the joints: brackets of motions of a joint come with its momentum."""
    n = robot.nv
    form = np.block([[np.zeros((n, n)), np.eye(n)], [-np.eye(n), np.zeros((n, n))]])
    for b in robot.model.bodies:
        if b.leader is b:
            S = b.joint.S.astype(float)
            brackets = np.array([[np.linalg.pinv(S) @ cross_motion(x, y) for y in S.T] for x in S.T]).astype(float)
            if brackets.size:
                form[b.dofs, b.dofs] = brackets @ p[b.dofs]
    return form


@pytest.mark.parametrize("name", [*(f"one_{kind}" for kind in MOVING), "mixed", "geared", "2r"])
def test_the_step_preserves_the_symplectic_form(name, rng):
    robot = SMOOTH[name]
    q, h = robot.random(rng), 0.05
    p = robot.mass_matrix(q) @ (0.5 * rng.normal(size=robot.nv))

    def violation(method):
        A, _, after = derivative(robot, q, p, method, h)
        form = symplectic_form(robot, after)
        return abs(A.T @ form @ A - symplectic_form(robot, p)).max() / max(1, abs(A).max() ** 2)

    # derivatives by differences: rounding is divided by 1e-3
    assert violation("symplectic") < 2e-12
    if name not in ("one_prismatic", "mixed"):  # every method solves the one, and the other takes long to compile
        assert violation("rk4") > 1e-9, "the test should see a method that is not symplectic"


@pytest.mark.parametrize("name", ["one_floating", "free"])
def test_momenta_of_a_free_robot_stay(name, rng):
    robot = free() if name == "free" else SMOOTH[name]
    robot = robot.replace(gravity=(0, 0, 0))
    q0, v0 = robot.random(rng), rng.normal(size=robot.nv)
    run = simulate(robot, q0, v0, 10.0, dt=0.01, method="symplectic", every=10)
    linear, about_com = run.momentum[:, :3], run.momentum[:, 3:]
    about_origin = about_com + np.cross(run.center_of_mass, linear)
    near(linear, np.broadcast_to(linear[0], linear.shape), 1e-12)
    near(about_origin, np.broadcast_to(about_origin[0], linear.shape), 1e-12)
    assert np.ptp(run.q, axis=0).min() > 1e-3, "it should move"
    assert run.info["residual"] < 1e-10


def test_a_falling_robot_falls_exactly(rng):
    """The momentum of a fall is linear in time, and the angular one about the center of mass stays."""
    robot = free()
    run = simulate(robot, robot.random(rng), rng.normal(size=robot.nv), 2.0, dt=0.01, method="symplectic")
    mass = sum(b.inertia.mass for b in robot.model.bodies)
    expected = run.momentum[0, :3] + mass * np.outer(run.t, robot.gravity)
    near(run.momentum[:, :3], expected, 1e-12)


def test_no_drift_of_energy_in_a_hundred_thousand_steps():
    robot = art.load("triple_pendulum")
    run = simulate(robot, [0.4, 0.1, -0.2], [0, 0, 0], 1000.0, dt=0.01, method="symplectic", every=10)
    error = run.energy.total - run.energy.total[0]
    drift = np.polyfit(run.t, error, 1)[0] * run.t[-1]
    assert abs(drift) < 0.01 * np.ptp(error)
    assert abs(error[-1000:]).max() < 1.5 * abs(error[:1000]).max()
    other = simulate(robot, [0.4, 0.1, -0.2], [0, 0, 0], 1000.0, dt=0.02, method="rk4", every=10).energy.total
    assert abs(other[-1] - other[0]) > 10 * abs(drift), "a method that is not symplectic should drift"


@pytest.mark.parametrize("name", [*(f"one_{kind}" for kind in MOVING), "2r", "mixed", "geared", "massless"])
def test_order_two(name, rng):
    robot = SMOOTH[name]
    q0, v0 = robot.random(rng), 0.5 * rng.normal(size=robot.nv)
    exact = simulate(robot, q0, v0, 0.04, dt=0.04, method="adaptive", rtol=1e-12)
    steps, errors = (0.004, 0.002, 0.001), []
    for h in steps:
        run = simulate(robot, q0, v0, 0.04, dt=h, method="symplectic")
        errors.append(max(abs(robot.difference(exact.q[-1], run.q[-1])).max(), abs(run.v[-1] - exact.v[-1]).max()))
    assert 1.9 < order(steps, errors) < 2.1 or max(errors) < 1e-12
    near(run.a, robot.forward_dynamics(run.q, run.v, np.zeros_like(run.v)), 1e-11)


@pytest.mark.parametrize("kind", MOVING)
def test_a_step_back_returns(kind, rng):
    model = single(kind).model
    q, d = single(kind).random(rng), array((0.3 * rng.normal(size=model.nv)).tolist())
    middle, end = halfway(model, q, d)
    again, start = halfway(model, end, -d)
    near(start.astype(float), q, 1e-15, scale=4)
    near(again.astype(float), middle.astype(float), 1e-15, scale=4)


def test_steps_back_return(rng):
    """The method is its own inverse: with the velocity reversed the motion runs back."""
    robot = SMOOTH["mixed"]
    there = simulate(robot, robot.random(rng), rng.normal(size=robot.nv), 0.5, dt=0.01, method="symplectic")
    back = simulate(robot, there.q[-1], -there.v[-1], 0.5, dt=0.01, method="symplectic")
    near(back.q[-1], there.q[0], 1e-10)  # fifty steps of a tree on a free base amplify rounding
    near(-back.v[-1], there.v[0], 1e-10, scale=abs(there.v).max())


def test_torques_forces_and_damping_in_the_middle_of_a_step(rng):
    robot = art.load("3r")
    q0 = robot.random(rng)
    frame = robot.links[-1].name
    for options in (
        {"torque": rng.normal(size=(20, 3)), "forces": {frame: rng.normal(size=(20, 6))}},
        {"torque": traced(lambda t, q, v: 3 * np.sin(2 * t) - 0.05 * v)},
        {"torque": PD(robot, 20, 0.5).towards(robot.neutral())},
    ):
        errors, steps = [], (1, 2, 4)
        exact = simulate(robot, q0, None, 0.2, dt=0.01, method="adaptive", **options)
        for n in steps:
            finer = {k: np.repeat(x, n, 0) if k == "torque" and np.ndim(x) == 2 else x for k, x in options.items()}
            if "forces" in finer:
                finer["forces"] = {f: np.repeat(x, n, 0) for f, x in finer["forces"].items()}
            run = simulate(robot, q0, None, 0.2, dt=0.01 / n, method="symplectic", every=n, **finer)
            errors.append(abs(run.q - exact.q).max())
        assert -2.15 < order(steps, errors) < -1.85, errors


def test_stiff_damping_is_no_obstacle():
    stiff = art.build(
        [art.Link("bob", None, art.Revolute([0, 1, 0], damping=1e4), inertia=art.Inertia(1.0, [0, 0, -1]))],
        name="stiff",
    )
    run = simulate(stiff, [1.0], [0], 1.0, dt=0.01, method="symplectic")
    assert np.isfinite(run.q).all() and abs(run.q[-1, 0] - 1.0 + 9.81e-4 * np.sin(1)) < 1e-5


def test_lanes_are_single_runs_to_the_last_bit(rng):
    robot = SMOOTH["one_floating"]
    q0, v0 = robot.random(rng, 9), rng.normal(size=(9, 6)) * np.geomspace(0.01, 10, 9)[:, None]
    batch = simulate(robot, q0, v0, 0.5, dt=0.01, method="symplectic")
    assert len(set(batch.info["iterations"])) > 2, "the lanes should need different numbers of iterations"
    for i in (0, 5, 8):
        alone = simulate(robot, q0[i], v0[i], 0.5, dt=0.01, method="symplectic")
        near(batch.q[i], alone.q, 1e-13, scale=abs(alone.q).max())  # the momentum at the start is rounded in batches
        assert batch.info["iterations"][i] == alone.info["iterations"][0]


def test_events_of_it():
    run = simulate(
        pendulum(), [1.0], [0], 2.0, dt=0.01, method="symplectic", events=(lambda t, q, v: q[0], {"terminal": 1})
    )
    assert abs(run.q[-1, 0]) < 1e-14 and run.t[-1] == pytest.approx(0.4478, abs=2e-3) and run.t[-2] < run.t[-1]


def test_a_step_too_long_says_so():
    with pytest.raises(Diverged, match=r"t = 0 s.*iteration .* joint 'joint[123]' .* smaller dt than 1") as caught:
        simulate(art.load("triple_pendulum"), [1, 2, 3], [30, -40, 50], 10.0, dt=1.0, method="symplectic")
    assert len(caught.value.run) == 1


class Sliding(Joint):
    """A joint of one's own that moves by rules of its own."""

    nq = nv = 1

    @property
    def S(self):
        return art.Prismatic([0, 0, 1]).S

    def transform(self, q):
        return art.Prismatic([0, 0, 1]).transform(q)

    def integrate(self, q, v):
        return q + v


@pytest.mark.parametrize(
    "joint, word",
    [
        (art.Revolute([0, 0, 1], friction=0.1), "dry friction"),
        (Sliding(name="own"), "halfway"),
        (art.Floating(armature=0.1), "armature"),
        (art.Planar(armature=0.1), "armature"),
    ],
)
def test_what_is_refused(joint, word, rng):
    robot = art.build([art.Link("body", None, joint, inertia=random_inertia(rng))])
    with pytest.raises(ValueError, match=word):
        simulate(robot, robot.neutral(), method="symplectic")
    spherical = art.build([art.Link("body", None, art.Spherical(armature=0.1), inertia=random_inertia(rng))])
    simulate(spherical, spherical.neutral(), duration=0.01, method="symplectic")


def test_a_step_that_is_too_large_is_told():
    """The energy then wanders, up or down, though it does not drift away."""
    robot = art.load("triple_pendulum").frictionless()
    for dt, told in ((0.014, "the total energy has fallen by 12.2 J"), (0.002, "")):
        run = art.simulate(robot, [3.0, 0.5, 1.0], None, 20.0, dt=dt, method="symplectic")
        found = [finding.text for finding in run.findings if finding.what == "energy"]
        assert [text[: len(told)] for text in found] == [told][: bool(told)]
