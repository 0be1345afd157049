"""Robots that stand, states in which their contacts hold, and a whole-body law for each."""

from functools import cache

import numpy as np

import articulated as art
from tests import doubtful

LEGS = [0, 0.8, -1.6, 0, 0.8, -1.6, 0, -0.8, 1.6, 0, -0.8, 1.6]
FEET = ("FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT")
#: robot -> (how its feet touch, feet)
STANDING = {
    "solo12": ("point", FEET),
    "quadruped": ("point", FEET),
    "bolt": ("point", ("FL_FOOT", "FR_FOOT")),
    "biped": ("surface", ("left_sole", "right_sole")),
}
NAMES = list(STANDING)
SOLE = (0.2, 0.1)


@cache
def robot(name: str) -> art.Robot:
    return doubtful.load(name, floating_base=True)


@cache
def contacts(name: str) -> art.Contacts:
    kind, feet = STANDING[name]
    return art.Contacts(robot(name), **{kind: feet})


def base(name: str) -> str:
    return robot(name).body_names[0]


def pose(name: str) -> np.ndarray:
    """Knees bent."""
    q = robot(name).neutral()
    if name in ("solo12", "quadruped"):
        q[7:] = LEGS
    return q


def state(name: str, rng: np.random.Generator, speed: float = 0.3) -> tuple[np.ndarray, np.ndarray]:
    """Near the standing pose, moving so that the contacts do not."""
    own, held = robot(name), contacts(name)
    q = own.integrate(pose(name), 0.2 * rng.normal(size=own.nv))
    v = speed * rng.normal(size=own.nv)
    J = held.jacobian(q)
    return q, v - np.linalg.pinv(J) @ (J @ v)


def tasks(name: str, **levels: int) -> list:
    return [
        art.tasks.CenterOfMass(weight=10.0, level=levels.get("center_of_mass", 0)),
        art.tasks.Posture(gain=20.0, weight=0.1, level=levels.get("posture", 0)),
        art.tasks.Frame(base(name), "orientation", gain=50.0, name="base", level=levels.get("base", 0)),
    ]


def targets(name: str, q: np.ndarray, shift=(0.0, 0.0, 0.0)) -> dict:
    com = robot(name).center_of_mass(q)
    return {"center_of_mass": com + shift, "posture": q, "base": robot(name).pose(q, base(name))[:3, :3]}


def law(name: str, wanted=None, **options) -> art.WholeBody:
    kind, feet = STANDING[name]
    if kind == "surface":
        options.setdefault("soles", dict.fromkeys(feet, SOLE))
    return art.WholeBody(contacts(name), tasks(name) if wanted is None else wanted, **options)


def balance(name: str, q, v, done, held=None) -> np.ndarray:
    """M a + h - Sᵀ tau - Jᵀ forces."""
    own, held = robot(name), held or contacts(name)
    left = own.inverse_dynamics(q, v, done.a) - held.jacobian(q).T @ done.forces
    left[held.actuated] -= done.tau
    return left
