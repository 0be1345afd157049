"""Every public callable with arguments that work: what the fuzzer of Python-level input spoils."""

import inspect
import tempfile
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

import articulated as art
from articulated.simulation.contact.candidates import candidates
from tests.contacts.legged import tripod
from tests.methods import CONTACTS, OPTIONS, ROBOT, arguments, public

FEET = ["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"]
#: of a tripod, which compiles sooner
LEGS = ["foot0", "foot1", "foot2"]
#: methods of Robot without arrays, and what works; `compile`, which takes any number of methods, has a case of its own
OTHERS: dict[str, dict[str, Any]] = {
    "actuation_map": {},
    "add_frame": {"name": "new", "link": "tool0", "placement": art.Transform(p=(0, 0, 1))},
    "add_actuators": {"actuators": [art.LinearActuator((0.0, 0.0, 1.0), "tool0", "ram")]},
    "add_springs": {"springs": [art.Spring("tool0", (0.0, 0.0, 1.0), 100.0)]},
    "add_motors": {"motors": [art.Motor("elbow_joint", 50.0, 1e-4)]},
    "attach": {"link": "tool0", "what": art.Inertia(1.0), "placement": np.eye(4), "name": "load", "prefix": ""},
    "configuration": {"values": {"elbow_joint": 0.3}, "start": np.ones(6)},
    "c_source": {"method": "gravity_forces", "name": "g"},
    "derivatives": {"method": "inverse_dynamics", "wrt": ["q"], "space": "tangent"},
    "floating": {},
    "frictionless": {},
    "hessian": {"method": "bias_forces", "wrt": ["q"], "space": "tangent"},
    "second_derivatives": {"method": "gravity_forces", "wrt": ["q"], "space": "tangent"},
    "index": {"joint": "elbow_joint"},
    "inverse_kinematics": {
        "targets": {"tool0": np.array([0.3, 0.2, 0.4])},
        "q0": np.ones(6),
        "weights": {"tool0": 1.0},
        "posture": np.zeros(6),
        "contacts": None,
        "tolerance": 1e-6,
        "iterations": 30,
        "restarts": 2,
        "seed": 0,
        "limits": True,
        "threads": 1,
        "clear_of": [],
    },
    "inverse_kinematics_solutions": {
        "targets": {"tool0": np.eye(4)},
        "limits": True,
        "tolerance": 1e-6,
        "seed": 0,
    },
    "jvp": {"method": "pose", "space": "tangent"},
    "names": {"of": "jacobian"},
    "subtree": {"link": "forearm_link"},
    "velocity": {"values": {"elbow_joint": 0.3}, "start": np.ones(6)},
    "lock": {"positions": {"elbow_joint": 0.3}},
    "neutral": {},
    "permutation": {"library": "pinocchio"},
    "random": {"rng": 0, "shape": (2,)},
    "replace": {},
    "series_elastic": {"stiffness": {"elbow_joint": 100.0}, "armature": {"elbow_joint": 0.1}},
    "support": {},
    "topology": {},
    "vjp": {"method": "mass_matrix", "wrt": ["q"], "space": "coordinates"},
    "warm": {},
    "with_hulls": {"most": 8},
    "allow_collisions": {"pairs": [("base_link", "forearm_link")]},
}


class Case(NamedTuple):
    """A callable, and keywords with which it works; `spoils`: numbers that are not finite must show in its result."""

    name: str
    function: Callable[..., Any]
    given: dict[str, Any]
    spoils: bool = False


@cache
def cases() -> list[Case]:
    """All of them."""
    from tests.contacts import fuzz_cases as of_contacts  # which are made of the cases above
    from tests.simulation import fuzz_cases as of_time

    from . import more_callables

    ours = [*_robots(), *_descriptions(), *_spatial(), *_contacts(), *_laws(), *_conversions(), *_files()]
    more = [*_grounds(), *_trajectories(), *_closed_forms()]
    return [*ours, *more, *of_contacts.cases(), *of_time.cases(), *more_callables.cases()]


def small() -> art.Robot:
    """A free body with a ball joint, a hinge and one that follows it."""
    inertia = art.Inertia(1.0, (0.1, 0.2, 0.3), np.diag([0.3, 0.4, 0.5]))
    return art.build(
        [
            art.Link("body", None, art.Floating(), inertia=inertia),
            art.Link("ball", "body", art.Spherical(), art.Transform(p=(0.1, 0, 0)), inertia),
            art.Link("arm", "ball", art.Revolute((0, 1, 0), name="hinge", damping=0.1), inertia=inertia),
            art.Link("hand", "arm", art.Revolute(mimic=art.Mimic("hinge", 2.0)), inertia=inertia),
        ],
        name="small",
    )


