"""The geoms of an MJCF file as shapes: what MuJoCo draws, what it lets collide, or both."""

from collections.abc import Iterator
from typing import Any

from ...algebra.rotations import quaternion
from ...algebra.spatial import Transform
from ...model.shapes import Box, Capsule, Cylinder, Ellipsoid, Mesh, Shape, Sphere

SPHERE, CAPSULE, ELLIPSOID, CYLINDER, BOX, MESH = 2, 3, 4, 5, 6, 7  # mjtGeom
HIDDEN = 3  # MuJoCo's viewer draws the groups below; files that tell the two apart put collisions here


def read_shapes(model: Any, i: int) -> Iterator[Shape]:
    """The geoms of a body that are a box, a ball, a cylinder, a capsule, an ellipsoid or a mesh."""
    start = int(model.body_geomadr[i])
    for g in range(start, start + int(model.body_geomnum[i])):
        kind, size = int(model.geom_type[g]), model.geom_size[g].tolist()
        placed: dict[str, Any] = {
            "placement": pose(model.geom_pos[g], model.geom_quat[g]),
            "color": tuple(model.geom_rgba[g].tolist()[:3]),
            "visual": bool(model.geom_group[g] < HIDDEN),
            "collision": bool(model.geom_contype[g] or model.geom_conaffinity[g]),
        }
        if kind == SPHERE:
            yield Sphere(size[0], **placed)
        elif kind in (CAPSULE, CYLINDER):
            yield (Capsule if kind == CAPSULE else Cylinder)(size[0], 2 * size[1], **placed)
        elif kind in (BOX, ELLIPSOID):
            yield (Box if kind == BOX else Ellipsoid)(tuple(2 * x for x in size), **placed)
        elif kind == MESH:
            yield from _mesh(model, int(model.geom_dataid[g]), placed)


def _mesh(model: Any, m: int, placed: dict[str, Any]) -> Iterator[Shape]:
    """A mesh that is a file, where the file has it: MuJoCo moves meshes to their center of mass."""
    if (start := int(model.mesh_pathadr[m])) < 0:
        return
    address = model.paths[start:].split(b"\0", 1)[0].decode(errors="replace")
    moved = pose(model.mesh_pos[m], model.mesh_quat[m])
    placed["placement"] = placed["placement"] @ moved.inverse()
    yield Mesh(address, tuple(model.mesh_scale[m].tolist()), **placed)


def pose(position: Any, wxyz: Any) -> Transform:
    """A pose as MuJoCo keeps it."""
    w, x, y, z = wxyz.tolist()
    return Transform(quaternion((x, y, z, w)) if (x or y or z) else None, position).exact()
