"""Closed forms: `art.derive` beside SymPy's LagrangesMethod on pendulums of n links, and on larger robots.

`python -m benchmarks.symbolic` writes benchmarks/symbolic.md; it fails if a spatial arm, the Puma or the Stanford arm
takes more than its GATES.  Each cell is a process of its own, at most LIMIT seconds; times are of the processor, the
import of SymPy is not in them.  How short the forms of robots of every course are: benchmarks/shortest.py.
"""

import platform
import resource
import subprocess
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import articulated as art

LIMIT = 100
LARGEST = 6
ROBOTS = ("2r", "3r", "stanford", "puma560", "panda")
#: call → most seconds, megabytes and operations of c
GATES = {
    "spatial(6)": (5.0, 500, None),
    "spatial(8)": (60.0, 500, None),
    "puma()": (0.5, 500, None),
    "stanford()": (0.5, 500, 3999),
}


def ours(n: int) -> str:
    """Derive, simplify and show M, c, g of n links with masses, lengths, centers and inertias as symbols."""
    from articulated.symbolic import derive
    from articulated.symbolic.equations.lectures import planar_arm

    model = planar_arm(n)
    start = time.process_time()
    eq = derive(model)
    shown = eq.M, eq.c, eq.g
    elapsed = time.process_time() - start
    return f"{elapsed:.3f} {sum(int(x.count_ops()) for part in shown for x in part)}"


def lagranges_method(n: int) -> tuple:
    """The same by sympy.physics.mechanics: energies from its bodies, then LagrangesMethod."""
    import sympy
    from sympy.physics.mechanics import LagrangesMethod, Lagrangian, Point, ReferenceFrame, RigidBody, inertia
    from sympy.physics.mechanics import dynamicsymbols as moving

    q = moving(f"q1:{n + 1}")
    l, d, m, I = (sympy.symbols(f"{name}1:{n + 1}", positive=True) for name in "ldmI")
    g = sympy.Symbol("g0", positive=True)
    world, origin = ReferenceFrame("N"), Point("O")
    origin.set_vel(world, 0)
    bodies, angle, joint = [], 0, origin
    for k in range(n):
        angle = angle + q[k]
        frame = world.orientnew(f"B{k}", "Axis", [angle, world.z])
        center = joint.locatenew(f"C{k}", d[k] * frame.x)
        center.v2pt_theory(joint, world, frame)
        body = RigidBody(f"L{k}", center, frame, m[k], (inertia(frame, 0, 0, I[k]), center))
        body.potential_energy = m[k] * g * center.pos_from(origin).dot(world.y)
        bodies.append(body)
        joint = joint.locatenew(f"J{k}", l[k] * frame.x)
        joint.v2pt_theory(center, world, frame)
    method = LagrangesMethod(Lagrangian(world, *bodies), q)
    method.form_lagranges_equations()
    return method, q, {s.name: s for s in (*l, *d, *m, *I, g)}


def theirs(n: int, simplified: bool = False) -> str:
    """Seconds and operations of M and forcing by LagrangesMethod."""
    import sympy

    start = time.process_time()
    method, _, _ = lagranges_method(n)
    M, forcing = method.mass_matrix, method.forcing
    if simplified:
        M, forcing = sympy.simplify(M), sympy.simplify(forcing)
    elapsed = time.process_time() - start
    return f"{elapsed:.3f} {sum(int(x.count_ops()) for part in (M, forcing) for x in part)}"


def spatial_arm(n: int) -> "art.Robot":
    """n hinges, each turned by a right angle from the one before; every length, mass, center and inertia a symbol."""
    import sympy

    import articulated as art

    rows, bodies = [], []
    for k in range(1, n + 1):
        a, d, m, *I = sympy.symbols(f"a_{k} d_{k} m_{k} Ixx_{k} Iyy_{k} Izz_{k}", positive=True)
        rows.append(art.DH(a=a, d=d, alpha=sympy.pi / 2 * (-1) ** k))
        center = sympy.symbols(f"x_{k} y_{k} z_{k}", real=True)
        bodies.append(art.Inertia(m, center, [[I[i] if i == j else 0 for j in range(3)] for i in range(3)]))
    g = sympy.Symbol("g_0", positive=True)
    return art.from_dh(rows, links=bodies, gravity=(0, 0, -g), name=f"spatial_{n}r")


def spatial(n: int) -> str:
    """A spatial arm of n joints."""
    return measured(spatial_arm(n), False)


def puma() -> str:
    """The Puma with symbols for its inertial parameters."""
    import articulated as art

    return measured(art.load("puma560"), True)


def stanford() -> str:
    """The lecture's Stanford arm."""
    return measured("stanford", False)


