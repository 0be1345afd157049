"""The kinematic tree: links in any order in, a regularly numbered frozen tree out.

Links on fixed joints are merged into the body that carries them and stay addressable as
frames.  Bodies are numbered depth first in document order, so a child's number is larger
than its parent's (Pisa lecture: the arc i leads to the node i).
"""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from types import MappingProxyType
from typing import Any, NamedTuple

from ..algebra.scalars import Array, Vector, exact, exact_array
from ..algebra.spatial import Inertia, Transform
from ..errors import Diagnostic, ModelError, UnknownName, unexpected, unknown
from ..inputs.frozen import Frozen
from ..inputs.numbers import numbers
from ..joints import Fixed, Floating, check_joint
from ..text import shortened
from .assemble import assemble, check_tree, depth_first
from .findings import findings, unsettled
from .lines import LinearActuator, Spring, checked
from .links import Body, Frame, Link
from .parameters import merge

STANDARD_GRAVITY = (0.0, 0.0, -9.81)

#: states worth a name: for each name the coordinates of some joints, by joint
Poses = Mapping[str, Mapping[str, Sequence[float]]]


class Topology(NamedTuple):
    """Lists of the tree, 1-based: entry i-1 belongs to arc or node i; children starts at the base 0."""

    predecessor: list[int]
    successor: list[int]
    parent: list[int]
    children: list[list[int]]


class Model(Frozen):
    """A frozen kinematic tree; make one with `build`."""

    links: tuple[Link, ...]
    gravity: Array
    name: str
    bodies: tuple[Body, ...]
    frames: Mapping[str, Frame]
    nq: int
    nv: int
    joint_names: tuple[str, ...]
    report: tuple[Diagnostic, ...]
    poses: Poses  # by name: coordinates by joint, also of joints that this tree has lost
    springs: tuple[Spring, ...]  # between frames; those of joints are the joints' own
    actuators: tuple[LinearActuator, ...]
    allowed_collisions: frozenset[frozenset[str]]  # pairs of links that never count as colliding

    def __init__(
        self,
        links: Sequence[Link],
        gravity: Vector,
        name: str,
        report: Sequence[Diagnostic],
        poses: Poses = {},
        springs: Sequence[Spring] = (),
        actuators: Sequence[LinearActuator] = (),
        allowed_collisions: Iterable[Iterable[str]] = (),
    ):
        bodies, frames = assemble(links)
        own = [b for b in bodies if b.joint.mimic is None]
        self.__setstate__(
            {
                "links": tuple(links),
                "gravity": exact_array(gravity),
                "name": name,
                "bodies": bodies,
                "frames": frames,
                "nq": sum(b.joint.nq for b in own),
                "nv": sum(b.joint.nv for b in own),
                "joint_names": tuple(b.joint.name for b in own),
                "report": tuple(findings(links, report)),
                "poses": {name: {joint: tuple(x) for joint, x in pose.items()} for name, pose in poses.items()},
                "springs": checked(name, frames, springs, Spring),
                "actuators": checked(name, frames, actuators, LinearActuator),
                "allowed_collisions": frozenset(map(frozenset, allowed_collisions)),
            }
        )

    def __setstate__(self, state: dict[str, Any]) -> None:
        poses = {name: MappingProxyType(dict(pose)) for name, pose in state["poses"].items()}
        fixed = {"frames": MappingProxyType(state["frames"]), "poses": MappingProxyType(poses)}
        super().__setstate__({**state, **fixed})

    def __getstate__(self) -> dict[str, Any]:
        poses = {name: dict(pose) for name, pose in self.poses.items()}
        return {**vars(self), "frames": dict(self.frames), "poses": poses}

    @property
    def independent(self) -> list[Body]:
        """Bodies whose joints have coordinates of their own: all but those of mimic joints."""
        return [b for b in self.bodies if b.leader is b]

    @cached_property
    def base_inertia(self) -> Inertia:
        """Everything welded to the world: no dynamics, but it has weight and shape."""
        return merge([(self.frames[k.name].placement, k.inertia) for k in self.links if not self.frames[k.name].body])

    @cached_property
    def armature(self) -> tuple[Any, ...]:
        """Rotor inertia added to each diagonal entry of the mass matrix."""
        total = [0] * self.nv
        for b in self.bodies:
            for k in range(b.joint.nv):
                total[b.dofs.start + k] += b.armature * b.multiplier * b.multiplier
        return tuple(exact(x, 0.0) for x in total)

    def frame(self, name: str) -> Frame:
        """The frame called `name`; an error with the closest name otherwise."""
        try:
            return self.frames[name]
        except (KeyError, TypeError):
            error = unknown("frame", name, self.name, self.frames)
            if not isinstance(name, str):
                error = UnknownName(f"{error}.  A frame is given by its name: pose(q, frame)")
            raise error from None

    def topology(self) -> Topology:
        """Predecessor p, successor s, parent λ and children μ of the numbered tree."""
        parent = [b.parent.index if b.parent else 0 for b in self.bodies]
        children: list[list[int]] = [[] for _ in range(len(parent) + 1)]
        for i, p in enumerate(parent, start=1):
            children[p].append(i)
        return Topology(list(parent), list(range(1, len(parent) + 1)), parent, children)

    # -- a changed robot is a new robot -------------------------------------------------

    def changed(self, links: Iterable[Link], **settings: Any) -> "Model":
        """The tree of other links with everything else of this one."""
        given = {name: x for name, x in self.described.items() if name != "links"} | settings
        return build(links, **given)

    @property
    def described(self) -> dict[str, Any]:
        """The arguments of `build` that make this tree."""
        poses = {name: dict(pose) for name, pose in self.poses.items()}
        names = ("links", "gravity", "name", "report", "springs", "actuators", "allowed_collisions")
        return {name: getattr(self, name) for name in names} | {"poses": poses}

    def replace(self, link: str | None = None, /, **changes: Any) -> "Model":
        """The robot with fields of a link changed; without `link`, with another gravity or name."""
        if link is None:
            for name in changes.keys() - {"gravity", "name"}:
                raise unexpected("replace of a robot", name, ["gravity", "name"])
            return self.changed(self.links, **changes)
        names = [k.name for k in self.links]
        if not isinstance(link, str) or link not in names:
            raise unknown("link", link, self.name, names)
        before = next(k for k in self.links if k.name == link)
        other = (k.replace(**changes) if k is before else k for k in self.links)
        return self.changed(other, report=unsettled(self.report, before, changes))

    def floating(self) -> "Model":
        """The robot on a free base; itself, if the root is free, or massless and carries free bodies alone."""
        root = next(k for k in self.links if k.parent is None)
        free = Floating(name="floating_base")
        carried = [k.joint.floats for k in self.links if k.parent == root.name]
        if root.joint.floats or (carried and all(carried) and not root.inertia.mass):
            return self
        if not root.joint.nv:
            return self.changed(k.replace(joint=free, placement=Transform()) if k is root else k for k in self.links)
        base = _unused("base", {k.name for k in self.links})
        rest = (k.replace(parent=base) if k is root else k for k in self.links)
        return self.changed([Link(base, None, free), *rest])

    def lock(self, positions: Mapping[str, Any]) -> "Model":
        """The robot with the named joints frozen at the given positions."""
        joints = {b.joint.name: b.joint for b in self.bodies}
        settled = {}
        if not isinstance(positions, Mapping):
            raise ModelError(f"lock takes positions by joint, {{name: position}}; got {shortened(repr(positions))}")
        for name, q in positions.items():
            if name not in joints:
                raise unknown("joint", name, self.name, joints)
            if mimic := joints[name].mimic:
                raise ModelError(f"joint {name!r} mimics {mimic.joint!r}; lock that one instead")
            row = q if hasattr(q, "__len__") else [q]
            what = f"the position of joint {name!r}"
            settled[name] = numbers(what, row, joints[name].nq, error=ModelError, names=())
        frozen = {
            b.name: b.joint.transform(b.multiplier * settled[b.leader.joint.name] + b.offset)
            for b in self.bodies
            if b.leader.joint.name in settled
        }
        return self.changed(
            k.replace(joint=Fixed(name=k.joint.name), placement=k.placement @ frozen[k.name]) if k.name in frozen else k
            for k in self.links
        )

    def frictionless(self) -> "Model":
        """The tree without joint friction, damping and rotor inertia; springs stay, their dampers do not."""
        links = (k.replace(joint=k.joint.replace(damping=0, friction=0, armature=0)) for k in self.links)
        return self.changed(links, springs=[spring._replace(damping=0) for spring in self.springs])

    def without_springs(self) -> "Model":
        """The tree without springs and dampers, of joints and between frames."""
        return self.changed((k.replace(joint=k.joint.replace(stiffness=0)) for k in self.links), springs=())

    @cached_property
    def unmimicked(self) -> "Model":
        """The tree with every mimic joint free; it is this one if there is none."""
        if not any(b.joint.mimic for b in self.bodies):
            return self
        return self.changed(k.replace(joint=k.joint.replace(mimic=None)) for k in self.links)


