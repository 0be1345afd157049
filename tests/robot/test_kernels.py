"""The seam between a method and its code: the right kernel for every question, whatever was asked before."""

import inspect
import itertools
import pickle
import sys
from functools import partial

import numpy as np
import pytest

import articulated as art
from articulated.algebra.scalars import array
from articulated.algorithms import energy, forward_dynamics
from articulated.compiler import pipeline
from articulated.compiler.passes.simplify import simplify
from articulated.compiler.passes.trace import trace
from articulated.robot.arguments.arrays import Vector
from articulated.robot.methods import requests
from tests.near import near

#: questions with the same arrays and other algorithms or choices: one must never be answered with another's numbers
ALIKE = [
    [("kinetic_energy", {}), ("kinetic_energy", {"by_body": True})],
    [("coriolis_matrix", {}), *(("coriolis_matrix", {"factorization": f}) for f in ("body_jacobian", "nonskew"))],
    [("jacobian", {"frame": "panda_hand"}), ("jacobian", {"frame": "panda_hand", "axes": "frame"})],
    [("jacobian", {"frame": "panda_hand"}), ("jacobian", {"frame": "panda_link5"})],
    [("body_jacobians", {}), ("body_jacobians", {"at": "center_of_mass"})],
    [("forward_dynamics", {}), *(("forward_dynamics", {"method": m}) for m in ("articulated_body", "composite_body"))],
    [("force_map", {}), ("force_map", {"force_axes": "world"}), ("force_map", {"frames": ["panda_hand"]})],
]


def arrays_of(method, q, v):
    wanted = [
        name for name in inspect.signature(getattr(art.Robot, method)).parameters if name in ("q", "v", "a", "tau")
    ]
    return [q if name == "q" else v for name in wanted]


@pytest.mark.parametrize("questions", ALIKE, ids=lambda questions: questions[-1][0])
def test_the_order_of_questions_does_not_matter(questions, rng):
    q, v = art.load("panda").random(rng, 3), rng.normal(size=(3, 7))
    fresh = {}
    for k, (method, choices) in enumerate(questions):
        fresh[k] = getattr(art.load("panda"), method)(*arrays_of(method, q, v), **choices)
    assert any(np.shape(fresh[0]) != np.shape(x) or not np.array_equal(fresh[0], x) for x in fresh.values())
    forward = range(len(questions))
    for order in (forward, forward[::-1]):
        robot = art.load("panda")
        for k in (*order, *order):
            method, choices = questions[k]
            for row in (slice(None), 1):
                found = getattr(robot, method)(*arrays_of(method, q[row], v[row]), **choices)
                assert np.array_equal(found, fresh[k][row])


@pytest.mark.parametrize("name", ["panda", "quadruped", "acrobot"])
def test_a_fused_kernel_is_never_longer_than_its_parts(name):
    """Each part may have several formulations; which of them is the shortest depends on the robot."""
    robot = art.load(name)
    methods = ["forward_dynamics", "mass_matrix", "bias_forces", ("pose", robot.frame_names[-1])]

    def operations(several):
        return len(pipeline.program(robot.kernels.fused(*requests(robot, several)).source))

    alone = {}
    for method in methods:
        (request,), _ = requests(robot, [method])
        alone[method] = len(pipeline.program(robot.kernels.kernel(request).source))
        assert operations([method]) == alone[method]
    for several in (*itertools.combinations(methods, 2), methods):
        assert operations(several) <= sum(alone[method] for method in several), several


def test_functions_of_the_same_name_are_not_mistaken_for_each_other(rng):
    """A fast function is filed under the method that was called, not under the name of the algorithm's function."""

    def kinetic_energy(model, q, v):
        return array([0])[0] * q[0] + 17

    assert kinetic_energy.__name__ == energy.kinetic_energy.__name__
    robot, other = art.load("panda"), art.load("panda")
    q, v = robot.random(rng), rng.normal(size=7)
    for _ in range(3):
        assert robot.kernels.evaluate("potential_energy", kinetic_energy, {"q": q, "v": v}) == 17
        assert robot.kinetic_energy(q, v) == other.kinetic_energy(q, v)
        assert robot.potential_energy(q) == other.potential_energy(q)


def test_a_choice_other_than_the_usual_never_gets_the_place_of_the_method(rng):
    robot = art.load("panda")
    q, v = robot.random(rng), rng.normal(size=7)
    robot.kinetic_energy(q, v, by_body=True)
    robot.forward_dynamics(q, v, v, method="composite_body")
    robot.jacobian(q, "panda_hand", axes="frame")
    robot.mass_matrix(q, dtype=np.float32)
    robot.inverse_dynamics(q, v, v, forces={"panda_hand": np.ones(6)})
    assert not any(robot.kernels.callees.values())
    robot.mass_matrix(q)
    robot.jacobian(q, "panda_hand")
    assert list(robot.kernels.callees["mass_matrix"]) == [None]
    assert list(robot.kernels.callees["jacobian"]) == ["panda_hand"]


