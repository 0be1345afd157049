"""Impedance control and computed torque: the closed loop is what the law says it is."""

import json
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory

import numpy as np
import pytest

import articulated as art
from articulated.control import damping_for
from tests import doubtful

from ..contacts.legged import contacts as legged_contacts
from ..contacts.legged import holding
from ..near import near

TRUTH = {
    case["id"]: case
    for case in json.loads((Path(__file__).parents[1] / "oracles" / "ground_truth.json").read_text("utf-8"))["cases"]
}
FEET = ("FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT")
ONE, TWO = np.zeros(1), np.zeros(2)


def hand():
    arm = art.load("panda")
    return art.CartesianImpedance(arm, arm.body_names[-1], 1.0, 1.0, "position")


@cache
def massless():
    """Two hinges, the last of which moves nothing."""
    links = [
        f'<link name="{name}"><inertial><mass value="{mass}"/><inertia ixx="{mass}" iyy="{mass}" izz="{mass}" '
        'ixy="0" ixz="0" iyz="0"/></inertial></link>'
        for name, mass in (("base", 1), ("arm", 1), ("tip", 0))
    ]
    joints = [
        f'<joint name="{parent}_{child}" type="continuous"><parent link="{parent}"/><child link="{child}"/>'
        '<origin xyz="1 0 0"/><axis xyz="0 0 1"/></joint>'
        for parent, child in (("base", "arm"), ("arm", "tip"))
    ]
    with TemporaryDirectory() as folder:
        path = Path(folder) / "massless.urdf"
        path.write_text(f'<robot name="massless">{"".join(links + joints)}</robot>', "utf-8")
        return doubtful.load(path)


def state(robot, rng):
    return robot.random(rng), rng.normal(size=robot.nv), rng.normal(size=robot.nv)


def simulated(robot, law, q, v, reference, push, seconds, dt=1e-3):
    """Where the robot ends under a law and a constant generalized force; Runge and Kutta's method."""

    def rate(q, v):
        return v, robot.forward_dynamics(q, v, law(q, v, reference).tau + push)

    for _ in range(round(seconds / dt)):
        k1 = rate(q, v)
        k2 = rate(q + dt / 2 * k1[0], v + dt / 2 * k1[1])
        k3 = rate(q + dt / 2 * k2[0], v + dt / 2 * k2[1])
        k4 = rate(q + dt * k3[0], v + dt * k3[1])
        q, v = (x + dt / 6 * (a + 2 * b + 2 * c + d) for x, a, b, c, d in zip((q, v), k1, k2, k3, k4, strict=True))
    return q, v


def test_the_lecture_s_torques():
    case, about = TRUTH["S3.impedance.2R"], TRUTH["S1.2R"]
    robot, state = art.load("2r"), about["inputs"]
    given, expected = case["inputs"], case["expected"]
    law = art.Impedance(robot, given["Kp"], given["Kd"])
    found = law(state["q"], state["qd"], given["q_ref"], given["qd_ref"], given["qdd_ref"])
    assert near(found.feedforward, expected["tau_ff"], 1e-12)
    assert near(found.feedback, expected["tau_fb"], 1e-12)
    assert near(found.tau, expected["tau"], 1e-12)


@pytest.mark.parametrize("name", ["2r", "panda", "ur5", "puma560"])
def test_joint_errors_obey_the_error_dynamics(name, rng):
    """M ë + D ė + K e = 0, with ë from the robot's own forward dynamics."""
    robot = art.load(name)
    n = robot.nv
    K, D = np.diag(rng.uniform(10, 100, n)), np.diag(rng.uniform(1, 10, n))
    for feedforward in ("measured", "passive"):
        q, v, a_ref = state(robot, rng)
        q_ref, v_ref = q + 0.1 * rng.normal(size=n), v + rng.normal(size=n)
        law = art.Impedance(robot, K, D, feedforward)
        a = robot.forward_dynamics(q, v, law(q, v, q_ref, v_ref, a_ref).tau)
        shown = law.error_dynamics(q, v)
        left = shown.inertia @ (a_ref - a) + shown.damping @ (v_ref - v) + shown.stiffness @ (q_ref - q)
        assert near(left / abs(shown.inertia @ a).max(), np.zeros(n), 1e-10)

    law = art.ComputedTorque(robot, K, D)
    a = robot.forward_dynamics(q, v, law(q, v, q_ref, v_ref, a_ref).tau)
    assert near(a_ref - a + D @ (v_ref - v) + K @ (q_ref - q), np.zeros(n), 1e-8 * max(1, abs(a).max()))


