"""Bodies on the ground, and runs of them by the plain loop of compiled blocks."""

from typing import NamedTuple

import numpy as np

import articulated as art
from articulated.model.shapes import Box, Shape, Sphere
from articulated.simulation.contact.stepping import Stepper
from articulated.simulation.contact.system import system
from articulated.simulation.ground import Ground

G = 9.81


class Run(NamedTuple):
    """Time is the first axis."""

    q: np.ndarray
    v: np.ndarray
    residual: np.ndarray
    forces: np.ndarray
    states: np.ndarray
    gaps: np.ndarray


def body(shape: Shape, mass: float, inertia: list[float]) -> art.Robot:
    """One free body."""
    about = art.Inertia(mass, (0, 0, 0), np.diag(inertia))
    return art.build([art.Link("body", None, art.Floating(), inertia=about, shapes=[shape])])


def block(size: tuple[float, float, float] = (0.2, 0.2, 0.1), mass: float = 2.0) -> art.Robot:
    x, y, z = np.square(size)
    return body(Box(size, collision=True), mass, [mass / 12 * (y + z), mass / 12 * (x + z), mass / 12 * (x + y)])


def ball(radius: float = 0.1, mass: float = 1.5) -> art.Robot:
    return body(Sphere(radius, collision=True), mass, [0.4 * mass * radius**2] * 3)


def at(x=0.0, y=0.0, z=0.0, tilt=0.0) -> np.ndarray:
    """Of a free body: its place, and its turn about y."""
    return np.array([x, y, z, 0, np.sin(tilt / 2), 0, np.cos(tilt / 2)])


def run(robot, ground, q, v, steps, dt=1e-3, torque=lambda t, q, v: 0.0, held=(), tolerance=1e-6) -> Run:
    stepper = Stepper(robot, system(robot.model, ground, held), dt, tolerance)
    q, v = np.array(q, float), np.zeros(robot.nv) if v is None else np.array(v, float)
    impulses, anchors = np.zeros((*q.shape[:-1], stepper.system.size)), np.zeros((*q.shape[:-1], 0))
    if held:
        anchors = stepper.anchors(q)
    found = []
    for k in range(steps):
        tau = np.zeros_like(v) + torque(k * dt, q, v)
        now = stepper.step(q, v, tau, impulses, anchors)
        q, v, impulses = now.q, now.v, now.impulses
        found.append((q, v, now.residual, now.forces, now.states, now.gaps))
    return Run(*map(np.array, zip(*found, strict=True)))