def measured(source: "art.Robot | str", symbols: bool) -> str:
    """Seconds to derive and to have M, c, g as SymPy, megabytes of the process, terms and operations of c."""
    import articulated as art
    from articulated.symbolic.equations.lagrange import size

    _ = art.derive("2r").M  # imports
    start = time.process_time()
    eq = art.derive(source, symbols=symbols)
    c = (eq.M, eq.c, eq.g)[1]
    elapsed = time.process_time() - start
    memory = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
    operations = sum(int(x.count_ops()) for x in c) if size(eq._c) < 50000 else "-"
    return f"{elapsed:.2f} {memory} {size(eq._c)} {operations}"


def robot(name: str) -> str:
    """M, c, g of a built-in robot: seconds, and operations beside those of the recursion."""
    import articulated as art
    from articulated.symbolic.equations.lectures import LECTURE_ROBOTS
    from articulated.symbolic.pages.program import operation_counts

    source = name if name in LECTURE_ROBOTS else art.load(name)
    art.derive("2r")  # imports
    start = time.process_time()
    eq = art.derive(source)
    derived = time.process_time() - start
    _ = eq.M, eq.c, eq.g
    elapsed = time.process_time() - start
    start = time.process_time()
    counts = operation_counts(eq)
    counted = time.process_time() - start
    start = time.process_time()
    found = eq.check(states=1)
    proven = ("exactly" if found.residue == 0 else "to_rounding") if found.proven else "NO"
    checked = time.process_time() - start
    words = " ".join(f"{c.closed_form}/{c.recursion}" for c in counts)
    return f"{derived:.2f} {elapsed:.2f} {counted:.2f} {words} {proven} {checked:.2f}"


def cell(call: str, limit: int = LIMIT) -> list[str]:
    """Output of `call`, in a process of its own; a dash where it takes too long."""
    code = f"from benchmarks.symbolic import *; print({call})"
    try:
        done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=limit, check=True)
    except subprocess.TimeoutExpired:
        return [f"> {limit}", "-"]
    return done.stdout.split()


def gated(lines: list[str]) -> list[str]:
    """The rows of what has a gate; the calls that do not pass."""
    failed = []
    for call, (most, memory, operations) in GATES.items():
        found = min(
            (cell(call, 9 * LIMIT) for _ in range(1 if "8" in call else 3)), key=lambda x: float(x[0].strip("> "))
        )
        lines.append(
            f"| {call} | "
            + " | ".join(found)
            + f" | {most:g} s, {memory} MB{f', {operations} operations' if operations else ''} |"
        )
        print(lines[-1], flush=True)
        late = len(found) < 4 or float(found[0]) > most or int(found[1]) > memory
        if late or (operations and int(found[3]) > operations):
            failed.append(call)
    return failed


def main() -> int:
    """Write the tables; 1 if a gate does not hold."""
    import sympy

    lines = [
        "# Closed forms",
        "",
        f"`python -m benchmarks.symbolic` on {platform.machine()}, {platform.system()}, Python "
        f"{platform.python_version()}, SymPy {sympy.__version__}; CPU seconds without imports, one process per cell.",
        "",
        "## Pendulums of n links, every quantity a symbol",
        "",
        "M, c, g by `art.derive`, simplified; M and forcing by `sympy.physics.mechanics.LagrangesMethod`, as they come",
        "and with `sympy.simplify`. ops: operations in the expressions, by `count_ops`.",
        "",
        "| n | derive s | ops | LagrangesMethod s | ops | with simplify s | ops |",
        "|---|---|---|---|---|---|---|",
    ]
    for n in range(1, LARGEST + 1):
        simplified = cell(f"theirs({n}, True)") if n <= 3 else ["not run", "-"]
        lines.append(f"| {n} | " + " | ".join(cell(f"ours({n})") + cell(f"theirs({n})") + simplified) + " |")
        print(lines[-1], flush=True)
    lines += [
        "",
        "## Robots",
        "",
        "2r, 3r and stanford with all symbols of the lectures; puma560 and panda (7 axes) with their numbers.",
        "Times: derived as polynomials; with M, c, g as SymPy; as a program; and to prove both routes equal.",
        "Operations after common subexpressions are shared, beside those of the recursion for the same quantity.",
        "",
        "| robot | derived s | as SymPy s | program s | M closed/recursion | c, g closed/recursion | proven | in s |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for name in ROBOTS:
        found = cell(f"robot({name!r})")
        lines.append(f"| {name} | " + " | ".join(found) + " |")
        print(lines[-1], flush=True)
    lines += [
        "",
        "## Gates",
        "",
        "Derived, and M, c, g as SymPy: `spatial(n)`, n hinges in space with a_i, d_i, m_i, centers and moments of",
        "inertia as symbols; `puma()`, the Puma with symbols for its inertial parameters. The best of three processes,",
        "for n = 8 of one.",
        "",
        "| | s | MB | terms of c | operations of c | at most |",
        "|---|---|---|---|---|---|",
    ]
    failed = gated(lines)
    (Path(__file__).parent / "symbolic.md").write_text("\n".join(lines) + "\n", encoding="utf-8")
    print(f"over the gate: {', '.join(failed)}" if failed else "every gate holds")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