def build(
    links: Iterable[Link],
    gravity: Vector = STANDARD_GRAVITY,
    name: str = "robot",
    report: Sequence[Diagnostic] = (),
    poses: Poses = {},
    springs: Sequence[Spring] = (),
    actuators: Sequence[LinearActuator] = (),
    allowed_collisions: Iterable[Iterable[str]] = (),
) -> Model:
    """A frozen, regularly numbered tree from links in any order; refuses what is not a tree."""
    if not isinstance(name, str):
        raise ModelError(f"the name of a robot is a text; got {shortened(repr(name))}")
    parts = [part for link in _checked(links) for part in link.joint.split(link)]
    check_tree([(k.name, k.parent) for k in parts])
    gravity = numbers("gravity", gravity, 3, error=ModelError)
    order = depth_first([(k.name, k.parent) for k in parts])
    return Model([parts[i] for i in order], gravity, name, report, poses, springs, actuators, allowed_collisions)


def _checked(links: Iterable[Link]) -> list[Link]:
    """The links, each a link with a joint that can be."""
    if not isinstance(links, Iterable) or getattr(links, "ndim", 1) == 0:
        raise ModelError(f"a robot is built from a list of links; got {shortened(repr(links))}")
    found = list(links)
    for link in found:
        if not isinstance(link, Link):
            raise ModelError(f"a robot is built from links, art.Link(name, parent, …); got {shortened(repr(link))}")
        if not link.name or not all(name for name, _ in link.frames):
            raise ModelError(f"link {link.name!r}: links and frames are addressed by their names; give each one")
        check_joint(link.joint, link.name)
    return found


def _unused(name: str, taken: set[str]) -> str:
    while name in taken:
        name = f"{name}_"
    return name