def test_passive_errors_lose_the_energy_the_damper_takes(rng):
    """d/dt (½ ėᵀ M ė + ½ eᵀ K e) = -ėᵀ Kd ė, since Ṁ - 2C is skew."""
    robot = art.load("ur5")
    q, v, a_ref = state(robot, rng)
    v_ref, K, D = rng.normal(size=6), np.diag(rng.uniform(10, 100, 6)), np.diag(rng.uniform(1, 10, 6))
    q_ref = q + 0.1 * rng.normal(size=6)
    a = robot.forward_dynamics(q, v, art.Impedance(robot, K, D, "passive")(q, v, q_ref, v_ref, a_ref).tau)
    e, rate = q_ref - q, v_ref - v
    power = rate @ robot.mass_matrix(q) @ (a_ref - a) + rate @ robot.mass_matrix_rate(q, v) @ rate / 2 + rate @ K @ e
    assert near(power, -rate @ (D + robot.coriolis_matrix(q, v) - robot.mass_matrix_rate(q, v) / 2) @ rate, 1e-9)
    assert near(power, -rate @ D @ rate, 1e-9)


@pytest.mark.parametrize("follows, n", [("pose", 6), ("position", 3), ("orientation", 3)])
def test_cartesian_errors_obey_the_error_dynamics(follows, n, rng):
    robot = art.load("panda")
    hand = robot.body_names[-1]
    rows = {"pose": slice(0, 6), "position": slice(0, 3), "orientation": slice(3, 6)}[follows]
    for _ in range(5):
        q, v, _ = state(robot, rng)
        law = art.CartesianImpedance(robot, hand, 100.0, 20.0, follows)
        pose = robot.pose(robot.integrate(q, 0.05 * rng.normal(size=robot.nv)), hand)
        target = {"pose": pose, "position": pose[:3, 3], "orientation": pose[:3, :3]}[follows]
        rate, acceleration = rng.normal(size=n), rng.normal(size=n)
        a = robot.forward_dynamics(q, v, law(q, v, target, rate, acceleration).tau)
        reached = robot.frame_acceleration(q, v, a, hand)[rows]
        speed = robot.frame_velocity(q, v, hand)[rows]
        value = law.task.value(target, law.goal.sizes(robot.model)[0])
        shown, e = law.error_dynamics(q), law.goal_rows(q, v, value, rate, acceleration).error
        left = shown.inertia @ (acceleration - reached) + 20 * (rate - speed) + 100 * e
        assert near(left / abs(shown.inertia @ reached).max(), np.zeros(n), 1e-8)


def test_joint_impedance_on_contacts(rng):
    """In the motions the contacts leave: Nᵀ (M ë + Sᵀ (Kd ė + Kp e)) = 0 under contact forward dynamics."""
    held = legged_contacts("quadruped", "point", FEET)
    robot = held.robot
    for _ in range(3):
        q, v = holding(held, rng)
        law = art.Impedance(held, 30.0, 2.0)
        q_ref = robot.integrate(q, 0.05 * rng.normal(size=robot.nv))
        done = law(q, v, q_ref)
        a = held.forward_dynamics(q, v, done.tau).a
        a_ref = held.acceleration(q, v, np.zeros(robot.nv))
        pull = np.zeros(robot.nv)
        pull[6:] = 30 * robot.difference(q, q_ref)[6:] - 2 * v[6:]
        N = law._motions(q)
        left = N.T @ (robot.mass_matrix(q) @ (a_ref - a) + pull)
        assert near(left / max(1, abs(robot.mass_matrix(q) @ a).max()), np.zeros(N.shape[1]), 1e-8)
        shown = law.error_dynamics(q)
        assert shown.inertia.shape == (6, 6) and shown.stable


def test_cartesian_impedance_on_contacts(rng):
    """The base of a standing quadruped as a mass on a spring."""
    held = legged_contacts("quadruped", "point", FEET)
    robot = held.robot
    base = robot.body_names[0]
    q, v = holding(held, rng)
    law = art.CartesianImpedance(held, base, 200.0, 30.0)
    target = robot.pose(robot.integrate(q, 0.02 * rng.normal(size=robot.nv)), base)
    a = held.forward_dynamics(q, v, law(q, v, target).tau).a
    reached, speed = robot.frame_acceleration(q, v, a, base), robot.frame_velocity(q, v, base)
    shown, e = law.error_dynamics(q), law.goal_rows(q, v, law.task.value(target, 12), *np.zeros((2, 6))).error
    left = -shown.inertia @ reached - 30 * speed + 200 * e
    assert near(left / abs(shown.inertia @ reached).max(), np.zeros(6), 1e-7)


