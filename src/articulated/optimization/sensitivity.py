"""`art.simulate_derivatives`: how a run changes with its start, torques, gains and parameters, and back."""

from __future__ import annotations  # help shows types as they are written here

from functools import cached_property
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from ..errors import ShapeError
from ..inputs.choices import floats
from ..simulation.contact.dynamics import least_velocity
from ..simulation.scene import Scene
from ..simulation.trajectory.trajectory import Trajectory
from .contact_step import SETTLED, ContactSteps
from .step import STEPS, derivative_of, in_batch, linearize_step, moved

Floats = np.ndarray


class Change(NamedTuple):
    """Change of the states of a run, (…, T, nv) each."""

    q: Floats
    v: Floats


class Gradient(NamedTuple):
    """Gradient of a function of a run by its start (…, nv), the torques (…, T - 1, nv) and inertial parameters."""

    q0: Floats
    v0: Floats
    tau: Floats
    parameters: Floats | None  # (…, 10 nb), if asked for


class RunDerivatives:
    """Derivatives of a run: products of those of its steps, dx⁺ = A dx + B dtau + C dq0 + P dparameters.

    C is there where contacts hold: they stay where they are at the start.

    Parameters
    ----------
    run : a Trajectory of `art.simulate`, every step stored
    feedback : derivative of the torques by [dq; dv], (…, T - 1, nv, 2 nv), where a controller made them
    contacts : those of the run

    Examples
    --------
    >>> import articulated as art
    >>> run = art.simulate(art.load("2r"), [0.5, 0.0], duration=0.1, dt=0.01)
    >>> art.simulate_derivatives(run).forward(q0=[1, 0]).q.shape
    (11, 2)
    """

    def __init__(self, run: Trajectory, feedback: ArrayLike | None = None, contacts: Any = None):
        robot, n = run.robot, run.robot.nv
        self.run = run
        self.state = run.q[..., :-1, :], run.v[..., :-1, :], run.tau[..., :-1, :]
        self.dt, self.method = float(run.info["dt"]), run.info["method"]
        self._steps, self.C = None, None
        if "residuals" in run.info and self.method == "euler":
            self._steps = ContactSteps(run, [] if contacts is None else contacts)
            whole = moved(robot, *self.state[:2], run.a[..., :-1, :], self._shaped(self._steps.by_state()), self.dt)
            self.A, self.B = whole[..., : 2 * n], whole[..., 2 * n :]
            if self._steps.system.held:
                by = self._shaped(self._steps.by_start())
                self.C = moved(robot, *self.state[:2], run.a[..., :-1, :], by, self.dt, state=False)
        else:
            self.A, self.B = linearize_step(robot, *self.state, self.dt, self.method, parameters=self._parameters)
        if feedback is not None:
            K = floats("simulate_derivatives: feedback", feedback)
            try:
                self.A = self.A + self.B @ np.broadcast_to(K, (*self.B.shape[:-2], n, 2 * n))
            except ValueError:
                wanted = (*self.B.shape[:-2], n, 2 * n)
                raise ShapeError(f"simulate_derivatives: feedback is {wanted}; got {K.shape}") from None

    def _shaped(self, found: Floats) -> Floats:
        """Steps one after the other as those of the batch."""
        return found.reshape(*self.state[0].shape[:-1], *found.shape[1:])

    @property
    def _parameters(self) -> Any:
        """Inertial parameters of every step, those of the robot if None."""
        return None if self.run.parameters is None else self.run.parameters[..., None, :]

    @cached_property
    def P(self) -> Floats:
        """Derivatives of the steps by inertial parameters, (…, T - 1, 2 nv, 10 nb)."""
        if self._steps:
            by = self._shaped(self._steps.by_parameters())
            return moved(self.run.robot, *self.state[:2], self.run.a[..., :-1, :], by, self.dt, state=False)
        robot, own = self.run.robot, [] if self.run.parameters is None else [self._parameters]
        step = derivative_of(robot, self.method)
        return in_batch(step, robot, self.dt, *self.state, *own, inertial=True)[..., 3 * robot.nv :]

    def forward(
        self, q0: ArrayLike | None = None, v0: ArrayLike | None = None, tau: ArrayLike | None = None,
        parameters: ArrayLike | None = None,
    ) -> Change:  # fmt: skip
        """Change of the run along changes of its start, torques and parameters, zero if not given.

        Parameters
        ----------
        q0 : change of the configuration at the start, (…, nv), as `difference` has it
        v0 : of the velocity, (…, nv)
        tau : of the torques, (…, T - 1, nv)
        parameters : of the inertial parameters, (…, 10 nb)

        Returns
        -------
        Change(q (…, T, nv), v (…, T, nv))

        Examples
        --------
        >>> import articulated as art
        >>> run = art.simulate(art.load("2r"), [0.5, 0.0], duration=0.1, dt=0.01)
        >>> art.simulate_derivatives(run).forward(v0=[0, 1]).v.shape
        (11, 2)
        """
        n, batch = self.run.robot.nv, self.A.shape[:-3]
        first = [np.broadcast_to(np.zeros(n) if x is None else floats("forward", x), (*batch, n)) for x in (q0, v0)]
        states = np.empty((*batch, self.A.shape[-3] + 1, 2 * n))
        states[..., 0, :] = np.concatenate(first, axis=-1)
        pushed = np.zeros(self.A.shape[:-1])
        if self.C is not None:
            pushed = pushed + (self.C @ first[0][..., None, :, None])[..., 0]
        if tau is not None:
            pushed = pushed + (self.B @ floats("forward: tau", tau)[..., None])[..., 0]
        if parameters is not None:
            pushed = pushed + (self.P @ floats("forward: parameters", parameters)[..., None, :, None])[..., 0]
        for t in range(self.A.shape[-3]):
            states[..., t + 1, :] = (self.A[..., t, :, :] @ states[..., t, :, None])[..., 0] + pushed[..., t, :]
        return Change(states[..., :n], states[..., n:])

    def adjoint(self, q: ArrayLike | None = None, v: ArrayLike | None = None, parameters: bool = False) -> Gradient:
        """Gradient of a function of the run from that by its states: one sweep from the end to the start.

        Parameters
        ----------
        q : gradient by the configurations, (…, T, nv), on their tangents
        v : by the velocities, (…, T, nv)
        parameters : True: by inertial parameters as well

        Returns
        -------
        Gradient(q0 (…, nv), v0 (…, nv), tau (…, T - 1, nv), parameters (…, 10 nb) or None)

        Examples
        --------
        >>> import articulated as art
        >>> run = art.simulate(art.load("2r"), [0.5, 0.0], duration=0.1, dt=0.01)
        >>> art.simulate_derivatives(run).adjoint(q=run.q).tau.shape
        (10, 2)
        """
        n, steps, batch = self.run.robot.nv, self.A.shape[-3], self.A.shape[:-3]
        shape = (*batch, steps + 1, n)
        both = [np.broadcast_to(np.zeros(n) if x is None else floats("adjoint", x), shape) for x in (q, v)]
        felt = np.concatenate(both, axis=-1)
        for t in reversed(range(steps)):
            felt[..., t, :] += (felt[..., t + 1, None, :] @ self.A[..., t, :, :])[..., 0, :]
        after = felt[..., 1:, None, :]
        by = (after @ self.P).sum(axis=-3)[..., 0, :] if parameters else None
        if self.C is not None:
            felt[..., 0, :n] += (after @ self.C).sum(axis=-3)[..., 0, :]
        return Gradient(felt[..., 0, :n], felt[..., 0, n:], (after @ self.B)[..., 0, :], by)


