"""`articulated check`: what is wrong with robot files."""

from pathlib import Path
from typing import Any

from ...files.formats import endings
from ..click_commands import Argument, Option
from ..completing import files, robot_names
from ..exit_codes import BAD_INPUT, PROBLEM, BadInput, BadUsage, message
from ..options import Json
from ..output import colored, diagnostic_record, plain_lines, print_json, say


def check(
    sources: list[str] = Argument(
        metavar="FILE...", help="Robot files, folders, or catalogue names.", complete=robot_names
    ),
    strict: bool = Option("--strict", help="Warnings count as errors."),
    repair: str = Option("--repair", metavar="OUT", help="Write the repaired robot here.", complete=files()),
    as_json: bool = Json,
) -> int:
    """Check robot files. Exit code 1 if one is refused (with --strict: also for warnings).

    Examples:
      articulated check robot.urdf
      articulated check robot.urdf --repair fixed.urdf
    """
    files = [file for source in sources for file in _files(source)]
    if repair and len(files) != 1:
        raise BadUsage(f"--repair writes one file; {len(files)} were given to check")
    rows = [_checked(file, bool(repair)) for file in files]
    for row in rows:
        doubtful = any(d.severity == "warning" for d in row["report"])
        row["ok"] = row["robot"] is not None and not (strict and doubtful)
    if repair and rows[0]["robot"] is not None:
        from ...robot.construction import save

        save(rows[0]["robot"], repair)
    if as_json:
        _print_json(rows)
    else:
        _print(rows)
    if any(row["absent"] for row in rows):
        return BAD_INPUT
    return 0 if all(row["ok"] for row in rows) else PROBLEM


def _files(source: str) -> list[str]:
    """A folder stands for the robot files in it."""
    if not Path(source).is_dir():
        return [source]
    found = sorted(str(p) for p in Path(source).rglob("*") if p.suffix.lower() in endings() and p.is_file())
    if not found:
        raise BadInput(f"{source}: no robot files ({', '.join(endings())}) in this folder")
    return found


def _checked(source: str, repair: bool) -> dict[str, Any]:
    from ...errors import ArticulatedError
    from ...robot.construction import load

    row: dict[str, Any] = {"source": source, "robot": None, "absent": False}
    try:
        robot = load(source, on_error="repair" if repair else "default")
        row.update(robot=robot, report=list(robot.report))
    except (ArticulatedError, OSError) as problem:
        row["absent"] = isinstance(problem, (OSError, KeyError))
        row["report"] = getattr(problem, "diagnostics", None) or [_unreadable(problem)]
    return row


def _unreadable(problem: Exception) -> Any:
    from ...errors import Diagnostic
    from ...files.rules import RULES

    rule = RULES["FILE001"]
    return Diagnostic(rule.severity, "FILE001", message(problem), why=rule.why, fix=rule.fix)


def _print_json(rows: list[dict[str, Any]]) -> None:
    records = [
        {"file": row["source"], "ok": row["ok"], "loads": row["robot"] is not None,
         "report": [diagnostic_record(d) for d in row["report"]]}
        for row in rows
    ]  # fmt: skip
    print_json("check", {"ok": all(row["ok"] for row in rows), "files": records})


def _print(rows: list[dict[str, Any]]) -> None:
    for row in rows:
        for finding in row["report"]:
            print(colored(plain_lines(str(finding)), finding.severity))
        print(plain_lines(f"{row['source']}: {_verdict(row)}"))
    if any(row["report"] for row in rows):
        say("explain a code: articulated explain CODE")


def _verdict(row: dict[str, Any]) -> str:
    """Outcome of a file: refused, loaded with warnings, or without problems."""
    counts = [(n, kind) for kind in ("error", "warning", "note") if (n := _count(row, kind))]
    found = ", ".join(f"{n} {kind}{'' if n == 1 else 's'}" for n, kind in counts)
    if row["robot"] is None:
        return f"refused: {found}"
    if _count(row, "warning"):
        return f"loads, with {found}"
    return f"no problems found{': ' if found else ''}{found}"


def _count(row: dict[str, Any], kind: str) -> int:
    return sum(d.severity == kind for d in row["report"])