def _robots() -> Iterator[Case]:
    rng = np.random.default_rng(0)
    for robot in (art.load("ur5"), small()):
        for name, taken in ROBOT.items():
            if robot.nq > 6 and name == "operational_space":
                continue
            given = arguments(robot, name, rng)
            for p in taken:
                if p.default is not p.empty and p.name in OPTIONS:
                    choices = OPTIONS[p.name]
                    given[p.name] = choices(robot, rng, ())[0] if callable(choices) else p.default
            yield Case(f"{robot.name}.{name}", getattr(robot, name), given, True)
        for name in public(type(robot.study)):
            taken = inspect.signature(getattr(robot.study, name)).parameters
            state = {"q": robot.random(rng), **{key: rng.normal(size=robot.nv) for key in ("v", "a", "tau")}}
            given = {key: state[key] for key in taken if key in state}
            yield Case(f"{robot.name}.study.{name}", getattr(robot.study, name), given, True)
    arm = art.load("ur5")
    missing = public(art.Robot).keys() - ROBOT.keys() - OTHERS.keys() - {"compile"}
    assert not missing, f"give {missing} values in tests/robot/callables.py"
    for name, given in OTHERS.items():
        yield Case(f"robot.{name}", getattr(arm, name), given)
    at = {"on": "forearm_link", "axis": np.array([0, 0.6, 0.8]), "at": np.array([0.1, 0.2, 0.3])}
    motor = {"joint": "elbow_joint", "ratio": 50.0, "inertia": 1e-4, "mass": 0.1, "across": 1e-4, **at}
    pushed = {"forces": {arm.frame_names[-1]: np.ones(6)}, "axes": "world", "on": "environment"}
    still = [np.zeros(6)] * 3
    yield Case("Wrenches", lambda **given: arm.inverse_dynamics(*still, art.Wrenches(**given)), pushed, True)
    yield Case("Motor", lambda **given: arm.add_motors([art.Motor(**given)]).mass_matrix(np.zeros(6)), motor, True)
    yield Case("robot.compile", lambda methods, dtype: arm.compile(*_several(methods), dtype=dtype),
               {"methods": ["mass_matrix", ("pose", "tool0")], "dtype": "float64"})  # fmt: skip
    yield Case("robot.replace", lambda link, **changes: arm.replace(link, **changes),
               {"link": "tool0", "inertia": art.Inertia(1.0), "placement": art.Transform()})  # fmt: skip
    yield Case("robot.replace", arm.replace, {"gravity": np.array([0, 0, -9.81]), "name": "other"})
    given = {"q": arm.random(rng), "v": rng.normal(size=6)}
    yield Case("derivatives", arm.derivatives("bias_forces"), given, True)
    yield Case("jvp", lambda tangents, **q: arm.jvp("bias_forces")(**q, tangents={"q": tangents}),
               {**given, "tangents": rng.normal(size=6)}, True)  # fmt: skip
    yield Case("vjp", arm.vjp("mass_matrix"), {"q": arm.random(rng), "cotangents": rng.normal(size=(6, 6))}, True)
    yield Case("lqr", art.lqr, {"A": rng.normal(size=(3, 3)), "B": rng.normal(size=(3, 2)), "Q": np.ones(3),
                                "R": np.eye(2), "discrete": False}, True)  # fmt: skip
    fused = arm.compile("mass_matrix", "bias_forces")
    yield Case("compiled", fused, {"q": arm.random(rng), "v": rng.normal(size=6)}, True)