def simulate_derivatives(run: Trajectory, feedback: ArrayLike | None = None, contacts: Any = None) -> RunDerivatives:
    """Derivatives of a run of `simulate` by its start, torques, gains and parameters, forwards and backwards.

    Exact for the steps of the run.  Torques are those stored, held during a step; `feedback` is how a controller's
    depend on the state.  Through contacts, joint limits and dry friction ("euler"): for changes that leave each step
    what it is, every contact open, sticking or sliding (docs/optimal_control.md).

    Parameters
    ----------
    run : a Trajectory of `art.simulate` with the method "euler", "midpoint", "rk4" or "symplectic", every step stored
    feedback : derivative of the torques by [dq; dv], (nv, 2 nv) or (…, T - 1, nv, 2 nv), where a controller made them
    contacts : those of the run, as `simulate` was given them

    Returns
    -------
    RunDerivatives, with `forward(q0, v0, tau, parameters)` and `adjoint(q, v)`

    Notes
    -----
    Source: the chain rule on `linearize_step`; through contacts the implicit function theorem on the rows that act.

    Examples
    --------
    >>> import articulated as art
    >>> run = art.simulate(art.load("2r"), [0.5, 0.0], duration=0.1, dt=0.01)
    >>> art.simulate_derivatives(run).adjoint(v=run.v).q0.shape
    (2,)
    """
    if not isinstance(run, Trajectory):
        raise ShapeError(f"simulate_derivatives takes a run of art.simulate; got {type(run).__name__}")
    info, steps = run.info, np.diff(run.t)
    if info.get("method") not in STEPS or not np.allclose(steps, info.get("dt", np.nan), rtol=1e-9):
        known = ", ".join(STEPS)
        raise ShapeError(
            f"simulate_derivatives: a run by one of {known}, every step stored; got {info.get('method')!r}"
        )
    if run.forces or run.joints:
        raise ShapeError("simulate_derivatives: of runs of the robot as it is, without forces= and joints=")
    if info["method"] != "euler":
        _require_smooth(run)
    elif run.contact is not None and contacts is None and not isinstance(run.robot, Scene):
        raise ShapeError("simulate_derivatives: the run has contacts; give them again, contacts=…")
    return RunDerivatives(run, feedback, contacts)


def _require_smooth(run: Trajectory) -> None:
    """An error that says when a contact, a limit or dry friction that holds acts first."""
    lower, upper = run.robot.limits[:2]
    acts = np.asarray(((run.q <= lower) | (run.q >= upper)).any(axis=-1) & ("residuals" in run.info))
    if run.contact is not None:
        holds = np.isinf(run.contact.frictions).any(axis=-1, keepdims=True)
        acts = acts | (run.contact.forces != 0).any(axis=(-1, -2)) | holds
    rubs = [k for b in run.robot.model.bodies if b.friction for k in range(b.dofs.start, b.dofs.stop)]
    still = abs(run.v[..., 1:, rubs]) < SETTLED * least_velocity(run.robot.model, run.info["dt"])
    acts[..., :-1] |= still.any(axis=-1) & ("residuals" in run.info)
    if acts.any():
        first = run.t[np.nonzero(acts.reshape(-1, len(run.t)).any(axis=0))[0][0]]
        raise ShapeError(
            f"simulate_derivatives: a contact, a joint limit or dry friction that holds acts at t = {first:g} s; runs "
            'are differentiated through these by the method "euler"'
        )