def test_computed_torque_on_contacts_corrects_what_contacts_leave(rng):
    held = legged_contacts("quadruped", "point", FEET)
    q, v = holding(held, rng)
    law = art.ComputedTorque(held, 50.0, 10.0)
    q_ref = held.robot.integrate(q, 0.02 * rng.normal(size=18))
    wanted = np.zeros(18)
    wanted[6:] = 50 * held.robot.difference(q, q_ref)[6:] - 10 * v[6:]
    a = held.forward_dynamics(q, v, law(q, v, q_ref).tau).a
    assert near(a, held.acceleration(q, v, wanted), 1e-8 * max(1, abs(a).max()))


def test_rigid_and_compliant_control_under_a_disturbance():
    """S3.11: an impedance yields by F/K, as a spring does; a high gain hardly yields at all."""
    robot = art.load("2r")
    q, push = np.array([0.3, 0.5]), np.array([4.0, -2.0])
    yielded = {}
    for stiffness in (40.0, 4000.0):
        M = robot.mass_matrix(q)
        law = art.Impedance(robot, stiffness, damping_for(M, stiffness * np.eye(2)))
        end, speed = simulated(robot, law, q, np.zeros(2), q, push, 3.0)
        assert abs(speed).max() < 1e-4
        yielded[stiffness] = end - q
        assert near(end - q, push / stiffness, 1e-4)
        assert near(q - end, law.error_dynamics(q).deflection(push), 1e-4)
    assert near(yielded[40.0] / yielded[4000.0], [100, 100], 1e-3)


def test_computed_torque_yields_by_the_inertia_not_by_a_stiffness():
    robot, q, push = art.load("2r"), np.array([0.3, 0.5]), np.array([0.5, 0.2])
    end, _ = simulated(robot, art.ComputedTorque(robot, 100.0, 20.0), q, np.zeros(2), q, push, 3.0)
    assert near(end - q, np.linalg.solve(robot.mass_matrix(end), push) / 100, 1e-5)


@pytest.mark.parametrize("ratio", [0.3, 0.7, 1.0])
def test_modes_have_the_damping_that_was_asked_for(ratio, rng):
    robot = art.load("ur5")
    q, K = robot.random(rng), np.diag(rng.uniform(20, 200, 6))
    D = damping_for(robot.mass_matrix(q), K, ratio)
    shown = art.Impedance(robot, K, D).error_dynamics(q)
    assert near(shown.damping_ratios, np.full(6, ratio), 1e-9)
    assert shown.stable
    if ratio < 1:
        found = shown.eigenvalues
        assert near(np.sort(abs(found))[::2], shown.frequencies, 1e-8)
        assert near(-found.real / abs(found), np.full(12, ratio), 1e-8)
    assert str(shown).count("\n") == 7 and "Hz" in str(shown)


def test_laws_take_batches(rng):
    robot = art.load("panda")
    q, v = robot.random(rng, 5), rng.normal(size=(5, robot.nv))
    for law in (
        art.Impedance(robot, 10.0, 1.0),
        art.Impedance(robot, 10.0, 1.0, "passive"),
        art.ComputedTorque(robot, 10.0, 1.0),
    ):
        many = law(q, v, robot.neutral())
        for i in range(5):
            assert near(many.tau[i], law(q[i], v[i], robot.neutral()).tau, 1e-12)


@pytest.mark.parametrize("kind", [art.Impedance, art.ComputedTorque])
@pytest.mark.parametrize("robot", ["panda", "quadruped"])
def test_any_argument_may_be_the_batch(kind, robot, rng):
    me = art.load("panda") if robot == "panda" else legged_contacts("quadruped", "point", FEET)
    law = kind(me, 10.0, 1.0)
    own = law.robot
    one = [own.random(rng), rng.normal(size=own.nv), own.random(rng), rng.normal(size=own.nv), rng.normal(size=own.nv)]
    for k, x in enumerate(one):
        for count in (0, 3):
            many = [np.tile(x, (count, 1)) if i == k else y for i, y in enumerate(one)]
            if count and k not in (0, 2):
                many[k] = many[k] + rng.normal(size=many[k].shape)
            found = law(*many)
            assert found.tau.shape == found.feedforward.shape == found.feedback.shape == (count, len(law.actuated))
            for i in range(count):
                alone = law(*(y[i] if j == k else y for j, y in enumerate(many)))
                assert near(found.tau[i], alone.tau, 1e-9 * max(1, abs(alone.tau).max()))
    assert law(np.tile(one[0], (2, 1, 1)), np.tile(one[1], (3, 1)), one[2]).tau.shape == (2, 3, len(law.actuated))


