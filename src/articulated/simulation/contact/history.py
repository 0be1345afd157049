"""ContactHistory of a run: contacts that switch, then those that hold."""

from typing import Any

import numpy as np

from ...contacts.constraints import constraint_poses
from ...contacts.kinds import Contact
from ...inputs.frozen import known
from ..plan import Plan, Recorded
from ..trajectory.contact_history import STICKING, ContactHistory
from .constraints import evaluated
from .system import System

Floats = np.ndarray
#: off the ground, for contacts that hold in every direction
UP = (0.0, 0.0, 1.0)


def contact_history(plan: Plan, found: Recorded, batch: tuple[int, ...], count: int) -> ContactHistory | None:
    """History of the first `count` samples; None without contacts."""
    system = plan.system
    if not system or not (system.contacts or system.held):
        return None
    whole = (*batch, count, len(system.contacts), 3)
    shapes = {"forces": whole, "positions": whole, "normals": whole, "gaps": whole[:-1], "states": whole[:-1]}
    arrays: dict[str, Any] = {
        name: found.contact[name][:, :count].reshape(shape) if name in found.contact else np.zeros(shape)
        for name, shape in shapes.items()
    }
    names, arrays["frictions"], rolls = plan.switching_contacts
    if rolls:
        arrays["moments"] = found.contact["moments"][:, :count].reshape(whole)
    if arrays["frictions"].ndim > 1:
        arrays["frictions"] = np.broadcast_to(arrays["frictions"], (*batch, len(system.contacts)))
    if system.held:
        q = found.q[:, :count].reshape(*batch, count, -1)
        first = len(system.joints)
        rows = found.contact["held"][:, :count, first : first + system.held_rows].reshape(*batch, count, -1)
        arrays = _joined(arrays, _held(plan, system.held, q, rows))
        names += tuple(_held_names(system))
    arrays |= {"residual": found.contact["residual"][:, :count].reshape(*batch, count)}
    arrays["states"] = arrays["states"].astype(np.int8)
    return known(ContactHistory, names=names, **{"moments": None, **arrays})


def _held_names(system: System) -> list[str]:
    """Names of the contacts that hold, told from those that switch."""
    taken, found = set(system.names), []
    for contact in system.held:
        name, k = contact.name, 1
        while name in taken:
            name, k = f"{contact.name} held{f'.{k}' if k > 1 else ''}", k + 1
        taken.add(name)
        found.append(name)
    return found


def _held(plan: Plan, held: tuple[Contact, ...], q: Floats, rows: Floats) -> dict[str, Floats]:
    """Force and moment at the frame of each contact that holds, in world axes: by its rows, which are as it forbids."""
    poses = evaluated(plan.robot, constraint_poses, q, contacts=held)
    forces, moments, start = [], [], 0
    for k, contact in enumerate(held):
        along, about = (np.array(x, float).reshape(-1, 3) for x in (contact.linear, contact.angular))
        own = rows[..., start : start + contact.size]
        moment = own[..., len(along) :] @ about
        turned = poses[..., k, :3, :3] @ moment[..., None]
        forces.append(own[..., : len(along)] @ along)
        moments.append(turned[..., 0] if contact.turning else moment)
        start += contact.size
    normals = [contact.linear[0] if contact.kind == "direction" else UP for contact in held]
    each = (*q.shape[:-1], len(held))
    return {
        "forces": np.stack(forces, axis=-2),
        "moments": np.stack(moments, axis=-2),
        "positions": poses[..., :3, 3],
        "normals": np.broadcast_to(normals, (*each, 3)),
        "gaps": np.zeros(each),
        "states": np.full(each, float(STICKING)),
        "frictions": np.full(len(held), np.inf),
    }


def _joined(switching: dict[str, Floats], holding: dict[str, Floats]) -> dict[str, Floats]:
    """Arrays of both, one contact after the other."""
    switching = {"moments": np.zeros(switching["forces"].shape), **switching}
    leading = switching["frictions"].shape[:-1]
    holding["frictions"] = np.broadcast_to(holding["frictions"], (*leading, len(holding["frictions"])))
    axis = {"forces": -2, "moments": -2, "positions": -2, "normals": -2}
    return {name: np.concatenate([x, holding[name]], axis=axis.get(name, -1)) for name, x in switching.items()}