def _closed_forms() -> Iterator[Case]:
    """Callables of closed forms, where SymPy is there."""
    try:
        import sympy
    except ModuleNotFoundError:
        return
    eq = art.derive("2r")
    x, y, q_1 = (sympy.Symbol(name, real=True) for name in ("x", "y", "q_1"))
    yield Case("derive", art.derive, {"robot": "2r", "symbols": False, "letters": ["x", "y"]})
    yield Case("exercise", art.exercise, {"robot": "2r", "topic": "gravity", "seed": 3})
    yield Case("exercise.check", art.exercise("2r", "inertia", 1).check, {"answer": "I2 + m2"})
    yield Case("moving_frames", art.moving_frames, {"robot": "2r", "base_velocity": np.ones(6)})
    yield Case("eq.derivative", eq.derivative, {"what": "g", "by": "q"})
    yield Case("eq.linearize", eq.linearize, {"q0": [0.1, 0.2]})
    bar = art.derive("bar_disc")
    yield Case("eq.articulated_inertias", bar.articulated_inertias, {"q": np.array([0.1, 0.2])})
    yield Case("eq.symbol", eq.symbol, {"name": "l_1"})
    yield Case("explanation.value", art.explain("rnea", "2r").value, {"letter": "tau1"})
    yield Case("eq.change", eq.change, {"old": {"q_1": x, "q_2": y}})
    yield Case(
        "eq.elastic", eq.elastic, {"stiffness": [1.0, 2.0], "rotors": [1.0, 2.0], "joints": ["joint1", "joint2"]}
    )
    yield Case("eq.motors", eq.motors, {"given": [art.Motor("joint1", 2.0, 1.0)]})
    yield Case("eq.constrain", eq.constrain, {"constraints": [q_1], "independent": ["q_2"]})
    yield Case("eq.adaptive_regressor", eq.adaptive_regressor, {"known": "l_1"})
    yield Case("eq.export", eq.export, {"form": "julia", "what": "M,Y", "named": True})


def _several(values: Any) -> Any:
    return values if isinstance(values, (list, tuple)) else (values,)


def _built(joint: Any = None, inertia: Any = None, placement: Any = None, **build: Any) -> np.ndarray:
    """A description is checked at the latest when a robot is built; then it computes."""
    joint, inertia, placement = (
        joint or art.Revolute(),
        inertia or art.Inertia(1.0, (1, 2, 3)),
        placement or art.Transform(),
    )
    links = [art.Link("base"), art.Link("link", "base", joint, placement, inertia)]
    robot = art.build(links, **build)
    return np.concatenate([robot.gravity_forces(robot.neutral()), robot.pose(robot.neutral(), "link").ravel()])


def _descriptions() -> Iterator[Case]:
    axis, R, p, tensor = np.array([0.0, 0.6, 0.8]), np.eye(3), np.array([0.1, 0.2, 0.3]), np.diag([1.0, 1.1, 1.2])
    data = {"name": "j", "damping": 0.1, "friction": 0.1, "armature": 0.1, "limits": art.Limits(-1, 1), "mimic": None}
    for joint in (art.Revolute, art.Continuous, art.Prismatic, art.Cylindrical, art.Planar, art.Helical):
        extra = {"pitch": 0.2} if joint is art.Helical else {}
        yield Case(
            joint.__name__, lambda joint=joint, **given: _built(joint(**given)), {"axis": axis, **extra, **data}, True
        )
    yield Case("Fixed", lambda **given: _built(art.Fixed(**given)), {"name": "j", "damping": 0.0, "mimic": None})
    for joint in (art.Floating, art.Spherical):
        own = {**data, "limits": art.Limits(velocity=2.0, effort=3.0)}
        yield Case(joint.__name__, lambda joint=joint, **given: _built(joint(**given)), own)
    yield Case("Universal", lambda **given: _built(art.Universal(**given)), {"first": axis, "second": p, **data})
    yield Case("Limits", lambda **given: _built(art.Revolute(limits=art.Limits(**given))),
               {"lower": -1.0, "upper": 1.0, "velocity": 2.0, "effort": 3.0})  # fmt: skip
    yield Case("Transform", lambda **given: _built(placement=art.Transform(**given)), {"R": R, "p": p}, True)
    yield Case("Transform.from_rpy", lambda **given: _built(placement=art.Transform.from_rpy(**given)),
               {"rpy": p, "xyz": p}, True)  # fmt: skip
    yield Case("Transform.from_matrix", lambda **given: _built(placement=art.Transform.from_matrix(**given)),
               {"matrix": np.eye(4)}, True)  # fmt: skip
    for name, make, given in (
        ("Inertia", art.Inertia, {"mass": 2.0, "com": p, "about_com": tensor}),
        ("Inertia.from_moments", art.Inertia.from_moments, {"mass": 2.0, "first": p, "second": tensor}),
        ("about_point", art.about_point, {"mass": 2.0, "com": p, "inertia": tensor, "point": -p}),
        ("from_gyration", art.from_gyration, {"mass": 2.0, "com": p, "squared_radii": np.array([1.0, 2.0, 2.0])}),
    ):
        yield Case(name, lambda make=make, **given: _built(inertia=make(**given)), given, True)
    yield Case("build", _built, {"gravity": np.array([0, 0, -9.81]), "name": "robot"})
    yield Case("build", art.build, {"links": [art.Link("a"), art.Link("b", "a")], "name": "robot"})
    yield Case("Link", art.Link, {"name": "a", "parent": "b", "joint": art.Revolute(), "placement": art.Transform(),
               "inertia": art.Inertia(), "shapes": (), "frames": [("tool", art.Transform())]})  # fmt: skip
    rows = [art.DH(0.1, 0.2, 0.3, 0.4), (0, 0, 1, 0, "prismatic")]
    yield Case("from_dh", art.from_dh, {"rows": rows, "convention": "modified", "links": [art.Inertia(1.0), None],
               "gravity": np.array([0, 0, -9.81]), "name": "dh"})  # fmt: skip
    yield Case("DH", lambda **given: art.from_dh([art.DH(**given)]).pose([0.1], "link1"),
               {"theta": 0.1, "d": 0.2, "a": 0.3, "alpha": 0.4, "joint": "revolute", "name": ""}, True)  # fmt: skip
    screws = [np.array([0, 0, 0, 0, 0, 1.0]), np.array([0, 0, 1.0, 0, 0, 0])]
    yield Case("from_screws", art.from_screws, {"home": [np.eye(4), np.eye(4)], "screws": screws,
               "inertias": [art.Inertia(1.0), None], "parents": [None, 0], "form": "space"})  # fmt: skip


