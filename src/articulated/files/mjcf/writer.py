"""A robot as the text of an MJCF file: the same bodies, coordinates and inertias for MuJoCo."""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import count
from math import inf
from typing import Any
from zlib import crc32

import numpy as np

from ...algebra.rotations import aligning_z, to_quaternion
from ...algebra.spatial import Inertia, Transform
from ...errors import ModelError
from ...joints import Joint
from ...joints.base import rest_of
from ...joints.data import RESISTANCES
from ...model import Link, Model
from ...model.shapes import Hull, Mesh, Shape
from ..urdf.writer import quoted
from ..writers import (
    Loss,
    Written,
    inertia_numbers,
    kind_in,
    lost_poses,
    numbers,
    row,
    told,
    without_tails,
    word_and_sizes,
)
from .inertias import bearable, inertial
from .losses import is_flat, lost_in_mjcf
from .parts import HIDDEN
from .tendons import sited, tendons

DEEPEST = 490  # MuJoCo reads 500 levels of elements
Before = dict[str, list[Link]]  # body -> the links whose joints it has, its own last
COMPILER = '  <compiler angle="radian" autolimits="true" inertiafromgeom="false" balanceinertia="false"/>'


def write_mjcf(model: Model) -> Written:
    """Mimic joints become equality constraints; what is only drawn does not collide, what only collides is hidden."""
    own = sited(model)
    links = without_tails(own.links, keep=_anywhere)
    lost = [*lost_in_mjcf(links), *lost_poses(model, "a file written here")]
    merged, before = _merged(_freed(_named(links, lost), lost))
    lost += _no_bodies(before)
    merged, changes = bearable(merged)
    gravity = row(numbers(model.gravity, model.name).tolist())
    lines = [f"<mujoco model={quoted(model.name)}>", COMPILER, f'  <option gravity="{gravity}"/>']
    hulls = [x for k in merged for x in k.shapes if isinstance(x, Hull) and not is_flat(x)]
    lines += ["  <asset>", *dict.fromkeys(map(_hull, hulls)), "  </asset>"] if hulls else []
    lines.append("  <worldbody>")
    lines += [f'    <site name={quoted(name)} pos="{row(at)}"/>' for name, at in own.points.items()]
    lines += _bodies(merged, before)
    lines.append("  </worldbody>")
    followers = [k for k in model.links if k.joint.mimic]
    if followers:
        lines += ["  <equality>", *map(_follower, followers), "  </equality>"]
    lines += tendons(own.springs, own.actuators)
    return Written("\n".join([*lines, "</mujoco>", ""]), told([*lost, *changes]))


def _named(links: list[Link], lost: list[Loss]) -> list[Link]:
    """Links with names MuJoCo takes: its world is called world, and nothing else may be."""
    root = links[0]
    if not any(k.name == "world" for k in links) or _is_world(root):
        if _is_world(root) and any(inertia_numbers(root.inertia, root.name).values()):
            lost.append(("link", "world", "its inertia; MuJoCo's world has none"))
            return [root.replace(inertia=Inertia()), *links[1:]]
        return links
    taken = {name for k in links for name in (k.name, *(frame for frame, _ in k.frames))}
    name = next(f"world{'_' * n}" for n in count(1) if f"world{'_' * n}" not in taken)
    lost.append(("", "", f"link 'world' is called {name!r}"))
    renamed = (k.replace(parent=name) if k.parent == "world" else k for k in links)
    return [k.replace(name=name) if k.name == "world" else k for k in renamed]


def _is_world(link: Link) -> bool:
    X = link.placement @ link.tail
    here = not numbers(X.p, link.name).any() and (numbers(X.R, link.name) == np.eye(3)).all()
    return link.name == "world" and link.parent is None and not link.joint.nv and here


def _freed(links: list[Link], lost: list[Loss]) -> list[Link]:
    """Links on free joints hang on the world itself, as MuJoCo wants it, if everything between them is welded."""
    poses: dict[str | None, Transform] = {None: Transform()}
    found = []
    world = {None, links[0].name if _is_world(links[0]) else None}
    for i, link in enumerate(links):
        if not link.joint.nv and link.parent in poses:
            poses[link.name] = poses[link.parent] @ link.placement @ link.tail
        if link.joint.floats and link.parent not in world:
            _check_free(link, links[i + 1 :], link.parent in poses)
            link = link.replace(parent=None, placement=poses[link.parent] @ link.placement)
        if link.joint.floats and _pose(link.placement, link.name) != _pose(Transform(), link.name):
            name = link.joint.name or link.name
            lost.append(("joint", name, "its coordinates are the pose in the world there; to_mujoco converts"))
        found.append(link)
    return found


