"""b11 of the Stanford arm as the slide prints it, and with its seven misprints corrected (E1.1 to E1.7)."""

import sympy

m = dict(enumerate(sympy.symbols("m_1:7", positive=True), 1))
r2, r6 = sympy.symbols("r_2 r_6", positive=True)
y2, z2, z3, y4, z4, z5, z6 = sympy.symbols("y_2 z_2 z_3 y_4 z_4 z_5 z_6", real=True)
q = dict(enumerate(sympy.symbols("q_1:7", real=True), 1))
r3 = q[3]
s2, s4, s5, s6 = (sympy.sin(q[i]) for i in (2, 4, 5, 6))
c2, c4, c5, c6 = (sympy.cos(q[i]) for i in (2, 4, 5, 6))
half = sympy.Rational(1, 2)


def k(ij: int) -> sympy.Expr:
    """The squared radius k_ijj²; `k(411)` is of link 4 about its axis 1."""
    return sympy.Symbol(f"k_{ij}", positive=True) ** 2


#: where the slide and the truth differ: id → (printed, correct)
MISPRINTS = {
    "E1.1": (r2 * (2 * z2 + r2), r2 * (2 * y2 + r2)),
    "E1.2": (half * (s2**2 * (2 * s4**2 - 1) + s4**2), half * (s2**2 * (2 * s4**2 - 1) + s2**2)),
    "E1.3": (half * (1 + c2**2 + s4**2), half * (1 + c2**2 - s2**2)),
    "E1.4": (half * (s2**2 * (1 - 2 * s4**2) - s4**2), half * (s2**2 * (1 - 2 * s4**2) + s2**2)),
    "E1.5": (-2 * z4 * r3 * s2**2, -2 * y4 * r3 * s2**2),
    "E1.6": (2 * z4 * (r2 * s4 + r3 * s2 * c4), 2 * z4 * (r2 * s4 + r3 * s2 * c2 * c4)),
    "E1.7": (r3 * (s2**2 * c5 + s2 * s4 * c5), r3 * (s2**2 * c5 + s2 * c2 * s4 * s5)),
}


def terms(corrected: set[str]) -> list[sympy.Expr]:
    """The six mass terms, with the named misprints corrected and the others as printed."""
    e = {name: pair[name in corrected] for name, pair in MISPRINTS.items()}
    m5, m6 = _wrist()
    return [
        m[1] * k(122),
        m[2] * (k(211) * s2**2 + k(233) * c2**2 + e["E1.1"]),
        m[3] * (k(322) * s2**2 + k(333) * c2**2 + r3 * (2 * z3 + r3) * s2**2 + r2**2),
        m[4] * (
            k(411) * e["E1.2"] + k(422) * e["E1.3"] + k(433) * e["E1.4"]
            + r3**2 * s2**2 + r2**2 + e["E1.5"] + e["E1.6"]
        ),
        m[5] * (m5 + 2 * z5 * (e["E1.7"] - r2 * c4 * s5)),
        m[6] * m6,
    ]  # fmt: skip


def _wrist() -> tuple[sympy.Expr, sympy.Expr]:
    """The part of links 5 and 6 that is right as printed."""
    m5 = (
        half * (-k(511) + k(522) + k(533)) * ((s2 * s5 - c2 * s4 * c5) ** 2 + c4**2 * c5**2)
        + half * (k(511) - k(522) + k(533)) * (s4**2 + c2**2 * c4**2)
        + half * (k(511) + k(522) - k(533)) * ((s2 * c5 + c2 * s4 * s5) ** 2 + c4**2 * s5**2)
        + r3**2 * s2**2 + r2**2
    )  # fmt: skip
    m6 = (
        half * (-k(611) + k(622) + k(633))
        * ((s2 * s5 * c6 - c2 * s4 * c5 * c6 - c2 * c4 * s6) ** 2 + (c4 * c5 * c6 - s4 * s6) ** 2)
        + half * (k(611) - k(622) + k(633))
        * ((c2 * s4 * c5 * s6 - s2 * s5 * s6 - c2 * c4 * c6) ** 2 + (c4 * c5 * s6 + s4 * c6) ** 2)
        + half * (k(611) + k(622) - k(633)) * ((c2 * s4 * s5 + s2 * c5) ** 2 + c4**2 * s5**2)
        + (r6 * c2 * s4 * s5 + (r6 * c5 + r3) * s2) ** 2 + (r6 * c4 * s5 - r2) ** 2
        + 2 * z6 * (
            r6 * (s2**2 * c5**2 + c4**2 * s5**2 + c2**2 * s4**2 * s5**2 + 2 * s2 * c2 * s4 * s5 * c5)
            + r3 * (s2 * c2 * s4 * s5 + s2**2 * c5) - r2 * c4 * s5
        )
    )  # fmt: skip
    return m5, m6
