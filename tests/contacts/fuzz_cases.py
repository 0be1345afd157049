"""Contact sets and control laws with arguments that work, every option among them, for tests/robot/fuzz.py."""

from collections.abc import Iterator
from functools import cache
from typing import Any

import numpy as np

import articulated as art
from articulated.contacts.ranks import subspaces
from articulated.contacts.study import Study
from articulated.control import ErrorDynamics, damping_for
from tests.contacts.legged import Interpreted
from tests.methods import public
from tests.robot.callables import FEET, Case, _several

#: what has no argument, or is in `tests/robot/callables.py` with all it takes
ELSEWHERE = {
    "Contacts": {
        "acceleration",
        "analyse",
        "analyze",
        "bias",
        "by_contact",
        "jacobian",
        "lift",
        "poses",
        "positions",
    },
    "Study": set(),
    "WholeBody": {"c_source", "constraints"},  # a text, and names: tests/control/test_c_source.py
    "Impedance": {"on_scalars"},  # of a traced law: its arguments are a recursion's
    "ComputedTorque": {"on_scalars"},
    "CartesianImpedance": {"reference"},  # what `towards` asks for
    "ErrorDynamics": set(),
}


@cache
def cases() -> list[Case]:
    """All of them; a public method that is new must be among them."""
    found = [*_sets(), *_dynamics(), *_study(), *_feedback(), *_whole_body(), *_linear_algebra()]
    known = {case.name for case in found}
    laws = (art.WholeBody, art.Impedance, art.ComputedTorque, art.CartesianImpedance, ErrorDynamics)
    for kind in (art.Contacts, Study, *laws):
        own = {name for name in public(kind) if name in vars(kind)} - ELSEWHERE[kind.__name__]
        missing = {name for name in own if f"{kind.__name__}.{name}" not in known}
        assert not missing, f"give {missing} of {kind.__name__} arguments in tests/contacts/fuzz_cases.py"
    return found


def _dog() -> art.Robot:
    return art.load("quadruped", floating_base=True)


def _state(robot: art.Robot) -> dict[str, np.ndarray]:
    rng = np.random.default_rng(4)
    return {"q": robot.random(rng), "v": rng.normal(size=robot.nv), "a": rng.normal(size=robot.nv)}


def _sets() -> Iterator[Case]:
    """Every kind of contact; what a set is, it shows in its equations."""
    dog = Interpreted(_dog().model)  # each set is another, and would be compiled
    q = dog.random(np.random.default_rng(5))
    for given in (
        {"direction": {FEET[0]: np.array([0.0, 0, 1])}, "point": FEET[1:]},
        {"line": {FEET[0]: np.array([0.0, 1, 0])}, "surface": [FEET[1]]},
        {"loops": [(FEET[0], FEET[1])]},
        {"loops": [(FEET[0], FEET[1], "hinge", (0.0, 1.0, 0.0))]},
        {"loops": [(FEET[0], FEET[1], "weld")], "passive": ["FL_KFE", "FR_KFE"]},
    ):
        yield Case("Contacts", lambda **given: art.Contacts(dog, **given).jacobian(q), given)


