"""`articulated plot FILE`: pictures of a trajectory, or the tree of a robot."""

from pathlib import Path
from typing import Any

from ...text import shortened
from ..click_commands import Argument, Option
from ..completing import among, files, robot_names
from ..exit_codes import BadInput, BadUsage
from ..options import Json, Quiet
from ..output import print_json, say

#: as in `simulation/trajectory/plots/draw.py`, which is slow to import
KINDS = ["overview", "positions", "velocities", "torques", "energies", "contact_forces", "footfalls", "phase_portraits",
         "mass_matrix", "tree"]  # fmt: skip


def plot(
    source: str = Argument(
        metavar="FILE", help="A trajectory: .npz, .parquet or .csv. For the tree also a robot.", complete=files()
    ),
    kind: str = Option(
        "--kind", "-k", help=f"{', '.join(KINDS[:-1])} or {KINDS[-1]}.", complete=among(*KINDS), default="overview"
    ),
    output: str = Option(
        "--out", "-o", help="A .png, .svg or .pdf file; default: FILE-KIND.png in this folder.", complete=files()
    ),
    robot: str = Option("--robot", help="The robot, where the file does not hold it.", complete=robot_names),
    joints: list[str] | None = Option("--joint", "-j", help="Only this joint; may be repeated."),
    dpi: float = Option("--dpi", help="Dots per inch.", default=150),
    as_json: bool = Json,
    quiet: bool = Quiet,
) -> None:
    """Draw a trajectory: joints over time, energies, contacts, phase portraits, mass matrix, tree.

    Examples:
      articulated plot run.npz
      articulated plot panda --kind tree -o panda.svg
    """
    from ...logs import FORMATS
    from ...robot.construction import load
    from ...simulation import Trajectory, plot_tree

    kind = kind.replace("-", "_")
    path = output or f"{Path(source).stem}-{kind}.png"
    trajectory = Path(source).suffix.lower() in FORMATS
    if kind in KINDS[:-1] and not trajectory:
        raise BadInput(
            f"{shortened(source)} is not a trajectory ({', '.join(FORMATS)}); simulate one with --save run.npz, "
            "or draw the tree of a robot: --kind tree"
        )
    if kind == "tree" and not trajectory:
        if joints or robot:
            raise BadUsage("--joint and --robot apply to a trajectory; --kind tree draws the whole robot")
        found = load(source)
        plot_tree(found, path, dpi=dpi)
        told: dict[str, Any] = {"robot": found.name}
    else:
        run = Trajectory.load(source, robot or None)
        picture: Any = kind  # `plot` refuses an unknown one
        run.plot(picture, path, joints=joints or None, dpi=dpi)
        told = _about(run)
        for finding in () if quiet else run.findings:
            say(f"{source}: {finding.text}")
    if as_json:
        print_json("plot", {**told, "kind": kind, "output": path})
    else:
        print(f"wrote {path}")


def _about(run: Any) -> dict[str, Any]:
    return {
        "robot": run.robot.name, "joints": run.robot.joint_names, "samples": len(run), "start": run.t[0],
        "end": run.t[-1], "batch": list(run.batch.shape), "findings": [finding._asdict() for finding in run.findings],
    }  # fmt: skip
