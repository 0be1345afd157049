"""Parts of a trajectory, some of its samples or some of its runs, and two runs as one."""

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import ShapeError, WrongKind
from ...robot.arguments.state_names import component_names
from ...text import shortened
from . import info
from .checks import plain_joints
from .contact_history import ContactHistory
from .quantities import STATE

if TYPE_CHECKING:
    from .trajectory import Trajectory

#: relative tolerance of the state that two runs share: files with nine decimals pass
SAME = 1e-8


class Batch:
    """The runs of a batch; an index works as on an array of them, and gives a trajectory."""

    def __init__(self, shape: tuple[int, ...], member: Callable[[tuple[Any, ...]], "Trajectory"]):
        self.shape = shape
        self._member = member

    def __len__(self) -> int:
        if not self.shape:
            raise WrongKind("batch: this trajectory is a single run, without a batch")
        return self.shape[0]

    def __getitem__(self, index: Any) -> "Trajectory":
        indices = index if isinstance(index, tuple) else (index,)
        try:
            chosen = np.broadcast_to(0, self.shape)[indices]
        except (IndexError, TypeError, ValueError) as problem:
            told = f"batch[{shortened(repr(index))}] of a batch of shape {self.shape}"
            raise ShapeError(f"{told}: {problem}") from None
        if not chosen.size:
            raise ShapeError(f"batch[{shortened(repr(index))}] has no members; the batch has the shape {self.shape}")
        return self._member(indices)

    def __iter__(self) -> Iterator["Trajectory"]:
        return (self[k] for k in range(len(self)))

    def __repr__(self) -> str:
        return f"<Batch of shape {self.shape}>"


def picked(x: np.ndarray, index: tuple[Any, ...], after: int) -> np.ndarray:
    """`x` with `index` on its leading axes; `after` axes follow them."""
    if any(part is Ellipsis for part in index):
        return x[(*index, *[slice(None)] * after)]
    return x[(*index, ...)]


def samples(run: "Trajectory", chosen: np.ndarray, told: str) -> dict[str, Any]:
    """Arguments of a Trajectory of some samples, views of their arrays; `told` names them in an error."""
    if not len(chosen):
        raise ShapeError(f"{told}: no sample of {len(run)} is there")
    if len(chosen) > 1 and chosen[1] < chosen[0]:
        raise ShapeError(f"{told}: time runs forward")
    regular = slice(chosen[0], chosen[-1] + 1, chosen[1] - chosen[0] if len(chosen) > 1 else 1)  # a view, no copy
    state = {name: getattr(run, name)[..., regular, :] for name in STATE}
    return {"t": run.t[regular], **state, **held(run, regular), **kept(run, run.t[regular])}


def held(run: "Trajectory", chosen: Any) -> dict[str, Any]:
    """Contacts and forces of some samples."""

    def take(x: np.ndarray, after: int) -> np.ndarray:
        return x[(..., chosen, *[slice(None)] * after)]

    return {
        "contact": run.contact and run.contact.changed(take),
        "forces": {frame: take(x, 1) for frame, x in run.forces.items()},
    }


def kept(run: "Trajectory", t: np.ndarray) -> dict[str, Any]:
    """The robot, and what is told of it at the times `t`."""
    told = info.between(run.info, t.min(initial=np.inf), t.max(initial=-np.inf))
    return {"robot": run.robot, "parameters": run.parameters, "joints": run.joints, "info": told}


def members(run: "Trajectory", index: tuple[Any, ...]) -> dict[str, Any]:
    """Arguments of a Trajectory of some runs of the batch."""
    contact = run.contact and run.contact.changed(
        lambda x, after: picked(x, index, 1 + after),
        picked(run.contact.frictions, index, 1) if run.contact.frictions.ndim > 1 else None,
    )
    own = run.parameters

    def of_members(x: np.ndarray) -> np.ndarray:
        return picked(np.broadcast_to(x, run.batch.shape), index, 0) if x.ndim else x

    return {
        "robot": run.robot,
        "t": run.t,
        **{name: picked(getattr(run, name), index, 2) for name in STATE},
        "contact": contact,
        "forces": {frame: picked(x, index, 2) for frame, x in run.forces.items()},
        "info": info.of_members(run.info, run.batch.shape, index),
        "parameters": own if own is None or own.ndim == 1 else picked(own, index, 1),
        "joints": {joint: {name: of_members(x) for name, x in each.items()} for joint, each in run.joints.items()},
    }


def joined(first: "Trajectory", second: "Trajectory") -> dict[str, Any]:
    """Arguments of a Trajectory of both; the sample they share is the second's, for the step that begins there."""
    _check(first, second)
    t = np.concatenate([first.t[:-1], second.t - second.t[0] + first.t[-1]])

    def both(name: str) -> np.ndarray:
        return np.concatenate([getattr(first, name)[..., :-1, :], getattr(second, name)], axis=-2)

    arrays = {name: both(name) for name in ("q", "v", "a", "tau")}
    told = [part for run in (first, second) for part in run.info.get("parts", [run.info])]
    parts = [{name: x for name, x in part.items() if name != "events"} for part in told]
    shift = float(first.t[-1] - second.t[0])
    events = info.joined(first.info, second.info, float(second.t[0]), shift)
    return {
        "robot": first.robot, "t": t, **arrays, "contact": _contacts_of_both(first.contact, second.contact),
        "forces": _forces(first, second), "info": {"parts": parts, **events},
        "parameters": first.parameters, "joints": first.joints,
    }  # fmt: skip


def _check(first: "Trajectory", second: "Trajectory") -> None:
    """Refuse runs that do not continue one another."""
    from .storage.header import alike, torques

    one, other = first.robot, second.robot
    if one is not other and (one.joint_names, one.nq, one.nv) != (other.joint_names, other.nq, other.nv):
        raise ShapeError(f"{shortened(other.name)} cannot continue a run of {shortened(one.name)}: different joints")
    if one is not other and not alike(torques(other), torques(one)):  # from a file it may have other links in between
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


def _contacts_of_both(first: ContactHistory | None, second: ContactHistory | None) -> ContactHistory | None:
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
    """Forces of both; zero where only the other has one on a frame."""
    found = {}
    for frame in dict.fromkeys([*first.forces, *second.forces]):
        one, other = (run.forces.get(frame, np.zeros((*run.q.shape[:-1], 6))) for run in (first, second))
        found[frame] = np.concatenate([one[..., :-1, :], other], axis=-2)
    return found
