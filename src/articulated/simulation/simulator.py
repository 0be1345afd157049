"""`art.Simulator`: a robot, or many, moved a step at a time by a program of the user."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..algorithms.configuration import difference
from ..errors import ShapeError
from ..inputs.choices import flag, floats, whole_number
from ..robot import Robot
from ..text import shortened
from .drive.torques import Drive, by_joint, torque_writer, undriven
from .loop.rollout import COUNTS, Rollout, idle_loop
from .run import planned, time_step
from .start import start


class Touching(NamedTuple):
    """Contacts in the last step: forces (…, nc, 3) N on the robot, in world axes; gaps (…, nc) m before it; states
    (…, nc) 0 open, 1 sticking, 2 sliding.
    """

    names: tuple[str, ...]
    forces: np.ndarray
    gaps: np.ndarray
    states: np.ndarray


class Simulator:
    """A robot that is moved a step at a time by Euler's method; with `n`, so many of them at once.

    `q` (…, nq), `v` (…, nv) and `t` are the state.  Before the first `reset` a robot is in its pose home, or in its
    neutral configuration, at rest.

    Parameters
    ----------
    robot : a Robot
    dt : length of a step, s
    contacts : `art.Ground(…)`, `art.Contacts(…)` that hold, or a list of them
    n : how many robots; None: one, whose arrays have no axis for it
    stiffness : of a servo at each motor, a number or (motors,): N m/rad, N/m; implicit, as of `art.PD`
    damping : of the servos, the same: N m s/rad, N s/m
    clip : True: torques are at most `robot.limits.effort`
    limits : False: joints pass their limits
    parameters : inertial parameters (10 nb,), or (n, 10 nb) of each robot
    joints : {joint: {"damping": …, "friction": …, "armature": …, "stiffness": …}} as in `art.simulate`, numbers or (n,)
    threads : among which the robots are divided

    Examples
    --------
    >>> import articulated as art
    >>> sim = art.Simulator(art.load("cart_pole"), dt=0.01, n=3)
    >>> sim.reset([0.0, 0.1])
    >>> for _ in range(100):
    ...     sim.step(-sim.v)
    >>> sim.q.shape, sim.t.round(9).tolist()
    ((3, 2), [1.0, 1.0, 1.0])
    """

    def __init__(
        self,
        robot: Robot,
        dt: float = 1e-3,
        contacts: Any = None,
        n: int | None = None,
        *,
        stiffness: ArrayLike = 0.0,
        damping: ArrayLike = 0.0,
        clip: bool = False,
        limits: bool | None = None,
        parameters: ArrayLike | None = None,
        joints: Mapping[str, Mapping[str, ArrayLike]] | None = None,
        threads: int = 1,
    ):
        if not isinstance(robot, Robot):
            raise ShapeError(f"Simulator takes a robot first; got {shortened(repr(robot))}")
        self.robot, self.dt = robot, time_step(dt, "Simulator")
        self._batch: tuple[int, ...] = () if n is None else (whole_number("Simulator: n", n, 1),)
        named = robot.poses  # a scene has its start
        self._home = np.array(named.get("start", named.get("home", robot.neutral())), float)
        drive = self._drive(_gain(robot, "stiffness", stiffness), _gain(robot, "damping", damping), clip)
        plan, q, v = planned(
            robot, np.tile(self._home, (*self._batch, 1)).reshape(*self._batch, -1), None, (self.dt, 1, 1), drive,
            contacts, "euler", parameters=parameters, joints=joints, limits=limits,
        )  # fmt: skip
        self._loop = loop = idle_loop(Rollout, plan, len(q), whole_number("Simulator: threads", threads, 1))
        loop.begin(plan, q, v)
        assert loop.bound
        own = {name: loop.fixed[name].copy() for name in ("feedforward", "target") if name in loop.fixed}
        for name, x in own.items():
            loop.bound.give(name, x)
        self._feedforward, self._write = self._shaped(own["feedforward"]), torque_writer(robot, self._batch)
        self._target = self._shaped(own["target"]) if "target" in own else None
        self._stored, self._take = loop.stored(), loop.bound
        self._counts, self._taken = {1: COUNTS}, np.zeros(self._batch, np.int64)
        if not self._batch:  # in C where the torques are a plain array
            doc = f"step(tau=None, target=None, steps=1)\n--\n\n{self.step.__doc__}"
            quick = loop.bound.function("feedforward", COUNTS, self._taken, self.step, "step", doc)
            self.step = quick  # type: ignore[method-assign]

    def _shaped(self, x: np.ndarray) -> np.ndarray:
        """(n, rows, …), of which the first is of this step, or (1, …) of one robot in the shape that users see."""
        return x[..., 0, :].reshape(*self._batch, x.shape[-1])

    def _drive(self, stiffness: np.ndarray, damping: np.ndarray, clip: bool) -> Drive:
        """Torques as data of the loop: those of `step`, and of servos towards the target."""
        robot, dt = self.robot, self.dt
        data = {"feedforward": np.zeros((*self._batch, robot.nv))}
        most = np.array(robot.limits.effort) if flag("Simulator: clip", clip) else None
        if not (stiffness.any() or damping.any()):
            return Drive(compiled=lambda t, q, v, feedforward: feedforward, key="torques", data=data, most=most)
        data["target"] = np.tile(self._home, (*self._batch, 1)).reshape(*self._batch, -1)
        data |= {"stiffness": stiffness, "damping": damping + dt * stiffness}  # see `Towards.at_end_of_step`

        def servo(t: Any, q: Any, v: Any, feedforward: Any, target: Any, stiffness: Any, damping: Any) -> Any:
            tau = feedforward + stiffness * difference(robot.model, q, target) - damping * v
            tau[undriven(robot)] = feedforward[undriven(robot)]
            return tau

        implicit = dt * by_joint(robot, data["damping"])
        return Drive(compiled=servo, key="servos", data=data, implicit=implicit, most=most)

    @property
    def q(self) -> np.ndarray:
        """Configuration, (…, nq): a copy."""
        return self._loop.state["q"].reshape(*self._batch, -1).copy()

    @property
    def v(self) -> np.ndarray:
        """Velocities, (…, nv): a copy."""
        return self._loop.state["v"].reshape(*self._batch, -1).copy()

    @property
    def t(self) -> Any:
        """Time since the last reset, s: a number, or (n,)."""
        return self._taken[()] * self.dt

    @property
    def tau(self) -> np.ndarray:
        """Generalized forces of the motors that acted in the last step, (…, nv): N m, N."""
        return self._shaped(self._stored["tau"])

    @property
    def contact(self) -> Touching:
        """Contacts in the last step: names, forces, gaps, states."""
        system = self._loop.plan.system
        if system is None or not system.contacts:
            empty = np.zeros((*self._batch, 0))
            return Touching((), np.zeros((*self._batch, 0, 3)), empty, empty)
        found = self._stored
        forces = self._shaped(found["forces"]).reshape(*self._batch, -1, 3)
        return Touching(tuple(system.names), forces, self._shaped(found["gaps"]), self._shaped(found["states"]))

    def reset(self, q: ArrayLike | None = None, v: ArrayLike | None = None, where: ArrayLike | None = None) -> None:
        """Put robots into a state; without contact forces, at t = 0.

        Parameters
        ----------
        q : configurations, (nq,), (n, nq), or one for each robot that `where` names; the pose home, or the neutral
            configuration, if not given
        v : velocities, the same with nv; zero if not given
        where : which robots: (n,) of True and False, or their numbers; all, if not given

        Returns
        -------
        None: `q`, `v` and `t` have it

        Examples
        --------
        >>> import articulated as art
        >>> sim = art.Simulator(art.load("2r"), n=3)
        >>> sim.step([[1, 0], [2, 0], [3, 0]])
        >>> sim.reset([0.5, 0.0], where=[False, True, False])
        >>> sim.t.tolist()
        [0.001, 0.0, 0.001]
        """
        plan, lanes = self._loop.plan, self._lanes(where)
        q0, v0, batch = start(self.robot, self._home if q is None else q, v, caller="reset")
        if not len(lanes):
            return
        if batch == self._batch and len(lanes) < self._loop.states:
            q0, v0 = q0[lanes], v0[lanes]
        elif batch not in ((), (len(lanes),)):
            raise ShapeError(f"reset: {len(lanes)} robots are reset, and q and v are of {batch}")
        size = (len(lanes), 1)
        q0, v0 = (np.ascontiguousarray(np.broadcast_to(x, (size[0], x.shape[-1]))) for x in (q0, v0))
        if plan.system:
            from .contact.constraints import anchors, require_apart, require_possible

            require_possible(plan.robot, plan.system, q0, v0)
            require_apart(plan, q0)
            if plan.system.held:
                self._loop.fixed["anchors"][lanes] = anchors(plan.robot, plan.system, q0)[:, None]
        for name, x in self._loop.begun(q0, v0, 0.0).items():
            self._loop.state[name][lanes] = x
        self._taken.reshape(-1)[lanes] = 0

    def _lanes(self, where: Any) -> np.ndarray:
        count = self._loop.states
        if where is None:
            return np.arange(count)
        chosen = np.asarray(where)
        if chosen.dtype == bool and chosen.shape in (self._batch, (count,)):
            return np.flatnonzero(chosen)
        lanes = np.atleast_1d(chosen if chosen.size else np.empty(0, int))  # an empty list is of floats
        if lanes.dtype.kind not in "iu" or lanes.ndim > 1 or ((lanes < 0) | (lanes >= count)).any():
            raise ShapeError(f"reset: where is ({count},) of True and False, or numbers from 0 to {count - 1}")
        return lanes

    def step(self, tau: ArrayLike | None = None, target: ArrayLike | None = None, steps: int = 1) -> None:
        """Move by a step, or several with the same torques and targets.

        NaN or infinity for some robots of several ends the motion of these alone: their q and v are NaN until `reset`.

        Parameters
        ----------
        tau : generalized forces (…, nv), or of the motors alone: N m, N; zero if not given
        target : configuration (…, nq) that the servos hold from now on, or of the motors alone
        steps : how many

        Returns
        -------
        None: `q`, `v` and `t` are those after it

        Examples
        --------
        >>> import articulated as art
        >>> sim = art.Simulator(art.load("panda"), stiffness=400, damping=40)
        >>> sim.step(target=sim.q + 0.1, steps=1000)
        >>> bool(abs(sim.v).max() < 1e-2)
        True
        """
        if tau is None:
            self._feedforward[...] = 0.0
        else:
            self._write(tau, None, self._feedforward)
        if target is not None:
            self._aim(target)
        if type(steps) is not int or steps not in self._counts:
            steps = whole_number("step: steps", steps, 1)
            self._counts[steps] = {"samples": 1, "every": steps, "more": steps - 1, "steps": steps}
        self._take(self._counts[steps], threads=self._loop.threads)
        self._taken += steps

    def _aim(self, target: Any) -> None:
        if self._target is None:
            raise ShapeError(
                "step: a target is for servos, which Simulator(…, stiffness=…, damping=…) gives the motors"
            )
        x, nq = floats("step: target", target), self.robot.nq
        free = [k for b in self.robot.model.bodies if b.joint.floats for k in range(b.coords.start, b.coords.stop)]
        motors = [k for k in range(nq) if k not in free]
        if x.ndim == 0 or x.shape[-1] not in (nq, len(motors)) or x.shape[:-1] not in ((), self._batch):
            raise ShapeError(
                f"step: target has shape {x.shape}; it is {(*self._batch, nq)} or {(*self._batch, len(motors))}"
            )
        if not np.isfinite(x).all(axis=-1).any():
            raise ShapeError("step: target holds NaN or infinity")
        if x.shape[-1] == nq:
            self._target[...] = x
        else:
            self._target[..., motors] = x

    def __repr__(self) -> str:
        count = "" if not self._batch else f"{self._batch[0]} × "
        contacts = f", {len(self.contact.names)} contact points" if self.contact.names else ""
        return f"<Simulator of {count}{shortened(self.robot.name)}, dt {self.dt:g} s{contacts}>"


def _gain(robot: Robot, name: str, given: Any) -> np.ndarray:
    """Gain of each velocity, (nv,); 0 where there is no motor."""
    free = undriven(robot)
    motors = [k for k in range(robot.nv) if k not in free]
    x, out = floats(f"Simulator: {name}", given), np.zeros(robot.nv)
    if x.shape not in ((), (len(motors),)) or not np.isfinite(x).all() or (x < 0).any():
        raise ShapeError(f"Simulator: {name} is a number from 0, or ({len(motors)},); got {shortened(repr(given))}")
    out[motors] = x
    return out
