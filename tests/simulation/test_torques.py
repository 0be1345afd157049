"""Torques of a simulation: traced and called functions give the same run; functions that are not pure are refused."""

import itertools

import numpy as np
import pytest

import articulated as art
from articulated.simulation.methods.table import INTEGRATORS

NEAR = 1e-11


def damped(t, q, v):
    return 0.3 * np.sin(3 * t) * np.cos(q) - 0.2 * v


def clipped(t, q, v):
    return np.clip(5 * (0.5 - q) - v, -1.0, 1.0)


def switched(t, q, v):
    return np.where(q > 0.1, -1.0, 1.0) * np.abs(v) + np.maximum(0, q) - np.sign(v) * 0.1


def mixed(t, q, v):
    K = np.array([[3.0, 0.2], [0.1, 2.0]])
    return -K @ q - np.linalg.norm(v) * v + [np.sqrt(1 + t * t), np.arctan2(q[0], 2.0)]


def compared(t, q, v):
    inside = (q >= -0.2) & ~(q > 0.35) | (v <= -1.5)
    return np.where(inside, 0.5, -0.5) + (q <= 0.1) * 0.3 - np.tanh(3 * v) + np.where(np.array([True, False]), q, 0.0)


def phased(t, q, v):
    return np.floor(10 * q) * 0.02 + (t % 0.03) - np.ceil(v) * 0.01 + (v % -0.7) + 7.3 % (2 + np.abs(q))


@pytest.mark.parametrize("function", [damped, clipped, switched, mixed, compared, phased])
@pytest.mark.parametrize("method", ["euler", "rk4"])
def test_traced_and_called_are_the_same_run(function, method):
    robot, q0, v0 = art.load("double_pendulum"), [0.4, -0.3], [1.0, -2.0]
    traced = art.simulate(robot, q0, v0, 0.2, torque=art.traced(function), method=method)
    if method == "euler":
        called = art.simulate(robot, q0, v0, 0.2, torque=function, method=method)
        assert np.abs(traced.q - called.q).max() < NEAR and np.abs(traced.tau - called.tau).max() < 1e2 * NEAR
    assert np.allclose(traced.tau[7], function(traced.t[7], traced.q[7], traced.v[7]), rtol=1e-12, atol=1e-13)


def test_a_decorator_leaves_the_function_as_it_is():
    found = art.traced(damped)
    assert (found(0.1, np.ones(2), np.ones(2)) == damped(0.1, np.ones(2), np.ones(2))).all()
    assert art.traced(found) is found and "damped" in repr(found)
    with pytest.raises(art.ShapeError, match="traced takes a function"):
        art.traced(3)


def test_motors_of_a_floating_robot():
    robot = art.load("quadruped", floating_base=True)
    q0 = robot.poses["home"]
    function = lambda t, q, v: 0.1 - 0.01 * v[6:]  # noqa: E731
    runs = [art.simulate(robot, q0, None, 0.05, torque=f) for f in (function, art.traced(function))]
    assert np.abs(runs[0].q - runs[1].q).max() < NEAR and not runs[0].tau[:, :6].any()


counter = itertools.count()
CALLS: list[float] = []


def counting(t, q, v):
    return [next(counter) * 1e-3, 0.0]


def remembering(t, q, v):
    CALLS.append(0.0)
    return [len(CALLS) * 1e-3 - q[0], 0.0]


def branching(t, q, v):
    return [1.0, 0.0] if q[0] > 0 else [-1.0, 0.0]


def random(t, q, v):
    return np.random.default_rng().normal(size=2) + 0 * q


@pytest.mark.parametrize("function", [
    counting, remembering, branching, random, lambda t, q, v: [float(q[0]), 0.0], lambda t, q, v: [np.exp(q[0]), 0.0],
    lambda t, q, v: [q[0] ** 0.3, 0],
])  # fmt: skip
def test_what_is_not_pure_is_refused(function):
    robot = art.load("double_pendulum")
    with pytest.raises(art.NotTraceable):
        art.simulate(robot, [0, 0], torque=art.traced(function), duration=0.01)


def test_a_hidden_state_is_fine_in_a_function_that_is_called():
    robot, seen = art.load("double_pendulum"), []

    def state(t, q, v):
        seen.append(t)
        return [len(seen) * 1e-3, 0.0]

    run = art.simulate(robot, [0, 0], duration=0.01, torque=state)
    assert np.allclose(seen, run.t) and np.allclose(run.tau[:, 0], 1e-3 * np.arange(1, 12))


