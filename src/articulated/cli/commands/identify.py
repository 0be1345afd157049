"""`articulated identify ROBOT LOGS`: a model from logs of motions and torques."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from ..candidates import files
from ..click_commands import Argument, Option, Told
from ..exit_codes import BadInput
from ..options import Floating, Quiet, RobotName
from ..output import progress, say


def identify(
    robot: str = RobotName,
    logs: str = Argument(metavar="LOGS", help='A log, a folder of logs, or a pattern: "runs/*.csv".', complete=files),
    output: str = Option("--output", "-o", help="Identified robot: .urdf, .toml or .xml (MJCF).", complete=files),
    friction: str = Option(
        "--friction",
        help="Terms, with commas: viscous, coulomb, offset, armature, spring, stribeck; or none.",
        default="viscous,coulomb,offset",
    ),
    cutoff: str = Option("--cutoff", help="Low-pass filter, Hz; 0: none; default: 10 where v or a is missing."),
    rate: str = Option("--rate", help="Samples per second of logs without times."),
    degrees: bool = Option("--degrees", help="Angles are in degrees."),
    columns: list[str] = Option("--columns", help="Part of the columns' names: q=target_q, or of all: /left/states."),
    sensors: list[str] = Option("--sensor", help="Link with a force sensor: panda_hand=/ft_sensor, or panda_hand."),
    forces: list[str] = Option("--force", help="Frame on which a measured force or wrench acts: FL_FOOT=fl_force."),
    contacts: list[str] = Option("--contact", help="Frame on which an unknown force acts: FL_FOOT=fl_contact."),
    plain: bool = Option("--plain", help="Least squares: links may be impossible bodies."),
    floating: bool = Floating,
    quiet: bool = Quiet,
) -> Told:
    """Identify inertial parameters and friction from logs.

    Each log is read once and needs to fit in memory, the folder does not.  With --output, what was computed is kept
    in a folder beside it, and a run that was ended goes on where it was.  Logs of currents, whose drive gains are
    found as well, need to fit in memory together.

    Examples:
      articulated identify 2r run.npz -o identified.urdf
      articulated identify 2r "*.npz" --friction none --json
    """  # fmt: skip
    from ...identification.fit import identify as identified
    from ...identification.folder import normals
    from ...identification.log import Log, joined, log_files
    from ...robot.construction import load

    found = load(robot, floating_base=floating)
    terms = None if friction == "none" else [name.strip() for name in friction.split(",")]
    reading: dict[str, Any] = {
        "cutoff": _number("--cutoff", cutoff), "rate": _number("--rate", rate), "degrees": degrees,
        "columns": columns[0] if len(columns) == 1 and "=" not in columns[0] else _pairs(columns),
        "sensors": _pairs(sensors), "forces": _pairs(forces), "contacts": _pairs(contacts),
    }  # fmt: skip
    paths = log_files(logs)
    kept = Path(f"{output}.parts") if output else None
    if kept:
        kept.mkdir(exist_ok=True)
    parts: list[Any] = []
    with progress("logs", len(paths), quiet) as step:
        for path, own, notes in normals(found, paths, terms, kept, **reading):
            parts += own
            for note in () if quiet else notes:
                say(f"{path.name}: {note}")
            step(1)
    whole = [x for x in parts if isinstance(x, Log)]
    if whole and len(whole) < len(paths):
        raise BadInput("some logs hold currents, others torques; identify them apart")
    result = identified(found, joined(paths, whole) if whole else parts, terms, consistent=not plain)
    lost = result.save(output) if output else ()
    for loss in () if quiet else lost:
        say(f"not in {output}: {loss}")
    fields = {
        "robot": found.name, "logs": [str(path) for path in paths],
        "samples": sum([len(x) if whole else x.samples for x in parts]),
        "residual": result.relative_residual, "described": result.described_residual,
        "held_out": result.held_out_residual, "residuals": result.residuals, "friction": result.friction,
        "names": result.names, "parameters": result.parameters, "std": result.std, "unseen": result.unseen,
        "consistent": result.consistent, "gains": result.gains, "output": output or None,
    }  # fmt: skip
    return Told(fields, result.report())


def _pairs(texts: Sequence[str]) -> dict[str, str]:
    """`FRAME=COLUMNS` by frame; the columns of a frame alone have its name."""
    return {name: part or name for name, _, part in (text.partition("=") for text in texts)}


def _number(option: str, text: str) -> float | None:
    try:
        return float(text) if text else None
    except ValueError:
        raise BadInput(f"{option} {text}: not a number") from None
