"""Events: found between samples, located to rounding, and ending a run where they should."""

import numpy as np
import pytest

import articulated as art
from articulated.simulation.loop.events import change_of_sign

from ..near import near
from .closed_forms import pendulum, period, swing
from .scenes import at, ball

METHODS = {"rk4": {"dt": 1e-3}, "adaptive": {"dt": 0.05, "rtol": 1e-12}}


def bottom(t, q, v):
    return q[0]


@pytest.mark.parametrize("method", METHODS)
def test_the_period_of_a_pendulum_is_an_elliptic_integral(method):
    """From one passage of the bottom to the next but one; rk4 has an error of 1e-11 itself."""
    run = art.simulate(pendulum(), [2.0], [0], 6.0, method=method, events=bottom, **METHODS[method])
    found = run.info["events"]["bottom"]
    T = period(2.0)
    assert np.allclose(found["t"], T * (0.25 + 0.5 * np.arange(len(found["t"]))), rtol=0, atol=2e-10)
    assert len(found["t"]) == int(6.0 / T * 2 + 0.5)
    assert max(abs(q[0]) for q in found["q"]) < 1e-14
    assert np.allclose([v[0] for v in found["v"]], [swing(2.0, t)[1] for t in found["t"]], rtol=0, atol=1e-8)


@pytest.mark.parametrize("direction, which", [(1, slice(1, None, 2)), (-1, slice(0, None, 2)), (0, slice(None))])
def test_directions(direction, which):
    run = art.simulate(pendulum(), [2.0], [0], 6.0, dt=2e-3, method="rk4", events=(bottom, {"direction": direction}))
    every = art.simulate(pendulum(), [2.0], [0], 6.0, dt=2e-3, method="rk4", events=bottom)
    assert run.info["events"]["bottom"]["t"] == every.info["events"]["bottom"]["t"][which]


DRIVES = {
    "nothing": {},
    "rows": {"torque": np.full((2000, 1), 0.1)},
    "traced": {"torque": art.traced(lambda t, q, v: 0.1 * np.cos(t) - 0.01 * v)},
    "python": {"torque": lambda t, q, v: [0.1 - 0.01 * v[..., 0]]},
}


@pytest.mark.parametrize("method", ["euler", "rk4", "adaptive"])
@pytest.mark.parametrize("drive", DRIVES)
@pytest.mark.parametrize("every", [1, 40])
def test_a_terminal_event_ends_the_run_there(method, drive, every):
    options = {"method": method, "every": every, "dt": 1e-3, **DRIVES[drive]}
    run = art.simulate(pendulum(), [1.0], [0], 2.0, events={"down": (bottom, {"terminal": True})}, **options)
    whole = art.simulate(pendulum(), [1.0], [0], 2.0, **options)
    assert run.info["ended"] == "by the event 'down'"
    (t,) = run.info["events"]["down"]["t"]
    assert run.t[-1] == t and abs(run.q[-1, 0]) < 1e-14 and run.t[-2] < t <= whole.t[len(run) - 1]
    assert np.array_equal(run.q[:-1], whole.q[: len(run) - 1]) and np.array_equal(run.t[:-1], whole.t[: len(run) - 1])
    # the last sample continues the run: its acceleration and torque are those of its state
    assert abs(run.a[-1] - pendulum().forward_dynamics(run.q[-1], run.v[-1], run.tau[-1])).max() < 1e-12
    assert t == pytest.approx(0.46, abs=0.02)


def test_options_as_in_scipy():
    def turning(t, q, v):
        return v[0]

    turning.terminal, turning.direction = 2, 1.0
    run = art.simulate(pendulum(), [1.0], [0], 9.0, dt=1e-3, method="rk4", events=[turning, bottom])
    assert run.t[-1] == pytest.approx(1.5 * period(1.0), abs=1e-9)  # from below zero: at q = -1; the start is none
    assert len(run.info["events"]["turning"]["t"]) == 2 and len(run.info["events"]["bottom"]["t"]) == 3


def test_what_comes_after_the_end_is_not_told():
    late = art.traced(lambda t, q, v: t - 0.505)
    events = {"late": late.function, "end": (lambda t, q, v: t - 0.501, {"terminal": True}), "zero": lambda t, q, v: t}
    run = art.simulate(pendulum(), [1.0], [0], 1.0, dt=0.01, method="rk4", events=events)
    assert run.info["events"]["late"]["t"] == [] and run.t[-1] == pytest.approx(0.501, abs=1e-15)
    assert run.info["events"]["zero"]["t"] == []  # zero at the start is no change of sign