def _spatial() -> Iterator[Case]:
    """Methods of transforms and inertias, and targets with names of their own."""
    rng, arm = np.random.default_rng(7), art.load("ur5")
    X, six = art.Transform.from_rpy((0.1, 0.2, 0.3), (1, 2, 3)), rng.normal(size=6)
    values = {"F": six, "V": six, "x": six[:3]}
    for name in ("motion_in", "motion_out", "force_in", "force_out", "point"):
        (argument,) = inspect.signature(getattr(X, name)).parameters
        yield Case(f"Transform.{name}", getattr(X, name), {argument: values[argument]}, True)
    yield Case("Transform.tensor_out", X.tensor_out, {"M": np.diag(np.arange(1.0, 7))}, True)
    yield Case("Inertia.moved_out", lambda X: art.Inertia(2.0, (1, 2, 3)).moved_out(X).matrix(), {"X": X})
    reach = {"iterations": 10, "restarts": 1}
    yield Case("Orientation", lambda **given: arm.inverse_kinematics({"tool0": art.Orientation(**given)}, **reach).q,
               {"matrix": X.R}, True)  # fmt: skip
    yield Case("Direction", lambda **given: arm.inverse_kinematics({"tool0": art.Direction(**given)}, **reach).q,
               {"axis": np.array([0, 0, 1.0]), "along": np.array([0, 0.6, 0.8])}, True)  # fmt: skip
    yield Case("Mimic", _following, {"joint": "lead", "multiplier": 0.5, "offset": 0.1}, True)


def _following(**given: Any) -> np.ndarray:
    """A joint that follows another, at work."""
    lead, follow = art.Revolute(name="lead"), art.Revolute((0, 1, 0), name="follow", mimic=art.Mimic(**given))
    load = art.Inertia(1.0, (1, 2, 3))
    robot = art.build([art.Link("a", None, lead, inertia=load), art.Link("b", "a", follow, inertia=load)])
    return robot.mass_matrix(np.ones(1))


def _contacts() -> Iterator[Case]:
    rng, dog = np.random.default_rng(1), tripod()
    yield Case("Contacts", art.Contacts, {"robot": dog, "point": LEGS[:1], "surface": [LEGS[1]],
               "line": {LEGS[2]: np.array([0, 1.0, 0])}, "loops": [], "passive": [dog.joint_names[-1]]})  # fmt: skip
    feet = art.Contacts(dog, point=LEGS)
    for name in CONTACTS:
        spoils = name not in ("analyse", "analyze", "assemble")
        extra = {"baumgarte": 10.0} if name == "forward_dynamics" else {}
        yield Case(f"contacts.{name}", getattr(feet, name), {**arguments(feet, name, rng), **extra}, spoils)
    state = {"q": dog.neutral(), "v": np.zeros(12), "a": np.zeros(12)}
    wishes = {"tau0": np.zeros(6), "weight": np.ones(6), "force_weight": np.ones(9), "method": "qr"}
    yield Case("contacts.inverse_dynamics", feet.inverse_dynamics, {**state, **wishes, "forces": {"body": np.zeros(6)}})
    yield Case("contacts.lift", lambda names: feet.lift(*_several(names)), {"names": [LEGS[0]]})
    yield Case("contacts.warm", lambda methods: feet.warm(*_several(methods)), {"methods": ["acceleration"]})


