"""Random robots that try to make a page lie: `python -m tests.symbolic.random_pages 200` writes and attacks as many.

What a page says is held against the compiled robot, which shares no code with the second ways of the pages: at random
states, at multiples of a right angle, for random positive numbers in the place of letters.
"""

import re
import sys

import numpy as np
import sympy

import articulated as art
from articulated.symbolic.equations.dh_table import dh_table
from articulated.symbolic.equations.substitution import substituted
from articulated.symbolic.pages.derivation import derivation
from articulated.symbolic.pages.export import PAGES, written

AXES = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
NOISE = re.compile(r"\d(e-1[3-9]|\s*\\cdot 10\^\{-1[3-9]\})")


def random_links(rng: np.random.Generator) -> list[art.Link]:
    """One to three joints: planar or spatial, a chain or a tree, letters or numbers, friction, rotors, mimic."""
    planar, letters = rng.random() < 0.3, rng.random() < 0.5
    links: list[art.Link] = []
    if rng.random() < 0.15:
        base = art.Planar(AXES[2]) if planar or rng.random() < 0.5 else art.Floating()
        links.append(art.Link("base", None, base, inertia=inertia(rng, 0, False, planar)))
    for k in range(1, int(rng.integers(1, 4 if not links else 3)) + 1):
        axis = AXES[2] if planar else AXES[rng.integers(3)] if rng.random() < 0.9 else (1, 2, 2)
        data = {
            name: float(rng.integers(1, 4)) / 8 for name in ("damping", "friction", "armature") if rng.random() < 0.1
        }
        turning = [x.joint.name for x in links if x.joint.kind == "revolute"]
        joint: art.Joint = art.Revolute(axis, name=f"j{k}", **data)
        if rng.random() < 0.3:
            joint = art.Prismatic(AXES[rng.integers(2 if planar else 3)], name=f"j{k}", **data)
        elif turning and rng.random() < 0.25:
            multiplier = [1.0, -1.0, 0.5, 2.0, -1.5, 1 / 3][rng.integers(6)]
            joint = art.Revolute(axis, name=f"j{k}", mimic=art.Mimic(turning[0], multiplier, 0.0))
        parent = (
            links[rng.integers(len(links))].name if links and rng.random() < 0.3 else links[-1].name if links else None
        )
        place = [length(rng, f"l_{k}", letters), 0, 0 if planar else length(rng, f"h_{k}", letters)]
        links.append(art.Link(f"link{k}", parent, joint, art.Transform(p=place), inertia(rng, k, letters, planar)))
    return links


#: lengths that a careless page gets wrong: irrational, negative, tiny beside huge
ODD = (sympy.sqrt(3), sympy.sqrt(2) / 2, sympy.Rational(-7, 3), -0.75, 1e-6, 400.0)


def length(rng: np.random.Generator, name: str, letters: bool):
    """Often none at all, which is where things become singular or constant; sometimes an odd one."""
    if rng.random() < 0.4:
        return 0
    if rng.random() < 0.2:
        return ODD[rng.integers(len(ODD))]
    return sympy.Symbol(name, positive=True) if letters else float(rng.integers(1, 5)) / 4


def inertia(rng: np.random.Generator, k: int, letters: bool, planar: bool) -> art.Inertia:
    """A point, a rod, a body; rarely nothing."""
    if rng.random() < 0.1:
        return art.Inertia()
    mass = sympy.Symbol(f"m_{k}", positive=True) if letters else float(rng.integers(1, 4))
    com = [sympy.Symbol(f"{'xyz'[i]}_{k}", real=True) if letters else float(rng.integers(-2, 3)) / 8 for i in range(3)]
    kept = rng.random(3) < 0.4
    com = [x if keep and not (planar and i == 2) else 0 for i, (x, keep) in enumerate(zip(com, kept, strict=True))]
    about = [0, 0, 0]
    if rng.random() < 0.6:
        about = [sympy.Symbol(f"I{'xyz'[i] * 2}_{k}", positive=True) if letters else 0.25 + 0.125 * i for i in range(3)]
    return art.Inertia(mass, com, [[about[i] if i == j else 0 for j in range(3)] for i in range(3)])


