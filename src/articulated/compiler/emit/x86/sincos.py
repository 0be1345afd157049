"""Sine and cosine of two vectors of angles in AVX2 assembly: the instructions of `llvm/sincos.py`, interleaved.

LLVM would load each constant by an instruction of its own instead of using it as a memory operand, and schedule the
two vectors one after the other.
"""

from itertools import zip_longest

from ...passes.sincos import SINCOS_CONSTANTS, TWO_OVER_PI
from ..llvm.types import Lanes, number

#: the registers of one vector
_NAMES = ("r", "z", "sine", "cosine", "turns", "spare")
TABLE = "sincos_constants"


def table(lanes: Lanes) -> str:
    """The constants as a global of the module, each broadcast to all lanes."""
    values = [number(x, lanes.precision) for x in _constants(lanes).values()]
    entries = ", ".join(f"{lanes.scalar} {value}" for value in values for _ in range(lanes.count))
    kind = f"[{len(values) * lanes.count} x {lanes.scalar}]"
    return f"@{TABLE} = internal unnamed_addr constant {kind} [{entries}], align 32"


def two_vectors(lanes: Lanes) -> str:
    """The lines of the loop, as one block of inline assembly."""
    text = "\n    ".join(_instruction(lanes, step, v) for step in _steps(lanes) for v in (0, 1))
    arrays = ", ".join(f"ptr %at{array}.{v}" for array in "xsc" for v in (0, 1))
    clobbered = ",".join(f"~{{ymm{k}}}" for k in range(2 * len(_NAMES)))
    constraints = f"=x,=x,r,r,r,r,r,r,r,0,1,{clobbered},~{{memory}}"
    t = lanes.type
    operands = f"{arrays}, ptr @{TABLE}, {t} %most.0, {t} %most.1"
    lines = [f'  %sums = call {{{t}, {t}}} asm sideeffect "{text}", "{constraints}"({operands})']
    lines += [f"  %more.{v} = extractvalue {{{t}, {t}}} %sums, {v}" for v in (0, 1)]
    return "\n".join(lines)


def _constants(lanes: Lanes) -> dict[str, float]:
    constants = SINCOS_CONSTANTS[lanes.precision]
    parts = {"part": [-x for x in constants.half_pi], "s": constants.sin, "c": constants.cos}
    listed = {f"{name}{k}": x for name, values in parts.items() for k, x in enumerate(values)}
    return {"two_over_pi": TWO_OVER_PI, "magic": constants.magic, **listed, "one": 1.0, "sign": -0.0}


def _steps(lanes: Lanes) -> list[str]:
    """The instructions for one vector: registers and constants by name, the destination last."""
    constants, top, wide = SINCOS_CONSTANTS[lanes.precision], 8 * lanes.size - 1, "q" if lanes.size == 8 else "d"
    sine, cosine = (
        [f"vfmadd213P [{name}{k}], z, {out}" for k in reversed(range(len(values) - 1))]
        for name, out, values in (("s", "sine", constants.sin), ("c", "cosine", constants.cos))
    )
    horner = [step for pair in zip_longest(cosine, sine) for step in pair if step]
    return [
        "vmovuP (x), r",
        "vmovaP [two_over_pi], turns",
        "vfmadd213P [magic], r, turns",
        "vsubP [magic], turns, z",  # the quarter turns as a number
        "vfmadd231P z, z, sum",
        "vfmadd231P [part0], z, r",
        "vfmadd231P [part1], z, r",
        "vfmadd231P [part2], z, r",
        "vmulP r, r, z",
        f"vmovaP [c{len(cosine)}], cosine",
        f"vmovaP [s{len(sine)}], sine",
        *horner,
        "vfmadd213P [one], z, cosine",
        "vmulP z, r, spare",
        "vfmadd213P r, spare, sine",
        # an odd number of quarter turns swaps sine and cosine; bit 1 flips the sign of sine, bits 0 xor 1 of cosine
        f"vpsll{wide} ${top}, turns, r",
        f"vpsll{wide} ${top - 1}, turns, turns",
        "vblendvP r, cosine, sine, z",
        "vblendvP r, sine, cosine, sine",
        "vpand [sign], turns, spare",
        "vpxor r, spare, turns",
        "vxorP spare, z, cosine",
        "vxorP turns, sine, sine",
        "vmovuP cosine, (s)",  # by now the registers hold what their names do not say
        "vmovuP sine, (c)",
    ]


def _instruction(lanes: Lanes, step: str, v: int) -> str:
    """A step for vector v as text.  The operands of the block are $0, $1 (sums), $2 … $7 (pointers), $8 (the table)."""
    name, rest = step.split(" ", 1)
    constants = list(_constants(lanes))

    def operand(part: str) -> str:
        if part.startswith("["):
            return f"{constants.index(part[1:-1]) * lanes.bytes}($8)"
        if part.startswith("("):
            return f"(${2 + 2 * 'xsc'.index(part[1:-1]) + v})"
        if part == "sum":
            return f"${v}"
        return f"%ymm{_NAMES.index(part) + len(_NAMES) * v}" if part in _NAMES else part.replace("$", "$$")

    kind = "pd" if lanes.size == 8 else "ps"
    return f"{name.replace('P', kind)} {', '.join(map(operand, rest.split(', ')))}"
