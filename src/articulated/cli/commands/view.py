"""`articulated view ROBOT`: a robot, or a motion, in a page of the browser."""

from pathlib import Path
from typing import Any

from ..candidates import among, files, robot_names
from ..click_commands import JSON, Argument, Option
from ..exit_codes import BadInput, BadUsage
from ..options import Floating, Q, Quiet
from ..output import print_json, say


def view(
    source: str = Argument(
        "Name, robot file, or motion (.npz, .parquet, .csv).",
        metavar="ROBOT|FILE|RUN",
        complete=robot_names,
    ),
    q: str = Q,
    floating: bool = Floating,
    robot: str = Option(
        "--robot", help="The robot, where the file of a motion does not hold it.", complete=robot_names
    ),
    port: int = Option(
        "--port", help="Port of the page; 0: the first free one from 8080 on.", min=0, max=65535, default=0
    ),
    dark: bool = Option("--dark", help="Dark mode."),
    meshes: str = Option(
        "--meshes",
        help="light: large mesh files with fewer triangles; full: as they are.",
        complete=among("light", "full"),
        default="light",
    ),
    open_browser: bool = Option("--open", help="Open the browser."),
    export: str = Option(
        "--export",
        "-o",
        help="Write the motion as one .html file that plays offline, or as .gif, .mp4 or .png; no page.",
        complete=files,
    ),
    as_json: bool = JSON,
    quiet: bool = Quiet,
) -> int:
    """Show a robot or a motion in the browser, until Ctrl-C. The page is for this machine only; its address is printed.

    Over SSH, forward its port: ssh -L 8080:localhost:8080 HOST.

    Examples:
      articulated view panda --q home --export panda.html
    """
    from ...drawing.film import FORMATS as FILMS

    if export and Path(export).suffix.lower() not in (endings := (".html", ".htm", *FILMS)):
        raise BadInput(f"--export {export}: a page or a film ends in {', '.join(endings)}")
    found, run = _source(source, robot, floating)
    if q and run is not None:
        raise BadUsage("--q goes with a robot; a motion has its own")
    from ...viewer import view as viewed
    from ..state import vector

    start = vector(found, "q", q) if q else None
    kind: Any = meshes  # `view` refuses an unknown one
    page = viewed(found, run, q=start, port=port or None, dark=dark, meshes=kind, quiet=True)
    try:
        if export:
            page.export(export)
            _tell(as_json, page, {"output": export}, f"wrote {export}")
        else:
            _show(page, open_browser, as_json, quiet)
    finally:
        page.stop()
    return 0


def _source(source: str, robot: str, floating: bool) -> tuple[Any, Any]:
    """The robot, and its motion if the source is a trajectory."""
    from ...logs import FORMATS
    from ...robot.construction import load
    from ...simulation import Trajectory

    if Path(source).suffix.lower() in FORMATS:
        if floating:
            raise BadUsage("--floating goes with a robot; a motion has its own")
        run = Trajectory.load(source, robot or None)
        return run.robot, run
    if robot:
        raise BadUsage("--robot goes with the file of a motion")
    return load(source, floating_base=floating), None


def _show(page: Any, open_browser: bool, as_json: bool, quiet: bool) -> None:
    from ...viewer.show import announcement

    _tell(as_json, page, {}, announcement(page))
    if open_browser:
        import webbrowser

        webbrowser.open(page.url)
    if not quiet:
        say("Ctrl-C ends it")
    page.wait()


def _tell(as_json: bool, page: Any, more: dict[str, Any], text: str) -> None:
    if as_json:
        url, run = None if more else page.url, page.trajectory
        told = {"robot": page.robot.name, "url": url, "samples": None if run is None else len(run)}
        print_json("view", {**told, **more})
    else:
        print(text, flush=True)
