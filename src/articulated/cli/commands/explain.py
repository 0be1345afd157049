"""`articulated explain URDF024`: what a code means."""

from ..click_commands import Argument
from ..completing import codes
from ..exit_codes import BadInput
from ..options import Json
from ..output import print_json, print_table


def explain(
    code: str = Argument(help="A code such as URDF024; default: all of them.", complete=codes, default=""),
    as_json: bool = Json,
) -> None:
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
    if as_json:
        print_json("explain", {"rules": rows})
    elif wanted:
        row = rows[0]
        print(f"{wanted} ({row['severity']})\n  why   : {row['why']}\n  fix   : {row['fix']}")
        print(f"  repair: {row['repair'] or 'none: only you know what is meant'}")
    else:
        print_table(["code", "severity", "why"], [[row["code"], row["severity"], row["why"]] for row in rows])
