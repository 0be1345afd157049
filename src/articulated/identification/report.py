"""The report of an identification as text."""

from __future__ import annotations  # help shows types as they are written here

from typing import TYPE_CHECKING

from ..text import aligned, counted, shortened
from .joint_terms import term_names, term_units

if TYPE_CHECKING:
    from .result import Identification


def report(result: Identification) -> str:
    """How well it predicts, what was found, and what the log does not show."""
    base, whole = result.base, result.source
    lines = [f"{whole.name}: {result.rows} torques, {counted(len(result.unknown), 'unknown')}"]
    lines += [
        f"left of the torque: {result.relative_residual:.3%}; as described it was {result.described_residual:.3%}"
    ]
    if result.held_out is not None:
        lines += [f"predicted from other parts of the log: {result.held_out_residual:.3%}"]
    lines += result.findings
    lines += ["every link is physically consistent" if result.consistent else "some links are not"]
    rows = zip(result.residuals, result.torque, result.before, result.rms, strict=True)
    table = [[shortened(joint), *(f"{x:.4g}" for x in numbers)] for joint, *numbers in rows]
    lines += ["", *aligned(["joint", "torque rms", "left before", "left now"], table)]
    if result.terms:
        units = dict(zip(term_names(whole, result.terms), term_units(whole, result.terms), strict=True))
        first = len(whole.parameters)
        found = zip(result.names[first:], result.unknown[10 * result.sought.bodies :], result.std[first:], strict=True)
        table = [[shortened(n), f"{x:.4g}", f"{s:.2g}", units[n]] for n, x, s in found]
        lines += ["", *aligned(["joint term", "value", "std", "unit"], table)]
    if result.sought.bodies:
        compared = zip(base.names, base.values, result.plan.base.values, base.std, strict=True)
        table = [[shortened(n), f"{x:.4g}", f"{s:.2g}", f"{was:.4g}"] for n, x, was, s in compared]
        lines += ["", *aligned(["base parameter", "value", "std", "as described"], table)]
    if result.unseen:
        names = ", ".join(map(shortened, result.unseen))
        lines += ["", f"not shown by this log (art.excitation makes a motion that does): {names}"]
    return "\n".join(lines)
