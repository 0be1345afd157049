"""`articulated check`: what is wrong with robot files."""

from pathlib import Path
from typing import Any

from ...files.formats import endings
from ..candidates import files, robot_names
from ..click_commands import Argument, Option, Told
from ..exit_codes import BAD_INPUT, PROBLEM, BadInput, BadUsage, message
from ..output import colored, diagnostic_record, plain_lines


def check(
    sources: list[str] = Argument(
        metavar="FILE...", help="Robot files, folders, or catalogue names.", complete=robot_names
    ),
    strict: bool = Option("--strict", help="Warnings count as errors."),
    repair: str = Option("--repair", metavar="OUT", help="Write the repaired robot here.", complete=files),
) -> Told:
    """Check robot files. Exit code 1 if one is refused (with --strict: also for warnings).

    Examples:
      articulated check robot.urdf
      articulated check robot.urdf --repair fixed.urdf
    """
    every = [file for source in sources for file in _files(source)]
    if repair and len(every) != 1:
        raise BadUsage(f"--repair writes one file; {len(every)} were given to check")
    rows = [_checked(file, bool(repair), strict) for file in every]
    if repair and rows[0]["robot"] is not None:
        from ...robot.construction import save

        save(rows[0]["robot"], repair)
    records = [
        {"file": row["source"], "ok": row["ok"], "loads": row["robot"] is not None,
         "report": [diagnostic_record(d) for d in row["report"]]}
        for row in rows
    ]  # fmt: skip
    fine = all(row["ok"] for row in rows)
    hint = ["explain a code: articulated explain CODE"] if any(row["report"] for row in rows) else []
    code = BAD_INPUT if any(row["absent"] for row in rows) else 0 if fine else PROBLEM
    return Told({"ok": fine, "files": records}, lambda: _print(rows), hint, code)


def _files(source: str) -> list[str]:
    """A folder stands for the robot files in it."""
    if not Path(source).is_dir():
        return [source]
    found = sorted(str(p) for p in Path(source).rglob("*") if p.suffix.lower() in endings() and p.is_file())
    if not found:
        raise BadInput(f"{source}: no robot files ({', '.join(endings())}) in this folder")
    return found


def _checked(source: str, repair: bool, strict: bool) -> dict[str, Any]:
    from ...errors import ArticulatedError, Diagnostic
    from ...files.rules import RULES
    from ...robot.construction import load

    robot, absent = None, False
    try:
        robot = load(source, on_error="repair" if repair else "default")
        report = list(robot.report)
    except (ArticulatedError, OSError) as problem:
        severity, why, fix = RULES["FILE001"]
        unreadable = Diagnostic(severity, "FILE001", message(problem), why=why, fix=fix)
        report = getattr(problem, "diagnostics", None) or [unreadable]
        absent = isinstance(problem, (OSError, KeyError))
    ok = robot is not None and not (strict and any(d.severity == "warning" for d in report))
    return {"source": source, "robot": robot, "absent": absent, "report": report, "ok": ok}


def _print(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        for finding in row["report"]:
            print(colored(plain_lines(str(finding)), finding.severity))
        print(plain_lines(f"{row['source']}: {_verdict(row)}"))


def _verdict(row: dict[str, Any]) -> str:
    """Outcome of a file: refused, loaded with warnings, or without problems."""
    counts = {kind: sum(d.severity == kind for d in row["report"]) for kind in ("error", "warning", "note")}
    found = ", ".join(f"{n} {kind}{'' if n == 1 else 's'}" for kind, n in counts.items() if n)
    if row["robot"] is None:
        return f"refused: {found}"
    return f"loads, with {found}" if counts["warning"] else f"no problems found{': ' if found else ''}{found}"
