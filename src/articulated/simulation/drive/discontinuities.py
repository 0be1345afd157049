"""Whether what a traced function computes can jump: then no interpolation may reach from one step into the next.

Kinks (minimum, maximum, absolute value, square root) do not jump, nor do quotients of analytic functions, which have
poles; but a quotient with a kink in it, as x/|x|, does where its divisor passes zero.
"""

from math import inf, sqrt

from ...compiler.passes.graph import LEAVES
from ...compiler.passes.trace import Program


def jumps(program: Program) -> bool:
    """Whether some operation can jump, as far as can be told from the operations alone."""
    bounds: list[float] = []  # of each operation from below
    bent: list[bool] = []  # whether an operation has a kink in it
    for i, (op, args) in enumerate(zip(program.ops, program.args, strict=True)):
        kinked = op not in LEAVES and any(bent[k] for k in args)
        kink = _kink(program, i) if op == "select" else ""
        if op == "sign" or (op == "select" and not kink):
            return True
        if (op == "atan2" or (op == "div" and kinked)) and bounds[args[1]] <= 0:
            return True
        bent.append(kinked or bool(kink) or (op == "sqrt" and bounds[args[0]] <= 0))
        bounds.append(_bound(kink or op, args, bounds))
    return False


def _kink(program: Program, i: int) -> str:
    """What a selection is of the numbers it compares: "minimum", "maximum", "absolute", or "" if none of these."""
    ops, args = program.ops, program.args
    condition, yes, no = args[i]
    if ops[condition] != "less":
        return ""
    a, b = args[condition]
    if {yes, no} == {a, b}:
        return "minimum" if yes == a else "maximum"
    opposite = (ops[yes], args[yes]) == ("neg", (a,)) or (ops[a], args[a]) == ("neg", (yes,))
    return "absolute" if no == a and opposite and (ops[b], args[b]) == ("const", (0.0,)) else ""


def _bound(op: str, args: tuple, bounds: list[float]) -> float:
    """A number that an operation is never below, by those of its operands."""
    if op == "const":
        return float(args[0])
    if op in ("sin", "cos"):
        return -1.0
    if op == "absolute":
        return 0.0
    if op == "input":
        return -inf
    own = [bounds[k] for k in args]
    if op == "add":
        return sum(own)
    if op == "mul" and min(own) >= 0:
        return own[0] * own[1]
    if op == "mul" and args[0] == args[1]:
        return 0.0
    if op == "div" and own[0] >= 0 and own[1] > 0:
        return 0.0
    if op == "sqrt":
        return sqrt(max(0.0, own[0]))
    if op in ("minimum", "maximum"):
        return min(own[1:]) if op == "minimum" else max(own[1:])
    return -inf