def test_a_batch_has_events_in_each_of_its_runs(rng):
    q0 = rng.uniform(0.5, 2.5, (5, 1))
    run = art.simulate(pendulum(), q0, None, 3.0, dt=0.01, method="adaptive", events=bottom)
    found = run.info["events"]["bottom"]
    for i, (amplitude,) in enumerate(q0):
        times = [t for t, state in zip(found["t"], found["state"], strict=True) if state == i]
        assert np.allclose(times, period(amplitude) * (0.25 + 0.5 * np.arange(len(times))), atol=1e-8) and times
    with pytest.raises(ValueError, match="batch"):
        art.simulate(pendulum(), q0, None, 1.0, events=(bottom, {"terminal": True}))


@pytest.mark.parametrize("torque", [None, lambda t, q, v: [0.0]], ids=["compiled", "python"])
@pytest.mark.parametrize("every", [1, 10])
def test_events_of_a_joint_at_its_limit(torque, every):
    """A limit is a contact problem: states between two steps lie on a straight line there."""
    hinge = art.Revolute([0, 1, 0], limits=art.Limits(lower=-0.5))
    robot = art.build([art.Link("bob", None, hinge, inertia=pendulum().links[0].inertia)])
    stops = (lambda t, q, v: v[0], {"direction": 1})
    events = {"down": bottom, "stop": stops, "end": (lambda t, q, v: t - 0.8004, {"terminal": True})}
    run = art.simulate(robot, [1.0], [0], 1.0, torque=torque, events=events, every=every)
    free = art.simulate(pendulum(), [1.0], [0], 1.0, events=bottom, limits=False)
    near(run.info["events"]["down"]["t"], free.info["events"]["bottom"]["t"], 1e-5)
    (stop,) = run.info["events"]["stop"]["t"]
    assert run.at(stop).q[0] == pytest.approx(-0.5, abs=1e-2) and run.q.min() > -0.501
    assert run.t[-1] == pytest.approx(0.8004, abs=1e-12) and run.info["ended"] == "by the event 'end'"
    assert run.info["residual"] < 1e-6


@pytest.mark.parametrize("torque", [None, lambda t, q, v: np.zeros(6)], ids=["compiled", "python"])
def test_a_ball_that_has_rolled_far_enough(torque):
    run = art.simulate(
        ball(), at(z=0.1), [1.0, 0, 0, 0, 10.0, 0], 1.0, torque=torque, contacts=art.Ground(friction=0.5),
        events=(lambda t, q, v: q[0] - 0.25, {"terminal": 1}),
    )  # fmt: skip
    assert run.t[-1] == pytest.approx(0.25, abs=1e-6) and run.q[-1, 0] == pytest.approx(0.25, abs=1e-12)
    near(run.contact.forces[-1, 0], [0, 0, 1.5 * 9.81], 1e-6)


def test_forces_of_the_step_with_the_event():
    push = np.zeros((100, 6))
    push[50:, 0] = 1.0
    run = art.simulate(
        pendulum(), [1.0], [0], 1.0, dt=0.01, forces={"bob": push},
        events=(lambda t, q, v: t - 0.495, {"terminal": 1}),
    )  # fmt: skip
    assert run.forces["bob"][-1, 0] == 0 and len(run) == 51


@pytest.mark.parametrize("f", [lambda x: x - 0.3, lambda x: 0.3 - x, lambda x: (x - 0.3) ** 3, lambda x: 1e-9 - x**9])
def test_the_change_of_a_sign(f):
    calls = []
    x = change_of_sign(lambda s: calls.append(s) or f(s), 1.0, 1e-15)
    assert f(x) == 0 or (f(x) < 0) == (f(1.0) < 0)
    assert f(x - 4e-15) == 0 or (f(x - 4e-15) < 0) == (f(0.0) < 0)
    assert len(calls) < 70 and change_of_sign(lambda s: 1.0, 2.0, 1e-15) == 2.0


@pytest.mark.parametrize(
    "events, word",
    [
        (3, "an event is a function"),
        ([3], "an event is a function"),
        ((bottom, {"final": True}), "terminal"),
        ((bottom, {"terminal": -1}), "terminal"),
        ((bottom, {"direction": "up"}), "direction"),
        ([bottom, bottom], "two events"),
        (lambda t, q, v: np.nan, "nan"),
        (lambda t, q, v: [1, 2], r"\[1, 2\]"),
        (lambda t, q, v: "no", "no"),
    ],
)
def test_what_is_refused(events, word):
    with pytest.raises(art.ArticulatedError, match=word):
        art.simulate(pendulum(), [1.0], [0], 0.01, events=events)