def _tried(feet: art.Contacts, task: type, **given: Any) -> Any:
    """A task in a law, at rest."""
    return art.WholeBody(feet, [task(**given)])(feet.robot.neutral(), np.zeros(feet.robot.nv))


def _laws() -> Iterator[Case]:
    arm, rng = art.load("ur5"), np.random.default_rng(2)
    q, v = arm.random(rng), rng.normal(size=6)
    gains = {"robot": arm, "stiffness": np.full(6, 100.0), "damping": np.full(6, 20.0)}
    for law in (art.Impedance, art.ComputedTorque):
        yield Case(law.__name__, law, gains)
        yield Case(f"{law.__name__}()", law(**gains), {"q": q, "v": v, "q_ref": q, "v_ref": v, "a_ref": v}, True)
        yield Case(f"{law.__name__}.error_dynamics", law(**gains).error_dynamics, {"q": q})
    yield Case("PD", art.PD, {**gains, "gravity": True})
    yield Case("PD()", art.PD(**gains), {"q": q, "v": v, "q_ref": q, "v_ref": v}, True)  # a_ref is not used
    yield Case("Gait", art.Gait, {"swings": [("left", 0.0, 0.5), ("right", 0.5, 1.0)]})
    yield Case("Gait.trot", art.Gait.trot, {"feet": ["FL", "FR", "HL", "HR"], "begin": 0.0, "end": 2.0, "period": 0.4,
                                            "ground": 0.5})  # fmt: skip
    yield Case("PD.towards", art.PD(**gains).towards, {"reference": (q, v)})
    servo = {"controller": art.PD(**gains).towards(q), "period": 0.01, "delay": 0.002, "noise": 0.1, "clip": True}
    yield Case("Servo", art.Servo, {**servo, "seed": 1})
    sim = art.Simulator(arm, n=2)
    simulated = {"dt": 1e-3, "n": 2, "stiffness": 10.0, "damping": 1.0, "clip": True, "limits": False, "threads": 1}
    yield Case("Simulator", lambda **given: art.Simulator(arm, **given), simulated)
    yield Case("Simulator.reset", lambda **given: sim.reset(**given), {"q": q, "v": v})
    yield Case("Simulator.step", lambda **given: sim.step(**given), {"tau": v, "steps": 2})
    yield Case("Box", art.Box, {"size": (1.0, 2.0, 3.0), "mass": 1.0, "at": (0.0, 0.0, 1.0)})
    yield Case("Ball", art.Ball, {"radius": 0.1, "mass": 1.0, "at": (0.0, 0.0, 1.0)})
    parts = {"parts": [art.Ball(radius=0.1, mass=1.0)], "at": {"ball": (0.0, 0.0, 1.0)}, "friction": 0.5, "name": "s"}
    yield Case("Scene", art.Scene, parts)
    yield Case("CartesianImpedance.towards", art.CartesianImpedance(**gains, frame="tool0").towards,
               {"reference": arm.pose(q, "tool0")})  # fmt: skip
    gait = art.Gait(swings=[("left", 0.0, 0.5), ("right", 0.5, 1.0)])
    yield Case("Gait.lifted", gait.lifted, {"t": 0.3})
    yield Case("Gait.swinging", gait.swinging, {"t": 0.3})
    yield Case("swing", art.swing, {"start": np.zeros(3), "end": np.ones(3), "height": 0.1, "duration": 0.3, "t": 0.1})
    held = {**gains, "frame": "tool0", "follows": "pose"}
    yield Case("CartesianImpedance", art.CartesianImpedance, held)
    yield Case("CartesianImpedance()", art.CartesianImpedance(**held),
               {"q": q, "v": v, "target": arm.pose(q, "tool0"), "rate": v, "acceleration": v}, True)  # fmt: skip
    follow = {"robot": arm, "frames": ["tool0"], "gain": 2.0, "dt": 0.01, "posture": q, "posture_gain": 1.0,
              "damping": 1e-6, "velocity": np.ones(6), "manipulability": 1.0, "priority": {"tool0": 1}}  # fmt: skip
    yield Case("DifferentialIK", art.DifferentialIK, follow)
    yield Case("DifferentialIK()", art.DifferentialIK(**follow),
               {"q": q, "targets": {"tool0": arm.pose(q, "tool0")}, "rates": {"tool0": v}}, True)  # fmt: skip
    yield Case("DifferentialIK.towards", art.DifferentialIK(**follow).towards,
               {"targets": {"tool0": arm.pose(q, "tool0")}, "through": art.PD(**gains)})  # fmt: skip
    yield Case("DifferentialIK.bounds", art.DifferentialIK(**follow).bounds, {"q": q}, True)
    dog = tripod()
    feet, still = art.Contacts(dog, point=LEGS), np.zeros(dog.nv)
    tasks = [art.tasks.CenterOfMass(weight=10.0), art.tasks.Posture(target=dog.neutral())]
    options = {"friction": 0.5, "sides": 4, "torque_limits": 50.0, "horizon": 0.1, "contact_damping": 1.0,
               "force_range": (0.0, 500.0), "acceleration_weight": 1e-6, "on_infeasible": "nearest"}  # fmt: skip
    yield Case("WholeBody", art.WholeBody, {"contacts": feet, "tasks": tasks, **options})
    law = art.WholeBody(feet, tasks)
    targets = {"center_of_mass": dog.center_of_mass(dog.neutral()), "posture": dog.neutral()}
    yield Case("WholeBody()", law, {"q": dog.neutral(), "v": still, **targets})
    for name, task, given in (
        ("CenterOfMass", art.tasks.CenterOfMass, {"target": np.zeros(3)}),
        ("Momentum", art.tasks.Momentum, {"target": np.zeros(6)}),
        ("Posture", art.tasks.Posture, {"target": dog.neutral(), "joints": [dog.joint_names[-1]]}),
        ("Frame", art.tasks.Frame, {"frame": LEGS[0], "follows": "position", "target": np.zeros(3)}),
    ):
        given = {**given, "gain": 10.0, "damping": 3.0, "weight": 2.0, "level": 0, "name": "task"}
        yield Case(
            f"tasks.{name}",
            lambda task=task, **given: art.WholeBody(feet, [task(**given)])(dog.neutral(), still),
            given,
        )