def _dynamics() -> Iterator[Case]:
    dog = _dog()
    feet, trot = art.Contacts(dog, point=FEET), art.Contacts(dog, point=[FEET[0], FEET[3]])
    state = _state(dog)
    q, v = state["q"], state["v"]
    tau, push = np.ones(12), {"base": np.array([1.0, 2, 3, 0, 0, 1])}
    other = {"forces": art.Wrenches(push, "world", "environment")}
    anchors = feet.poses(q)
    yield Case("Contacts.inverse_dynamics", trot.inverse_dynamics, {**state, "on_infeasible": "nearest"}, True)
    wishes = {"tau0": tau, "weight": np.eye(12), "force_weight": 1.0, "on_infeasible": "nearest"}
    yield Case("Contacts.inverse_dynamics", trot.inverse_dynamics, {**state, **other, **wishes})
    yield Case("Contacts.inverse_dynamics", feet.inverse_dynamics, {**state, "method": "projector", "tau0": tau}, True)
    yield Case("Contacts.feasible_acceleration", trot.feasible_acceleration, {**state, **other}, True)
    pulled = {"q": q, "v": v, "tau": tau, "baumgarte": 10.0, "anchors": anchors}
    yield Case("Contacts.forward_dynamics", feet.forward_dynamics, {**pulled, **other}, True)
    yield Case("Contacts.impact", feet.impact, {"q": q, "v": v, "restitution": 0.5}, True)
    yield Case("Contacts.drift", feet.drift, {"q": q, "anchors": anchors}, True)
    yield Case("Contacts.analyse", feet.analyse, {"q": q, "tolerance": 1e-8})
    yield Case("Contacts.assemble", feet.assemble,
               {"q": q, "anchors": anchors, "locked": ("floating_base",), "tolerance": 1e-10, "steps": 20})  # fmt: skip
    yield Case("Contacts.derivatives", feet.derivatives, {"method": "forward_dynamics"})
    yield Case("Contacts.axis_names", trot.axis_names, {"of": "bias"})
    yield Case("Contacts.warm", lambda methods, subsets: trot.warm(methods, subsets=subsets),
               {"methods": "acceleration", "subsets": False})  # fmt: skip


def _study() -> Iterator[Case]:
    feet = art.Contacts(_dog(), point=FEET[:3], passive=["HR_KFE"])
    state = _state(feet.robot)
    q, v = state["q"], state["v"]
    for name, given in {
        "base_last": {"x": q},
        "base_first": {"x": v},
        "equations": {"q": q, "v": v},
        "projector": {"q": q},
        "qr": {"q": q},
        "inverse_dynamics": state,
    }.items():
        yield Case(f"Study.{name}", getattr(feet.study, name), given, True)


def _feedback() -> Iterator[Case]:
    """Laws on contacts, with matrices for gains, and what becomes of small errors."""
    feet = art.Contacts(_dog(), point=FEET)
    state = _state(feet.robot)
    q, v = state["q"], state["v"]
    gains: dict[str, Any] = {"stiffness": np.eye(12) * 50, "damping": np.eye(12) * 5}
    reference = {"q": q, "v": v, "q_ref": feet.robot.neutral(), "v_ref": v, "a_ref": state["a"]}
    for law in (art.Impedance, art.ComputedTorque):
        yield Case(law.__name__, lambda law=law, **given: law(feet, **given).error_dynamics(q).eigenvalues, gains, True)
        yield Case(f"{law.__name__}()", law(feet, **gains), reference, True)
        yield Case(f"{law.__name__}.error_dynamics", law(feet, **gains).error_dynamics, {"q": q})
        yield Case(f"{law.__name__}.towards", law(feet, **gains).towards, {"reference": (q, v)})
    yield Case("PD", lambda **given: art.PD(feet, **given).stiffness, {**gains, "gravity": False})
    yield Case("PD()", art.PD(feet, **gains), {name: reference[name] for name in ("q", "v", "q_ref", "v_ref")}, True)
    arm = art.load("ur5")
    passive = art.Impedance(arm, 50.0, 5.0, feedforward="passive")
    yield Case("Impedance.error_dynamics", passive.error_dynamics, {"q": np.ones(6), "v": np.ones(6)})
    held = {"frame": "base", "stiffness": np.full(3, 100.0), "damping": 20.0, "follows": "position"}
    yield Case("CartesianImpedance", lambda **given: art.CartesianImpedance(feet, **given).stiffness, held)
    cartesian = art.CartesianImpedance(feet, **held)
    target = {"target": np.zeros(3), "rate": np.zeros(3), "acceleration": np.zeros(3)}
    yield Case("CartesianImpedance()", cartesian, {"q": q, "v": v, **target}, True)
    yield Case("CartesianImpedance.towards", cartesian.towards, {"reference": np.zeros(3)})
    yield Case("CartesianImpedance.error_dynamics", cartesian.error_dynamics, {"q": q})
    matrices = {"inertia": np.diag([1.0, 2.0]), "damping": np.eye(2), "stiffness": np.diag([3.0, 4.0])}
    yield Case("ErrorDynamics", lambda **given: ErrorDynamics(**given).eigenvalues, matrices, True)
    yield Case("ErrorDynamics.deflection", ErrorDynamics(**matrices).deflection, {"force": np.ones(2)}, True)
    stiff = {"inertia": matrices["inertia"], "stiffness": matrices["stiffness"], "ratio": 0.7}
    yield Case("damping_for", damping_for, stiff, True)


