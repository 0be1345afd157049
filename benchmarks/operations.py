"""Operations of the textbook recursions and of the fast formulations: `python -m benchmarks.operations`.

Counted, not timed: what a processor has to carry out after simplification, a fused multiply-add as one operation,
a sine as one.  Writes operations.md, and the table of docs/formulations.md.
"""

import re
import sys
import tempfile
from collections.abc import Callable
from functools import cache, partial
from importlib import metadata
from pathlib import Path
from typing import Any, NamedTuple

from articulated.algorithms.fast.formulations import FORMULATIONS
from articulated.algorithms.fast.regrouping import regrouped
from articulated.compiler.passes.simplify import count, simplify
from articulated.compiler.passes.trace import trace
from articulated.housekeeping import uncollected
from articulated.model import Model

from .robots import ROBOTS, case

HERE = Path(__file__).parent
PAGE = HERE.parent / "docs" / "formulations.md"
MARKS = "<!-- written by benchmarks.operations -->", "<!-- end -->"
#: the arrays each algorithm takes
ARRAYS = {
    **dict.fromkeys(("gravity_forces", "mass_matrix", "mass_matrix_inverse", "christoffel"), ("q",)),
    **dict.fromkeys(("bias_forces", "coriolis_forces", "mass_matrix_rate"), ("q", "v")),
    "inverse_dynamics": ("q", "v", "a"),
    "forward_dynamics": ("q", "v", "tau"),
}
#: what is counted on arms only: on a humanoid it is a million operations
ON_ARMS = ("christoffel",)


class Counted(NamedTuple):
    """Operations of one quantity of one robot."""

    textbook: int
    regrouped: int  # the textbook on regrouped inertias and moved origins
    formulation: int  # the formulation on the robot as it is
    both: int  # what is compiled


def operations(algorithm: Callable[..., Any], arrays: tuple[str, ...], model: Model) -> int:
    """Operations of the simplified program of an algorithm."""
    sizes = {name: model.nq if name == "q" else model.nv for name in arrays}
    with uncollected():
        return sum(count(simplify(trace(partial(algorithm, model), sizes))).values())


@cache
def counted(robot: str) -> dict[tuple[str, str], Counted]:
    """(algorithm, formulation) -> its operations."""
    with tempfile.TemporaryDirectory() as folder:
        model = case(robot, Path(folder)).robot.model
    other, found = regrouped(model), {}
    for textbook, formulations in FORMULATIONS.items():
        name = textbook.__name__
        if name in ON_ARMS and model.nv > 7:
            continue
        own = [operations(textbook, ARRAYS[name], m) for m in (model, other)]
        for fast in formulations:
            found[name, getattr(fast, "__name__", f"{name}_by_moments")] = Counted(
                *own, *(operations(fast, ARRAYS[name], m) for m in (model, other))
            )
    return found


def full_table(robot: str) -> list[str]:
    """Every formulation, and what of it is due to regrouping."""
    head = ["algorithm", "formulation", "textbook", "textbook, regrouped", "formulation", "formulation, regrouped"]
    rows = [[name, fast, *map(str, numbers)] for (name, fast), numbers in counted(robot).items()]
    return _table(head, rows)


def short_table() -> list[str]:
    """Textbook and what is compiled, the shortest of the formulations."""
    rows = []
    for textbook in FORMULATIONS:
        name = textbook.__name__
        row = [f"`{name}`"]
        for robot in ROBOTS:
            found = [numbers for (key, _), numbers in counted(robot).items() if key == name]
            row.append(f"{found[0].textbook} → {min(n.both for n in found)}" if found else "–")
        rows.append(row)
    return _table(["algorithm", *ROBOTS], rows)


def _table(head: list[str], rows: list[list[str]]) -> list[str]:
    return [f"| {' | '.join(row)} |" for row in (head, ["---"] * len(head), *rows)]


def report() -> str:
    """The text of operations.md."""
    version = f"example-robot-data {metadata.version('example-robot-data')}"
    lines = [
        "# Operations",
        "",
        f"Written by `python -m benchmarks.operations` from the robots of {version}, without friction; see",
        "[docs/formulations.md](../docs/formulations.md).  Operations after simplification; a fused multiply-add is",
        "one, a sine is one.  What is compiled is the last column, of the formulation with the fewest.",
    ]
    for robot in ROBOTS:
        lines += ["", f"## {robot}", "", *full_table(robot)]
    return "\n".join([*lines, ""])


def with_table(page: str) -> str:
    """The page with the short table between its marks."""
    begin, end = MARKS
    inside = "\n".join([begin, "", *short_table(), "", end])
    return re.sub(f"{re.escape(begin)}.*?{re.escape(end)}", lambda _: inside, page, count=1, flags=re.DOTALL)


def main() -> None:
    """Count, write, show."""
    text = report()
    (HERE / "operations.md").write_text(text, encoding="utf-8")
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
    sys.stdout.write(text)


if __name__ == "__main__":
    main()