@pytest.mark.parametrize("function, error, words", [
    (lambda t, q, v: [1.0], art.ShapeError, r"array \(1,\) at t = 0 s; double_pendulum needs \(2,\)"),
    (lambda t, q, v: np.zeros((2, 2)), art.ShapeError, r"array \(2, 2\)"),
    (lambda t, q, v: 3.0, art.ShapeError, r"array \(\)"), (lambda t, q, v: "much", art.ShapeError, "not torques"),
    (lambda t, q, v: None, art.ShapeError, r"returned nothing \(None\) at t = 0 s"),
    (art.traced(lambda t, q, v: None), art.ShapeError, "returned nothing"),
    (art.traced(lambda t, q, v: [q[0], None]), art.ArticulatedError, "None"),
    (lambda t, q, v: [0, np.nan] if t > 0.005 else [0, 0], art.ControllerFailed, r"nan for .joint2. at t = 0\.006 s"),
    (lambda t, q, v: [np.inf, 0], art.ControllerFailed, "inf for .joint1. at t = 0 s"),
    (art.traced(lambda t, q, v: [q[0], 0, 0]), art.ShapeError, r"returned an array \(3,\)"),
    (art.traced(lambda t, q, v: [q[0], np.nan]), art.ArticulatedError, "nan"),
])  # fmt: skip
def test_what_is_no_torque(function, error, words):
    with pytest.raises(error, match=words):
        art.simulate(art.load("double_pendulum"), [0, 0], duration=0.01, torque=function)


