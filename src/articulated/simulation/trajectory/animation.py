"""A motion as GIF, MP4 or PNG, drawn without a display."""

from itertools import cycle
from typing import TYPE_CHECKING, Any

import numpy as np

from ...drawing.appearance import color_of, free_base, numeric
from ...drawing.camera import FROM
from ...drawing.film import FORMATS
from ...drawing.forces import INSIDE, OUTSIDE, PUSH, Touching, force_arrow, path_items
from ...drawing.picture import Item
from ...drawing.stage import Stage
from ...drawing.surfaces import SOLIDS, along, solid
from ...errors import ShapeError
from ...housekeeping import whole_file
from ...inputs.choices import choose, file_path, flag, floats, number, whole_number
from ...inputs.choices import names as asked_names
from ...text import shortened
from ..progress import Progress

if TYPE_CHECKING:
    from .trajectory import Trajectory

#: s over which the camera that follows a robot smooths its way, and pictures of one file
SMOOTH, MOST = 0.6, 3000
SMALLEST, LARGEST = 16, 4096  # pixels
OBSTACLE = (176, 152, 120)
PATHS = ((214, 68, 54), (42, 127, 208), (214, 143, 28), (138, 104, 192))


def animate(run: "Trajectory", path: Any, **options: Any) -> None:
    """Draw the motion and write the file, whole or not at all."""
    where = file_path("animate", path)
    made = film(run, where.suffix.lower(), **options)
    with whole_file(where, "wb") as file:
        file.write(made)


