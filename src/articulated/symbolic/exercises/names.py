"""Names of the letters of a robot as students write them."""

import re
from itertools import combinations
from typing import Any

import sympy

MANY = 9  # joints that c_12 can have as a digit each


def letters(equations: Any) -> dict[str, sympy.Expr]:
    """Symbols by name, with and without underscore, rates as qd1, dq1, qdot1; c12 and s_12 of the lecture."""
    if "names" in equations.__dict__:
        return equations.__dict__["names"]
    q = list(equations.q)
    symbols = (*equations.parameters, *q, *equations.v, *equations.a)
    known: dict[str, sympy.Expr] = {s.name: s for s in symbols}
    for s in symbols:
        known.setdefault(s.name.replace("_", ""), s)
        known.setdefault(re.sub(r"^([A-Za-z]+)([0-9]+)$", r"\1_\2", s.name), s)  # m1 is printed as m_{1}
        if tensor := re.fullmatch(r"(\w+?)([xyz]{2})(?:_(\d+))?", s.name):  # Ixx_1 is printed as I_{1,xx}
            letter, axes, k = tensor.groups("")
            known.setdefault(f"{letter}{k}{axes}", s)
            known.setdefault(f"{letter}_{k}{axes}", s)
    for x, *others in zip(q, equations.v, equations.a, strict=False) if equations.state.velocities_are_rates else ():
        head, line, k = x.name.partition("_")
        for letter in {head, "theta" if head == "q" else head}:
            known.setdefault(f"{letter}{line}{k}", x)
            known.setdefault(f"{letter}{k}", x)
            for d, s in zip(("d", "dd"), others, strict=True):
                for name in (f"{d}{letter}", f"{letter}{d}", f"{letter}{d}ot"):
                    known.setdefault(f"{name}{k}", s)
                    known.setdefault(f"{name}{line}{k}", s)
                for end in (f"{d}ot", f"_{d}ot", *([d, f"_{d}"] if "d" not in known else [])):
                    known.setdefault(f"{letter}{k}{end}", s)
                    known.setdefault(f"{letter}{line}{k}{end}", s)
    for x in q:
        known.setdefault(f"c_{x.name}", sympy.cos(x))
        known.setdefault(f"s_{x.name}", sympy.sin(x))
    weight = {x for c in equations.model.gravity for x in sympy.sympify(c).free_symbols}
    if len(weight) == 1:
        known.setdefault("g", *weight)
    for index in (x for n in range(1, len(q) + 1) for x in combinations(range(min(len(q), MANY)), n)):
        number, angle = "".join(str(k + 1) for k in index), sympy.Add(*(q[k] for k in index))
        sums = (("c", sympy.cos(angle)), ("s", sympy.sin(angle)), ("q", angle), ("theta", angle))
        for letter, x in (*sums, *((letter.upper(), x) for letter, x in sums[:2])):
            known.setdefault(f"{letter}{number}", x)
            known.setdefault(f"{letter}_{number}", x)
    equations.__dict__["names"] = known
    return known
