"""Robots the laws run on: one joint of each kind, chains, trees, legs, mimic, massless, friction."""

from functools import cache

import numpy as np

import articulated as art
from articulated.joints import JOINTS

AXIS_JOINTS = (art.Revolute, art.Continuous, art.Prismatic, art.Cylindrical, art.Planar)


def random_inertia(rng: np.random.Generator) -> art.Inertia:
    """A physical one: the second moments of a random ellipsoid."""
    spread = rng.normal(size=(3, 3)) * 0.1
    second = spread @ spread.T
    mass = rng.uniform(0.5, 2.0)
    return art.Inertia(mass, rng.normal(size=3) * 0.1, mass * (np.trace(second) * np.eye(3) - second))


def random_pose(rng: np.random.Generator) -> art.Transform:
    return art.Transform.from_rpy(rng.uniform(-np.pi, np.pi, 3).tolist(), rng.normal(size=3) * 0.3)


def random_axis(rng: np.random.Generator) -> list[float]:
    axis = rng.normal(size=3)
    return (axis / np.linalg.norm(axis)).tolist()


def random_joint(rng: np.random.Generator, kind: str, **data) -> art.Link:
    if kind == "universal":
        return art.Universal(random_axis(rng), random_axis(rng), **data)
    if kind == "helical":
        return art.Helical(random_axis(rng), rng.uniform(-0.3, 0.3), **data)
    cls = JOINTS[kind]
    return cls(random_axis(rng), **data) if issubclass(cls, AXIS_JOINTS) else cls(**data)


def random_tree(seed: int, size: int, kinds=None, friction: bool = False) -> art.Robot:
    """A tree of `size` links with random joints, some of them fixed; some links massless inside."""
    rng = np.random.default_rng(seed)
    kinds = list(kinds or JOINTS)
    links = [art.Link("base")]
    for i in range(size):
        kind = kinds[rng.integers(len(kinds))] if i else next(k for k in kinds if k != "fixed")
        data = {}
        if friction and kind != "fixed":
            data = dict(zip(("damping", "friction", "armature"), rng.uniform(0, 0.5, 3).tolist(), strict=True))
        parent = links[rng.integers(max(0, len(links) - 4), len(links))].name
        joint = random_joint(rng, kind, **data)
        links.append(art.Link(f"link{i}", parent, joint, random_pose(rng), random_inertia(rng), tail=random_pose(rng)))
    order = rng.permutation(len(links))
    return art.build([links[i] for i in order], name=f"tree{seed}_{size}{'_friction' if friction else ''}")


def with_mimic() -> art.Robot:
    """A branching arm whose joints 3 and 5 follow 1 and (through 3) 1 as well, and 4 follows 2."""
    rng = np.random.default_rng(11)
    links = [art.Link("base")]
    follows = {3: art.Mimic("j1", -0.5, 0.2), 4: art.Mimic("j2", 1.5, 0.0), 5: art.Mimic("j3", 2.0, -0.1)}
    for i, parent in enumerate([0, 1, 2, 2, 4, 1]):
        kind = "prismatic" if i == 3 else "revolute"
        joint = random_joint(rng, kind, name=f"j{i + 1}", mimic=follows.get(i + 1), damping=0.1, armature=0.05)
        parent = "base" if parent == 0 else f"link{parent}"
        links.append(art.Link(f"link{i + 1}", parent, joint, random_pose(rng), random_inertia(rng)))
    return art.build(links, name="mimic")


def with_springs() -> art.Robot:
    """Springs of joints, one of them a follower, and springs between frames."""
    rng = np.random.default_rng(13)
    links = [art.Link("base")]
    kinds = ("revolute", "continuous", "planar", "prismatic", "revolute")
    for i, (kind, parent) in enumerate(zip(kinds, ("base", "link0", "base", "link2", "link3"), strict=True)):
        mimic = art.Mimic("j3", -0.5, 0.2) if i == 4 else None
        joint = random_joint(rng, kind, name=f"j{i}", mimic=mimic, damping=0.1, stiffness=rng.uniform(1, 20))
        joint = joint.replace(rest=tuple(rng.uniform(-1, 1, joint.nq)))
        links.append(art.Link(f"link{i}", parent, joint, random_pose(rng), random_inertia(rng), tail=random_pose(rng)))
    springs = [art.Spring("link1", "link4", 30.0, 0.2, 2.0), art.Spring("link2", (0.5, 0.2, 1.0), 20.0)]
    return art.build(links, name="springs").add_springs(springs)


def with_massless() -> art.Robot:
    """Three massless links before the first mass, and a massless tool on a fixed joint at the end."""
    rng = np.random.default_rng(12)
    links = [art.Link("base")]
    for i, kind in enumerate(("revolute", "prismatic", "universal", "revolute", "fixed")):
        inertia = random_inertia(rng) if i == 3 else art.Inertia()
        links.append(art.Link(f"link{i}", links[-1].name, random_joint(rng, kind), random_pose(rng), inertia))
    return art.build(links, name="massless")


def single(kind: str) -> art.Robot:
    rng = np.random.default_rng(5)
    joint = random_joint(rng, kind)
    return art.build(
        [art.Link("body", None, joint, random_pose(rng), random_inertia(rng), tail=random_pose(rng))],
        name=f"one_{kind}",
    )


MOVING = [kind for kind in JOINTS if kind != "fixed"]


@cache
def zoo() -> dict[str, art.Robot]:
    robots = [single(kind) for kind in MOVING]
    robots += [art.load(name) for name in ("2r", "stanford", "cart_pole", "tree9", "ur5")]
    robots += [random_tree(0, 8), random_tree(6, 6)]  # every kind of joint; test_random_trees.py has thousands more
    robots += [random_tree(7, 14, ["revolute", "prismatic", "fixed"]), random_tree(8, 6, friction=True)]
    robots += [with_mimic(), with_massless()]
    named = {robot.name: robot for robot in robots}
    for name in ("quadruped", "mimic"):
        robot = named.get(name) or art.load(name)
        base = robot.links[0].name  # a free base needs mass of its own
        free = robot.replace(base, inertia=random_inertia(np.random.default_rng(3))).floating()
        named[f"{name}_floating"] = free.replace(name=f"{name}_floating")
    return named


ZOO = list(zoo().values())
#: robots of different structure, for laws: an arm, random trees, one with friction, one with massless links, one with
#: springs, and a floating tree with mimic joints; together they have every kind of joint
STRUCTURES = [zoo()[name] for name in ("stanford", "tree6_6", "massless", "mimic_floating")]
STRUCTURES += [random_tree(8, 4, friction=True), with_springs()]


def state(robot: art.Robot, rng: np.random.Generator, shape=()):
    """Random q, v, a."""
    shape = (shape,) if isinstance(shape, int) else shape
    return robot.random(rng, shape), rng.normal(size=(*shape, robot.nv)), rng.normal(size=(*shape, robot.nv))


def turns(robot: art.Robot) -> bool:
    """Whether a joint has several directions: those of a ball or a free base do not commute."""
    return any(b.leader is b and b.joint.nv > 1 for b in robot.model.bodies)