def _conversions() -> Iterator[Case]:
    rng = np.random.default_rng(3)
    for robot in (art.load("ur5"), small()):
        for library in ("pinocchio", "mujoco", "drake"):
            if library == "drake" and robot.nq > 6:
                continue  # a ball joint, which has no converter
            state = {"q": robot.random(rng), "v": rng.normal(size=robot.nv), "a": rng.normal(size=robot.nv)}
            for way in ("to", "from"):
                name = f"{way}_{library}"
                there = getattr(art.conventions, f"to_{library}")(robot, **state)._asdict()
                given = state if way == "to" else {**there, "tolerance": 1.0}
                yield Case(name, getattr(art.conventions, name), {"robot": robot, **given}, True)
    pose, six = art.load("ur5").pose(np.ones(6), "tool0"), rng.normal(size=6)
    values = {"x": six, "X": np.zeros((4, 4)), "twist": six, "g": pose, "V": six, "A": six, "inertia": np.eye(6)}
    values |= {"xyz": six[:3], "rpy": six[3:]}
    for name in art.spatial.__all__:
        taken = inspect.signature(getattr(art.spatial, name)).parameters
        yield Case(f"spatial.{name}", getattr(art.spatial, name), {key: values[key] for key in taken if key in values})


def _grounds() -> Iterator[Case]:
    dog = art.load("quadruped", floating_base=True)
    given = {"friction": 0.7, "restitution": 0.1, "height": 0.1, "feet": FEET, "self_collision": False, "slow": 0.1}
    for shape in ({"slope": 0.3}, {"normal": np.array([0, 0.1, 1])}, {"steps": [(1.0, 0.1), (1.3, 0.2)]}):
        yield Case("Ground", lambda **asked: candidates(dog.model, art.Ground(**asked)), {**given, **shape})
    by_name = {"friction": dict.fromkeys(FEET, 0.3), "feet": dict.fromkeys(FEET, 0.02)}
    yield Case("Ground", lambda **asked: candidates(dog.model, art.Ground(**asked)), by_name)


