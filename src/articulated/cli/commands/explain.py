"""`articulated explain URDF024`: what a code means."""

from ..candidates import codes
from ..click_commands import Argument, Told
from ..exit_codes import BadInput
from ..output import table


def explain(
    code: str = Argument(help="A code such as URDF024; default: all of them.", complete=codes, default=""),
) -> Told:
    """Explain the code of a finding: severity, why it matters, how to fix it.

    Examples:
      articulated explain URDF024
    """
    from ...errors import unknown
    from ...files.rules import REPAIRS, RULES

    wanted = code.strip().upper()
    if wanted and wanted not in RULES:
        raise BadInput(str(unknown("code", code, "the rules", RULES)))
    rows = [
        {"code": name, **rule._asdict(), "repair": REPAIRS.get(name, "")}
        for name, rule in RULES.items()
        if wanted in ("", name)
    ]
    if not wanted:
        shown = [[row["code"], row["severity"], row["why"]] for row in rows]
        return Told({"rules": rows}, table(["code", "severity", "why"], shown))
    repair = rows[0]["repair"] or "none: only you know what is meant"
    said = {"why   ": rows[0]["why"], "fix   ": rows[0]["fix"], "repair": repair}
    lines = [f"{wanted} ({rows[0]['severity']})", *(f"  {word}: {text}" for word, text in said.items())]
    return Told({"rules": rows}, "\n".join(lines))