def random_equations(rng: np.random.Generator):
    """Of a robot whose inertia matrix is not singular everywhere."""
    g0 = sympy.Symbol("g_0", positive=True)
    while True:
        slope = -g0 * sympy.sqrt(2) / 2
        given = [(0, 0, -9.81), (0, -g0, 0), (0, 0, -g0), (0, 0, 0), (0, -g0, -9.81), (0, slope, slope)]
        gravity = given[rng.integers(len(given))]
        try:
            return art.derive(art.build(random_links(rng), gravity=gravity, name="random"))
        except art.ModelError:
            continue


def numeric(eq, rng: np.random.Generator) -> tuple[art.Robot, dict]:
    """The robot with random numbers for its letters."""
    values = {p: float(rng.uniform(0.3, 1.5)) for p in eq.parameters}
    return art.Robot(substituted(eq.model, values) if values else eq.model), values


def attack(seed: int) -> str:
    """Every claim of one page; the page as text."""
    rng = np.random.default_rng(seed)
    eq = random_equations(rng)
    sections = derivation(eq, christoffel=True)  # a second way that disagrees raises
    robot, values = numeric(eq, rng)
    robot.kernels.longest = 0
    turned = np.array([robot.random(rng) for _ in range(4)])
    special = np.where(np.abs(turned) < 10, rng.integers(-2, 3, turned.shape) * np.pi / 2, turned)
    q = turned if any(b.joint.quaternion for b in eq.model.bodies) else np.concatenate([turned, special])
    said = {s.title: "".join(s.text) for s in sections}
    _constant(robot, said, q)
    _balanced(robot, said, q)
    _definite(eq, robot, said, q, values)
    _factorizations(eq, robot, q, values, rng)
    _coefficients(eq, robot, q, values, rng)
    _table(eq)
    for form in PAGES:
        assert not NOISE.search(text := written(form, "random", sections[:-1])), NOISE.search(text)
    return written("text", "random", sections)


def _constant(robot, said, q) -> None:
    M = np.array([robot.mass_matrix(x) for x in q])
    same = np.ptp(M, axis=0).max() < 1e-9 * abs(M).max()
    answer = said["Q1: when is the inertia matrix constant?"]
    assert answer.startswith("Always") == same, answer
    if "c = 0" in answer and same:
        v = np.ones(robot.nv)
        assert abs(robot.coriolis_matrix(q[0], v) @ v).max() < 1e-9 * abs(M).max()


def _balanced(robot, said, q) -> None:
    g = np.array([robot.gravity_forces(x) for x in q])
    answer = said["Q2: when does gravity vanish?"]
    assert answer.startswith("Always") == (abs(g).max() < 1e-9), answer
    if "horizontal plane" in answer:
        assert all(b.joint.turns or b.joint.slides for b in robot.model.bodies)
        turns = [
            robot.pose(q[0], b.name)[:3, :3] @ b.S[3:, 0].astype(float) for b in robot.model.bodies if b.joint.turns
        ]
        assert turns and all(np.linalg.norm(np.cross(turns[0], x)) < 1e-9 for x in turns)
        assert abs(turns[0] @ np.array(robot.gravity, float)) < 1e-9
    if "rests in every configuration" in answer:
        assert "singular" not in answer


def _definite(eq, robot, said, q, values) -> None:
    answer = said["Q3: is the inertia matrix always positive definite?"]
    least = [_least(np.array(robot.mass_matrix(x))) for x in q]
    if "positive definite for all q" in answer:
        assert min(least) > 0, answer
    found = eq.questions().positive_definiteness
    if found.exceptions:
        at = [dict(zip(eq.q, x, strict=True)) | values for x in q]
        zero = [min(abs(float(x.subs(a))) for x in found.exceptions) < 1e-9 for a in at]
        assert zero == [x < 1e-10 for x in least], answer


def _least(M: np.ndarray) -> float:
    """The smallest eigenvalue of M with ones on its diagonal: rows have units."""
    size = np.sqrt(np.maximum(np.diag(M), 0))
    size = np.where(size > 1e-9 * size.max(initial=0), size, 1.0)
    return float(np.linalg.eigvalsh(M / size / size[:, None])[0])