@pytest.mark.parametrize("every", [1, 5])
@pytest.mark.parametrize("legged", [False, True], ids=["arm", "legged"])
def test_nan_for_one_run_of_a_batch_ends_that_one_alone(legged, every):
    """The others go on as if it were not there, to the last bit."""
    robot = art.load("quadruped", floating_base=True) if legged else art.load("double_pendulum")
    q = np.tile(robot.poses["home"] if legged else [0.1, 0.2], (3, 1))
    q[:, -1] += [0.0, 0.01, 0.02]
    q[:, 2:3] += 0.01  # of legs: above the ground
    ground = art.Ground() if legged else None

    def law(bad):
        def torque(t, q, v):
            tau = -0.1 * v
            tau[bad if t > 0.0195 else [], -1] = np.nan
            return tau

        return torque

    given = {"duration": 0.04, "every": every, "contacts": ground, "progress": False}
    whole = art.simulate(robot, q, torque=law([]), **given)
    with pytest.warns(art.SimulationWarning, match="1 of 3 runs"):
        run = art.simulate(robot, q, torque=law([1]), **given)
    for k in (0, 2):
        assert np.array_equal(run.q[k], whole.q[k]) and np.array_equal(run.tau[k], whole.tau[k])
    (found,) = [x for x in run.findings if x.what in ("controller", "diverged")]
    assert found.what == "controller" and run.info["ended_by"] == [None, "controller", None]
    assert run.info["ended_at"] == [None, pytest.approx(0.02 - 1e-3 * every), None] and "1 of 3 runs" in found.text
    assert np.isfinite(run.q).all() and (run.q[1, -1] == run.q[1, 20 // every - 1]).all()
    with pytest.raises(art.ControllerFailed, match="in state 0 of the batch") as caught:
        art.simulate(robot, q, torque=law([0, 1, 2]), **given)
    assert caught.value.run.t[-1] == pytest.approx(0.02 - 1e-3 * every)


@pytest.mark.parametrize("begin", [0, 7])
@pytest.mark.parametrize("method", INTEGRATORS)
def test_nan_ends_one_run_alone_at_the_start_as_later_by_every_method(method, begin):
    robot = art.load("panda")
    q = robot.poses["home"] + np.array([[[0.0], [0.01]], [[0.02], [0.03]]])

    def law(bad):
        def torque(t, q, v):
            tau = -0.1 * v
            tau[1, 0] = np.nan if bad and t > (begin - 0.5) * 1e-3 else tau[1, 0]
            return tau

        return torque

    given = {"duration": 0.02, "method": method, "progress": False}
    whole = art.simulate(robot, q, torque=law(False), **given)
    with pytest.warns(art.SimulationWarning, match="1 of 4 runs ended early"):
        run = art.simulate(robot, q, torque=law(True), **given)
    last = max(begin - 1, 0)
    assert run.info["ended_at"] == [None, None, run.t[last], None]
    assert run.info["ended_by"] == [None, None, "controller", None]
    for name in ("q", "v", "tau", "a"):
        found, expected = getattr(run, name), getattr(whole, name)
        assert np.isfinite(found).all() and np.array_equal(found[[0, 0, 1], [0, 1, 1]], expected[[0, 0, 1], [0, 1, 1]])
    assert np.array_equal(run.q[1, 0, : last + 1], whole.q[1, 0, : last + 1])
    assert (run.q[1, 0, last:] == run.q[1, 0, last]).all()


def test_a_traced_function_that_is_nan_somewhere_is_refused_for_that():
    law = art.traced(lambda t, q, v: [(q[0] - 9) ** 0.5, 0])
    with (
        np.errstate(all="ignore"),
        pytest.raises(art.ControllerFailed, match="a random state that functions are tried"),
    ):
        art.simulate(art.load("double_pendulum"), [0, 0], torque=law)


def test_a_mistake_of_the_function_is_its_own():
    def broken(t, q, v):
        raise KeyError("gain")

    with pytest.raises(KeyError, match="gain"):
        art.simulate(art.load("double_pendulum"), [0, 0], duration=0.01, torque=broken)


@pytest.mark.parametrize("options, words", [
    ({"dt": 0}, "dt is a time step above zero"), ({"dt": -1e-3}, "dt is"), ({"dt": np.nan}, "dt is"),
    ({"dt": "fast"}, "dt is"), ({"duration": 0}, "duration is"), ({"duration": -1}, "duration is"),
    ({"duration": np.inf}, "duration is"), ({"q0": [0, 0, 0]}, "q0"), ({"q0": [np.nan, 0]}, "q0 holds NaN"),
    ({"v0": [0]}, "v0"), ({"v0": [np.inf, 0]}, "v0 holds NaN"), ({"q0": np.zeros((0, 2))}, "empty"),
    ({"q0": np.zeros((3, 2)), "v0": np.zeros((4, 2))}, "broadcast"), ({"every": 3}, "does not divide"),
    ({"every": 0}, "every"), ({"method": "rk5"}, "did you mean 'rk4'"), ({"method": 4}, "method"),
    ({"torque": np.zeros(3)}, r"shape \(3,\)"), ({"torque": np.zeros((7, 2))}, r"shape \(7, 2\)"),
    ({"torque": np.full((10, 2), np.nan)}, "torque holds NaN"), ({"torque": "none"}, "torque is None"),
    ({"torque": np.zeros((3, 10, 2))}, "batch"), ({"forces": {"link2": np.zeros(3)}}, "the force at 'link2'"),
    ({"forces": {"link9": np.zeros(6)}}, "link9"), ({"forces": np.zeros(6)}, "by frame"),
    ({"contacts": "floor"}, "contacts"), ({"limits": 1}, "limits is True or False"),
    ({"rtol": 1e-6}, "rtol"),
    ({"robot": "2r"}, "robot first"),
])  # fmt: skip
def test_bad_input(options, words):
    given = {"robot": art.load("double_pendulum"), "q0": [0, 0], "duration": 0.01, **options}
    with pytest.raises(art.ArticulatedError, match=words):
        art.simulate(**given)


@pytest.mark.parametrize("traced", [True, False])
@pytest.mark.parametrize("method", ["euler", "rk4"])
def test_a_step_that_is_too_large_says_when_and_where(method, traced):
    robot = art.load("double_pendulum")
    stiff = lambda t, q, v: -1e5 * q - 1e4 * v  # noqa: E731
    with pytest.raises(art.Diverged, match=r"t = [\d.e+]+ s.*joint.* moves at [\d.e+]+ rad/s; try") as caught:
        art.simulate(
            robot, [0.1, 0.1], duration=400.0, dt=0.1, torque=art.traced(stiff) if traced else stiff, method=method
        )
    run = caught.value.run
    assert np.isfinite(run.q).all() and 1 <= len(run) < 4001 and run.info["ended"] == "diverged"
    assert any(name in str(caught.value) for name in robot.joint_names)


@pytest.mark.parametrize("every", [1, 8])
def test_a_controller_that_stops_at_nan_does_not_hide_divergence(every):
    robot = art.load("double_pendulum")

    def careful(t, q, v):
        if not np.isfinite(q).all():
            raise ValueError("what is this?")
        return -1e5 * q - 1e4 * v

    with pytest.raises(art.Diverged, match="joint"):
        art.simulate(robot, [0.1, 0.1], duration=400.0, dt=0.1, torque=careful, every=every)


# -- what a review found ------------------------------------------------------------------


def test_time_is_the_same_number_compiled_and_called():
    """A sum of rounded steps would switch one step early."""
    slide = art.build(
        [art.Link("s", None, art.Prismatic([1, 0, 0]), inertia=art.Inertia(1.0))], gravity=[0, 0, 0], name="slide"
    )
    for when in (0.3, 0.8):

        def late(t, q, v, when=when):
            return np.where(t > when, 1.0, 0.0) * np.ones(1)

        called, compiled = (art.simulate(slide, [0.0], duration=1.0, torque=f) for f in (late, art.traced(late)))
        assert np.array_equal(called.tau, compiled.tau) and np.allclose(called.q, compiled.q, rtol=0, atol=1e-15)


def test_a_law_needs_a_reference_and_keeps_its_own():
    robot = art.load("2r")
    law = art.PD(robot, 50, 5)
    with pytest.raises(art.ShapeError, match="towards"):
        art.simulate(robot, [0.1, 0.2], duration=0.01, torque=law)
    wanted = np.array([0.5, 0.1])
    controller = law.towards(wanted)
    before = art.simulate(robot, [0, 0], duration=0.001, torque=controller).tau
    wanted[0] = 9.0
    assert np.array_equal(art.simulate(robot, [0, 0], duration=0.001, torque=controller).tau, before)
    with pytest.raises(art.ShapeError, match="q_ref holds NaN"):
        law.towards([np.nan, 0])


def test_a_traced_reference_with_a_hidden_state_is_refused():
    robot, calls = art.load("2r"), []

    def moving(t):
        calls.append(t)
        return 0.01 * len(calls) * np.ones(2)

    with pytest.raises(art.NotTraceable):
        art.simulate(robot, [0, 0], duration=0.01, torque=art.PD(robot, 50, 5).towards(art.traced(moving)))


@pytest.mark.parametrize("batch", [(), (1,), (1, 1), (4,), (2, 3)])
def test_a_function_sees_the_batch_as_it_was_given(batch):
    robot, seen = art.load("2r"), []

    def torque(t, q, v):
        seen.append((q.shape, v.shape))
        return -v

    run = art.simulate(robot, np.zeros((*batch, 2)), duration=0.002, torque=torque)
    assert set(seen) == {((*batch, 2), (*batch, 2))} and run.q.shape == (*batch, 3, 2)


def test_runs_of_robots_with_other_masses_are_not_joined():
    robot = art.load("2r")
    first = art.simulate(robot, [0.1, 0.2], duration=0.01)
    other = art.simulate(robot.replace(gravity=[0, 0, 0]), first.q[-1], first.v[-1], 0.01)
    with pytest.raises(art.ShapeError, match="another mass, gravity or length"):
        first + other


def test_what_is_not_finite_from_the_start_is_said():
    slide = art.build([art.Link("s", None, art.Prismatic([1, 0, 0]), inertia=art.Inertia(1.0))], name="slide")
    with pytest.raises(art.ControllerFailed, match="at the start"):
        art.simulate(slide, [0.0], duration=0.01, torque=art.traced(lambda t, q, v: 1 / q))


def test_dry_friction_is_refused_where_it_does_not_stick():
    rough = art.build(
        [art.Link("s", None, art.Prismatic([1, 0, 0], name="rail", friction=5.0), inertia=art.Inertia(1.0))],
        name="rough",
    )
    for method in ("adaptive", "symplectic"):
        with pytest.raises(art.ShapeError, match=r"'rail'.*dry friction"):
            art.simulate(rough, [0.0], [1.0], 0.01, method=method)


NO_TORQUES = {
    "complex": np.array([1 + 1j, 2]),
    "complex list": [1 + 1j, 2],
    "text": ["1", "2"],
    "array of text": np.array(["1", "2"]),
    "masked": np.ma.array([1.0, 2.0], mask=[0, 1]),
}


@pytest.mark.parametrize("given", NO_TORQUES.values(), ids=NO_TORQUES)
def test_torques_that_are_no_real_numbers_are_refused(given):
    with pytest.raises(art.ShapeError, match="the controller returned"):
        art.simulate(art.load("2r"), [0, 0], duration=0.01, torque=lambda t, q, v: given)


@pytest.mark.parametrize("function", [lambda q, v: v, lambda t, q, v, x: v, int], ids=["two", "four", "class"])
def test_functions_of_something_else_are_refused_before_the_first_step(function):
    arm, short = art.load("2r"), {"duration": 0.01}
    with pytest.raises(art.ShapeError, match=r"simulate: torque is .*\(t, q, v\)"):
        art.simulate(arm, [0, 0], torque=function, **short)
    with pytest.raises(art.ShapeError, match=r"simulate: torque is .*\(t, q, v\)"):
        art.simulate(arm, [0, 0], torque=art.traced(function), **short)
    with pytest.raises(art.ShapeError, match=r"simulate: an event is .*\(t, q, v\)"):
        art.simulate(arm, [0, 0], events=[function], **short)


def test_references_are_functions_of_time_alone():
    law = art.PD(art.load("2r"), 10.0, 1.0)
    for given in (lambda: [0, 0], lambda t, q: [0, 0], art.traced(lambda t, q: [0, 0])):
        with pytest.raises(art.ShapeError, match=r"towards: reference is called with \(t\)"):
            law.towards(given)
    assert law.towards(lambda t, q=1: [0.1, 0.2])(0.0, [0, 0], [0, 0]).shape == (2,)


def test_forces_that_are_no_array_are_refused():
    with pytest.raises(art.ShapeError, match="simulate: the force at 'link2' must hold real numbers"):
        art.simulate(art.load("2r"), [0, 0], duration=0.01, forces={"link2": [[1, 2], [3]]})


def two(joints):
    """Two links side by side, in some order, of joints by name."""
    links = [art.Link("base", None, art.Fixed())]
    for name, joint in joints.items():
        links.append(
            art.Link(f"link {name}", "base", joint.replace(name=name), inertia=art.Inertia(1, (0.3, 0, 0), 0.01))
        )
    return art.build(links, name="two")


HINGE, SLIDE = art.Revolute((0, 1, 0)), art.Prismatic((0, 1, 0))


@pytest.mark.parametrize(
    "joints",
    [{"b": HINGE, "a": HINGE}, {"a": HINGE, "b": SLIDE}, {"a": HINGE}, {"a": HINGE, "b": HINGE, "c": HINGE},
     {"a": art.Spherical(), "b": HINGE}],
)  # fmt: skip
def test_controllers_of_another_robot_are_refused(joints):
    moves, other = two({"a": HINGE, "b": HINGE}), two(joints)
    for reference in (other.neutral(), lambda t: other.neutral()):
        for law in (art.PD(other, 10.0, 1.0), art.ComputedTorque(other, 10.0, 1.0)):
            with pytest.raises(
                art.ShapeError, match="simulate: the controller is for 'two', whose joints are not those"
            ):
                art.simulate(moves, [0, 0], duration=0.01, torque=law.towards(reference))
    same = art.PD(two({"a": HINGE, "b": art.Continuous((0, 1, 0))}), 10.0, 1.0)  # another model of the same joints
    assert art.simulate(moves, [0, 0], duration=0.01, torque=same.towards(lambda t: [0, 0])).q.shape == (11, 2)


def test_servos_of_another_robot_are_refused_too():
    moves, other = two({"a": HINGE, "b": HINGE}), two({"b": HINGE, "a": HINGE})
    servo = art.DifferentialIK(other, ["link a"]).towards({"link a": np.zeros(3)}, art.PD(other, 10.0, 1.0))
    with pytest.raises(art.ShapeError, match="the controller is for 'two', whose joints are not those"):
        art.simulate(moves, [0, 0], duration=0.01, torque=servo)


def test_a_controller_of_ones_own_may_have_a_robot_of_its_own():
    class Mine:
        robot = art.load("3r")  # for something else

        def __call__(self, t, q, v):
            return -v

    assert art.simulate(art.load("2r"), [0, 0], duration=0.01, torque=Mine()).q.shape == (11, 2)


def test_the_opposite_of_a_comparison_of_time():
    arm, late = art.load("2r"), lambda t, q, v: np.where(~(t > 0.0055), 1.0, 2.0) * np.ones(2)
    runs = [art.simulate(arm, [0, 0], duration=0.01, torque=torque) for torque in (late, art.traced(late))]
    for run in runs:
        assert (run.tau[:6] == 1).all() and (run.tau[6:] == 2).all()


@pytest.mark.parametrize("method", ["euler", "midpoint", "rk4", "adaptive", "symplectic", "held"])
def test_without_a_torque_no_message_speaks_of_one(method):
    robot = art.load("2r")
    held = {"contacts": art.Contacts(robot, direction={"tip": (1, 0, 0)})} if method == "held" else {"method": method}
    with pytest.raises(art.ArticulatedError) as caught:
        art.simulate(robot, [0.1, 0.2], [1e200, 0], duration=0.01, **held)
    assert not any(word in str(caught.value) for word in ("torque", "gains", "parameters="))
    if method == "held":
        assert "'tip x' is held, but v0 moves it" in str(caught.value)