def _trajectories() -> Iterator[Case]:
    folder, arm, rng = Path(tempfile.mkdtemp(prefix="articulated-fuzz-")), art.load("ur5"), np.random.default_rng(4)
    q, v = arm.random(rng, 5), rng.normal(size=(5, 6))
    shape = (5, 2)
    points = {
        "names": ["left", "right"], "forces": np.ones((*shape, 3)), "positions": np.zeros((*shape, 3)),
        "normals": np.tile([0.0, 0.0, 1.0], (*shape, 1)), "gaps": np.zeros(shape), "frictions": np.array([0.5, 0.7]),
        "states": np.ones(shape, int), "residual": np.zeros(5),
    }  # fmt: skip
    state = {"robot": arm, "t": np.arange(5.0), "q": q, "v": v, "a": v, "tau": v}
    more = {"contact": art.ContactHistory(**points), "forces": {"tool0": np.zeros((5, 6))}, "info": {"dt": 1.0}}
    yield Case("Trajectory", art.Trajectory, {**state, **more})
    yield Case("ContactHistory", art.ContactHistory, points)
    run = art.Trajectory(**state, **more)
    run.save(folder / "run.npz")
    yield Case("run.at", run.at, {"t": 1.5}, True)
    yield Case("run.at", run.at, {"t": np.array([0.5, 1.5])}, True)
    yield Case("run.between", run.between, {"start": 0.5, "end": 3.0})
    yield Case("run.resample", run.resample, {"dt": 0.5})
    yield Case("run.resample", run.resample, {"times": np.array([0.5, 1.0])})
    yield Case("run.pose", run.pose, {"frame": "tool0"})
    yield Case("run[]", lambda index: run[index], {"index": 2})
    several = art.Trajectory(arm, [0.0], *[np.zeros((3, 1, 6))] * 4)
    yield Case("run.batch[]", lambda batch: several.batch[batch], {"batch": 2})
    joined = {"runs": [run[:3], run[2:]]}
    yield Case("run.concatenate", lambda runs: art.Trajectory.concatenate(*_several(runs)), joined)
    yield Case("Trajectory.load", lambda robot: art.Trajectory.load(folder / "run.npz", robot), {"robot": "ur5"})
    options = {"kind": "phase_portraits", "joints": ["elbow_joint"], "size": (3, 3), "dpi": 20.0}
    yield Case("run.plot", lambda **given: run.plot(path=folder / "out.png", **given), options)
    yield Case(
        "plot_tree", lambda **given: art.plot_tree(path=folder / "out.png", **given), {"robot": arm, "dpi": 20.0}
    )


def _files() -> Iterator[Case]:
    folder = Path(tempfile.mkdtemp(prefix="articulated-fuzz-"))
    arm = art.load("ur5")
    yield Case(
        "load",
        art.load,
        {
            "source": "2r",
            "floating_base": False,
            "on_error": "default",
            "xacro": False,
            "packages": [str(folder)],
            "srdf": None,
            "xacro_args": None,
        },
    )
    yield Case("save", lambda robot: art.save(robot, folder / "robot.toml"), {"robot": arm})
    yield Case("robots", art.robots, {})
    yield Case("derive", art.derive, {"robot": "2r", "symbols": False})
    eq = art.derive("2r")
    yield Case("explain", art.explain, {"algorithm": "rnea", "robot": "2r", "axes": "body"})
    yield Case("eq.derivation", eq.derivation, {"format": "text"})
    yield Case("eq.factorization", eq.factorization, {"C": eq.C})
    yield Case("eq.coefficients", eq.coefficients, {"known": ["l_1"]})
    yield Case("eq.coriolis", eq.coriolis, {"factorization": "christoffel"})
    yield Case("eq.pose", eq.pose, {"frame": "link2"})
    yield Case("eq.jacobian", eq.jacobian, {"frame": "link2", "axes": "world"})
    yield Case("eq.subs", eq.subs, {"values": {"l_1": 1.0}})
    yield Case("eq.latex", eq.latex, {"what": "M,c,g"})
    yield Case("eq.export", eq.export, {"form": "py", "what": "M"})
    yield Case("eq.check", eq.check, {"states": 2, "seed": 0})
