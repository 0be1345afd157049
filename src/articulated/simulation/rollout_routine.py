"""The loop over time as a routine for the compiler."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np

from ..algebra.scalars import array
from ..algorithms.forward_dynamics import forward_dynamics
from ..compiler.passes.loops import Builder, Memory, Routine
from ..compiler.routines import RoutineKernel
from . import integrators
from .contact.routine import ContactStep
from .integrators import TABLEAUS, Tableau
from .plan import Plan, contact_sizes
from .pushes import by_name


def routine_of(plan: Plan) -> RoutineKernel:
    """The compiled loop of a plan; made once for a robot, unless a function is in it that only its user knows."""
    drive = plan.drive
    constrained = plan.system.coded if plan.system else None
    key: Any = ("rollout", plan.method, drive.rows is not None, drive.key, plan.frames, plan.stiff, constrained)
    if drive.compiled and drive.key is None:
        key = None
    return plan.robot.kernels.routine("simulate", key, lambda: _Writer(plan).routine())


class _Writer:
    """Writes the routine of a plan.

    Row k of the results is the state at sample k, with the torque and the acceleration of the step that begins there.
    """

    def __init__(self, plan: Plan):
        self.plan, self.model, self.law = plan, plan.robot.model, plan.drive.compiled
        nq, nv = plan.robot.nq, plan.robot.nv
        self.r, self.nq, self.nv = Builder(), nq, nv
        r = self.r
        self.given = {"q": r.input("q0", nq), "v": r.input("v0", nv), "t": r.input("t0", 1), "dt": r.input("step", 1)}
        self.stored = {name: r.output(name, size, "samples") for name, size in zip("qva", (nq, nv, nv), strict=True)}
        self.stored["tau"] = r.output("tau", nv, "samples")
        self.last = {"q": r.output("q1", nq), "v": r.output("v1", nv), "t": r.output("t1", 1)}
        self.now = {name: r.local(f"{name} now", memory.size) for name, memory in self.given.items()}
        self.now["tau"], self.now["a"] = r.local("tau now", nv), r.local("a now", nv)
        self.rows = r.input("torques", nv, "steps") if plan.drive.rows is not None else None
        self.pushed = {f: (r.input(f"force {f}", 6, "steps"), r.local(f"force {f} now", 6)) for f in plan.frames}
        self.contact = self._contact_memory() if plan.system else None
        # functions are made once: a block that is run in two places is traced and compiled once
        self.ways = [self._way(f) for f in self._dynamics()]
        law = self.law or (lambda t, q, v: v)
        self.law_block = lambda t, q, v: law(t[0], q, v)

    def routine(self) -> Routine:
        """The whole."""
        r = self.r
        for name, memory in self.given.items():
            r.copy(memory, self.now[name])
        if self.rows is None and self.law is None:
            r.run(_zeros(self.nv), {}, [self.now["tau"]])
        if tableau := TABLEAUS.get(self.plan.method):
            self._prepare_runge_kutta(tableau)
        if self.contact:
            self.contact.begin(self.before)
        with r.loop("k", "samples"):
            for name in ("q", "v"):
                r.copy(self.now[name], self.stored[name].row("k"))
            self._step({"k": "every"}, 0)
            for name in ("tau", "a"):
                r.copy(self.now[name], self.stored[name].row("k"))
            if self.contact:
                for name, memory in self.contact_stored.items():
                    r.copy(self.contact.memory[name], memory.row("k"))
                self.contact.forget()
            with r.loop("j", "more"):
                self._step({"k": "every", "j": 1}, 1)
        for name, memory in self.last.items():
            r.copy(self.now[name], memory)
        if self.contact:
            r.copy(self.contact.memory["impulses"], self.after)
            r.copy(self.contact.memory["residual"], self.worst)
        return r.routine()

    def _contact_memory(self) -> ContactStep:
        """Contacts: what is stored of them, and what one call leaves to the next."""
        plan, r = self.plan, self.r
        assert plan.system
        step = ContactStep(r, plan.dynamics, plan.system.coded, plan.frames)
        self.contact_stored = {name: r.output(name, n, "samples") for name, n in contact_sizes(plan.system).items()}
        carried = {
            "impulses": plan.system.size,
            "friction": len(plan.system.contacts),
            "anchors": 16 * len(plan.system.held),
        }
        self.before = {name: r.input(f"{name} before", size) for name, size in carried.items() if size}
        self.after, self.worst = r.output("impulses after", plan.system.size), r.output("residual after", 1)
        return step

    def _step(self, index: dict[str, Any], offset: int) -> None:
        """One step, number `index` + `offset` of this call."""
        r, now = self.r, self.now
        if self.rows is not None:
            r.copy(self.rows.row(index, offset), now["tau"])
        for given, here in self.pushed.values():
            r.copy(given.row(index, offset), here)
        if self.law:
            r.run(self.law_block, {name: now[name] for name in "tqv"}, [now["tau"]])
        if tableau := TABLEAUS.get(self.plan.method):
            self._runge_kutta(tableau)
        elif self.contact:
            self.contact.step(now["q"], now["v"], now["tau"], now["dt"], now["a"], self._pushes())
        else:
            reads = {name: now[name] for name in ("q", "v", "tau", "dt")} | self._pushes()
            r.run(self.ways, reads, [now["q"], now["v"], now["a"]])
        r.run(_later, {"t": now["t"], "dt": now["dt"]}, [now["t"]])

    # -- blocks ------------------------------------------------------------------------------

    def _dynamics(self) -> list[Callable[..., Any]]:
        """Accelerations (q, v, tau, forces=…) in several formulations."""
        return [partial(way, model) for model, way in self.plan.dynamics.kernels.ways(forward_dynamics)]

    def _way(self, dynamics: Callable[..., Any]) -> Callable[..., Any]:
        """The block of a method with one formulation of the dynamics."""

        def accelerations(q: Any, v: Any, tau: Any, forces: dict[str, Any]) -> Any:
            outside = {"forces": by_name(forces, self.plan.frames)} if forces else {}
            return dynamics(q, v, tau, **outside)

        def euler(q: Any, v: Any, tau: Any, dt: Any, **forces: Any) -> Any:
            return integrators.euler_step(self.model, q, v, accelerations(q, v, tau, forces), dt[0])

        def stage(y: Any, slopes: Any, weights: Any, t: Any, tau: Any, dt: Any, **forces: Any) -> Any:
            there = integrators.moved(y, slopes, weights[:-1], dt[0])
            q, v = there[: self.nq], there[self.nq :]
            if self.law:
                tau = self.law(t[0] + weights[-1] * dt[0], q, v)
            return integrators.slope(self.model, q, v, accelerations(q, v, tau, forces))

        return stage if self.plan.method in TABLEAUS else euler

    def _pushes(self) -> dict[str, Memory]:
        """External forces under names that a block can take."""
        return {f"force_{k}": here for k, (_, here) in enumerate(self.pushed.values())}

    def _prepare_runge_kutta(self, tableau: Tableau) -> None:
        """Memory for the slopes, and the weights as data: the dynamics are compiled once for all stages."""
        r, stages, size = self.r, tableau.stages, self.nq + self.nv
        weights = r.input("tableau", stages + 1, stages)
        self.weights, self.slopes = r.local("weights", stages + 1, stages), r.local("slopes", size, stages)
        self.state = r.local("state", size)
        self.end = lambda y, slopes, dt: integrators.end(self.model, tableau, y, slopes, dt[0])
        clear = _zeros(size)
        with r.loop("i", stages):
            r.copy(weights.row("i"), self.weights.row("i"))
            r.run(clear, {}, [self.slopes.row("i")])

    def _runge_kutta(self, tableau: Tableau) -> None:
        """Stage by stage."""
        r, now = self.r, self.now
        r.run(_joined, {"q": now["q"], "v": now["v"]}, [self.state])
        with r.loop("stage", tableau.stages):
            reads: dict[str, Any] = {
                "y": self.state,
                "slopes": self.slopes.whole(),
                "weights": self.weights.row("stage"),
            }
            reads |= {name: now[name] for name in ("t", "tau", "dt")} | self._pushes()
            r.run(self.ways, reads, [self.slopes.row("stage")])
        results = [now["q"], now["v"], now["a"]]
        r.run(self.end, {"y": self.state, "slopes": self.slopes.whole(), "dt": now["dt"]}, results)


def _zeros(size: int) -> Callable[..., Any]:
    return lambda: array([0.0] * size)


def _later(t: Any, dt: Any) -> Any:
    return t + dt


def _joined(q: Any, v: Any) -> Any:
    return np.concatenate([q, v])
