"""Every row of the table of laws, and one that is added: written once, on scalars, and batched by its kernel."""

from pathlib import Path

import numpy as np

import articulated as art
from articulated import control
from articulated.control.laws import table
from articulated.control.laws.feedback import Feedback
from articulated.control.laws.joint_law import Torques
from articulated.control.laws.table import LAWS, Law

from .standing import contacts

PAGE = (Path(__file__).parents[2] / "docs" / "control.md").read_text("utf-8")
#: roundings of a kernel beside those of the algorithm, and of a run of 20 steps
NEAR, RUN = 1e-10, 1e-8


def examples(row):
    held = contacts("quadruped") if row.contacts else art.load("ur5")
    return [row.example(held, **options) for options in row.options]


def references(law, rng, *batch):
    robot = law.robot
    return [robot.random(rng, batch), *rng.normal(size=(1, *batch, robot.nv)), robot.random(rng, batch),
            *rng.normal(size=(2, *batch, robot.nv))]  # fmt: skip


def array_and_scalars(law, rng):
    """A kernel's batch, its single states, and the law on Python's floats."""
    state = references(law, rng, 3)
    many = law(*state)
    for i, one in enumerate(zip(*state, strict=True)):
        alone, scalars = law(*one), law._on_scalars(law.robot.model, *(x.astype(object) for x in one))
        scale = 1 + abs(alone.tau).max()
        if not np.allclose(many.tau[i], alone.tau, rtol=0, atol=NEAR * scale):
            yield "a batch is not its single states"
        if not np.allclose(alone.tau, scalars.astype(float), rtol=0, atol=NEAR * scale):
            yield "the kernel is not the law on scalars"
        if not np.allclose(alone.tau, alone.feedforward + alone.feedback, rtol=0, atol=NEAR * scale):
            yield "tau is not feedforward + feedback"
    if law(np.tile(state[0][0], (2, 1, 1)), state[1], state[2][0]).tau.shape != (2, 3, law.robot.nv):
        yield "leading axes do not broadcast"


def run_in_the_loop(law, rng):
    """A controller compiled into `simulate`, and called step by step."""
    robot = law.robot
    goal, start = robot.neutral() + 0.2, robot.neutral()

    def wave(t):
        return goal + 0.3 * np.sin(2 * t), 0.6 * np.cos(2 * t) * np.ones(robot.nv)

    for reference in (goal, art.traced(wave)):
        towards, called = law.towards(reference), law.towards(wave if callable(reference) else lambda t: goal)
        runs = [art.simulate(robot, start, duration=0.02, torque=torque, limits=False) for torque in (towards, called)]
        if towards.on_scalars is None or abs(runs[0].tau - runs[1].tau).max() > RUN * (1 + abs(runs[0].tau).max()):
            yield "the compiled controller is not the called one"
        if called.on_scalars is not None:
            yield "a function that is not traced is not called as it is"


def refused(law, rng):
    """Wrong shapes, each by the name of the argument."""
    state = references(law, rng)
    for k, name in enumerate(("q", "v", "q_ref", "v_ref", "a_ref")):
        try:
            law(*(x[:-1] if i == k else x for i, x in enumerate(state)))
        except art.ShapeError as problem:
            if f"{name} has shape" not in str(problem):
                yield f"{name} of a wrong size: {problem}"
        else:
            yield f"{name} of a wrong size is taken"


def complaints(name, row, rng):
    if getattr(art, name, None) is not row.kind or name not in art.__all__ or name not in control.__all__:
        yield "not exported: _public.py, control/__init__.py"
    if name not in PAGE:
        yield "not in docs/control.md"
    for law in examples(row):
        robot = law.contacts.robot if row.contacts else law.robot
        q = robot.random(rng)
        if not np.isfinite(row.towards(law, q)(0.0, q, np.zeros(robot.nv))).all():
            yield "towards gives no torques"
        if isinstance(law, Feedback) and hasattr(law, "_torques"):
            for check in (array_and_scalars, run_in_the_loop, refused):
                yield from check(law, rng)


def test_every_law_is_one_text(rng):
    found = [f"{name}: {problem}" for name, row in LAWS.items() for problem in complaints(name, row, rng)]
    assert not found


def test_every_joint_law_runs_on_contacts():
    feet = contacts("quadruped")
    q, still = feet.robot.poses["home"], np.zeros(feet.robot.nv)
    weight = feet.inverse_dynamics(q, still, still).tau
    for row in LAWS.values():
        if hasattr(row.kind, "_torques"):
            assert np.allclose(row.example(feet)(q, still, q).tau, weight, atol=1e-9), row.kind


class GravityOnly(Feedback):
    """tau = g(q)."""

    def __init__(self, robot):
        super().__init__(robot, 0, 0)

    @staticmethod
    def _torques(plant, errors):
        weight = plant.gravity_forces(errors.q)
        return Torques(weight, weight, 0 * weight)


def test_a_law_of_ones_own_is_one_class_and_one_row(monkeypatch, rng):
    row = Law(GravityOnly, GravityOnly, lambda law, q: law.towards(q))
    monkeypatch.setitem(table.LAWS, "GravityOnly", row)
    assert list(complaints("GravityOnly", LAWS["GravityOnly"], rng)) == [
        "not exported: _public.py, control/__init__.py",
        "not in docs/control.md",
    ]
    arm = art.load("ur5")
    q = arm.random(rng)
    assert np.allclose(GravityOnly(arm)(q, rng.normal(size=6), q).tau, arm.gravity_forces(q), atol=1e-12)
    test_every_joint_law_runs_on_contacts()


def test_a_law_that_is_not_its_kernel_is_found(rng):
    class Wrong(GravityOnly):
        def _on_scalars(self, model, *state):
            return 2 * super()._on_scalars(model, *state)

    assert "the kernel is not the law on scalars" in array_and_scalars(Wrong(art.load("ur5")), rng)
    row = Law(Wrong, Wrong, lambda law, q: lambda *state: np.array([np.nan]))
    assert "towards gives no torques" in complaints("Wrong", row, rng)
