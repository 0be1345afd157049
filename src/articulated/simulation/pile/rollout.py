"""Euler's method for a pile in the compiled loop."""

from typing import Any

import numpy as np

from ...algebra.rotations import cross, quaternion
from ...algebra.scalars import Array
from ...compiler.passes.loops import Memory
from ...errors import ModelError
from ...robot import Robot
from ..contact.meetings import MEETINGS
from ..contact.rollout import ContactLoop
from ..contact.system import System, carried, groups_of
from ..drive.external_forces import ForceSites
from ..loop.blocks import constant
from ..plan import Plan, over_batch
from .contact_blocks import CORNERS
from .pile import FEW, MARGIN, Entries, Pile, entries
from .step import PileStep, pairs_of


class PileEuler(ContactLoop):
    """Loop whose step moves a pile; states share no lanes, for each has contacts of its own."""

    alone = True

    @classmethod
    def check(cls, plan: Plan) -> None:
        """Refuse what is for robots."""
        given = {
            f'method="{plan.method}"': plan.integrator.order > 1,
            "parameters=": plan.inertias is not None,
            "joints=": bool(plan.joints),
            "servos": plan.drive.changed,
            "rolling= and spinning= of the ground": plan.system is not None and plan.system.rolls,
        }
        for name in (name for name, there in given.items() if there and not _pile(plan).robots):
            raise ModelError(f'simulate: a scene of more than {FEW} objects moves by "euler", without {name}')

    @classmethod
    def carries(cls, plan: Plan) -> dict[str, int]:
        """Impulses of the last step and where those of boxes acted, and the largest residual since the last sample."""
        boxes, system = len(_pile(plan).pairs[1]), plan.system
        assert system
        spots = {"spots": 3 * CORNERS * boxes} if boxes else {}
        return {"impulses": 3 * (len(_ends(system)) + system.triples), **spots, "residual": 1}

    @classmethod
    def data(cls, plan: Plan) -> dict[str, np.ndarray]:
        """Bodies, their shapes, what touches the ground, and the law of contacts."""
        system, pile = plan.system, _pile(plan)
        assert system
        touches = system.grounded
        links, size = len(pile.links), pile.moving + 1 + len(pile.fixed)
        spheres = np.reshape(pile.spheres, (links, 4))
        given: dict[str, Any] = {
            "body": pile.bodies,
            "shape": np.insert(pile.shapes, pile.moving, 0.0, axis=0),  # none of the ground
            "middle": np.concatenate([np.zeros((size, 3)), spheres[:, :3]]),
            "radius": np.concatenate([np.insert(pile.radii, pile.moving, 0.0), spheres[:, 3]])[:, None],
            "fixed": pile.fixed,
            "margin": [[MARGIN * pile.radii.min()]],
            "gravity": [np.array(plan.robot.gravity)],
            "between": [[pile.friction, pile.restitution, system.slow]],
            "bounce": [[x.restitution] for x in touches],
            "number": np.arange(size + links)[:, None],
        }
        if pile.robots:
            names = [*[None] * size, *pile.links]
            given["mask"] = [carried(pile.robots, x) for x in names]
        for own, groups in ((touches, groups_of(touches)), (system.pairs, pile.groups)):
            for kind, first, count in groups:
                each = [x for x in own[first : first + count] if x.point == 0]
                given[kind] = [x.numbers for x in each]
                if own is not touches:
                    given[f"{kind}.law"] = [[x.friction, x.restitution] for x in each]
        if touches:
            given["ground"] = [system.surface.numbers]
        found = {name: np.array(x, float) for name, x in given.items() if len(x)}
        return found | ({"friction": over_batch(system.frictions, plan.batch)} if system.contacts else {})

    @classmethod
    def tables(cls, plan: Plan) -> dict[str, np.ndarray]:
        """The two bodies of each contact and of pairs by kind; and where bodies and robots are in q and v."""
        assert plan.system
        pile, system, where = _pile(plan), plan.system, entries(plan.robot.model, _pile(plan))
        every = _ends(system)
        found = {"first": every[:, 0], "second": every[:, 1], "body.q": where.q, "body.v": where.v}
        for kind, first, count in groups_of(system.grounded):
            found[f"{kind}.first"] = every[first : first + count : MEETINGS[kind].points, 0]
        for x in pairs_of(system):
            for k, name in enumerate(("first", "second")):
                found[f"{x.kind}.{name}"] = every[x.first : x.first + x.number * x.points : x.points, k]
        if pile.robots:
            found |= {"robots.q": where.robots_q, "robots.v": where.robots_v, "carrier": _carriers(pile)}
        return {name: np.ascontiguousarray(x, np.int64) for name, x in found.items()}

    def prepare(self) -> None:
        """Memory of the pile."""
        plan, r, system = self.plan, self.r, self.plan.system
        assert system
        pile, where = _pile(plan), entries(plan.robot.model, _pile(plan))
        arrays = {name: x for name, x in self.data(plan).items() if name != "friction"}
        data = {name: self.copied_rows(name, x) for name, x in arrays.items()} | self.friction()
        known, robots, coded = {**self.known, "residual": self.now["residual"]}, None, system.coded
        if pile.robots:
            own = {link.name for link in pile.robots.links}
            model = plan.dynamics.model
            robots = Robot(model.changed((x for x in model.links if x.name in own), poses={}))
            number = [{k: i for i, k in enumerate(x.tolist())} for x in (where.robots_q, where.robots_v)]
            joints = tuple(
                x._replace(coordinate=number[0][x.coordinate], velocity=number[1][x.velocity]) for x in system.joints
            )
            coded = coded._replace(joints=joints)
        names = set(pile.names)
        self.pushes, self.others = self._pushes(where), dict[str, Memory]()
        sites = tuple(name for name in plan.sites.frames if name not in names)
        for k, name in enumerate(sites):
            self.others[f"force_{k}"] = self.forces[name][1]
        if self.servo and self.servo.implicit:
            self.others["implicit"] = self.servo.implicit
        size = plan.robot.nq, plan.robot.nv
        self.step = PileStep(r, coded, known, data, size, robots, ForceSites(sites, plan.external.axes))

    def _pushes(self, where: Entries) -> dict[tuple[int, int], list[tuple[Any, Any]]]:
        """External forces on bodies, by where these begin in q and v."""
        found: dict[tuple[int, int], list[tuple[Any, Any]]] = {}
        convert, names = _WRENCHES[self.plan.external.axes], _pile(self.plan).names
        for name, (_, force) in self.forces.items():
            if name in names:
                k = names.index(name)
                found.setdefault((int(where.q[k]), int(where.v[k])), []).append((convert, force))
        return found

    def see(self) -> None:
        """Speeds of so many are looked at when the run is over."""
        self.r.run(constant(np.inf), {}, [self.now["speed"]])

    def advance(self, sampled: bool) -> None:
        """One contact problem."""
        self.r.part("pile step", lambda: self.step.step(self.now, self.pushes, self.others))
        self.tick()


