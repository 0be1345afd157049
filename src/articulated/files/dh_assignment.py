"""Denavit-Hartenberg frames laid into a given arm: the table, and the choices that geometry leaves free."""

from itertools import pairwise
from math import atan2, pi
from typing import NamedTuple

import numpy as np

from ..algebra.scalars import zeros
from ..algorithms.kinematics import frame_pose
from ..errors import ModelError
from ..model import Model
from .dh import DH

ROUNDING = 1e-12  # of the size of the arm: parallel, meeting, zero


class Line(NamedTuple):
    """An axis: a point of it and its direction."""

    point: np.ndarray
    along: np.ndarray


class Assigned(NamedTuple):
    """A table with the pose of its frame 0 in the world, that of the last link in frame n, and what was chosen freely.

    base A_1(q_1) … A_n(q_n) tool is the pose of the last link, for every q.
    """

    convention: str
    rows: list[DH]
    base: np.ndarray
    tool: np.ndarray
    choices: list[str]

    def __str__(self) -> str:
        lines = [f"{'i':>2} {'theta':>12} {'d':>12} {'a':>12} {'alpha':>12}   ({self.convention})"]
        for i, row in enumerate(self.rows, start=1):
            moving = {"revolute": "theta", "prismatic": "d"}[row.joint]
            cells = []
            for name in ("theta", "d", "a", "alpha"):
                x = getattr(row, name)
                text = f"{x:.6g}" if name in ("d", "a") or not x else _angle(x)
                added = f" - {text[1:]}" if x < 0 else f" + {text}" if x else ""
                cells.append(f"q_{i}{added}" if name == moving else text)
            lines.append(f"{i:>2} " + " ".join(f"{cell:>12}" for cell in cells))
        return "\n".join([*lines, *(f"Free: {text}" for text in self.choices)])


def assigned(model: Model, convention: str = "standard") -> Assigned:
    """The table of a serial arm of revolute and prismatic joints, frames laid at q = 0."""
    _refuse_others(model)
    axes, size = _axes(model)
    last = np.array(frame_pose(model, zeros(model.nq), model.bodies[-1].name).exact_matrix(), float)
    choices: list[str] = []
    frames = _standard(axes, last, size, choices) if convention == "standard" else _modified(axes, last, size, choices)
    for i, b in enumerate(model.bodies, start=1):
        if b.joint.slides:
            choices.append(f"joint {i} slides: its axis may be moved parallel to itself; it is where the robot has it")
    rows = []
    for b, (before, after) in zip(model.bodies, pairwise(frames), strict=True):
        rows.append(
            DH(
                *_read(np.linalg.inv(before) @ after, convention, size),
                "revolute" if b.joint.turns else "prismatic",
                b.joint.name,
            )
        )
    return Assigned(convention, rows, frames[0], np.linalg.inv(frames[-1]) @ last, choices)


def _refuse_others(model: Model) -> None:
    for b in model.bodies:
        if not (b.joint.turns or b.joint.slides) or b.leader is not b:
            raise ModelError(f"joint {b.joint.name!r} is {b.joint.kind}; a D-H table has revolute and prismatic joints")
        if (b.parent.index if b.parent else 0) != b.index - 1:
            raise ModelError(f"link {b.name!r} branches off; a D-H table is of a serial arm")


def _axes(model: Model) -> tuple[list[Line], float]:
    """The axes of the joints in the world at q = 0, and the size of the arm."""
    out = []
    for b in model.bodies:
        X = frame_pose(model, zeros(model.nq), b.name) @ b.tail.inverse()
        R, p = np.array(X.R, float), np.array(X.p, float)
        axis = np.array(b.joint.S[3:, 0] if b.joint.turns else b.joint.S[:3, 0], float)
        out.append(Line(p, R @ axis / np.linalg.norm(axis)))
    return out, max((float(abs(line.point).max()) for line in out), default=0.0) or 1.0


def _normal(one: Line, two: Line, size: float) -> tuple[str, np.ndarray | None, np.ndarray, np.ndarray]:
    """Relation of two axes; the direction of their common normal, if there is one, and its feet on both."""
    across = np.cross(one.along, two.along)
    apart = two.point - one.point
    if np.linalg.norm(across) < ROUNDING:
        foot = two.point - (apart @ two.along) * two.along  # on the second axis, opposite to the first's point
        between = foot - one.point
        if np.linalg.norm(between) < ROUNDING * size:
            return "coincide", None, one.point, one.point
        return "parallel", between / np.linalg.norm(between), one.point, foot
    s, t = np.linalg.lstsq(np.stack([one.along, -two.along], axis=1), apart, rcond=None)[0]
    first, second = one.point + s * one.along, two.point + t * two.along
    if np.linalg.norm(second - first) < ROUNDING * size:
        return "meet", across / np.linalg.norm(across), second, second
    return "skew", (second - first) / np.linalg.norm(second - first), first, second


