"""The variational method in the compiled loop: iterations until the step of every lane balances its momentum."""

from functools import partial
from typing import Any

import numpy as np

from ...algebra.scalars import zeros
from ...algebra.spatial import cross_force
from ...algorithms.forward_dynamics import forward_dynamics
from ...compiler.passes.loops import Memory, Place
from ...errors import ShapeError
from ...joints import Joint
from ...model import Model
from ...model.with_numbers import slack
from ...robot import Robot
from ..drive.damping import damped
from ..joint_parameters import rotor_inertia
from ..loop.blocks import nothing
from ..loop.routine import Writer
from ..plan import Plan, of_lanes
from . import symplectic

#: iterations of a step; five are usual
MOST = 60


class Symplectic(Writer):
    """The midpoint rule as a variational integrator on the configuration manifold; it carries momenta."""

    @classmethod
    def check(cls, plan: Plan) -> None:
        """Refuse joints that have no action, and friction that is not smooth."""
        for b in plan.robot.model.bodies:
            told = f'simulate: method = "symplectic" and the joint {b.joint.name!r}: '
            if b.friction:
                raise ShapeError(f'{told}dry friction is discontinuous; use "euler" or robot.frictionless()')
            if not b.joint.balances:
                raise ShapeError(
                    f"{told}a {b.joint.kind} joint has to state `halfway` and `momenta` for its own `rate`"
                )
            if b.armature and _carries_along(b.joint):
                raise ShapeError(f"{told}an armature is not defined for it")

    @classmethod
    def carries(cls, plan: Plan) -> dict[str, int]:
        """The momentum, and how the iterations go."""
        return {"p": plan.robot.nv, "left": 1, "failed": 1, "residual": 1, "iterations": 1, "worst": plan.robot.nv}

    @classmethod
    def begin(cls, plan: Plan, q: np.ndarray, v: np.ndarray, lanes: slice = slice(None)) -> dict[str, np.ndarray]:
        """The momentum M v."""
        own: dict[str, Any] = {}
        if plan.parameters is not None:
            inertial = of_lanes(plan.parameters, lanes).squeeze(-2)[..., : 10 * len(plan.robot.body_names)]
            own = {"parameters": inertial}
        M = plan.robot.mass_matrix(q, **own)
        p = np.einsum("nij,nj->ni", M, v)
        if plan.joints:
            rotors = np.broadcast_to(rotor_inertia(plan.whose or plan.robot, plan.joints), (*plan.batch, v.shape[-1]))
            p += (rotors.reshape(-1, v.shape[-1])[lanes] - np.array(plan.robot.model.armature, float)) * v
        return {"p": p}

    @classmethod
    def info(cls, plan: Plan, state: dict[str, np.ndarray]) -> dict[str, Any]:
        """The largest relative residual of a step, of all states and of each; the iterations of all steps of each."""
        residuals = state["residual"].ravel().tolist()
        iterations = [int(n) for n in state["iterations"].ravel()]
        return {"residual": max(residuals), "residuals": residuals, "iterations": iterations}

    @classmethod
    def failure(cls, plan: Plan, state: dict[str, np.ndarray]) -> str:
        """When, which joint, and what to try."""
        _, stopped, joint = stop(plan, state, plan.robot.nq)
        return (
            f"{stopped}: the iteration of a step does not converge, joint {joint!r} moves most; try a smaller dt than "
            f"{plan.dt:g}{plan.drive.advice}{singular(plan)} (the run so far is in the error's .run)"
        )

    def prepare(self) -> None:
        """Memory, and the blocks in several formulations."""
        r, nv = self.r, self.nv
        self.own: dict[str, Memory] = {name: r.local(f"{name} of the step", nv) for name in ("d", "gain")}
        self.own |= {name: r.local(f"{name} of the step", 1) for name in ("size", "scale", "done", "rounds")}
        self.pushed: list[Memory] = []
        if self.holding:
            self.pushed = [r.local("push of the step", len(self.holding.held.rows))]
            self.unpushed = nothing(self.pushed[0].size)
        balance = symplectic.Balance(self.model, self.law, self.plan.sites, self.holding.held if self.holding else None)
        bare = _bare(self.model)
        half = _bare(damped(self.model, self.plan.stiff)) if self.plan.stiff else bare
        own = self.inertias is not None
        self.iterations = [balance.iteration(inverse) for inverse in _inverses(half, own, self.plan.stiff or 0.0)]
        self.finishes = [balance.finish(inverse) for inverse in _inverses(bare, own)]
        self.accelerate = [
            lambda q, v, tau, a=accelerations, **forces: a(q, v, tau, forces) for accelerations in self.dynamics()
        ]
        r.run(nothing(nv), {}, [self.own["gain"]])

    def advance(self, sampled: bool) -> None:
        """A guess, iterations, and the end of the step."""
        r, now, own = self.r, self.now, self.own
        both: dict[str, Place] = {**now, **own}
        if sampled:
            reads: dict[str, Place] = {name: now[name] for name in ("q", "v", "tau")}
            r.run(self.accelerate, reads | self.outside(), [now["a"]])
            r.run(symplectic.gained, {"a": now["a"], "dt": now["dt"]}, [own["gain"]])
        begun = [own[name] for name in ("d", "size", "scale", "done", "rounds")]
        r.run(symplectic.predicted, {name: both[name] for name in ("v", "gain", "dt", "failed")}, begun)
        tried = symplectic.Tried._fields
        held: dict[str, Place] = {"push": self.pushed[0], "anchors": self.holding.anchors} if self.holding else {}
        if self.holding:
            r.run(self.unpushed, {}, self.pushed)
        with r.loop("iteration", MOST, until=own["done"]):
            reads = {name: both[name] for name in ("q", "p", "t", "dt", "tau", *tried)}
            r.run(self.iterations, reads | held | self.outside(), [*(both[name] for name in tried), *self.pushed])
        stepped = symplectic.Stepped._fields
        names = dict.fromkeys(["d", "dt", "tau", "size", "scale", "rounds", "worst", *stepped])
        reads = {name: both[name] for name in names if name != "left"}
        r.run(self.finishes, reads | self.outside(), [both[name] for name in stepped])


