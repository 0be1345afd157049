"""Two runs, one after the other, as one."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import ShapeError
from ...robot.arguments.state_names import component_names
from ...text import shortened
from . import info
from .checks import plain_joints
from .contact_history import ContactHistory

if TYPE_CHECKING:
    from .trajectory import Trajectory

#: relative tolerance of the state that two runs share: files with nine decimals pass
SAME = 1e-8


def joined(first: "Trajectory", second: "Trajectory") -> dict[str, Any]:
    """Arguments of a Trajectory of both; the sample they share is the second's, for the step that begins there."""
    _check(first, second)
    t = np.concatenate([first.t[:-1], second.t - second.t[0] + first.t[-1]])

    def both(name: str) -> np.ndarray:
        return np.concatenate([getattr(first, name)[..., :-1, :], getattr(second, name)], axis=-2)

    arrays = {name: both(name) for name in ("q", "v", "a", "tau")}
    parts = [_without_events(part) for run in (first, second) for part in run.info.get("parts", [run.info])]
    shift = float(first.t[-1] - second.t[0])
    events = info.joined(first.info, second.info, float(second.t[0]), shift)
    return {
        "robot": first.robot, "t": t, **arrays, "contact": _contact(first.contact, second.contact),
        "forces": _forces(first, second), "info": {"parts": parts, **events},
        "parameters": first.parameters, "joints": first.joints,
    }  # fmt: skip


def _without_events(info: Any) -> dict[str, Any]:
    return {name: x for name, x in info.items() if name != "events"}


def _check(first: "Trajectory", second: "Trajectory") -> None:
    """Refuse runs that do not continue one another."""
    one, other = first.robot, second.robot
    if one is not other and (one.joint_names, one.nq, one.nv) != (other.joint_names, other.nq, other.nv):
        raise ShapeError(f"{shortened(other.name)} cannot continue a run of {shortened(one.name)}: different joints")
    if one is not other and one.kernels.identity() != other.kernels.identity():
        raise ShapeError(
            f"{shortened(other.name)} cannot continue a run of {shortened(one.name)}: another mass, gravity or length"
        )
    if not np.array_equal(np.asarray(first.parameters), np.asarray(second.parameters)):
        raise ShapeError("the runs have different inertial parameters")
    if plain_joints(first.joints) != plain_joints(second.joints):
        raise ShapeError("the runs have different damping, friction, rotor inertia or stiffness of joints")
    if first.batch.shape != second.batch.shape:
        raise ShapeError(f"a batch of shape {second.batch.shape} cannot continue one of shape {first.batch.shape}")
    gaps = {
        "q": abs(one.difference(first.q[..., -1, :], second.q[..., 0, :])),
        "v": abs(first.v[..., -1, :] - second.v[..., 0, :]),
    }
    names = component_names(one.model, "v")
    for name, gap in gaps.items():
        size = max(1.0, float(abs(getattr(first, name)[..., -1, :]).max(initial=0.0)))
        if (gap > SAME * size).any():
            worst = np.unravel_index(int(np.argmax(gap)), gap.shape)
            raise ShapeError(
                f"the second run does not begin where the first ends: {name} of {shortened(names[worst[-1]])} "
                f"differs by {gap[worst]:.3g}"
            )


def _contact(first: ContactHistory | None, second: ContactHistory | None) -> ContactHistory | None:
    if first is None and second is None:
        return None
    if first is None or second is None or first.names != second.names or first.axes != second.axes:
        told = [", ".join(map(shortened, c.names)) or "none" if c else "none" for c in (first, second)]
        raise ShapeError(f"the runs have different contact points: {told[0]}; {told[1]}")
    if not np.array_equal(first.frictions, second.frictions):
        raise ShapeError("the runs have different friction coefficients")
    arrays = {}
    for name, after in first.axes.items():
        one = getattr(first, name)[(..., slice(-1), *[slice(None)] * after)]
        arrays[name] = np.concatenate([one, getattr(second, name)], axis=-1 - after)
    return ContactHistory(first.names, frictions=first.frictions, **arrays)


def _forces(first: "Trajectory", second: "Trajectory") -> dict[str, np.ndarray]:
    """Where only one of them has a force on a frame, it is zero in the other."""
    found = {}
    for frame in dict.fromkeys([*first.forces, *second.forces]):
        one, other = (run.forces.get(frame, np.zeros((*run.q.shape[:-1], 6))) for run in (first, second))
        found[frame] = np.concatenate([one[..., :-1, :], other], axis=-2)
    return found
