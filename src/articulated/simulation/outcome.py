"""Outcome of a simulation: a trajectory up to its last finite sample, or an error that holds it."""

import warnings
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from types import MappingProxyType
from typing import Any

import numpy as np

from ..errors import ArticulatedError, SimulationWarning, SingularModelError
from ..inputs.frozen import known
from ..robot.arguments.forces import Wrenches, in_frames
from ..robot.arguments.state_names import component_units
from .drive.torques import ControllerFailed
from .plan import LARGEST, STORED, Plan, Recorded
from .trajectory.summary import FASTEST, GROWTH, fastest, growth
from .trajectory.trajectory import Trajectory

_ZERO = np.zeros(1)
#: samples at which the energy of a limp robot is looked at for a warning
SEEN = 16


class Diverged(ArticulatedError, ArithmeticError):
    """The motion grew without bound, or something touched that may not; `run` holds it up to the last good sample."""

    def __init__(self, text: str, run: Trajectory):
        super().__init__(text)
        self.run = run


def keep_run(problem: Exception, plan: Plan, found: Recorded, samples: int, seconds: float) -> None:
    """Leave the run up to an exception in its attribute `run`."""
    if samples:
        found.samples, found.ended = samples, f"by {type(problem).__name__}"
        with suppress(ArticulatedError, AttributeError):
            problem.run = trajectory_of(plan, found, seconds)  # type: ignore[attr-defined]
            problem.add_note("(the run so far is in the exception's .run)")


def trajectory_of(plan: Plan, found: Recorded, seconds: float) -> Trajectory:
    """The run up to its last good sample; `Diverged` if there should be more.

    Of a batch that goes on in part, the runs that diverged stay at their last good sample.
    """
    each, batch = _good_samples(plan, found), plan.batch
    some = each is not None and each.min() < each.max() == found.samples
    if some:
        _held(found, each)
    good = found.samples if each is None else int(each.max() if some else each.min())
    count = min(good, found.samples)
    info = {
        "method": plan.method,
        "dt": plan.dt,
        "seconds": seconds,
        "ended": found.ended,
        **found.more,
        **plan.drive.info,
    }
    info |= found.watch.info(bool(batch)) | ({"smooth": True} if plan.smooth else {})
    arrays: dict[str, Any] = {
        name: x[:, :count].reshape(*batch, count, x.shape[-1])
        for name in STORED
        if (x := getattr(found, name)) is not None
    }
    forces: Any = {}
    if plan.forces:
        rows = found.steps(plan, count)
        forces = {name: _at_steps(x, rows, batch) for name, x in plan.forces.items()}
        if plan.external.axes != "frame":  # a run keeps them in the axes of their frames
            forces = in_frames(plan.robot, arrays["q"], Wrenches(forces, plan.external.axes))  # type: ignore[arg-type]
    if "tau" not in arrays:
        shape = (*batch, count, plan.robot.nv)
        if (given := plan.drive.rows) is None:  # zeros take no memory
            arrays["tau"] = np.ndarray(shape, buffer=_ZERO, strides=(0,) * len(shape))
        else:
            arrays["tau"] = _at_steps(given, found.steps(plan, count), batch)
    later = None if "a" in arrays else partial(_accelerations, plan, dict(arrays), forces, batch)
    if plan.system:
        info["residuals"] = found.contact["residual"][:, :count].max(axis=(1, 2)).tolist()
        info["residual"] = max(info["residuals"])
    if good < found.samples:
        info["ended"] = "diverged"
    if some:
        info["ended_at"] = [float(plan.times[k - 1]) if k < found.samples else None for k in each]
        given = np.broadcast_to(found.refused, len(each))
        info["ended_by"] = [
            ("controller" if nan else "diverged") if k < found.samples else None
            for k, nan in zip(each, given, strict=True)
        ]
    history = None
    if plan.system:
        from .contact.history import contact_history

        history = contact_history(plan, found, batch, count)
    run = known(
        Trajectory, robot=plan.whose or plan.robot, t=found.times(plan, count), **arrays, contact=history,
        forces=MappingProxyType(forces), info=MappingProxyType(info), joints=plan.joints, _poses={}, _later=later,
        parameters=None if plan.inertias is None else _own(plan.inertias, batch),
    )  # fmt: skip
    if found.problem:
        raise Diverged(found.problem, run)
    if good < found.samples:
        raise Diverged(_what_went_wrong(plan, found, good), run)
    _warn(plan, found, count, info)
    return run


def _held(found: Recorded, each: np.ndarray) -> None:
    """Runs stay where they were at their last good sample, at rest, with no forces."""
    state = [(x, name == "q") for name in STORED if (x := getattr(found, name)) is not None]
    places = ("positions", "normals", "gaps", "residual")
    for lane in np.flatnonzero(each < found.samples):
        for x, stays in [*state, *((x, name in places) for name, x in found.contact.items())]:
            x[lane, each[lane] :] = x[lane, each[lane] - 1] if stays else 0.0
            x[lane, 0][~np.isfinite(x[lane, 0])] = 0.0  # of a run that ends where it begins