def _whole_body() -> Iterator[Case]:
    """Every option of a law, which is then asked for a command, and every method; levels and lifted feet."""
    walker = art.load("biped", floating_base=True)
    soles = art.Contacts(walker, surface=["left_sole", "right_sole"])
    still = {"q": walker.neutral(), "v": np.zeros(walker.nv)}
    tasks = [art.tasks.CenterOfMass(), art.tasks.Posture(target=walker.neutral(), level=1)]
    center = {"center_of_mass": walker.center_of_mass(walker.neutral())}
    options = {
        "friction": {"left_sole": 0.5}, "sides": 6, "normals": {"left_sole": np.array([0.0, 0.1, 1.0])},
        "soles": {"left_sole": (0.2, 0.1), "right_sole": ((-0.1, 0.1), (-0.05, 0.05))}, "torsion": 0.02,
        "glued": ["left_sole"], "force_range": (1.0, 900.0), "torque_limits": np.full(12, 90.0), "horizon": 0.2,
        "contact_weight": 100.0, "contact_damping": 2.0, "acceleration_weight": 1e-5, "force_weight": 1e-3,
        "torque_weight": 1e-6, "on_infeasible": "raise",
    }  # fmt: skip

    def command(**given: Any) -> Any:
        return art.WholeBody(soles, tasks, **given)(**still, **center).tau

    yield Case("WholeBody", command, options)
    law = art.WholeBody(soles, tasks, soles=options["soles"])
    yield Case("WholeBody()", lambda **given: law(**given).tau, {**still, **center}, True)
    yield Case("WholeBody()", law, {**still, "center_of_mass": (np.zeros(3), np.zeros(3), np.zeros(3))})
    yield Case("WholeBody.explain", law.explain, {**still, **center})
    told = {"t": 0.5, "wanted": np.zeros(3), "footholds": {"left_sole": np.zeros(3)}}
    yield Case("WholeBody.tick", lambda **given: law.tick(done=law(**still, **center), **given).center_of_mass, told)
    lifted = {"names": ["left_sole"]}
    towards = {"targets": {**center}, "gait": art.Gait(), "height": 0.05, "capture": 1.0}
    yield Case("WholeBody.towards", lambda **given: law.towards(**given)(0.0, **still), towards)
    yield Case("WholeBody.lift", lambda names: law.lift(*_several(names))(**still, **center), lifted)


def _linear_algebra() -> Iterator[Case]:
    A = np.random.default_rng(6).normal(size=(2, 3, 5))
    for name in ("rank", "nullity", "right_pseudo_inverse", "pseudo_inverse", "projector"):
        yield Case(f"subspaces.{name}", getattr(subspaces, name), {"A": A, "tolerance": 1e-8})
    yield Case("subspaces.plain_qr", subspaces.plain_qr, {"A": A}, True)
    for name in ("null_space", "qr"):
        yield Case(f"subspaces.{name}", getattr(subspaces, name), {"A": A[0], "tolerance": 1e-8})
    yield Case("subspaces.left_pseudo_inverse", subspaces.left_pseudo_inverse, {"A": np.swapaxes(A, -1, -2)})
    yield Case("subspaces.general_solution", subspaces.general_solution,
               {"A": A[0], "b": np.ones(3), "w": np.ones(5), "tolerance": 1e-8}, True)  # fmt: skip
