"""`articulated simulate ROBOT`: a robot moves, from a state, under a controller, on a ground."""

from pathlib import Path
from typing import Any

from ..candidates import among, files, frames, poses, with_commas
from ..click_commands import Option, Told
from ..exit_codes import INTERRUPTED, BadInput, BadUsage
from ..initial_state import CONTROLLERS, GAIN, ground_of, put_down, torques_of
from ..options import Floating, Q, Quiet, RobotName, Tau, V
from ..output import say, table
from .plot import KINDS

#: as in `simulation/methods/table.py` and `simulation/trajectory/plots/draw.py`, which are slow to import
METHODS = ("euler", "midpoint", "rk4", "adaptive", "symplectic")
PICTURES = (".png", ".svg", ".pdf")


def simulate(
    robot: str = RobotName,
    duration: float = Option("--duration", "-d", help="Duration in s, in whole steps of --dt.", default=1.0),
    dt: float = Option("--dt", help="Step size, s.", default=1e-3),
    method: str = Option("--method", "-m", help=f"{', '.join(METHODS)}.", complete=among(*METHODS), default="euler"),
    q: str = Q,
    v: str = V,
    tau: str = Tau,
    controller: str = Option(
        "--controller",
        "-c",
        help=f"none, {', '.join(CONTROLLERS)}.",
        complete=among("none", *CONTROLLERS),
        default="none",
    ),
    stiffness: str = Option(
        "--stiffness", help=f"Stiffness of the controller: {GAIN}; default: 10 rad/s (30 standing)."
    ),
    damping: str = Option("--damping", help=f"Damping of the controller: {GAIN}; default: critical."),
    target: str = Option(
        "--target", help="Configuration the controller moves to, written like --q; default: the start.", complete=poses
    ),
    ground: str = Option(
        "--ground", "-g", help="flat, or friction=0.7,restitution=0,height=0,slope=10deg; parts of it."
    ),
    feet: str = Option(
        "--feet",
        help="Frames that touch the ground, with commas; default: the collision shapes.",
        complete=with_commas(frames),
    ),
    hulls: bool = Option("--hulls", help="Convex hulls of collision meshes, which touch nothing as they are."),
    floating: bool = Floating,
    every: int = Option("--every", help="Keep every n-th step.", default=1),
    no_limits: bool = Option("--no-limits", help="Ignore joint limits."),
    plot: str = Option("--plot", "-p", help="A picture: .png, .svg or .pdf.", complete=files),
    kind: str = Option(
        "--kind", "-k", help="Kind of picture, as in articulated plot; default: overview.", complete=among(*KINDS)
    ),
    save: str = Option("--save", "-s", help="The trajectory: .npz, .parquet or .csv.", complete=files),
    quiet: bool = Quiet,
) -> Told:
    """Simulate a robot from --q (its pose home, if it has one) and --v, and save, draw or print the result.

    A robot with a floating base is put down on the ground, unless --q says where its base is.  Its controller treats
    what touches the ground as contacts.

    Examples:
      articulated simulate double_pendulum --q 1 --method rk4 --plot run.png
      articulated simulate quadruped --floating --ground friction=1 -d 0.2 --json
      articulated simulate solo12 --floating --ground flat --hulls -c whole-body
    """
    from ...robot.construction import load
    from ...simulation import simulate as simulated
    from ..remarks import say_about_state
    from ..state import configuration, vector

    _require_outputs(plot, save)
    if kind and not plot:
        raise BadUsage("--kind goes with --plot")
    if controller == "none" and (stiffness or damping or target):
        raise BadUsage("--stiffness, --damping and --target go with --controller")
    if controller != "none" and tau:
        raise BadUsage("--tau goes without --controller")
    found = load(robot, floating_base=floating)
    found = found.with_hulls() if hulls else found
    q0, v0 = configuration(found, q), vector(found, "v", v)
    if q and not quiet:
        say_about_state(found, q0)
    earth = ground_of(ground, feet)
    q0 = put_down(found, q0, q, earth)
    torque = vector(found, "tau", tau) if tau else None
    if controller != "none":
        reference = configuration(found, target, "target") if target else q0
        if target and not quiet:
            say_about_state(found, reference)
        torque = torques_of(found, controller, stiffness, damping, earth, q0, reference)
    chosen: Any = method  # `simulate` refuses an unknown one
    run = simulated(
        found, q0, v0, duration, dt, torque, earth, chosen, every=every, limits=False if no_limits else None,
        progress=False if quiet else None,
    )  # fmt: skip
    if plot:  # before saving: an unknown kind must leave no file behind
        picture: Any = kind.replace("-", "_") or "overview"
        run.plot(picture, plot)
    if save:
        run.save(save)
    for finding in () if quiet else run.findings:
        say(finding.text)
    code = INTERRUPTED if run.info["ended"] == "interrupted" else 0
    return _told(run, {"plot": plot or None, "save": save or None}, code)


def _require_outputs(plot: str, save: str) -> None:
    """Refuse output files that could not be written, before a long run."""
    from ...logs import FORMATS

    for option, path, endings in (("--plot", plot, PICTURES), ("--save", save, tuple(FORMATS))):
        if not path:
            continue
        if Path(path).suffix.lower() not in endings:
            raise BadInput(f"{option} {path}: a file ends in {', '.join(endings)}")
        if Path(path).is_dir():
            raise BadInput(f"{option} {path}: is a folder")
        if not Path(path).absolute().parent.is_dir():
            raise BadInput(f"{option} {path}: there is no such folder")


def _told(run: Any, written: dict[str, str | None], code: int) -> Told:
    last, energy = run[-1], run.energy.total
    fields = {
        "robot": run.robot.name, "joints": run.robot.joint_names, "samples": len(run), "end": run.t[-1],
        **{name: run.info[name] for name in ("method", "dt", "ended", "seconds")},
        "q": last.q, "v": last.v, "tau": last.tau, "energy": {"start": energy[0], "end": energy[-1]},
        "contact": _contacts(run), "findings": [finding._asdict() for finding in run.findings], **written,
    }  # fmt: skip
    rows = {
        "samples": len(run), "end": f"{run.t[-1]:g} s, {run.info['ended']}",
        "computed in": f"{run.info['seconds']:.3g} s",
        "energy": f"{energy[0]:.6g} J at the start, {energy[-1]:.6g} J at the end",
    }  # fmt: skip
    if run.contact is not None:
        rows["contacts"] = f"residual at most {run.contact.residual.max():.1e}"
    lines = [f"wrote {path}" for path in filter(None, written.values())]
    return Told(fields, "\n".join([table([run.robot.name, run.info["method"]], [*rows.items()]), *lines]), code=code)


def _contacts(run: Any) -> dict[str, Any] | None:
    """States and forces of the contacts at the end, and the largest residual of the run."""
    if run.contact is None:
        return None
    contact = run.contact
    words = ("open", "sticking", "sliding")
    return {
        "names": list(contact.names), "states": [words[k] for k in contact.states[-1]], "forces": contact.forces[-1],
        "residual": contact.residual.max(),
    }  # fmt: skip