@pytest.mark.parametrize("text, make", [
    ("art.Contacts(robot, point=", lambda: art.Impedance(art.load("quadruped", floating_base=True), 1.0, 1.0)),
    ("stiffness is a number, (2,)", lambda: art.Impedance(art.load("2r"), [1, 2, 3], 1.0)),
    ("negative eigenvalue", lambda: art.Impedance(art.load("2r"), 1.0, -1.0)),
    ("did you mean 'passive'", lambda: art.Impedance(art.load("2r"), 1.0, 1.0, "pasive")),
    ("did you mean", lambda: art.CartesianImpedance(art.load("panda"), "panda_hnd", 1.0, 1.0)),
    ("a robot, or art.Contacts", lambda: art.Impedance("2r", 1.0, 1.0)),
    ("finite; got nan", lambda: art.Impedance(art.load("2r"), np.nan, 1.0)),
    ("stiffness is a number", lambda: art.Impedance(art.load("2r"), "stiff", 1.0)),
    ("damping is a number", lambda: art.ComputedTorque(art.load("2r"), 1.0, "1")),
    *((f"{name} has shape", lambda law=law, given=given: law(*given))
      for law in (art.Impedance(art.load("2r"), 1.0, 1.0), art.ComputedTorque(art.load("2r"), 1.0, 1.0))
      for name, given in {
          "v": (TWO, ONE, TWO), "q_ref": (TWO, TWO, ONE), "v_ref": (TWO, TWO, TWO, ONE),
          "a_ref": (TWO, TWO, TWO, TWO, ONE),
      }.items()),
    ("do not broadcast", lambda: art.ComputedTorque(art.load("2r"), 1, 1)(np.zeros((5, 2)), np.zeros((4, 2)), TWO)),
    ("one configuration", lambda: hand()(np.zeros((5, 7)), np.zeros(7), np.zeros(3))),
    ("v has shape", lambda: hand()(np.zeros(7), np.zeros((5, 7)), np.zeros(3))),
    ("v has shape", lambda: hand()(np.zeros(7), np.zeros(1), np.zeros(3))),
    ("rate has shape", lambda: hand()(np.zeros(7), np.zeros(7), np.zeros(3), ONE)),
    ("acceleration has shape", lambda: hand()(np.zeros(7), np.zeros(7), np.zeros(3), None, ONE)),
    ("q holds NaN", lambda: hand()(np.full(7, np.nan), np.zeros(7), np.zeros(3))),
    ("one configuration", lambda: hand().error_dynamics(np.zeros((5, 7)))),
    ("one configuration", lambda: art.Impedance(art.load("2r"), 1, 1).error_dynamics(np.zeros((5, 2)))),
    ("one configuration", lambda: art.ComputedTorque(art.load("2r"), 1, 1).error_dynamics(np.zeros((5, 2)))),
    ("moves no mass", lambda: art.Impedance(massless(), 1, 1).error_dynamics(TWO)),
    ("moves no mass", lambda: art.CartesianImpedance(massless(), "tip", 1, 1).error_dynamics(TWO)),
    ("moves no mass", lambda: art.CartesianImpedance(massless(), "tip", 1, 1)(TWO, TWO, np.eye(4))),
    ("v holds NaN", lambda: art.PD(legged_contacts("quadruped", "point", FEET), 1.0, 1.0)(
        [0] * 6 + [1] + [0] * 12, [0, np.nan] + [0] * 16, [0] * 6 + [1] + [0] * 12)),
    ("definite inertia", lambda: damping_for(np.zeros((2, 2)), np.eye(2))),
    ("is for a fixed base", lambda: art.Impedance(legged_contacts("quadruped", "point", FEET), 1.0, 1.0, "passive")),
])  # fmt: skip
def test_mistakes_are_refused(text, make):
    with pytest.raises(art.ArticulatedError) as caught:
        make()
    assert text in str(caught.value)


