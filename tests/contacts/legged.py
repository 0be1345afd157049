"""Legged robots with their feet, and states in which their contacts hold.

The laws run on every subset of the feet of every robot, so most of these robots run them as they are written, state
by state; the ones in COMPILED, and the tests about kernels, compile them.
"""

from functools import cache
from itertools import chain, combinations

import numpy as np

import articulated as art
from tests import doubtful
from tests.zoo import random_inertia

QUADRUPEDS = {
    "quadruped": ("FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"),
    "solo12": ("FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"),
    "anymal_c_simple_description/anymal": ("LF_FOOT", "RF_FOOT", "LH_FOOT", "RH_FOOT"),
}
#: (robot, how its feet touch, feet)
SETS = [
    *((name, "point", feet) for name, feet in QUADRUPEDS.items()),
    ("bolt", "point", ("FL_FOOT", "FR_FOOT")),
    ("biped", "surface", ("left_sole", "right_sole")),
    ("humanoid", "surface", ("left_sole", "right_sole")),
]
IDS = [name for name, _, _ in SETS]
COMPILED = ("quadruped", "biped")


class Interpreted(art.Robot):
    """A robot whose algorithms are not compiled."""

    def __init__(self, model):
        super().__init__(model)
        self.kernels.longest = 0


@cache
def legged(name: str) -> art.Robot:
    robot = doubtful.load(name, floating_base=True)
    return robot if name in COMPILED else Interpreted(robot.model)


@cache
def contacts(name: str, kind: str, feet: tuple[str, ...]) -> art.Contacts:
    return art.Contacts(legged(name), **{kind: feet})


def subsets(feet: tuple[str, ...], name: str = "") -> list[tuple[str, ...]]:
    """Subsets of the feet; of a robot in COMPILED one of each size: others of that size are much the same program."""
    sizes = range(len(feet) + 1)
    if name in COMPILED:
        return [feet[:n] for n in sizes]
    return list(chain.from_iterable(combinations(feet, n) for n in sizes))


def holding(held: art.Contacts, rng: np.random.Generator) -> tuple[np.ndarray, np.ndarray]:
    """A random configuration and a random velocity with which the contacts do not move."""
    robot = held.robot
    q, v = robot.random(rng), rng.normal(size=robot.nv)
    J = held.jacobian(q)
    return q, v - np.linalg.pinv(J) @ (J @ v)


def relative(found, reference, scale: float = 1.0) -> float:
    found, reference = np.asarray(found), np.asarray(reference)
    return float(abs(found - reference).max(initial=0.0) / max(scale, abs(reference).max(initial=0.0)))


def tripod(legs=3):
    """A body on three legs or fewer, none like another: few enough joints to be compiled in no time."""
    rng = np.random.default_rng(0)
    links = [art.Link("body", None, art.Floating(), inertia=random_inertia(rng))]
    for i, (x, y) in enumerate([(0.3, 0.0), (-0.2, 0.25), (-0.2, -0.25)][:legs]):
        foot = [(f"foot{i}", art.Transform(p=(0.05, 0, -0.3))), (f"heel{i}", art.Transform(p=(-0.1, 0.02, -0.3)))]
        hip, knee = art.Revolute((0, 1, 0.2 * i)), art.Revolute((1, 0.5, 0), friction=0.1, damping=0.2)
        links += [
            art.Link(f"thigh{i}", "body", hip, art.Transform(p=(x, y, 0)), random_inertia(rng)),
            art.Link(f"shank{i}", f"thigh{i}", knee, art.Transform(p=(0, 0, -0.3)), random_inertia(rng), frames=foot),
        ]
    return art.build(links, name="tripod")
