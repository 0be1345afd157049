"""`articulated contacts ROBOT`: what its feet can and cannot do, and the torques for standing on them."""

from typing import Any

from ..candidates import frames, with_commas
from ..click_commands import Option, Told
from ..exit_codes import BadInput
from ..options import Q, RobotName
from ..output import say, table


def contacts(
    robot: str = RobotName,
    feet: str = Option(
        "--feet", help="Frames that touch the ground, with commas; default: by name.", complete=with_commas(frames)
    ),
    lift: str = Option(
        "--lift", help="Feet in the air, by name or its beginning, with commas.", complete=with_commas(frames)
    ),
    surface: bool = Option("--surface", help="Feet are flat and held in six directions, not points."),
    table: bool = Option("--table", help="One row for every subset of the feet, instead of torques."),
    q: str = Q,
) -> Told:
    """Ranks of a set of contacts, and joint torques and contact forces for standing still on it.

    Examples:
      articulated contacts quadruped --lift FR
      articulated contacts biped --surface --table
    """
    from ...contacts import Contacts
    from ...robot.construction import load
    from ..state import configuration, start_of

    found = load(robot)
    found = found if any(b.joint.floats for b in found.model.bodies) else found.floating()
    names = [name.strip() for name in feet.split(",") if name.strip()] or _guessed(found, surface)
    held = Contacts(found, surface=names) if surface else Contacts(found, point=names)
    if lifted := [_begun(word.strip(), held.names) for word in lift.split(",") if word.strip()]:
        held = held.lift(*lifted)
    place = configuration(found, q)
    if not q:
        say(start_of(found))
    return _subsets(held, place) if table else _standing(held, place)


def _guessed(robot: Any, surface: bool) -> list[str]:
    """The frames that are named like feet."""
    from ...contacts.kinds import likely_feet

    names = likely_feet(robot.model)
    if not names:
        raise BadInput(
            f"no frame of {robot.name} is called a foot; name them: --feet {','.join(robot.frame_names[-2:])}"
        )
    flat = not surface and any("sole" in name.lower() for name in names)
    say(f"feet: {', '.join(names)}" + (", as points; flat ones are --surface" if flat else ""))
    return names


def _begun(word: str, names: list[str]) -> str:
    """The one name that is `word` or begins with it."""
    matches = [name for name in names if name == word] or [name for name in names if name.startswith(word)]
    if len(matches) != 1:
        raise BadInput(f"--lift {word}: {'more than one' if matches else 'none'} of {', '.join(names)} begins so")
    return matches[0]


def _subsets(held: Any, q: Any) -> Told:
    headers = ["feet", "constraints", "independent", "internal", "uncontrollable", "actuation"]
    rows = []
    for i in range(2 ** len(held.names)):
        down = [name for j, name in enumerate(held.names) if i >> j & 1]
        found = held.lift(*(name for name in held.names if name not in down)).analyze(q)
        rows.append([down, found.k, found.rank, found.internal, found.uncontrollable, found.actuation])
    rows.sort(key=lambda row: len(row[0]))
    fields = {"robot": held.robot.name, "subsets": [dict(zip(headers, row, strict=True)) for row in rows]}
    return Told(fields, table(headers, [[", ".join(row[0]) or "none", *row[1:]] for row in rows]))


def _standing(held: Any, q: Any) -> Told:
    import numpy as np

    robot, still = held.robot, np.zeros(held.robot.nv)
    ranks, found = held.analyze(q), held.inverse_dynamics(q, still, still)
    weight = float(robot.mass * np.linalg.norm(robot.gravity))
    stands = bool(found.residual <= 1e-9 * max(1.0, weight))
    forces = held.by_contact(found.forces)
    pulling = [name for name, f in forces.items() if f[2] < -1e-9 * weight]
    torques = dict(zip(_torque_names(held), found.tau.tolist(), strict=True))
    standing = {"feasible": stands, "residual": float(found.residual), "pulling": pulling}
    fields = _record(held, q, ranks, {**standing, "tau": torques, "forces": forces})
    text = [str(ranks)]
    if forces:
        rows = [[name, *(_number(x, weight) for x in f)] for name, f in forces.items()]
        text.append(table(["standing: force on", *["fx", "fy", "fz", "mx", "my", "mz"][: len(rows[0]) - 1]], rows))
    text.append(table(["joint", "torque"], [[name, _number(x, weight)] for name, x in torques.items()]))
    remarks = []
    if pulling:
        pulled = ", ".join(pulling)
        remarks.append(f"the ground would have to pull on {pulled}: these torques ignore that contacts can only push")
    if not stands:
        remarks.append(
            f"no contact forces hold the robot still in this pose: {float(found.residual):.3g} N or N m are "
            f"missing (weight {weight:.3g} N); these torques come closest"
        )
    return Told(fields, "\n".join(text), remarks, 0 if stands else 1)


def _record(held: Any, q: Any, ranks: Any, standing: dict[str, Any]) -> dict[str, Any]:
    fields = (
        "k", "rank", "base_rank", "internal", "uncontrollable", "actuation", "redundant", "condition", "notes",
        "internal_basis", "uncontrollable_basis",
    )  # fmt: skip
    about = {"robot": held.robot.name, "q": q, "contacts": held.names, "rows": held.rows}
    return {**about, **{name: getattr(ranks, name) for name in fields}, "standing": standing}


def _number(x: float, scale: float) -> str:
    """Four digits; rounding errors as zero."""
    return f"{0.0 if abs(x) < 1e-12 * scale else x:.4g}"


def _torque_names(held: Any) -> list[str]:
    from ...robot.arguments.state_names import component_names

    names = component_names(held.robot.model, "tau")
    return [names[i] for i in held.actuated]
