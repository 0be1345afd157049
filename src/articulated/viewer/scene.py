"""The robot in the page: a node for every body, moved as the robot moves, and what can be shown on it."""

from collections.abc import Callable
from itertools import count
from typing import Any, NamedTuple

import numpy as np

from ..algebra.rotations import aligning_z, to_quaternion
from ..robot import Robot
from ..text import shortened
from .appearance import GHOST, ellipsoid, looks, numeric, size
from .ground import beneath, ground, lights
from .solids import Surface, ball, joined, revolved

#: layers: key in the page → its label
LAYERS = {
    "shapes": "Shapes",
    "ellipsoids": "Inertia ellipsoids",
    "frames": "Frames",
    "masses": "Centres of mass",
    "axes": "Joint axes",
    "names": "Body names",
    "grid": "Grid",
}
FIRST = ("shapes", "grid")
#: layers inside the shapes, through which they are then seen
INSIDE, SEEN_THROUGH = {"ellipsoids", "frames", "masses"}, 0.45
NUMBER = count(1)
MASS, AXIS = (214, 68, 54), (36, 122, 214)


class Seen(NamedTuple):
    """How a browser was last told to look at the robot."""

    aspect: float  # width over height of its picture
    place: np.ndarray  # of the camera, m
    when: float  # s