def stop(plan: Plan, state: dict[str, np.ndarray], first: int = 0) -> tuple[int, str, str]:
    """A lane that has failed, the beginning of a sentence about it, and its worst joint: `worst` is from `first` on."""
    lane = int((state["failed"].ravel() > 0).argmax())
    worst = np.abs(state["worst"][lane, 0])
    joint = plan.joint_of(first + int(np.where(np.isfinite(worst), worst, np.inf).argmax()))
    which = f" in state {lane} of the batch" if len(state["t"]) > 1 else ""
    return lane, f"the simulation of {plan.robot.name} stopped at t = {state['t'][lane, 0, 0]:.6g} s{which}", joint


def singular(plan: Plan) -> str:
    """Advice where loops hold."""
    return ', or, if this is a singular posture of its loops, "rk4" passes through it' if plan.system else ""


def _bare(model: Model) -> Model:
    """Mass alone: without gravity, friction and springs; the inertia of rotors stays."""
    still = (k.replace(joint=k.joint.replace(damping=0, friction=0, stiffness=0)) for k in model.links)
    return model.changed(still, gravity=(0, 0, 0), springs=())


def _inverses(model: Model, own: bool, stiff: float = 0.0) -> list[Any]:
    """(q, r, …) → M⁻¹ r in several formulations: forward dynamics at rest; `own`: with parameters that are given."""

    def inverse(way: Any, of: Model, q: Any, r: Any, given: Any) -> Any:
        return way(slack(symplectic.with_own_parameters(of, given, stiff)), q, zeros(model.nv), r)

    ways = [(model, forward_dynamics)] if own else Robot(model).kernels.ways(forward_dynamics)
    return [partial(inverse, way, of) for of, way in ways]


def _carries_along(joint: Joint) -> bool:
    """Whether a motion of the joint changes the direction of its own momentum."""
    S = joint.S.astype(float)
    V = S @ np.random.default_rng(0).normal(size=joint.nv)
    return bool(abs(S.T @ cross_force(V, V)).max(initial=0.0) > 1e-12)