def _check_free(link: Link, later: Sequence[Link], on_the_world: bool) -> None:
    name = link.joint.name or link.name
    if not on_the_world:
        raise ModelError(f"joint {name!r} floats inside the tree; MuJoCo allows free joints only at the top level")
    inside = {link.name}
    for k in later:
        if k.parent in inside:
            inside.add(k.name)
        elif k.joint.nv:
            after = k.joint.name or k.name
            raise ModelError(f"joint {name!r} floats and comes before {after!r}; MuJoCo would order them differently")


def _anywhere(link: Link) -> bool:
    """True if MuJoCo puts its joint at any point of the body."""
    return link.joint.turns or link.joint.slides or not link.joint.nv


def _merged(links: Sequence[Link]) -> tuple[list[Link], Before]:
    """A link without mass that only carries another one becomes a further joint of that one, as MuJoCo has it."""
    children = Counter(k.parent for k in links)
    carried = {k.parent for k in links if _anywhere(k)}
    empty = {k.name: k for k in links if children[k.name] == 1 and k.name in carried and _is_empty(k)}
    found: list[Link] = []
    before: Before = {}
    for link in links:
        if link.name in empty:
            continue
        chain = [link]
        while _anywhere(link) and chain[0].parent in empty:
            chain.insert(0, empty[chain[0].parent])
        # each joint seen from the frame of the last link, where everything is at zero
        rest = Transform()
        joints: list[Link] = []
        for k in reversed(chain):
            rest = k.tail @ rest
            joints.insert(0, k.replace(tail=rest))
            rest = k.placement @ rest
        before[link.name] = joints
        found.append(link.replace(parent=chain[0].parent, placement=rest, tail=Transform()))
    return found, before


def _no_bodies(before: Before) -> Iterator[Loss]:
    """The links that are joints of others there; those that were read from such a file have the name of both."""
    for body, joints in before.items():
        for link in joints[:-1]:
            if link.name != f"{body}/{link.joint.name or link.name}":
                yield "link", link.name, f"it has no mass, and is no body but a joint of {body!r} there"


def _is_empty(link: Link) -> bool:
    single = link.joint.turns or link.joint.slides
    return single and not link.shapes and not link.frames and not any(inertia_numbers(link.inertia, link.name).values())


def _bodies(links: Sequence[Link], before: Before) -> Iterator[str]:
    """Depth first, as the links are: an element closes before a link that does not belong inside it."""
    open_: list[str] = []
    for link in links:
        while open_ and open_[-1] != link.parent:
            open_.pop()
            yield f"{_indent(open_)}</body>"
        if link.parent is None and link.name == "world" and not link.joint.nv:
            yield from (f"{_indent(open_)}{line}" for line in _content(link, before[link.name]))
            continue
        yield f"{_indent(open_)}<body name={quoted(link.name)} {_pose(link.placement, link.name)}>"
        open_.append(link.name)
        if len(open_) > DEEPEST:
            raise ModelError(f"link {link.name!r}: more than {DEEPEST} bodies deep, which MuJoCo cannot read")
        yield from (f"{_indent(open_)}{line}" for line in _content(link, before[link.name]))
    while open_:
        open_.pop()
        yield f"{_indent(open_)}</body>"


def _indent(open_: Sequence[str]) -> str:
    return "    " + "  " * min(len(open_), 40)


def _content(link: Link, joints: Sequence[Link]) -> Iterator[str]:
    for k in joints:
        yield from _joints(k)
    yield from inertial(link)
    for shape in link.shapes:
        yield from _geom(shape, link.name)
    for name, placement in link.frames:
        yield f"<site name={quoted(name)} {_pose(placement, link.name)}/>"


