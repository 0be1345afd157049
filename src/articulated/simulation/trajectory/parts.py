"""Parts of a trajectory: some of its samples, some of its runs."""

from typing import TYPE_CHECKING, Any

import numpy as np

from ...errors import ShapeError
from . import info
from .batch import picked
from .quantities import STATE

if TYPE_CHECKING:
    from .trajectory import Trajectory


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