def _factorizations(eq, robot, q, values, rng) -> None:
    """The matrices as they are shown, and dM/dt by differences of the compiled M."""
    v, h = rng.normal(size=robot.nv), 1e-6
    at = {s: float(x) for s, x in zip((*eq.q, *eq.v), (*q[0], *v), strict=True)} | values
    rate = (robot.mass_matrix(robot.integrate(q[0], h * v)) - robot.mass_matrix(robot.integrate(q[0], -h * v))) / (
        2 * h
    )
    c = robot.bias_forces(q[0], v) - robot.bias_forces(q[0], 0 * v)
    frictionless = not any(b.damping != 0 or b.friction != 0 for b in eq.model.bodies)
    for f in eq.questions().factorizations:
        C = np.array(f.C.subs(at).evalf(), float)
        left = rate - 2 * C
        scale = max(1.0, abs(C).max(), abs(rate).max())
        assert (abs(left + left.T).max() < 1e-6 * scale) >= f.skew, f
        if frictionless:
            assert abs(C @ v - c).max() < 1e-9 * scale


def _coefficients(eq, robot, q, values, rng) -> None:
    for found in _parametrizations(eq):
        states = [(x, rng.normal(size=robot.nv), rng.normal(size=robot.nv)) for x in (*q, *q, *q)]
        names = [*eq.q, *eq.v, *eq.a]
        Y = sympy.lambdify([*names, *values], found.Y, "numpy") if len(found) else None
        stacked = np.concatenate([Y(*np.concatenate(s), *values.values()) for s in states]) if Y else np.zeros((1, 0))
        a = found.values if found.values is not None else found.expressions
        numbers = np.array([float(sympy.sympify(x).subs(values)) for x in a])
        tau = np.concatenate([robot.inverse_dynamics(*s) for s in states])
        assert abs((stacked @ numbers if Y else 0) - tau).max() < 1e-9 * max(1, abs(tau).max())
        scaled = stacked / np.maximum(abs(stacked).max(axis=0, initial=0), 1e-300)  # columns have units
        assert np.linalg.matrix_rank(scaled, tol=1e-9 * max(1.0, abs(scaled).sum())) == len(found)


def _parametrizations(eq) -> list:
    """Coefficients, and base parameters unless letters beside roots or rounded numbers are refused."""
    try:
        return [eq.coefficients(), eq.base_parameters()]
    except art.ModelError as refusal:
        assert "base parameters" in str(refusal)
        return [eq.coefficients()]


def _table(eq) -> None:
    """A robot made from the D-H table that is shown moves as this one does."""
    found = dh_table(eq.state)
    if found is None or any(b.leader is not b or (b.parent and b.parent.index != b.index - 1) for b in eq.model.bodies):
        return
    rows = []
    for row, b, q in zip(found.rows, eq.model.bodies, eq.q, strict=True):
        cells = row._replace(**{"theta" if b.joint.turns else "d": (row.theta if b.joint.turns else row.d).subs(q, 0)})
        rows.append(art.DH(*cells, joint="revolute" if b.joint.turns else "prismatic"))
    # only its motion is compared: a joint that moves a rotor alone has no inertia that a table could hold
    other = art.derive(art.from_dh(rows, found.convention, [art.Inertia(1, (1, 1, 1), 1)] * len(rows)))
    backwards = any(x.has(-q) or x.coeff(q) == -1 for row in found.rows for x in row for q in eq.q)
    difference = (other.pose(f"link{len(rows)}") - eq.pose(eq.model.bodies[-1].name)).applyfunc(sympy.simplify)
    assert backwards or difference == sympy.zeros(4, 4)


def main() -> None:
    """As many pages as asked for; stops at the first that lies."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100
    for seed in range(count):
        try:
            attack(seed)
        except Exception:
            print(f"seed {seed}")
            raise
        print(".", end="", flush=True)
    print(f"\n{count} pages, none of them lied")


if __name__ == "__main__":
    main()