def _joints(link: Link) -> Iterator[str]:
    joint = link.joint if link.joint.name else link.joint.named(link.name)
    data = "".join(
        f' {"frictionloss" if ours == "friction" else ours}="{float(numbers([getattr(joint, ours)], link.name)[0])!r}"'
        for ours in RESISTANCES
        if getattr(joint, ours)
    )
    yield from WRITERS[kind_in("MuJoCo", joint, WRITERS)](link, joint, data)


def _whole(link: Link, joint: Joint, data: str) -> Iterator[str]:
    yield f'<joint type="{"free" if joint.floats else "ball"}" name={quoted(joint.name)}{data}/>'


def _plane(link: Link, joint: Any, data: str) -> Iterator[str]:
    plane = numbers(aligning_z(joint.axis), link.name)
    rest = numbers(rest_of(joint), link.name)
    for part, kind, axis, at in zip(("_x", "_y", ""), ("slide", "slide", "hinge"), plane.T, rest, strict=True):
        own = f"{data}{_springref(at)}"
        yield f'<joint type="{kind}" name={quoted(joint.name + part)} axis="{row(axis.tolist())}"{own}/>'


def _single(link: Link, joint: Any, data: str) -> Iterator[str]:
    back = link.tail.inverse()
    axis = numbers(back.R, link.name) @ numbers(joint.axis, link.name)
    where = f'pos="{row(numbers(back.p, link.name).tolist())}" axis="{row(axis.tolist())}"'
    lower, upper = joint.limits.lower, joint.limits.upper
    # an empty range means none to MuJoCo, and limited="true" beside it is refused: such limits are losses
    limits = f' range="{row([lower, upper])}"' if -inf < lower < upper < inf else ""
    if 0 < (effort := joint.limits.effort) < inf:
        limits += f' actuatorfrcrange="{row([-effort, effort])}"'
    data += _springref(numbers(rest_of(joint), link.name)[0])
    yield f'<joint type="{"hinge" if joint.turns else "slide"}" name={quoted(joint.name)} {where}{limits}{data}/>'


def _springref(rest: float) -> str:
    return f' springref="{float(rest)!r}"' if rest else ""


#: how each kind of joint is written
WRITERS: dict[str, Callable[[Link, Any, str], Iterator[str]]] = {
    "revolute": _single, "continuous": _single, "prismatic": _single, "planar": _plane, "spherical": _whole,
    "floating": _whole, "fixed": lambda link, joint, data: iter(()),
}  # fmt: skip


def _follower(link: Link) -> str:
    leader, multiplier, offset = link.joint.mimic  # type: ignore[misc]
    names = f"joint1={quoted(link.joint.name)} joint2={quoted(leader)}"
    return f'    <joint {names} polycoef="{row([offset, multiplier, 0, 0, 0])}"/>'


def _hull(shape: Hull) -> str:
    return f'    <mesh name="{_hull_name(shape)}" vertex="{row(sum(shape.points, ()))}"/>'


def _hull_name(shape: Hull) -> str:
    return f"hull_{crc32(repr(shape.points).encode()):08x}"


def _solid(shape: Shape) -> str:
    """The word for it and half its sizes, but a whole radius; or a hull by its name."""
    if isinstance(shape, Hull):
        return f'type="mesh" mesh="{_hull_name(shape)}"'
    kind, sizes = word_and_sizes(shape)
    halves = [sizes[0], *(x / 2 for x in sizes[1:])] if len(sizes) < 3 else [x / 2 for x in sizes]
    return f'type="{kind}" size="{row(halves)}"'


def _geom(shape: Shape, owner: str) -> Iterator[str]:
    if type(shape) is Mesh or is_flat(shape):
        return
    color = f' rgba="{row(shape.color)} 1"' if shape.color else ""
    still = "" if shape.collision else ' contype="0" conaffinity="0"'
    group = "" if shape.visual else f' group="{HIDDEN}"'
    yield f"<geom {_solid(shape)} {_pose(shape.placement, owner)}{still}{group}{color}/>"


def _pose(X: Transform, owner: str) -> str:
    R, p = numbers(X.R, owner), numbers(X.p, owner)
    x, y, z, w = (0.0, 0.0, 0.0, 1.0) if (np.eye(3) == R).all() else to_quaternion(R).tolist()
    return f'pos="{row(p.tolist())}" quat="{row([w, x, y, z])}"'
