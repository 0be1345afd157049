"""The robots whose closed forms are held against the numeric kernels."""

from functools import cache

import numpy as np

import articulated as art
from articulated.symbolic.pages.derivation import derivation
from articulated.symbolic.pages.document import Section
from tests.zoo import random_inertia

Z, Y, X = (0, 0, 1), (0, 1, 0), (1, 0, 0)


def body(mass: float, *com: float) -> art.Inertia:
    return art.Inertia(mass, com, np.diag([0.02, 0.03, 0.04]).tolist())


def pendulum() -> art.Robot:
    return art.build([art.Link("bob", None, art.Revolute(Y), inertia=body(1.2, 0, 0, -0.4))], name="pendulum")


def furuta() -> art.Robot:
    arm = art.Link("arm", None, art.Revolute(Z), inertia=body(0.3, 0.1, 0, 0))
    rod = art.Link("rod", "arm", art.Revolute(X), art.Transform(p=(0.2, 0, 0)), body(0.1, 0, 0, -0.15))
    return art.build([arm, rod], name="furuta")


def prp() -> art.Robot:
    lift = art.Link("lift", None, art.Prismatic(Z), inertia=body(2.0, 0, 0, 0.1))
    turn = art.Link("turn", "lift", art.Revolute(Z), art.Transform(p=(0, 0, 0.3)), body(1.5, 0.1, 0, 0))
    reach = art.Link("reach", "turn", art.Prismatic(X), art.Transform(p=(0.2, 0, 0)), body(0.7, 0.05, 0, 0.02))
    return art.build([lift, turn, reach], name="prp")


def wrist() -> art.Robot:
    links = [art.Link("roll", None, art.Revolute(Z), inertia=body(0.6, 0, 0.01, 0.05))]
    links.append(art.Link("pitch", "roll", art.Revolute(Y), inertia=body(0.4, 0, 0, 0.04)))
    links.append(art.Link("spin", "pitch", art.Revolute(Z), inertia=body(0.2, 0.01, 0, 0.08)))
    return art.build(links, name="spherical_wrist")


def planar_biped() -> art.Robot:
    """A trunk free in the vertical plane, two legs with hip and knee."""
    links = [art.Link("trunk", None, art.Planar(Y), inertia=body(8.0, 0, 0, 0.2))]
    for side in ("left", "right"):
        links.append(art.Link(f"{side}_thigh", "trunk", art.Revolute(Y), inertia=body(2.0, 0, 0, -0.2)))
        placed = art.Transform(p=(0, 0, -0.4))
        links.append(art.Link(f"{side}_shank", f"{side}_thigh", art.Revolute(Y), placed, body(1.0, 0, 0, -0.2)))
    return art.build(links, name="planar_biped")


def floating_body() -> art.Robot:
    inertia = random_inertia(np.random.default_rng(4))
    return art.build([art.Link("body", None, art.Floating(), inertia=inertia)], name="floating_body")


def floating_pair() -> art.Robot:
    links = [art.Link("base", None, art.Floating(), inertia=body(3.0, 0.02, 0, 0.01))]
    links.append(art.Link("arm", "base", art.Revolute(Y), art.Transform(p=(0.1, 0, 0.2)), body(1.0, 0, 0, -0.2)))
    return art.build(links, name="floating_pair")


@cache
def robots() -> dict[str, art.Robot]:
    loaded = [art.load(n) for n in ("cart_pole", "2r", "3r", "scara", "acrobot", "stanford", "puma560", "tree4")]
    made = [pendulum(), furuta(), prp(), wrist(), planar_biped(), floating_body(), floating_pair()]
    return {robot.name: robot for robot in [*loaded, *made]}


@cache
def lecture(name: str):
    """A lecture's robot in letters, derived once for all tests that only read it."""
    return art.derive(name)


@cache
def numeric(name: str):
    """One of the robots above in numbers, derived once."""
    return art.derive(robots()[name])


@cache
def steps(name: str) -> list[Section]:
    """The derivation of a lecture's robot."""
    return derivation(lecture(name))
