"""Joint equalities of an MJCF file as mimic joints, keyframes as named poses, geoms as shapes."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ...algebra.rotations import quaternion
from ...algebra.spatial import Transform
from ...joints import Mimic
from ...model.model import Poses
from ...model.shapes import MOST_POINTS, Box, Capsule, Cylinder, Ellipsoid, Hull, Mesh, Shape, Sphere
from .compiler import Compiled

JOINT = 2  # mjtEq


def read_equalities(file: Compiled, names: list[str]) -> dict[int, Mimic]:
    """Joint -> whom it follows; `names` are those of the joints, every constraint is a finding."""
    model = file.model
    found: dict[int, Mimic] = {}
    leads: dict[int, int] = {}  # the next joint towards the end of the chain

    def end(j: int) -> int:
        while j in leads:
            leads[j] = leads.get(leads[j], leads[j])  # path halving
            j = leads[j]
        return j

    for k in range(model.neq) if file.on["equalities"] else ():
        if not model.eq_active0[k]:
            continue
        kind, first, second = (int(x[k]) for x in (model.eq_type, model.eq_obj1id, model.eq_obj2id))
        offset, factor, *higher = model.eq_data[k, :5].tolist()
        at = file.places.of("equality", k)
        if kind != JOINT or second < 0 or any(higher) or first in found or end(second) == first:
            file.report.add("MJCF011", _about(model, k, kind), at)
            continue
        mine, theirs = (float(model.qpos0[model.jnt_qposadr[j]]) for j in (first, second))
        found[first] = Mimic(names[second], factor, offset + mine - factor * theirs)
        leads[first] = second
        file.report.add("MJCF022", f"follows {names[second]!r}", at, f"joint {names[first]!r}")
    return found


def _about(model: Any, k: int, kind: int) -> str:
    import mujoco

    word = mujoco.mjtEq(kind).name.removeprefix("mjEQ_").lower()
    name = model.equality(k).name
    return f"the {word} constraint{f' {name!r}' if name else ''}"


FREE, BALL = range(2)  # mjtJoint
NEAR = 1e-4  # rad, m: what people round keyframes to


def read_keyframes(file: Compiled, joints: Sequence[str], mimics: Mapping[int, Mimic]) -> Poses:
    """Coordinates of every joint by keyframe; velocities, controls and keyframes without a name are left out."""
    poses, model = {}, file.model
    for k in range(model.nkey):
        name = model.key(k).name
        moving = [part for part in ("qvel", "act") if np.any(getattr(model, f"key_{part}")[k])]
        if not name or moving:
            text = f"its {' and '.join(moving)}" if name else "a keyframe without a name"
            file.report.add("MJCF019", text, file.places.of("key", k), f"keyframe {name!r}" if name else "")
        if name:
            _note_contradictions(file, k, joints, mimics)
            poses[name] = {joint: _coordinates(model, j, model.key_qpos[k]) for j, joint in enumerate(joints)}
    return poses


def _note_contradictions(file: Compiled, k: int, joints: Sequence[str], mimics: Mapping[int, Mimic]) -> None:
    """A joint that follows has no coordinate of its own: where the keyframe has it elsewhere, the pose has not."""
    model = file.model
    q = {joint: _coordinates(model, j, model.key_qpos[k])[0] for j, joint in enumerate(joints)}
    for j, (leader, factor, offset) in mimics.items():
        found, follows = q[joints[j]], factor * q[leader] + offset
        if not abs(found - follows) <= NEAR * max(1.0, abs(found)):
            text = f"{joints[j]!r} is at {found:g}, and follows {leader!r} to {follows:g}"
            file.report.add("MJCF026", text, file.places.of("key", k), f"keyframe {model.key(k).name!r}")


def _coordinates(model: Any, j: int, qpos: Any) -> tuple[float, ...]:
    """Coordinates of a joint, quaternions as x y z w."""
    kind, start = int(model.jnt_type[j]), int(model.jnt_qposadr[j])
    x = qpos[start : start + {FREE: 7, BALL: 4}.get(kind, 1)].tolist()
    order = {FREE: (0, 1, 2, 4, 5, 6, 3), BALL: (1, 2, 3, 0)}.get(kind, (0,))
    return tuple(x[i] for i in order)


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
    """A mesh that is a file, or a few points, where the file has it: MuJoCo moves meshes to their center of mass."""
    moved = pose(model.mesh_pos[m], model.mesh_quat[m])
    placed["placement"] = placed["placement"] @ moved.inverse()
    if (start := int(model.mesh_pathadr[m])) < 0:
        first, number = int(model.mesh_vertadr[m]), int(model.mesh_vertnum[m])
        points = model.mesh_vert[first : first + number].astype(float) @ moved.R.T + moved.p
        if number <= MOST_POINTS:
            yield Hull(points=points, **placed)
        return
    address = model.paths[start:].split(b"\0", 1)[0].decode(errors="replace")
    yield Mesh(address, tuple(model.mesh_scale[m].tolist()), **placed)


def pose(position: Any, wxyz: Any) -> Transform:
    """A pose as MuJoCo keeps it."""
    w, x, y, z = wxyz.tolist()
    return Transform(quaternion((x, y, z, w)) if (x or y or z) else None, position).exact()
