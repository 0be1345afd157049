"""The robot in the page: a node for every body, moved as the robot moves, and what can be shown on it."""

from itertools import count
from typing import Any, NamedTuple

import numpy as np

from ..algebra.rotations import to_quaternion
from ..drawing.appearance import GHOST, collision_shapes, ellipsoid, free_base, looks, numeric, size
from ..drawing.surfaces import Surface, ball, joined, revolved
from ..robot import Robot
from ..text import shortened
from .arrows import Arrows
from .ground import Ground, lights


class Layer(NamedTuple):
    """Parts of the scene that are shown and hidden together."""

    label: str
    key: str
    first: bool = False  # whether it is shown at first
    inside: bool = False  # of the shapes, which then become transparent


#: by name; a method of Scene of the same name makes its nodes when it is first shown
LAYERS = {
    "shapes": Layer("Shapes", "B", first=True),
    "ellipsoids": Layer("Inertia ellipsoids", "E", inside=True),
    "frames": Layer("Frames", "F", inside=True),
    "masses": Layer("Centers of mass", "M", inside=True),
    "axes": Layer("Joint axes", "A"),
    "names": Layer("Body names", "N"),
    "collision": Layer("Collision shapes", "C"),
    "grid": Layer("Ground", "G", first=True),
    "forces": Layer("Forces and friction cones", "P", first=True),
}
#: opacity of shapes that something inside is seen through
SEEN_THROUGH = 0.45
COLLISION = (64, 150, 120)
GHOSTS = ((70, 130, 200), (220, 140, 50), (80, 170, 110), (190, 90, 160), (200, 80, 70), (90, 170, 190))
NUMBER = count(1)
MASS, AXIS = (214, 68, 54), (36, 122, 214)


class Seen(NamedTuple):
    """Camera as a browser was told to place it."""

    aspect: float  # width over height of its picture, the last time
    places: list[np.ndarray]  # of the camera, m, the last one last