def test_one_number_in_an_array_is_a_number():
    run = art.simulate(pendulum(), [1.0], [0], 1.0, events=lambda t, q, v: q)
    assert len(run.info["events"]["event 0"]["t"]) == 1


def test_events_cannot_change_the_run():
    def vandal(t, q, v):
        q[:] = v[:] = 7
        return 1.0

    robot = art.load("double_pendulum")
    assert np.array_equal(art.simulate(robot, [1, 2], events=vandal).q, art.simulate(robot, [1, 2]).q)
    with_function = {"torque": lambda t, q, v: [0, 0]}
    assert np.array_equal(
        art.simulate(robot, [1, 2], events=vandal, **with_function).q, art.simulate(robot, [1, 2], **with_function).q
    )


def test_parts_of_a_run_have_their_own_events():
    run = art.simulate(pendulum(), [1.0], [0], 4.0, dt=2e-3, method="rk4", events=bottom)
    told = run.info["events"]["bottom"]
    assert len(told["t"]) == 4
    half = run.between(0.0, 2.0)
    assert half.info["events"]["bottom"] == {name: x[:2] for name, x in told.items()}
    assert run.resample(dt=0.01).info["events"]["bottom"] == told
    assert run[-5:].info["events"]["bottom"] == {"t": [], "q": [], "v": []}
    again = run[:1001] + run[1000:]
    assert np.allclose(again.info["events"]["bottom"]["t"], told["t"], rtol=0, atol=1e-12)
    assert again.info["events"]["bottom"]["q"] == told["q"] and "events" not in again.info["parts"][0]
    # a run that goes on from another begins at its own zero
    rest = art.simulate(pendulum(), run.q[-1], run.v[-1], 1.0, dt=2e-3, method="rk4", events={"bottom": bottom})
    later = rest.info["events"]["bottom"]["t"][-1]
    assert (run + rest).info["events"]["bottom"]["t"][-1] == later + run.t[-1]


def test_a_terminal_event_is_told_once_where_runs_meet():
    options = {"dt": 1e-3, "method": "rk4", "events": {"bottom": (bottom, {"terminal": True})}}
    first = art.simulate(pendulum(), [1.0], [0], 2.0, **options)
    second = art.simulate(pendulum(), first.q[-1], first.v[-1], 2.0, **options)
    whole = first + second
    assert whole.info["events"]["bottom"]["t"] == [first.t[-1], whole.t[-1]]
    assert whole[: len(first)].info["events"] == first.info["events"]


def test_members_of_a_batch_have_their_own_events():
    q0 = np.array([[1.0], [0.5], [-0.7], [2.0]])
    run = art.simulate(pendulum(), q0.reshape(2, 2, 1), None, 1.0, dt=2e-3, method="rk4", events=bottom)
    for k in range(4):
        alone = art.simulate(pendulum(), q0[k], None, 1.0, dt=2e-3, method="rk4", events=bottom)
        assert run.batch[k // 2, k % 2].info["events"] == alone.info["events"]
    row = run.batch[1]
    assert set(row.info["events"]["bottom"]["state"]) == {0, 1}
    assert row.batch[1].info["events"] == run.batch[1, 1].info["events"]
    mask = np.array([[False, True], [True, False]])
    assert run.batch[mask].batch[0].info["events"] == run.batch[0, 1].info["events"]


def test_other_events_are_left_alone():
    """`info` is anybody's."""
    run = art.simulate(pendulum(), [1.0], [0], 0.1)
    for events in ("none", {"fall": 3}, {"fall": {"t": 1}}, {"fall": {"t": [1.0], "who": []}}, []):
        mine = art.Trajectory(run.robot, run.t, run.q, run.v, run.a, run.tau, info={"events": events})
        assert mine[3:].info["events"] == events


@pytest.mark.parametrize("value", [True, np.True_, np.array([False])])
def test_a_truth_value_is_no_event(value):
    with pytest.raises(art.ShapeError, match="changes its sign; return the difference of what is compared"):
        art.simulate(pendulum(), [1.0], duration=0.1, events=lambda t, q, v: value)