def film(
    run: "Trajectory", ending: str, size: Any = (640, 480), fps: Any = 25, speed: Any = 1.0, dark: Any = False,
    forces: Any = True, follow: Any = None, view_from: Any = FROM, meshes: Any = "light", paths: Any = (),
    obstacles: Any = (), progress: bool | None = None,
) -> bytes:  # fmt: skip
    """The bytes of a file with this ending."""
    if ending not in FORMATS:
        raise ShapeError(f"animate: path ends in {', '.join(FORMATS)}; got {shortened(repr(ending))}")
    form, (width, height), direction = FORMATS[ending], _size(size), _direction(view_from)
    rate = form.rate(number("animate: fps", fps, "pictures a second, from 1 to 60", 1, 60))
    pace = number("animate: speed", speed, "a number above zero, 1 as it was", 1e-9)
    full = choose("animate", "meshes", meshes, ("light", "full")) == "full"
    shown = flag("animate: forces", forces)
    while run.batch.shape:
        run = run.batch[0]
    some = slice(None, None, max(1, len(run) // 200))
    ways, times = [run.pose(frame)[some, :3, 3] for frame in asked_names("animate: paths", paths)], run.t[some]
    run = run.resample(times=moments(run.t, rate, pace) if form.moves else run.t[-1:])
    robot = run.robot
    still = np.zeros_like(run.v)
    poses = robot.body_motions(run.q, still, still).pose
    stage = Stage(robot.model, (width, height), flag("animate: dark", dark), full)
    points, solids = stage.points(poses), shapes_items(obstacles)
    path = camera_path(run, free_base(robot.model) if follow is None else flag("animate: follow", follow), rate)
    corners = [item.surface.moved(item.pose).vertices for item in solids]
    camera = stage.camera(np.concatenate([(points - path[:, None]).reshape(-1, 3), *corners]), direction)
    picture = stage.picture(ground(run, points))
    bar, images = Progress(len(run), progress, "pictures"), []
    for k in range(len(run)):
        items = stage.items(poses[k]) + solids + (arrows(run, k, stage.size) if shown else [])
        passed = np.searchsorted(times, run.t[k], "right")
        for color, way in zip(cycle(PATHS), ways, strict=False):
            items += path_items(way[:passed], color, 0.006 * stage.size)
        here = camera._replace(place=camera.place + path[k], target=camera.target + path[k])
        images.append(picture.draw(items, here))
        bar.at(k + 1)
    bar.end()
    return form.written(images, rate)


def shapes_items(obstacles: Any) -> list[Item]:
    """Obstacles, shapes placed in the world or lists of these."""
    shapes = [part for x in obstacles for part in (x if isinstance(x, (list, tuple)) else (x,))]
    for shape in shapes:
        if type(shape) not in SOLIDS:
            raise ShapeError(f"animate: obstacles are shapes, as of `collides`; got {shortened(repr(shape))}")
    return [Item(solid(x), color_of(x) or OBSTACLE, numeric(x.placement)) for x in shapes]


def moments(t: np.ndarray, rate: float, speed: float) -> np.ndarray:
    """Times of the pictures."""
    count = int((t[-1] - t[0]) / speed * rate + 1e-6) + 1
    if count > MOST:
        raise ShapeError(
            f"animate: {count} pictures, more than {MOST}; take fewer (fps), let it run faster (speed) or take a part: "
            "run.between(start, end)"
        )
    return np.minimum(t[0] + np.arange(count) * speed / rate, t[-1])


def arrows(run: "Trajectory", k: int, size: float) -> list[Item]:
    """Contact forces (green, red outside their cones) and pushes (orange) at a sample."""
    weight, found = run.robot.mass * float(np.linalg.norm(run.robot.gravity)), []
    if (touching := touching_at(run, k)) is not None:
        for place, force, inside in zip(touching.positions, touching.forces, touching.inside, strict=True):
            found += force_arrow(place, force, INSIDE if inside else OUTSIDE, size, weight)
    for place, force in pushes_at(run, k):
        found += force_arrow(place, force, PUSH, size, weight)
    return found


def pushes_at(run: "Trajectory", k: int) -> np.ndarray:
    """Points and strengths of external forces at a sample, (n, 2, 3) m and N, world axes."""
    found = [(run.robot.pose(run.q[k], frame), wrench[k, :3]) for frame, wrench in run.forces.items()]
    return np.array([(pose[:3, 3], pose[:3, :3] @ force) for pose, force in found]).reshape(-1, 2, 3)


def touching_at(run: "Trajectory", k: int) -> Touching | None:
    """The contacts of a motion at a sample; None without any."""
    contact = run.contact
    return (
        None
        if contact is None
        else Touching(
            contact.positions[k], contact.forces[k], contact.normals[k], contact.frictions, contact.states[k] > 0
        )
    )


def ground(run: "Trajectory", points: np.ndarray) -> np.ndarray:
    """Pose of the ground: the plane of the contacts; else z = 0, or below a robot that hangs deeper."""
    if run.contact is not None and np.isfinite(run.contact.gaps).all() and run.contact.gaps.size:
        normals = run.contact.normals.reshape(-1, 3)
        feet = (run.contact.positions - run.contact.gaps[..., None] * run.contact.normals).reshape(-1, 3)
        if abs(normals - normals[0]).max() < 1e-6 and abs((feet - feet[0]) @ normals[0]).max() < 1e-3:
            return along(feet[0] * ([0, 0, 1] if normals[0][2] > 1 - 1e-9 else [1, 1, 1]), normals[0])
    falls = any(b.joint.floats for b in run.robot.model.bodies)
    return along((0, 0, 0.0 if falls else min(0.0, float(points[..., 2].min()))), (0, 0, 1))


def camera_path(run: "Trajectory", follows: bool, rate: float) -> np.ndarray:
    """Way of the camera, (T, 3) m: along with the center of mass on the ground, or not at all."""
    if not follows:
        return np.zeros((len(run), 3))
    return smoothed(run.robot.center_of_mass(run.q) * [1, 1, 0], round(SMOOTH * rate))


def smoothed(path: np.ndarray, count: int) -> np.ndarray:
    """Mean over `count` samples around each, fewer at the ends."""
    sums = np.cumsum(np.concatenate([np.zeros((1, 3)), path]), axis=0)
    k = np.arange(len(path))
    reach = np.minimum(np.minimum(k, len(path) - 1 - k), count // 2)
    return (sums[k + reach + 1] - sums[k - reach]) / (2 * reach + 1)[:, None]


def _size(given: Any) -> tuple[int, int]:
    if not isinstance(given, (tuple, list)) or len(given) != 2:
        raise ShapeError(f"animate: size is (width, height) in pixels; got {shortened(repr(given))}")
    width, height = (whole_number("animate: size", x, SMALLEST) for x in given)
    if max(width, height) > LARGEST:
        raise ShapeError(f"animate: size is at most {LARGEST} pixels along each side; got {width} × {height}")
    return width, height


def _direction(given: Any) -> np.ndarray:
    x = floats("animate: view_from", given)
    if x.shape != (3,) or not np.isfinite(x).all() or not x.any():
        raise ShapeError(
            f"animate: view_from is a direction from the robot to the camera, (3,); got {shortened(repr(given))}"
        )
    return x / np.linalg.norm(x)