def test_a_method_held_before_its_first_call_is_as_fast_as_one_looked_up_later(rng):
    """No Python function is entered by the second call of either."""
    robot = art.load("panda")
    held, at = robot.mass_matrix, robot.jacobian
    q = robot.random(rng)
    held(q), at(q, "panda_hand")
    entered = []
    sys.setprofile(lambda frame, event, _: entered.append(frame) if event == "call" else None)
    try:
        held(q), at(q, "panda_hand"), robot.mass_matrix(q)
    finally:
        sys.setprofile(None)
    assert not entered and held is robot.mass_matrix


@pytest.mark.parametrize("robot", [art.load("panda"), art.load("quadruped").floating()], ids=lambda r: r.name)
def test_methods_of_forward_dynamics_are_different_programs(robot, rng):
    """Each runs the recursion it names; the shortest of the formulations is neither, and is what a plain call runs."""
    robot = pickle.loads(pickle.dumps(robot))
    q, v = robot.random(rng), rng.normal(size=robot.nv)
    plain, *found = [
        robot.forward_dynamics(q, v, v, **choice)
        for choice in ({}, *({"method": method} for method in forward_dynamics.METHODS))
    ]
    fastest, *named = found
    assert (plain == fastest).all()
    condition = np.linalg.cond(robot.mass_matrix(q))
    assert all(near(x, fastest, 1e-14 * max(100, condition)) for x in named)

    made = {r.algorithm: k for r, k in robot.kernels.made.items() if r.method == "forward_dynamics"}
    assert list(made) == list(forward_dynamics.METHODS.values())  # a plain call and "fastest" share a kernel
    sizes = {"q": robot.nq, "v": robot.nv, "tau": robot.nv}
    lengths = []
    for algorithm, kernel in made.items():
        lengths.append(len(pipeline.program(kernel.source)))
        if algorithm is not forward_dynamics.forward_dynamics:
            as_written = simplify(trace(partial(algorithm, robot.model), sizes))
            assert pipeline.program(kernel.source).ops == as_written.ops
    assert len(set(lengths)) == 3 and lengths[0] == min(lengths)


def test_contact_sets_and_laws_share_what_their_robot_has_made():
    dog = art.load("quadruped", floating_base=True)
    feet = ["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"]
    still = np.zeros(dog.nv)
    one, two = (art.Contacts(dog, point=feet) for _ in range(2))
    one.inverse_dynamics(dog.neutral(), still, still)
    made = len(dog.kernels.made)
    two.inverse_dynamics(dog.neutral(), still, still)
    assert len(dog.kernels.made) == made and one.kernels.made == two.kernels.made
    one.lift("FL_FOOT").inverse_dynamics(dog.neutral(), still, still)
    assert len(dog.kernels.made) == made + 1


def test_nothing_but_its_own_fast_functions_is_written_into_a_robot():
    dog = art.load("quadruped", floating_base=True)
    own = set(vars(dog))
    feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT"])
    feet.analyse(dog.neutral())
    feet.forward_dynamics(dog.neutral(), np.zeros(dog.nv), np.zeros(12))
    assert all(callable(getattr(art.Robot, name)) for name in set(vars(dog)) - own)


def test_kernels_of_contacts_and_laws_go_to_other_processes(rng):
    dog = art.load("quadruped", floating_base=True)
    feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
    q, still = dog.neutral(), np.zeros(dog.nv)
    expected = feet.inverse_dynamics(q, still, still)
    feet.bias(q, still)
    for request, kernel in dog.kernels.made.items():
        twin = pickle.loads(pickle.dumps(kernel))
        values = [q if name == "q" else np.zeros(size) for name, size in request.sizes.items()]
        mine, theirs = kernel(*values), twin(*values)
        for x, y in zip(*((r if isinstance(r, tuple) else (r,)) for r in (mine, theirs)), strict=True):
            assert np.array_equal(x, y)
    assert np.array_equal(pickle.loads(pickle.dumps(feet)).inverse_dynamics(q, still, still).tau, expected.tau)


def test_a_new_algorithm_needs_no_more_than_the_seam(rng):
    """Promise of docs/architecture.md: a function of (model, arrays, choices) becomes a function of arrays."""

    def scaled(model, q, extra, factor):
        return factor * (q[:2] + extra)

    robot = art.load("ur5")
    kernels = robot.kernels.under("mine.", {"extra": Vector(2, "two numbers")})
    found = kernels.evaluate("scaled", scaled, {"q": np.ones((5, 6)), "extra": [1, 2]}, choices={"factor": 3})
    assert (found == [[6, 9]] * 5).all()
    with pytest.raises(
        art.ShapeError, match=r"mine\.scaled: extra has shape \(3,\), but ur5 needs \(…, 2\): two numbers"
    ):
        kernels.evaluate("scaled", scaled, {"q": np.ones(6), "extra": [1, 2, 3]}, choices={"factor": 3})
