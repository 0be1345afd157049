"""The law of every integrator of the table, and of two that a user might add: a function or a tableau, and a row."""

import re
from functools import cache
from pathlib import Path

import numpy as np
import pytest

import articulated as art
from articulated.simulation.methods.euler import OneBlock, Step
from articulated.simulation.methods.runge_kutta import RungeKutta, Tableau, normalized, slope
from articulated.simulation.methods.table import INTEGRATORS, Integrator

from .closed_forms import order
from .scenes import at, ball

DURATION = 0.24
#: times at which a run is compared with the reference: at one alone a method may be right by chance
LOOKS = 6


def heun(model, q, v, dt, acceleration):
    """The mean of the slopes at both ends."""
    a = acceleration(q, v)
    y, first, nq = np.concatenate([q, v]), slope(model, q, v, a), model.nq
    there = y + dt * first
    second = slope(model, there[:nq], there[nq:], acceleration(there[:nq], there[nq:], dt))
    after = y + dt / 2 * (first + second)
    return Step(normalized(model, after[:nq]), after[nq:], a)


OTHERS = {
    "heun": Integrator(heun, OneBlock, order=2),
    "ralston": Integrator(Tableau(((), (2 / 3,)), (1 / 4, 3 / 4)), RungeKutta, order=2),
}


@pytest.fixture(autouse=True)
def table(monkeypatch):
    for name, row in OTHERS.items():
        monkeypatch.setitem(INTEGRATORS, name, row)


@cache
def arm():
    return art.load("double_pendulum").frictionless()


@cache
def elastic():
    """The same with springs of its joints, and one between its end and a point of the world."""
    links = [k.replace(joint=k.joint.replace(stiffness=20.0, rest=0.3)) if k.joint.nv else k for k in arm().links]
    robot = art.build(links, arm().gravity, "elastic")
    return robot.add_springs([art.Spring(robot.body_names[-1], (0.3, 0.0, 0.4), 60.0, 0.25)])


@cache
def body():
    inertia = art.Inertia(1.0, (0.02, 0.0, 0.05), np.diag([0.01, 0.02, 0.025]))
    return art.build([art.Link("body", None, art.Floating(), inertia=inertia)])


STARTS = {
    arm: ([1.0, 0.5], [1.0, -2.0]),
    elastic: ([1.0, 0.5], [1.0, -2.0]),
    body: ([0, 0, 0, 0, 0, 0, 1], [0.1, 0.2, 0.3, 5.0, 0.4, -3.0]),
}
DRIVES = {
    "nothing": None,
    "law": art.traced(lambda t, q, v: [np.sin(9 * t) - 0.1 * v[0], np.cos(q[0])]),
    "array": np.array([0.3, -0.1]),
}


def run(name, robot, duration=DURATION, **options):
    q, v = STARTS[robot]
    return art.simulate(robot(), q, v, duration, method=name, limits=None, **options)


@cache
def reference(robot, drive, duration):
    options = {"dt": duration / LOOKS, "rtol": 1e-13, "atol": 1e-15}
    return run("adaptive", robot, duration, torque=DRIVES[drive], **options)


def energy_error(found):
    total = found.energy.total
    return abs(total - total[0]).max()