class Scene:
    """Nodes of one robot in the 3D view of a page."""

    def __init__(self, server: Any, robot: Robot, q: np.ndarray, dark: bool = False, full: bool = False):
        self.scene, self.robot = server.scene, robot
        #: a browser keeps the pose of a node for the next one of this name, so no name is used twice
        self.root = f"/robot{next(NUMBER)}"
        self.size = size(robot.model)
        self.looks = looks(robot.model, full)
        self.still = np.zeros(robot.nv)
        self.seen: dict[int, Seen] = {}  # by browser
        self._layers: dict[str, list[Any]] = {}
        self._inside: set[str] = set()
        self._total: list[Any] = []  # the center of mass of the whole robot, if it is shown
        self.floats = free_base(robot.model)
        self.follows = self.floats
        self._ghosts: list[list[Any]] = []
        self._lines: list[Any] = []
        self._marks: dict[str, list[Any]] = {"foothold": [], "wanted": []}  # of a law
        self.motion: list[np.ndarray] = []  # configurations that a camera should see as well
        self._opacity: float | None = None
        with server.atomic():
            lights(self.scene)
            self._root = self.scene.add_frame(self.root, show_axes=False)
            falls = any(b.joint.floats for b in robot.model.bodies)
            low, high = self.bounds(q)
            level, extent = 0.0 if falls else min(0.0, float(low[2])), float(np.linalg.norm(high - low)) / 2
            self.ground = Ground(self.scene, self.root, max(self.size, extent), level, dark)
            self.arrows = Arrows(self.scene, self.root, self.size, robot.mass * float(np.linalg.norm(robot.gravity)))
            self._nodes = self._frames_of(self.root)
            for name, layer in LAYERS.items():
                if layer.first:
                    self.show(name, True)
        self._placed = np.full((len(self._nodes), 7), np.nan)

    # -- motion ---------------------------------------------------------------------------

    def place(self, q: np.ndarray) -> None:
        """Move every body that is not where it should be."""
        poses = self.robot.body_motions(q, self.still, self.still).pose
        wanted = placements(poses)
        for k in np.flatnonzero((wanted != self._placed[1:]).any(axis=1)):
            self._nodes[k + 1].position, self._nodes[k + 1].wxyz = wanted[k, :3], wanted[k, 3:]
        self._placed[1:] = wanted
        self._q = q
        every = np.concatenate([np.eye(4)[None], poses])
        for line, node in zip(self.looks.lines, self._lines, strict=False):
            pose, length = line.place(every)
            node.scale = (1.0, 1.0, length)
            node.position, node.wxyz = np.split(placements(pose[None])[0], [3])
        below = poses[0, :3, 3] * [1, 1, 0] if self.floats else np.zeros(3)
        self.ground.move(below)
        # to follow the robot everything else moves: a camera that the server moves lags behind the hand that turns it
        self._root.position = -below if self.follows else np.zeros(3)
        for node in self._total:
            node.position = self.robot.center_of_mass(q) * ([1, 1, 1] if node is self._total[0] else [1, 1, 0])

    def remove(self) -> None:
        """Take everything away; lights and haze are those of the next robot.

        `reset` of viser would take the up direction away as well, and a slow browser looks elsewhere afterwards.
        """
        self._root.remove()

    def ghosts(self, count: int) -> None:
        """Make so many ghosts of the robot, pale and without shadows, for other runs of a batch."""
        for ghost in self._ghosts:
            ghost[0].remove()
        self._ghosts = []
        for i in range(count):
            name = f"{self.root}/ghost{next(NUMBER)}"
            whole = self.scene.add_frame(name, show_axes=False)
            _, *nodes = self._frames_of(name)
            for b in self.robot.model.bodies:
                if each := list(self.looks.surfaces[b.index].values()):
                    smaller = joined(each).scaled(np.full(3, 0.99 - 0.004 * i))  # surfaces at the same place flicker
                    self._mesh(f"{name}/{b.index}/shape", smaller, GHOSTS[i], opacity=0.3, cast_shadow=False)
            self._ghosts.append([whole, *nodes])

    def place_ghosts(self, every: np.ndarray) -> None:
        """Move the ghosts to their configurations (n, nq)."""
        for (_, *nodes), q in zip(self._ghosts, every, strict=True):
            poses = self.robot.body_motions(q, self.still, self.still).pose
            for node, wanted in zip(nodes, placements(poses), strict=True):
                node.position, node.wxyz = wanted[:3], wanted[3:]

    def marks(self, footholds: list[np.ndarray], wanted: np.ndarray | None) -> None:
        """Discs where feet are to be put down, and a blue ball where the law wants the center of mass."""
        places = [*footholds, *([] if wanted is None else [wanted])] if self.arrows.visible else []
        kinds = ["foothold"] * len(footholds) + ["wanted"]
        for kind in ("foothold", "wanted"):
            own = [x for x, its in zip(places, kinds, strict=False) if its == kind]
            nodes = self._marks[kind]
            while len(nodes) < len(own):
                disc, size = revolved([(0, 0.001), (0.05 * self.size, 0.001), (0, 0.004)]), 0.03 * self.size
                name = f"{self.root}/law/{kind}/{len(nodes)}"
                shape = disc if kind == "foothold" else ball(size)
                nodes.append(self._mesh(name, shape, AXIS, cast_shadow=False))
            for k, node in enumerate(nodes):
                node.visible = k < len(own)
                if node.visible:
                    node.position = own[k]

    def bounds(self, q: np.ndarray, moving: bool = False) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest corner of everything that is drawn, or of all that moves, in the world."""
        poses = [np.eye(4), *self.robot.body_motions(q, self.still, self.still).pose]
        drawn = [(poses[k], points) for k, points in self.looks.points.items() if k or not moving]
        placed = [points @ pose[:3, :3].T + pose[:3, 3] for pose, points in drawn]
        every = np.concatenate([np.zeros((0 if moving else 1, 3)), *placed])
        return every.min(axis=0), every.max(axis=0)

    def view(self, q: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """Lowest and highest corner of what a camera should see: of a base that floats the robot, else its motion."""
        boxes = [self.bounds(x, moving=self.floats) for x in [q, *self.motion]]
        away = self.away
        return np.min([low for low, _ in boxes], axis=0) + away, np.max([high for _, high in boxes], axis=0) + away

    @property
    def away(self) -> np.ndarray:
        """Displacement of everything, so that the robot stays in the middle, (3,) m."""
        return np.array(self._root.position, float)

    # -- layers ---------------------------------------------------------------------------

    def show(self, name: str, wanted: bool) -> None:
        """Show or hide a layer; it is made when it is first shown."""
        if wanted and name not in self._layers:
            self._layers[name] = getattr(self, f"_{name}")()
        for node in self._layers.get(name, ()):
            node.visible = wanted
        self._inside = self._inside | {name} if wanted and LAYERS[name].inside else self._inside - {name}
        self.fade(self._opacity)

    @property
    def shapes(self) -> list[Any]:
        """Nodes of the bodies' surfaces."""
        return self._layers.get("shapes", [])[len(self._lines) :]

    def fade(self, opacity: float | None) -> None:
        """Opacity of the shapes from 0 to 1; None: opaque, but for what is shown inside of them."""
        self._opacity = opacity
        wanted = SEEN_THROUGH if opacity is None and self._inside else opacity
        for node in self.shapes:
            if node.opacity != wanted:
                node.opacity = wanted

    def _frames_of(self, name: str) -> list[Any]:
        """A node for the world and for each body."""
        count = len(self.robot.model.bodies) + 1
        return [self.scene.add_frame(f"{name}/{k}", show_axes=False) for k in range(count)]

    def _mesh(self, name: str, surface: Surface, color: tuple[int, int, int], **options: Any) -> Any:
        vertices, faces = surface.vertices.astype(np.float32), surface.faces.astype(np.uint32)
        return self.scene.add_mesh_simple(name, vertices, faces, color=color, **options)

    def _grid(self) -> list[Any]:
        return [self.ground.node]

    def _forces(self) -> list[Any]:
        return [self.arrows]

    def _shapes(self) -> list[Any]:
        self._lines = [
            self._mesh(f"{self.root}/line/{k}", line.surface, line.color) for k, line in enumerate(self.looks.lines)
        ]
        return self._lines + [
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
        below = self._mesh(
            f"{self.root}/mass/below", revolved([(0, 0.001), (0.03 * self.size, 0.001), (0, 0.002)]), (232, 166, 32)
        )
        self._total = [whole, below]
        if hasattr(self, "_q"):
            self.place(self._q)
        return [*found, whole, below]

    def _axes(self) -> list[Any]:
        """An arrow along each axis of a joint, at the joint."""
        found, length = [], 0.16 * self.size
        for b in self.robot.model.bodies:
            if len(axes := _directions(b)):
                tail = np.linalg.inv(numeric(b.tail))
                points = np.stack([-length * axes, length * axes], axis=1) @ tail[:3, :3].T + tail[:3, 3]
                found.append(self.scene.add_arrows(
                    f"{self.root}/{b.index}/axis", points.astype(np.float32), AXIS, shaft_radius=0.03 * length,
                    head_radius=0.09 * length, head_length=0.2 * length,
                ))  # fmt: skip
        return found

    def _names(self) -> list[Any]:
        return [
            self.scene.add_label(f"{self.root}/{b.index}/name", shortened(b.name, 40), font_screen_scale=0.8)
            for b in self.robot.model.bodies
        ]

    def _collision(self) -> list[Any]:
        found = collision_shapes(self.robot.model)
        return [
            self._mesh(f"{self.root}/{k}/collision", surface, COLLISION, opacity=0.4, cast_shadow=False)
            for k, surface in found.items()
        ]


def placements(poses: np.ndarray) -> np.ndarray:
    """Position and quaternion w x y z of poses (n, 4, 4), (n, 7): what viser takes."""
    x, y, z, w = to_quaternion(poses[:, :3, :3]).T
    return np.concatenate([poses[:, :3, 3], np.stack([w, x, y, z], axis=-1)], axis=-1)


def _directions(b: Any) -> np.ndarray:
    """Axes (n, 3) a joint turns about or slides along, in its moved side; none where it moves in every direction."""
    S = np.array(b.joint.S, float).reshape(6, -1).T if b.joint.nv <= 2 else np.zeros((0, 6))
    axes = np.where((S[:, 3:] != 0).any(axis=1)[:, None], S[:, 3:], S[:, :3])
    return axes / np.linalg.norm(axes, axis=1, keepdims=True)