class Scene:
    """Nodes of one robot in the 3D view of a page."""

    def __init__(self, server: Any, robot: Robot):
        self.scene, self.robot = server.scene, robot
        #: a browser keeps the pose of a node for the next one of this name, so no name is used twice
        self.root = f"/robot{next(NUMBER)}"
        self.size = size(robot.model)
        self.looks = looks(robot.model)
        self.still = np.zeros(robot.nv)
        self.seen: dict[int, Seen] = {}  # by browser
        self._layers: dict[str, list[Any]] = {}
        self._inside: set[str] = set()
        self._total: list[Any] = []  # the centre of mass of the whole robot, if it is shown
        self._ground: list[Any] = []
        with server.atomic():
            lights(self.scene)
            self._nodes = [self._node(k) for k in range(len(robot.model.bodies) + 1)]
            for name in FIRST:
                self.show(name, True)
        self._placed = np.full((len(self._nodes), 7), np.nan)

    # -- motion ---------------------------------------------------------------------------

    def place(self, q: np.ndarray) -> None:
        """Move every body that is not where it should be."""
        poses = self.robot.body_motions(q, self.still, self.still).pose
        x, y, z, w = to_quaternion(poses[:, :3, :3]).T
        wanted = np.concatenate([poses[:, :3, 3], np.stack([w, x, y, z], axis=-1)], axis=-1)
        for k in np.flatnonzero((wanted != self._placed[1:]).any(axis=1)):
            self._nodes[k + 1].position, self._nodes[k + 1].wxyz = wanted[k, :3], wanted[k, 3:]
        self._placed[1:] = wanted
        self._q = q
        if len(wanted) and self._ground:
            middle = beneath(wanted[0], self.size)
            for node in self._ground:
                if (node.position != middle).any():
                    node.position = middle
        for node in self._total:
            node.position = self.robot.center_of_mass(q) * ([1, 1, 1] if node is self._total[0] else [1, 1, 0])

    def bounds(self, q: np.ndarray, moving: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest corner of everything that is drawn, or of all that moves, in the world."""
        poses = [np.eye(4), *self.robot.body_motions(q, self.still, self.still).pose]
        drawn = [(poses[k], points) for k, points in self.looks.points.items() if k or not moving]
        placed = [points @ pose[:3, :3].T + pose[:3, 3] for pose, points in drawn]
        every = np.concatenate([np.zeros((0 if moving else 1, 3)), *placed])
        return every.min(axis=0), every.max(axis=0)

    # -- layers ---------------------------------------------------------------------------

    def show(self, name: str, wanted: bool) -> None:
        """Show or hide a layer; it is made when it is first shown."""
        if wanted and name not in self._layers:
            made: dict[str, Callable[[], list[Any]]] = {
                "shapes": self._shapes, "ellipsoids": self._ellipsoids, "frames": self._frames,
                "masses": self._masses, "axes": self._axes, "names": self._names, "grid": self._grid,
            }  # fmt: skip
            self._layers[name] = made[name]()
        for node in self._layers.get(name, ()):
            node.visible = wanted
        self._inside = self._inside | {name} if wanted and name in INSIDE else self._inside - {name}
        for node in self._layers.get("shapes", ()):
            if node.opacity != (SEEN_THROUGH if self._inside else None):
                node.opacity = SEEN_THROUGH if self._inside else None

    def _node(self, k: int) -> Any:
        return self.scene.add_frame(f"{self.root}/{k}", show_axes=False)

    def _mesh(self, name: str, surface: Surface, color: tuple[int, int, int], **options: Any) -> Any:
        vertices, faces = surface.vertices.astype(np.float32), surface.faces.astype(np.uint32)
        return self.scene.add_mesh_simple(name, vertices, faces, color=color, **options)

    def _shapes(self) -> list[Any]:
        return [
            self._mesh(f"{self.root}/{k}/shape/{i}", surface, color, side="front" if surface.closed else "double")
            for k, each in self.looks.surfaces.items()
            for i, (color, surface) in enumerate(each.items())
        ]

    def _ellipsoids(self) -> list[Any]:
        found = [(b.index, ellipsoid(b.inertia)) for b in self.robot.model.bodies]
        return [
            self._mesh(f"{self.root}/{k}/ellipsoid", s, GHOST, opacity=0.5, cast_shadow=False) for k, s in found if s
        ]

    def _frames(self) -> list[Any]:
        """Axes of every link and named frame, those of one body in one node."""
        on: dict[int, list[np.ndarray]] = {}
        for frame in self.robot.model.frames.values():
            on.setdefault(frame.body.index if frame.body else 0, []).append(numeric(frame.placement))
        return [
            self.scene.add_batched_axes(
                f"{self.root}/{k}/frames", np.roll(to_quaternion(np.array(poses)[:, :3, :3]), 1, axis=-1),
                np.array(poses)[:, :3, 3], axes_length=0.09 * self.size, axes_radius=0.0035 * self.size,
            )
            for k, poses in on.items()
        ]  # fmt: skip

    def _masses(self) -> list[Any]:
        """A red ball for each body, its volume the mass; a larger one for the robot, and its shadow on the ground."""
        bodies = [b for b in self.robot.model.bodies if float(b.inertia.mass) > 0]
        if not bodies:
            return []
        heaviest = max(float(b.inertia.mass) for b in bodies)
        found = []
        for b in bodies:
            radius = 0.028 * self.size * (float(b.inertia.mass) / heaviest) ** (1 / 3)
            found.append(self._mesh(f"{self.root}/{b.index}/mass", ball(radius), MASS, opacity=0.9, cast_shadow=False))
            found[-1].position = np.array(b.inertia.com, float)
        whole = self._mesh(f"{self.root}/mass/whole", ball(0.04 * self.size), (232, 166, 32), cast_shadow=False)
        below = self._mesh(f"{self.root}/mass/below", revolved([(0.03 * self.size, 0.002), (0, 0.002)]), (232, 166, 32))
        self._total = [whole, below]
        if hasattr(self, "_q"):
            self.place(self._q)
        return [*found, whole, below]

    def _axes(self) -> list[Any]:
        """An arrow along each axis of a joint, at the joint."""
        found = []
        for b in self.robot.model.bodies:
            arrows = [_arrow(direction, 0.16 * self.size) for direction in _directions(b)]
            if arrows:
                tail = np.linalg.inv(numeric(b.tail))
                surface = joined(arrows).moved(tail)
                found.append(self._mesh(f"{self.root}/{b.index}/axis", surface, AXIS, cast_shadow=False))
        return found

    def _names(self) -> list[Any]:
        return [
            self.scene.add_label(f"{self.root}/{b.index}/name", shortened(b.name, 40), font_screen_scale=0.8)
            for b in self.robot.model.bodies
        ]

    def _grid(self) -> list[Any]:
        self._ground = ground(self.scene, self.root, self.size)
        return self._ground


def _directions(b: Any) -> list[np.ndarray]:
    """The axes a joint turns about or slides along, in its moved side; none where it moves in every direction."""
    if b.joint.nv > 2 or not b.joint.nv:
        return []
    S = np.array(b.joint.S, float)
    turns = [S[3:, k] if abs(S[3:, k]).max() > 0 else S[:3, k] for k in range(S.shape[1])]
    return [direction / np.linalg.norm(direction) for direction in turns]


def _arrow(direction: np.ndarray, length: float) -> Surface:
    shaft, head = 0.03 * length, 0.09 * length
    profile = [(0, -length), (shaft, -length), (shaft, length - 2 * head), (head, length - 2 * head), (0, length)]
    pose = np.eye(4)
    pose[:3, :3] = np.array(aligning_z(direction), float)
    return revolved(profile).moved(pose)