def _frame(origin: np.ndarray, z: np.ndarray, x: np.ndarray) -> np.ndarray:
    x = x - (x @ z) * z
    x = x / np.linalg.norm(x)
    out = np.eye(4)
    out[:3, :3], out[:3, 3] = np.stack([x, np.cross(z, x), z], axis=1), origin
    return out


def _across(z: np.ndarray) -> np.ndarray:
    """The axis of the world that is most across z."""
    return np.eye(3)[int(np.argmin(abs(z)))]


FREE = {
    "parallel": "axes {i} and {j} are parallel: the origin may be moved along them; {value} is zero",
    "meet": "axes {i} and {j} meet: the normal may point either way; it is z × z",
    "coincide": "axes {i} and {j} are one line: normal and origin are free; they are those before",
}


def _standard(axes: list[Line], last: np.ndarray, size: float, choices: list[str]) -> list[np.ndarray]:
    """z_{i-1} along axis i, x_i along the normal from z_{i-1} to z_i, the origin at its foot on z_i."""
    choices.append("frame 0: its origin is anywhere on axis 1 and x is free; the origin is the joint's")
    frames = [_frame(axes[0].point, axes[0].along, _across(axes[0].along))]
    for i in range(1, len(axes)):
        before = Line(frames[-1][:3, 3], axes[i - 1].along)
        how, x, _, foot = _normal(before, axes[i], size)
        if how in FREE:
            choices.append(FREE[how].format(i=i, j=i + 1, value=f"d_{i}"))
        frames.append(_frame(foot, axes[i].along, frames[-1][:3, 0] if x is None else x))
    end = last[:3, 3] - frames[-1][:3, 3]
    off = end - (end @ axes[-1].along) * axes[-1].along
    on = frames[-1][:3, 3] + (end @ axes[-1].along) * axes[-1].along
    x = off if np.linalg.norm(off) > ROUNDING * size else frames[-1][:3, 0]
    choices.append("frame n: nothing lies beyond it; z is that of the last joint and the origin that of the last link")
    return [*frames, _frame(on + off if np.linalg.norm(off) > ROUNDING * size else on, axes[-1].along, x)]


def _modified(axes: list[Line], last: np.ndarray, size: float, choices: list[str]) -> list[np.ndarray]:
    """z_i along axis i, x_i along the normal from z_i to z_{i+1}, the origin at its foot on z_i."""
    frames: list[np.ndarray] = []
    at = axes[0].point
    for i, (one, two) in enumerate(pairwise(axes), start=1):
        how, x, foot, beyond = _normal(Line(at, one.along), two, size)
        if how in FREE:
            choices.append(FREE[how].format(i=i, j=i + 1, value=f"d_{i}"))
        usual = frames[-1][:3, 0] if frames else _across(one.along)
        frames.append(_frame(foot, one.along, usual if x is None else x))
        at = beyond
    usual = frames[-1][:3, 0] if frames else _across(axes[-1].along)
    usual = usual if np.linalg.norm(np.cross(usual, axes[-1].along)) > 0.5 else _across(axes[-1].along)
    choices += [
        "frame 0 is frame 1 at q = 0",
        "frame n: x and the origin on its axis are free; theta_n and d_n are zero",
    ]
    frames.append(_frame(at, axes[-1].along, usual))
    return [frames[0], *frames]


def _read(A: np.ndarray, convention: str, size: float) -> tuple[float, float, float, float]:
    """theta, d, a, alpha of one step from frame to frame."""
    R, p = A[:3, :3], A[:3, 3]
    if convention == "standard":
        theta, alpha = atan2(R[1, 0], R[0, 0]), atan2(R[2, 1], R[2, 2])
        a, d = p[0] * np.cos(theta) + p[1] * np.sin(theta), p[2]
    else:
        theta, alpha = atan2(-R[0, 1], R[0, 0]), atan2(-R[1, 2], R[2, 2])
        a, d = p[0], p[2] * np.cos(alpha) - p[1] * np.sin(alpha)
    lengths = (0.0 if abs(x) < ROUNDING * size else float(x) for x in (d, a))
    d, a = lengths
    return _tidy(theta), d, a, _tidy(alpha)


def _tidy(angle: float) -> float:
    """Multiples of 15 degrees exactly; -π as π."""
    twelfth = round(angle / pi * 12)
    near = abs(angle / pi * 12 - twelfth) < 1e-10
    return float(pi if near and twelfth == -12 else twelfth * pi / 12 if near else angle)


def _angle(x: float) -> str:
    twelfth = x / pi * 12
    if abs(twelfth - round(twelfth)) > 1e-10:
        return f"{x:.6g}"
    whole = round(twelfth)
    above, below = next((whole * k // 12, k) for k in (1, 2, 3, 4, 6, 12) if whole * k % 12 == 0)
    return f"{'-' if above < 0 else ''}{'' if abs(above) == 1 else abs(above)}pi{'' if below == 1 else f'/{below}'}"
