"""Bodies on the ground, and runs of them."""

from functools import cache

import numpy as np

import articulated as art
from articulated.model.shapes import Box, Shape, Sphere

G = 9.81
#: the lower corners of a block: half as many contacts to compile
BASE = {"body": [(x, y, -0.05) for x in (-0.1, 0.1) for y in (-0.1, 0.1)]}


def body(shape: Shape, mass: float, inertia: list[float]) -> art.Robot:
    """One free body."""
    about = art.Inertia(mass, (0, 0, 0), np.diag(inertia))
    return art.build([art.Link("body", None, art.Floating(), inertia=about, shapes=[shape])])


@cache
def block(size: tuple[float, float, float] = (0.2, 0.2, 0.1), mass: float = 2.0) -> art.Robot:
    """Its eight corners touch; with `feet=BASE` only the lower four."""
    x, y, z = np.square(size)
    return body(Box(size, collision=True), mass, [mass / 12 * (y + z), mass / 12 * (x + z), mass / 12 * (x + y)])


@cache
def ball(radius: float = 0.1, mass: float = 1.5) -> art.Robot:
    return body(Sphere(radius, collision=True), mass, [0.4 * mass * radius**2] * 3)


def at(x=0.0, y=0.0, z=0.0, tilt=0.0) -> np.ndarray:
    """State of a free body: its place, and its turn about y."""
    return np.array([x, y, z, 0, np.sin(tilt / 2), 0, np.cos(tilt / 2)])


def on_slope(angle: float, distance: float) -> np.ndarray:
    """A block lying on a slope that rises along x, its center `distance` off it."""
    return at(-distance * np.sin(angle), 0, distance * np.cos(angle), -angle)


def run(robot, ground, q, v, steps, dt=1e-3, **options) -> art.Trajectory:
    return art.simulate(robot, q, v, steps * dt, dt, contacts=ground, progress=False, **options)