def measured(name, robot, drive):
    """Orders of the state at some times, and of the energy where it is conserved: of the length of a mean step."""
    steps, errors, energies, duration = [], [], [], DURATION
    options = [{"dt": DURATION / n} for n in (60, 120, 240)]
    if INTEGRATORS[name].adaptive:  # over many of its steps
        duration = 3.0
        options = [{"dt": duration / LOOKS, "rtol": x, "atol": x} for x in (1e-6, 1e-8, 1e-10)]
    for each in options:
        found = run(name, robot, duration, torque=DRIVES[drive], **each)
        steps.append(duration / found.info["attempts"][0] if "attempts" in found.info else each["dt"])
        looked = found.q[:: (len(found) - 1) // LOOKS]
        errors.append(np.sqrt(np.mean((looked - reference(robot, drive, duration).q) ** 2)))
        energies.append(energy_error(found))
    orders = {f"the state of {robot.__name__} under {drive}": order(steps, errors)}
    if drive == "nothing" and robot is not body:
        orders[f"the energy of {robot.__name__}"] = order(steps, energies)
    return orders


@pytest.mark.parametrize("name", [*INTEGRATORS, *OTHERS])
def test_its_order_is_that_of_its_row(name):
    """Halving a step divides the error of a run by 2^order, also of a body that tumbles and under a law."""
    claimed = INTEGRATORS[name].order
    slack = 2.0 if INTEGRATORS[name].adaptive else 0.25  # whose steps differ
    found = {k: x for case in ((arm, "nothing"), (arm, "law"), (arm, "array"), (elastic, "nothing"), (body, "nothing"))
             for k, x in measured(name, *case).items()}  # fmt: skip
    complaints = {k: round(x, 2) for k, x in found.items() if not claimed - slack < x}
    assert not complaints, f"{name} is of order {claimed}"
    assert found["the state of arm under law"] < claimed + 2 * slack  # no better than it says


@pytest.mark.parametrize("name", [*INTEGRATORS, *OTHERS])
def test_whatever_drives_the_robot(name):
    """A function that is called, an array, a traced function and a controller; one state and a batch; samples apart."""
    rng, robot, (q, v) = np.random.default_rng(0), arm(), STARTS[arm]
    options = {"duration": 0.04, "method": name}
    rows = rng.normal(size=(41, 2))
    given = art.simulate(robot, q, v, torque=rows, **options)
    called = art.simulate(robot, q, v, torque=lambda t, q, v: rows[round(t * 1e3)], **options)
    constant = art.simulate(robot, q, v, torque=art.traced(lambda t, q, v: 0 * q + [0.3, -0.1]), **options)
    held = art.simulate(robot, q, v, torque=[0.3, -0.1], **options)
    many = art.simulate(robot, np.tile(q, (5, 1)), v, torque=lambda t, q, v: 0 * v + rows[round(t * 1e3)], **options)
    apart = art.simulate(robot, q, v, torque=lambda t, q, v: rows[round(t * 1e3)], every=4, **options)
    law = art.ComputedTorque(robot, [5.0, 5.0], [1.0, 1.0]).towards([0.5, 0.5])
    controlled = art.simulate(robot, q, v, torque=law, **options)
    complaints = [
        what
        for what, good in {
            "called": np.array_equal(given.q, called.q) and np.array_equal(given.tau, called.tau),
            "traced": np.allclose(constant.q, held.q, rtol=0, atol=1e-12),
            "batch": np.allclose(many.q, given.q, rtol=0, atol=1e-11),
            "every": np.allclose(apart.q, given.q[::4], rtol=0, atol=1e-11)
            and np.array_equal(apart.tau, given.tau[::4]),
            "accelerations": np.allclose(robot.forward_dynamics(given.q, given.v, given.tau), given.a, atol=1e-9),
            "controlled": np.allclose(controlled.tau[7], law(controlled.t[7], controlled.q[7], controlled.v[7])),
            "info": given.info["method"] == name,
        }.items()
        if not good
    ]
    assert not complaints


@pytest.mark.parametrize("name", [*INTEGRATORS, *OTHERS])
def test_contacts_are_taken_or_refused_in_words(name):
    options = {"duration": 0.01, "contacts": art.Ground(), "method": name}
    if INTEGRATORS[name].contacts:
        assert art.simulate(ball(), at(z=0.1), **options).contact.normal[-1, 0] > 0
        return
    with pytest.raises(art.ShapeError, match=f'contacts needs method="euler" or "midpoint", .*; got {name!r}'):
        art.simulate(ball(), at(z=0.1), **options)


@pytest.mark.parametrize("name", [*INTEGRATORS, *OTHERS])
def test_tolerances_are_for_methods_that_choose_their_steps(name):
    if INTEGRATORS[name].adaptive:
        assert run(name, arm, 0.01, rtol=1e-6).info["rtol"] == 1e-6
        return
    with pytest.raises(art.ShapeError, match='rtol is for method="adaptive"'):
        run(name, arm, 0.01, rtol=1e-6)


def test_the_page_of_methods_and_the_help_have_every_row_and_its_order():
    page = (Path(__file__).parents[2] / "docs" / "integrators.md").read_text("utf-8")
    told = {name: int(n) for name, n in re.findall(r'^\| `"(\w+)"` \| (\d+) \|', page, re.M)}
    assert told == {name: row.order for name, row in INTEGRATORS.items() if name not in OTHERS}
    helped = dict(re.findall(r'"(\w+)" \([^()]*?order (\d)', " ".join(art.simulate.__doc__.split())))
    assert {name: int(n) for name, n in helped.items()} == told


@pytest.mark.parametrize("contacts", [None, art.Ground(height=-1.0, feet=["body"])], ids=["free", "over ground"])
def test_a_stiff_spring_between_frames_gains_no_energy(contacts):
    """Pulled and turning, off its center, at 1 ms: within what Euler's method oscillates by (5 % at ω dt = 0.3).

    One that steps can follow, 6 rad/s, keeps its energy.
    """
    held = body().add_frame("end", "body", art.Transform(p=(0.1, 0, 0)))
    start = [0.1, 0, 0.505, 0, 0, 0, 1], [0.3, 0, 0, 0, 0, 2.0], 2.0
    for k in (1e4, 1e5, 1e6, 1e8, 1e10):
        run = art.simulate(held.add_springs([art.Spring("end", (0, 0, 1.0), k, 0.5)]), *start, contacts=contacts)
        assert run.energy.total.max() < (1.05 if k < 3e5 else 1 + 1e-12) * run.energy.total[0] > run.energy.total[-1]
    run = art.simulate(held.add_springs([art.Spring("end", (0, 0, 1.0), 36.0, 0.5)]), *start, contacts=contacts)
    assert abs(run.energy.total - run.energy.total[0]).max() < 0.02 * np.ptp(run.energy.kinetic)


def test_a_spring_carries_what_hits_the_ground():
    """Momentum of two bodies, one touching: that of their weight and of the ground, however stiff the spring."""
    own = art.Inertia(1.0, (0, 0, 0), np.eye(3) * 0.01)
    free = [art.Link(name, "world", art.Floating(), inertia=own) for name in "ab"]
    pair = art.build([art.Link("world"), *free])
    pair = pair.add_springs([art.Spring("a", "b", 1e6, 0.3)])
    q = [0, 0, 0.1, 0, 0, 0, 1, 0.05, 0, 0.4, 0, 0, 0, 1]
    run = art.simulate(pair, q, duration=0.3, contacts=art.Ground(feet={"a": 0.05}))
    gained = np.diff(pair.centroidal_momentum(run.q, run.v)[:, 2])
    pushed = 1e-3 * (run.contact.forces[:-1, 0, 2] - 2 * 9.81)
    assert np.allclose(gained, pushed, atol=1e-9) and run.contact.forces.max() > 500
    assert run.energy.total.max() <= run.energy.total[0]