def _warn(plan: Plan, found: Recorded, count: int, info: Mapping[str, Any]) -> None:
    """Say once what no look at the last sample may show."""
    told = ""
    if "ended_at" in info:
        ends = [t for t in info["ended_at"] if t is not None]
        told = f"{len(ends)} of {len(info['ended_at'])} runs ended early, the first after t = {min(ends):g} s"
    elif not found.speed <= FASTEST[0]:
        speeds, most = abs(found.v[:, :count]).max(axis=(0, 1)), fastest(plan.robot.model)
        if (speeds > most).any():
            k = int((speeds / most).argmax())
            unit = component_units(plan.robot.model, "v")[k]
            told = f"joint {plan.joint_of(plan.robot.nq + k)!r} moves at {speeds[k]:.3g} {unit}"
    if told := told or _gained(plan, found, count):
        advice = f"try a smaller dt than {plan.dt:g}{plan.drive.advice}"
        text = f"{plan.robot.name}: {told}; {advice} (run.findings has more)"
        warnings.warn(text, SimulationWarning, stacklevel=4)


def _gained(plan: Plan, found: Recorded, count: int) -> str:
    """Energy that a limp robot has gained, seen at a few samples."""
    if plan.drive.given or plan.forces or plan.joints or plan.inertias is not None:
        return ""
    # one leading axis: the quick way of a call
    q, v = (x[:, : count : -(-count // SEEN)].reshape(-1, x.shape[2]) for x in (found.q, found.v))
    kinetic = plan.robot.kinetic_energy(q, v).reshape(len(found.q), -1)
    potential = plan.robot.potential_energy(q).reshape(kinetic.shape)
    gained, share = growth(plan.robot, kinetic, potential, 0.0, plan.dt)
    if not share.max() > GROWTH:
        return ""
    return f"the total energy has grown by {gained[share > GROWTH].max():.3g} J, although nothing drives the robot"


def _at_steps(x: np.ndarray, rows: np.ndarray, batch: tuple[int, ...]) -> np.ndarray:
    """Rows given by step, (steps + 1, size) or (n, steps + 1, size), at some steps."""
    found = x[rows] if x.ndim == 2 else x[:, rows].reshape(*batch, len(rows), x.shape[-1])
    return np.broadcast_to(found, (*batch, len(rows), x.shape[-1]))


def _accelerations(
    plan: Plan, state: dict[str, Any], forces: dict[str, np.ndarray], batch: tuple[int, ...]
) -> np.ndarray:
    """Forward dynamics at the samples: what a step of the method begins with."""
    options: dict[str, Any] = {"forces": forces} if forces else {}
    if plan.inertias is not None:
        options["parameters"] = _own(plan.inertias, batch)[..., None, :]
    return plan.dynamics.forward_dynamics(state["q"], state["v"], state["tau"], **options)


def _own(inertias: np.ndarray, batch: tuple[int, ...]) -> np.ndarray:
    """(10 nb,), or of each run of the batch (…, 10 nb)."""
    return np.broadcast_to(inertias, (*(batch if inertias.ndim > 1 else ()), inertias.shape[-1]))


def _good_samples(plan: Plan, found: Recorded) -> Any:
    """Samples before the first that is not finite, of each run, or None if all are: once a number is not, its state
    never is again.
    """
    last = found.samples - 1
    states = () if found.finite else (found.q, found.v)
    stored = [x for x in (*states, found.a, found.tau) if x is not None]
    if all(abs(x[:, last]).max() < LARGEST for x in stored):
        return None if found.died is np.inf else np.minimum(found.samples, found.died).astype(int)
    good = np.ones((len(found.q), found.samples + 1), bool)
    good[:, -1] = False
    for x in stored:
        good[:, :-1] &= (abs(x[:, : found.samples]) < LARGEST).all(axis=2)
    if not good[:, 0].any():
        raise _bad_start(plan)
    good[:, 0] = True
    return np.minimum(np.argmin(good, axis=1), found.died).astype(int)


def _bad_start(plan: Plan) -> ArticulatedError:
    """Something is not finite before the first step: the torque if there is one, or what follows from it."""
    if plan.drive.given:
        text = f"the torque at the start is NaN or infinite, or makes the acceleration so{_massless(plan)}"
        return ControllerFailed(f"simulate: {text}")
    large = "v0 or forces=" if plan.forces else "v0"
    text = f"the acceleration at the start is NaN or infinite: {large} is too large{_massless(plan)}"
    return SingularModelError(f"simulate: {text}")


def _massless(plan: Plan) -> str:
    return "" if plan.inertias is None else "; or parameters= leaves a joint no mass to move"


def _what_went_wrong(plan: Plan, found: Recorded, good: int) -> str:
    """When, which joint, and what to try."""
    state, k = divmod(int(abs(found.v[:, good - 1]).argmax()), plan.robot.nv)
    joint = plan.joint_of(plan.robot.nq + k)
    which = f" in state {state} of the batch" if len(found.v) > 1 else ""
    speed = f"{abs(found.v[state, good - 1, k]):.3g} {component_units(plan.robot.model, 'v')[k]}"
    return (
        f"the simulation of {plan.robot.name} diverged after t = {plan.times[good - 1]:g} s{which}: joint {joint!r} "
        f"moves at {speed}; try a smaller dt than {plan.dt:g}{plan.drive.advice}{_massless(plan)} "
        "(the run so far is in the error's .run)"
    )