def _pile(plan: Plan) -> Pile:
    assert plan.system and plan.system.pile
    return plan.system.pile


def _ends(system: System) -> np.ndarray:
    """The rows of the two bodies of every contact, (n, 2)."""
    assert system.pile
    pile, row = system.pile, system.pile.row
    grounded = [[row[touch.frame], pile.moving] for touch in system.grounded]
    number = np.arange(len(pile.names))
    balls, boxes = ((number + (number >= pile.moving))[pairs] for pairs in pile.pairs)
    meetings = [[row[touch.frame], row[touch.other or ""]] for touch in system.pairs]
    parts: list[Any] = [grounded, balls, np.repeat(boxes, CORNERS, axis=0), meetings]
    return np.concatenate([np.reshape(x, (-1, 2)) for x in parts]).astype(np.int64)


def _carriers(pile: Pile) -> np.ndarray:
    """Which of the bodies that touch carries each link."""
    assert pile.robots
    bodies = [b.index if (b := pile.robots.frame(name).body) else 0 for name in pile.links]
    return np.searchsorted(sorted(set(bodies)), bodies)


def _as_given(wrench: Array, force: Array, q: Array) -> Array:
    return wrench + force


def _of_world(wrench: Array, force: Array, q: Array) -> Array:
    R = quaternion(q[3:])
    return wrench + np.concatenate([R.T @ force[:3], R.T @ force[3:]])


def _of_origin(wrench: Array, force: Array, q: Array) -> Array:
    return _of_world(wrench, np.concatenate([force[:3], force[3:] - cross(q[:3], force[:3])]), q)


#: axes of external forces → sum with the wrench on a body, in its own axes
_WRENCHES = {"frame": _as_given, "world": _of_world, "spatial": _of_origin}
