"""A sketch of a robot: bodies as lines, joints as circles and squares, seen from one side."""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
import sympy

from ...algebra.scalars import array
from ...algebra.spatial import Transform
from ...errors import ArticulatedError
from ...model import Body, Model
from ..equations.substitution import substituted
from ..ring.convert import parameters_of

BEND = 0.5  # radians each joint is turned by, so that links that would lie in one line do not
LENGTH = 1.0  # what a positive symbol is drawn as; other symbols are half of it
AXIS = 0.16  # half the length of a joint's axis, and the size of other marks, of the picture's
MANY = 30  # most bodies that are drawn
FRAMES = 7  # most bodies whose frames are drawn, too

Point = tuple[float, float]


class Mark(NamedTuple):
    """A joint: "turns", "slides" or "free"; where it is, its axis as it is seen, and its number."""

    kind: str
    at: Point
    axis: Point
    label: str


class Sketch(NamedTuple):
    """Lines, joints and centers of mass in a unit of the picture's larger side; y up."""

    lines: list[tuple[Point, Point]]
    joints: list[Mark]
    centers: list[Point]
    axes: list[tuple[str, Point]]  # the world's, as they are seen
    base: Point
    size: Point
    caption: str
    frames: Sequence[tuple[int, Point, Point, Point]] = ()  # number, origin, x and z as they are seen

    @property
    def drawn_caption(self) -> str:
        """The caption of a drawing, which has the frames that characters have no room for."""
        return self.caption + (" Thin lines are x and z of the links' frames." if self.frames else "")


class _Bones(NamedTuple):
    """A skeleton in space: pairs of points, joints with their axes, centers of mass."""

    lines: list[tuple[np.ndarray, np.ndarray]]
    joints: list[tuple[Body, np.ndarray, np.ndarray]]
    centers: list[np.ndarray]
    frames: list[tuple[int, np.ndarray, np.ndarray]]  # number, origin, axes


def sketch(model: Model, letters: Sequence[sympy.Symbol] = ()) -> Sketch | None:
    """The robot with its joints a little bent; None where it cannot be drawn, or is too large for it.

    `letters` are the coordinates: q_1 … if they are not given.
    """
    symbols = parameters_of(model)
    if len(model.bodies) > MANY or not model.bodies:
        return None
    try:
        numbers = {s: LENGTH if s.is_positive else LENGTH / 2 for s in symbols}
        numeric = substituted(model, numbers) if symbols else model
        bones = _bones(numeric, _bent(numeric))
        flat, view = _view(numeric, bones)
    except (ArticulatedError, TypeError, ZeroDivisionError):  # not a robot with these values
        return None
    found = _drawn(bones, view, [s.name for s in letters] or [f"q_{k + 1}" for k in range(model.nq)])
    seen = "" if flat else ", seen from the front and a little from above"
    drawn = f"every joint at {BEND}{seen}"
    letters = f"; positive letters count as {LENGTH:g}, others as {LENGTH / 2:g}" if symbols else ""
    return found._replace(caption=f"A sketch, {drawn}{letters}. Circles turn, squares slide, dots are centers of mass.")


def _bent(model: Model) -> Any:
    q = []
    for b in model.bodies:
        if b.leader is b:
            q += [BEND] if b.joint.nq == 1 else list(b.joint.neutral())
    return array(q)


def _bones(model: Model, q: Any) -> _Bones:
    world: dict[Body | None, Transform] = {None: Transform()}
    bones = _Bones([], [], [], [])
    for b in model.bodies:
        joint = world[b.parent] @ b.placement
        world[b] = world[b.parent] @ b.transform(q)
        hinge, origin = _point(joint.p), _point(world[b].p)
        axis = getattr(b.joint, "axis", None)
        seen = np.zeros(3) if axis is None else np.array(joint.R, float) @ np.array(axis, float)
        bones.joints.append((b, hinge, seen))
        bones.frames.append((b.index, origin, np.array(world[b].R, float)))
        bones.lines.extend([(_point(world[b.parent].p), hinge), (hinge, origin)])
        if b.inertia.mass != 0:
            center = _point(world[b].point(b.inertia.com))
            bones.centers.append(center)
            if not any(c.parent is b for c in model.bodies):
                bones.lines.append((origin, center))
    return bones