# -- friction of joints -------------------------------------------------------------------


def rubbing(name, damping=0.7, friction=0.9, **options):
    """A built-in robot whose joints have damping and dry friction."""
    model, rubs = art.load(name, **options).model, {"damping": damping, "friction": friction}
    return art.Robot(
        model.changed(x.replace(joint=x.joint.replace(**rubs)) if x.joint.nv == 1 else x for x in model.links)
    )


LAWS_OF_JOINTS = {"ComputedTorque": art.ComputedTorque, "Impedance": art.Impedance}


@pytest.mark.parametrize("law", LAWS_OF_JOINTS.values(), ids=LAWS_OF_JOINTS)
def test_friction_is_compensated_where_it_is_said(law, rng):
    arm = rubbing("ur5")
    plain = rubbing("ur5", 0, 0)
    q, q_ref, v, v_ref, a_ref = arm.random(rng), arm.random(rng), *rng.normal(size=(3, arm.nv))
    without = law(plain, 60, 8)(q, v, q_ref, v_ref, a_ref).tau
    wanted = {
        "ignored": np.zeros(arm.nv),
        "compensated": arm.friction_forces(v),
        "reference": 0.7 * v_ref + 0.9 * v_ref / np.hypot(v_ref, 0.01),
    }
    for choice, friction in wanted.items():
        tau = law(arm, 60, 8, joint_friction=choice)(q, v, q_ref, v_ref, a_ref).tau
        assert np.allclose(tau, without + friction, rtol=1e-12, atol=1e-10), choice
    assert np.array_equal(law(arm, 60, 8)(q, v, q_ref, v_ref).tau, law(arm, 60, 8, joint_friction="reference")(
        q, v, q_ref, v_ref).tau)  # fmt: skip
    with pytest.raises(art.ArticulatedError, match="joint_friction"):
        law(arm, 60, 8, joint_friction="yes")


@pytest.mark.parametrize("law", LAWS_OF_JOINTS.values(), ids=LAWS_OF_JOINTS)
def test_friction_on_contacts_stays_with_its_motors(law, rng):
    dog, feet = rubbing("quadruped", floating_base=True), ["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"]
    plain = art.load("quadruped", floating_base=True)
    q, v, v_ref = plain.poses["home"], np.zeros(plain.nv), rng.normal(size=plain.nv)
    of = {robot: law(art.Contacts(robot, point=feet), 60, 8) for robot in (dog, plain)}
    added = of[dog](q, v, q, v_ref).tau - of[plain](q, v, q, v_ref).tau
    assert np.allclose(added, (0.7 * v_ref + 0.9 * v_ref / np.hypot(v_ref, 0.01))[6:], atol=1e-9)
    held = law(art.Contacts(dog, point=feet), 60, 8, joint_friction="compensated")
    assert np.allclose(held(q, v, q).tau, of[plain](q, v, q).tau, atol=1e-9)


def test_torques_jump_with_the_sign_of_velocities_only_where_friction_is_compensated():
    arm, jumps = rubbing("ur5"), {}
    for choice in ("reference", "compensated"):
        law = art.ComputedTorque(arm, 100, 4, joint_friction=choice)
        start = arm.neutral() + 0.1
        run = art.simulate(arm, start, duration=1.0, torque=law.towards(arm.neutral()), limits=False)
        jumps[choice] = abs(np.diff(run.tau[1:, 0])).max()
    assert jumps["compensated"] > 1.7 > 0.5 > jumps["reference"]


@pytest.mark.parametrize("law", LAWS_OF_JOINTS.values(), ids=LAWS_OF_JOINTS)
def test_damping_that_is_left_is_in_the_error_dynamics(law, rng):
    arm = rubbing("ur5", friction=0)
    own, q = law(arm, 60, 8), arm.random(rng)
    shown, e, rate = own.error_dynamics(q), *1e-7 * rng.normal(size=(2, arm.nv))
    still = np.zeros(arm.nv)
    a = arm.forward_dynamics(q, rate, own(q, rate, arm.integrate(q, -e), still).tau)
    # q - q_ref is e, so the sum is that of small errors; the rest is of second order
    left = shown.inertia @ a + shown.damping @ rate + shown.stiffness @ e
    assert abs(left).max() < 1e-5 * abs(shown.inertia @ a).max()
