"""Euler's method for a pile in the compiled loop."""

from typing import Any

import numpy as np

from ...algebra.rotations import cross, quaternion
from ...algebra.scalars import Array
from ...errors import ModelError
from ..contact.meetings import MEETINGS
from ..contact.rollout import ContactLoop
from ..contact.surfaces import Plane
from ..loop.blocks import constant
from ..plan import Plan, over_batch
from .contact_blocks import CORNERS
from .pile import FEW, MARGIN, Pile
from .step import PileStep


class PileEuler(ContactLoop):
    """Loop whose step moves a pile."""

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
        for name in (name for name, there in given.items() if there):
            raise ModelError(f'simulate: a scene of more than {FEW} objects moves by "euler", without {name}')

    @classmethod
    def carries(cls, plan: Plan) -> dict[str, int]:
        """Impulses of the last step and where those of boxes acted, and the largest residual since the last sample."""
        boxes = len(_pile(plan).pairs[1])
        spots = {"spots": 3 * CORNERS * boxes} if boxes else {}
        return {"impulses": 3 * _contacts(plan), **spots, "residual": 1}

    @classmethod
    def data(cls, plan: Plan) -> dict[str, np.ndarray]:
        """Bodies, their shapes, what touches the ground, and the law of contacts."""
        system, pile = plan.system, _pile(plan)
        assert system
        touches = system.contacts
        given: dict[str, Any] = {
            "body": pile.bodies,
            "shape": np.insert(pile.shapes, pile.moving, 0.0, axis=0),  # none of the ground
            "radius": np.insert(pile.radii, pile.moving, 0.0)[:, None],
            "fixed": pile.fixed,
            "margin": [[MARGIN * pile.radii.min()]],
            "gravity": [np.array(plan.robot.gravity)],
            "law": [[pile.friction, pile.restitution, system.slow]],
            "bounce": [[x.restitution] for x in touches],
        }
        for kind, first, count in system.groups:
            given[kind] = [x.numbers for x in touches[first : first + count] if x.point == 0]
        if isinstance(system.surface, Plane) and touches:
            given["plane"] = [[*np.ravel(system.surface.axes), system.surface.offset]]
        found = {name: np.array(x, float) for name, x in given.items() if len(x)}
        return found | ({"friction": over_batch(system.frictions, plan.batch)} if touches else {})

    @classmethod
    def tables(cls, plan: Plan) -> dict[str, np.ndarray]:
        """The two bodies of each contact, with the ground, which is the last, and of pairs; and those of two boxes."""
        assert plan.system
        pile = _pile(plan)
        number = {name: k for k, name in enumerate(pile.names)}
        grounded = np.array([[number[touch.frame], pile.moving] for touch in plan.system.contacts]).reshape(-1, 2)
        balls, boxes = (pile.rows[pairs] for pairs in pile.pairs)
        every = np.concatenate([grounded, balls, np.repeat(boxes, CORNERS, axis=0)])
        both = {"first": every[:, 0], "second": every[:, 1], "box1": boxes[:, 0], "box2": boxes[:, 1]}
        for kind, first, count in plan.system.groups:
            both[f"{kind}.first"] = grounded[first : first + count : MEETINGS[kind].points, 0]
        return {name: np.ascontiguousarray(x, np.int64) for name, x in both.items() if len(x)}

    def prepare(self) -> None:
        """Memory of the pile."""
        plan, r, system = self.plan, self.r, self.plan.system
        assert system
        arrays = {name: x for name, x in self.data(plan).items() if name != "friction"}
        data = {name: self.copied_rows(name, x) for name, x in arrays.items()} | self.friction()
        self.step = PileStep(r, system.coded, {**self.known, "residual": self.now["residual"]}, data)
        self.pushes = self._pushes()

    def _pushes(self) -> dict[int, list[tuple[Any, Any]]]:
        """External forces by body."""
        found: dict[int, list[tuple[Any, Any]]] = {}
        convert = _WRENCHES[self.plan.external.axes]
        for name, (_, force) in self.forces.items():
            found.setdefault(_pile(self.plan).names.index(name), []).append((convert, force))
        return found

    def see(self) -> None:
        """Speeds of so many are looked at when the run is over."""
        self.r.run(constant(np.inf), {}, [self.now["speed"]])

    def advance(self, sampled: bool) -> None:
        """One contact problem."""
        self.r.part("pile step", lambda: self.step.step(self.now, self.pushes))
        self.tick()


def _pile(plan: Plan) -> Pile:
    assert plan.system and plan.system.pile
    return plan.system.pile


def _contacts(plan: Plan) -> int:
    assert plan.system
    balls, boxes = _pile(plan).pairs
    return len(plan.system.contacts) + len(balls) + CORNERS * len(boxes)


def _as_given(wrench: Array, force: Array, q: Array) -> Array:
    return wrench + force


def _of_world(wrench: Array, force: Array, q: Array) -> Array:
    R = quaternion(q[3:])
    return wrench + np.concatenate([R.T @ force[:3], R.T @ force[3:]])


def _of_origin(wrench: Array, force: Array, q: Array) -> Array:
    return _of_world(wrench, np.concatenate([force[:3], force[3:] - cross(q[:3], force[:3])]), q)


#: axes of external forces → sum with the wrench on a body, in its own axes
_WRENCHES = {"frame": _as_given, "world": _of_world, "spatial": _of_origin}