def _point(p: Any) -> np.ndarray:
    return np.array([float(x) for x in p])


def _view(model: Model, bones: _Bones) -> tuple[bool, np.ndarray]:
    """Right and up of the picture, (2, 3): along the one axis all joints share, else from the front and above."""
    up = -_point(model.gravity)
    up = up / np.linalg.norm(up) if np.linalg.norm(up) > 0 else np.array([0.0, 0.0, 1.0])
    turning = [axis for b, _, axis in bones.joints if b.joint.turns or b.joint.in_plane]
    sliding = [axis for b, _, axis in bones.joints if b.joint.slides]
    if turning and len(turning) + len(sliding) == len(bones.joints):
        normal = turning[0]
        parallel = all(np.linalg.norm(np.cross(normal, x)) < 1e-9 for x in turning)
        if parallel and all(abs(normal @ x) < 1e-9 for x in sliding):
            above = up - (up @ normal) * normal
            above = above if np.linalg.norm(above) > 0.1 else np.eye(3)[1 if abs(normal[2]) > 0.9 else 2]
            above = above - (above @ normal) * normal
            above /= np.linalg.norm(above)
            right = np.cross(above, normal)
            return True, np.stack([-right if right.sum() < 0 else right, above])
    side = np.eye(3)[0] if abs(up[0]) < 0.9 else np.eye(3)[1]
    side = side - (side @ up) * up
    side /= np.linalg.norm(side)
    depth = np.cross(up, side)
    turn, tilt = 0.6, 0.35
    right = np.cos(turn) * depth - np.sin(turn) * side
    front = np.cos(turn) * side + np.sin(turn) * depth
    return False, np.stack([right, np.cos(tilt) * up - np.sin(tilt) * front])


def _drawn(bones: _Bones, view: np.ndarray, letters: Sequence[str]) -> Sketch:
    points = [p for pair in bones.lines for p in pair] + [p for _, p, _ in bones.joints] + bones.centers + [np.zeros(3)]
    flat = np.array([view @ p for p in points])
    low, span = flat.min(axis=0), np.ptp(flat, axis=0)
    scale = float(span.max()) or 1.0
    margin = 1.6 * AXIS

    def at(p: np.ndarray) -> Point:
        x, y = (view @ p - low) / scale + margin
        return round(float(x), 4), round(float(y), 4)

    def along(axis: np.ndarray) -> Point:
        x, y = view @ axis * AXIS
        return round(float(x), 4), round(float(y), 4)

    label = {
        b: letters[b.coords.start] if b.joint.nq else "" for b, _, _ in bones.joints
    }  # of a mimic joint its leader's
    marks = [Mark(_kind(b), at(p), along(axis), label[b]) for b, p, axis in bones.joints]
    lines = list(dict.fromkeys((at(p), at(r)) for p, r in bones.lines if at(p) != at(r)))
    axes = [(name, along(e)) for name, e in zip("xyz", np.eye(3), strict=True)]
    width, height = span / scale + 2 * margin
    centers = list(dict.fromkeys(at(p) for p in bones.centers))
    frames = [(k, at(p), along(R[:, 0]), along(R[:, 2])) for k, p, R in bones.frames] if len(marks) <= FRAMES else []
    size = round(float(width), 4), round(float(height), 4)
    return Sketch(lines, marks, centers, axes, at(np.zeros(3)), size, "", frames)


def _kind(b: Body) -> str:
    return "turns" if b.joint.turns else "slides" if b.joint.slides else "free"
