"""Random robots that try to make a page lie: `python -m tests.symbolic.random_pages 200` writes and attacks as many.

What a page says is held against the compiled robot, which shares no code with the second ways of the pages: at random
states, at multiples of a right angle, for random positive numbers in the place of letters.
"""

import re
import signal
import sys
import time
import traceback
import warnings
from functools import reduce

import mpmath
import numpy as np
import sympy

import articulated as art
from articulated.symbolic.equations.dh_table import dh_table
from articulated.symbolic.equations.notation import written_in
from articulated.symbolic.equations.substitution import substituted
from articulated.symbolic.exercises.answers import read
from articulated.symbolic.pages.derivation import derivation
from articulated.symbolic.pages.export import PAGES, written
from articulated.symbolic.pages.formula import plain_text
from articulated.symbolic.pages.latex import latex
from articulated.symbolic.ring.state import State

AXES = ((1, 0, 0), (0, 1, 0), (0, 0, 1))
NOISE = re.compile(r"\d(e-1[3-9]|\s*\\cdot 10\^\{-1[3-9]\})")
pi = sympy.pi
LONGEST = 90  # seconds of CPU that a page and its check may take
#: lengths that a careless page gets wrong: irrational, negative, tiny beside huge
LENGTHS = (sympy.sqrt(3), sympy.sqrt(2) / 2, sympy.Rational(-7, 3), -0.75, 1e-6, 400.0)
MASSES = (1e-6, 3e4, sympy.sqrt(5), sympy.Rational(1, 3))
#: turns of a placement: right angles, exact ones, irrational ones, a letter
TWISTS = (pi / 2, -pi / 2, pi, pi / 4, pi / 3, -pi / 6, pi / 12, 0.3, 1.1, sympy.Symbol("alpha_1", real=True))
#: names that a page, a function or a language has another use for
CLASHES = [
    "c_1", "s_1", "c_2", "s_12", "g", "g_1", "T", "U", "M", "C", "Y", "L", "B", "S", "J_1", "K_1", "a_1", "p_1",
    "v_1", "tau_1", "theta_1", "alpha_1", "lambda", "I", "E", "N", "pi_1", "R", "r_1", "d_1", "omega_1", "sigma",
    "Gamma_1", "x", "y", "t", "end", "function", "m1", "m_1",
]  # fmt: skip


def random_links(rng: np.random.Generator) -> list[art.Link]:
    """One to three joints: planar or spatial, a chain or a tree, letters or numbers, friction, rotors, mimic."""
    planar, letters = rng.random() < 0.3, rng.random() < 0.5
    named = clashing(rng) if letters and rng.random() < 0.2 else str
    links: list[art.Link] = []
    if rng.random() < 0.15:
        base = art.Planar(AXES[2]) if planar or rng.random() < 0.5 else art.Floating()
        links.append(art.Link("base", None, base, inertia=inertia(rng, 0, False, planar, named)))
    for k in range(1, int(rng.integers(1, 4 if not links else 3)) + 1):
        axis = AXES[2] if planar else AXES[rng.integers(3)] if rng.random() < 0.9 else (1, 2, 2)
        coincident = bool(links) and links[-1].joint.kind == "revolute" and rng.random() < 0.1
        data = {
            name: float(rng.integers(1, 4)) / 8 for name in ("damping", "friction", "armature") if rng.random() < 0.1
        }
        turning = [x.joint.name for x in links if x.joint.kind == "revolute"]
        joint: art.Joint = art.Revolute(links[-1].joint.axis if coincident else axis, name=f"j{k}", **data)
        if rng.random() < 0.3:
            joint = art.Prismatic(AXES[rng.integers(2 if planar else 3)], name=f"j{k}", **data)
        elif turning and rng.random() < 0.25:
            multiplier = [1.0, -1.0, 0.5, 2.0, -1.5, 1 / 3][rng.integers(6)]
            joint = art.Revolute(axis, name=f"j{k}", mimic=art.Mimic(turning[0], multiplier, 0.0))
        parent = (
            links[rng.integers(len(links))].name if links and rng.random() < 0.3 else links[-1].name if links else None
        )
        place = [length(rng, named(f"l_{k}"), letters), 0, 0 if planar else length(rng, named(f"h_{k}"), letters)]
        placement = art.Transform() if coincident else art.Transform(turn(rng, planar), place)
        links.append(art.Link(f"link{k}", parent, joint, placement, inertia(rng, k, letters, planar, named)))
    return links


def clashing(rng: np.random.Generator):
    """Names in the place of the usual ones, each for one parameter."""
    names = [str(x) for x in rng.permutation(CLASHES)]
    known: dict[str, str] = {}
    return lambda usual: known.setdefault(usual, names.pop() if names and rng.random() < 0.5 else usual)


def turn(rng: np.random.Generator, planar: bool):
    """Mostly none; about x as in a D-H table, about z in the plane."""
    if rng.random() < 0.75:
        return np.eye(3, dtype=object)
    angle = TWISTS[rng.integers(len(TWISTS))]
    c, s = sympy.cos(angle), sympy.sin(angle)
    if isinstance(angle, float):
        c, s = np.cos(angle), np.sin(angle)
    if planar:
        return np.array([[c, -s, 0], [s, c, 0], [0, 0, 1]], object)
    return np.array([[1, 0, 0], [0, c, -s], [0, s, c]], object)


def length(rng: np.random.Generator, name: str, letters: bool):
    """Often none at all, which is where things become singular or constant; sometimes an odd one."""
    if rng.random() < 0.4:
        return 0
    if rng.random() < 0.2:
        return LENGTHS[rng.integers(len(LENGTHS))]
    return sympy.Symbol(name, positive=True) if letters else float(rng.integers(1, 5)) / 4


def inertia(rng: np.random.Generator, k: int, letters: bool, planar: bool, named) -> art.Inertia:
    """A point, a rod, a body; rarely nothing, rarely a mass of another order."""
    if rng.random() < 0.1:
        return art.Inertia()
    mass = sympy.Symbol(named(f"m_{k}"), positive=True) if letters else float(rng.integers(1, 4))
    if rng.random() < 0.1:
        mass = MASSES[rng.integers(len(MASSES))]
    com = [
        sympy.Symbol(named(f"{'xyz'[i]}_{k}"), real=True) if letters else float(rng.integers(-2, 3)) / 8
        for i in range(3)
    ]
    kept = rng.random(3) < 0.4
    com = [x if keep and not (planar and i == 2) else 0 for i, (x, keep) in enumerate(zip(com, kept, strict=True))]
    about = [0, 0, 0]
    if rng.random() < 0.6:
        about = [sympy.Symbol(f"I{'xyz'[i] * 2}_{k}", positive=True) if letters else 0.25 + 0.125 * i for i in range(3)]
    return art.Inertia(mass, com, [[about[i] if i == j else 0 for j in range(3)] for i in range(3)])


def random_equations(rng: np.random.Generator):
    """Equations of a robot whose inertia matrix is not singular everywhere, and whether its letters clash."""
    g0 = sympy.Symbol("g_0", positive=True)
    while True:
        slope = -g0 * sympy.sqrt(2) / 2
        given = [(0, 0, -9.81), (0, -g0, 0), (0, 0, -g0), (0, 0, 0), (0, -g0, -9.81), (0, slope, slope)]
        gravity = given[rng.integers(len(given))]
        robot = art.build(random_links(rng), gravity=gravity, name="random")
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always", art.ModelWarning)
            try:
                return art.derive(robot), bool(told)
            except art.ModelError as refusal:
                _refused(robot.model, refusal, rng)


def _refused(model, refusal, rng: np.random.Generator) -> None:
    """Only a robot whose inertia matrix is singular for all numbers and states has no equations."""
    assert any(
        x in str(refusal)
        for x in ("singular", "no moving joint", "is a joint variable here", "different symbols called")
    ), refusal
    for _ in range(3 if "singular" in str(refusal) else 0):
        robot = art.Robot(substituted(model, {p: float(rng.uniform(0.3, 1.5)) for p in State(model).parameters}))
        robot.kernels.longest = 0
        assert _least(np.array(robot.mass_matrix(robot.random(rng)))) < 1e-9, refusal


def numeric(eq, rng: np.random.Generator) -> tuple[art.Robot, dict]:
    """The robot with random numbers for its letters."""
    values = {p: float(rng.uniform(0.3, 1.5)) for p in eq.parameters}
    return art.Robot(substituted(eq.model, values) if values else eq.model), values


def attack(seed: int) -> None:
    """Every claim of one page, written in one of its forms."""
    rng = np.random.default_rng(seed)
    eq, ambiguous = random_equations(rng)
    sections = derivation(eq, christoffel=True)  # a second way that disagrees raises
    robot, values = numeric(eq, rng)
    robot.kernels.longest = 0
    turned = np.array([robot.random(rng) for _ in range(4)])
    special = np.where(np.abs(turned) < 10, rng.integers(-2, 3, turned.shape) * np.pi / 2, turned)
    q = turned if any(b.joint.quaternion for b in eq.model.bodies) else np.concatenate([turned, special])
    said = {s.title: "".join(s.text) for s in sections}
    M = np.array([robot.mass_matrix(x) for x in q])
    _constant(robot, said, q, M)
    _balanced(eq, robot, said, q, rng)
    _definite(eq, said, q, values, M)
    _factorizations(eq, robot, q, values, rng)
    _coefficients(eq, robot, q, values, rng)
    _table(eq)
    if not ambiguous:
        _legible(eq, robot, q, values, rng)
    form = [*PAGES][rng.integers(len(PAGES))]
    page = written(form, "random", sections[:-1])  # the last one tells of rounding
    # 1e-12 is its square
    if 1e-6 not in {x for link in eq.model.links for x in (*link.placement.p, link.inertia.mass)}:
        assert not NOISE.search(page), NOISE.search(page)


def value(x, at: dict, known: dict):
    """A formula in numbers or arrays of them, one for each symbol of `at`; `known` parts are not done again."""
    if x not in known:
        if x.is_number:
            known[x] = float(x)
        elif x.is_Symbol:
            known[x] = at[x]
        elif isinstance(x, sympy.Add | sympy.Mul):
            known[x] = reduce(np.add if x.is_Add else np.multiply, [value(y, at, known) for y in x.args])
        elif x.is_Pow and x.exp.is_number:
            known[x] = value(x.base, at, known) ** (int(x.exp) if x.exp.is_Integer else float(x.exp))
        elif x.func in (sympy.sin, sympy.cos, sympy.tan):
            known[x] = getattr(np, x.func.__name__)(value(x.args[0], at, known))
        else:
            known[x] = sympy.lambdify([*at], x, "numpy")(*at.values())
    return known[x]


def _legible(eq, robot, q, values, rng) -> None:
    """Printed formulas, read as a student's answer, are those of the robot; six digits of decimals are printed."""
    v = rng.normal(size=robot.nv)
    at = {s: float(x) for s, x in zip((*eq.q, *eq.v), (*q[0], *v), strict=True)} | values
    c = robot.bias_forces(q[0], v) - robot.bias_forces(q[0], 0 * v)
    felt = abs(robot.bias_forces(q[0], v)).max() + abs(robot.mass_matrix(q[0])).max()
    frictionless = not any(b.damping != 0 or b.friction != 0 for b in eq.model.bodies)
    wanted = {"M": robot.mass_matrix(q[0]), "g": robot.gravity_forces(q[0]), **({"c": c} if frictionless else {})}
    known: dict = {}
    with written_in(eq):
        for name, numbers in wanted.items():
            for x, number in zip(getattr(eq, name), np.ravel(numbers), strict=True):
                if x.count_ops() < 200:
                    printed = latex(x) if rng.random() < 0.5 else plain_text(latex(x))
                    found = value(read(eq, printed), at, {})
                    terms = sum(abs(value(t, at, known)) for t in sympy.Add.make_args(sympy.expand(x)))
                    assert abs(found - number) < 2e-5 * terms + 1e-12 * felt, (name, printed)


def _constant(robot, said, q, M) -> None:
    size = np.sqrt(abs(M).max(axis=0).diagonal())
    answer = said["Q1: when is the inertia matrix constant?"]
    least = 1e-9 if answer.startswith("Always") else 1e-13  # a gram moves beside tons
    same = (np.ptp(M, axis=0) <= least * np.outer(size, size) + 1e-15 * abs(M).max()).all()
    assert answer.startswith("Always") == same, answer
    if "c = 0" in answer and same:
        v = np.ones(robot.nv)
        assert abs(robot.coriolis_matrix(q[0], v) @ v).max() < 1e-9 * abs(M).max()


def _balanced(eq, robot, said, q, rng) -> None:
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
    if re.search(
        "Or if|Except if", answer
    ):  # the size of the gravity is zero: nothing of it is left, or no joint feels what is left
        size = dict.fromkeys(eq.questions().no_gravity.without, 0)
        other, _ = numeric(eq.subs(size), rng)
        other.kernels.longest = 0
        none = "there is no gravity" in answer or "horizontal plane" in answer
        assert none == (not any(other.gravity)) and (none or "the rest of the gravity" in answer), answer
        assert max(abs(other.gravity_forces(x)).max() for x in q) < 1e-9


def _definite(eq, said, q, values, M) -> None:
    answer = said["Q3: is the inertia matrix always positive definite?"]
    least = [_least(x) for x in M]
    if "positive definite for all q" in answer:
        assert min(least) > 0, answer
    found = eq.questions().positive_definiteness
    if found.exceptions:
        at = [dict(zip(eq.q, x, strict=True)) | values for x in q]
        zero = [min(abs(value(x, a, {})) for x in found.exceptions) < 1e-9 for a in at]
        # a meter beside 400 leaves 4e-11, rounding 1e-15
        assert all(x < 1e-10 if singular else x > 1e-14 for singular, x in zip(zero, least, strict=True)), answer


def _least(M: np.ndarray) -> float:
    """The smallest eigenvalue of M with ones on its diagonal, as rows have units; where that is rounding, unscaled."""
    size = np.diag(M)
    size = np.sqrt(np.where(size > 1e-14 * size.max(initial=0), size, 1.0))
    return float(np.linalg.eigvalsh(M / size / size[:, None])[0])


def _factorizations(eq, robot, q, values, rng) -> None:
    """The matrices as they are shown, and dM/dt by differences of the compiled M."""
    v, h = rng.normal(size=robot.nv), 1e-5
    at = {s: float(x) for s, x in zip((*eq.q, *eq.v), (*q[0], *v), strict=True)} | values
    rate = (robot.mass_matrix(robot.integrate(q[0], h * v)) - robot.mass_matrix(robot.integrate(q[0], -h * v))) / (
        2 * h
    )
    c, M = robot.bias_forces(q[0], v) - robot.bias_forces(q[0], 0 * v), abs(robot.mass_matrix(q[0])).max()
    felt = M + abs(robot.bias_forces(q[0], v)).max()
    lengths = [abs(np.array(x, float)).max() for b in robot.model.bodies for x in (b.placement.p, b.inertia.com)]
    reach = 10 * M + sum(float(b.inertia.mass) for b in robot.model.bodies) * (1 + sum(lengths)) ** 2
    frictionless = not any(b.damping != 0 or b.friction != 0 for b in eq.model.bodies)
    known: dict = {}
    for f in eq.questions().factorizations:
        C = np.array([value(x, at, known) for x in f.C], float).reshape(f.C.shape)
        left = rate - 2 * C
        scale = max(abs(C).max(), abs(rate).max())
        assert not f.skew or abs(left + left.T).max() < 1e-8 * scale + 1e-15 * reach / h, f
        if frictionless:
            assert abs(C @ v - c).max() < 1e-11 * (scale * abs(v).max() + felt), f


def _coefficients(eq, robot, q, values, rng) -> None:
    states = [(x, rng.normal(size=robot.nv), rng.normal(size=robot.nv)) for x in (*q, *q)]
    tau = np.concatenate([robot.inverse_dynamics(*s) for s in states])
    names = [*eq.q, *eq.v, *eq.a, *values]
    at = [[*np.concatenate(s), *values.values()] for s in states]
    columns, known = dict(zip(names, np.array(at).T, strict=True)), {}
    for found in _parametrizations(eq):
        Y = [np.broadcast_to(value(x, columns, known), len(at)) for x in found.Y]
        stacked = np.array(Y, float).reshape(robot.nv, len(found), len(at)).transpose(2, 0, 1).reshape(-1, len(found))
        a = found.values if found.values is not None else found.expressions
        numbers = np.array([float(sympy.sympify(x).subs(values)) for x in a])
        terms = abs(stacked * numbers).max(initial=0.0)  # over a length of 1e-6 m they are huge, and cancel
        assert abs(stacked @ numbers - tau).max() < 1e-9 * max(1, abs(tau).max()) + 1e-13 * terms
        if _rank(stacked, 1e-10) != len(found):  # tiny beside huge: with fifty digits
            with mpmath.workdps(50):
                exact = sympy.lambdify(names, found.Y, "mpmath")
                more = [[*rng.normal(size=len(names) - len(values)), *values.values()] for _ in range(2 * len(found))]
                rows = [row for x in [*at, *more] for row in exact(*map(mpmath.mpf, x)).tolist()]
                assert _rank(np.array(rows, object), 1e-13) == len(found)


def _rank(A: np.ndarray, small: float) -> int:
    """Rank by elimination with complete pivoting, columns scaled: they have units, which the rank does not feel."""
    A, rank = A / np.maximum(abs(A).max(axis=0, initial=0), 1e-300), 0
    while A.size and abs(A).max() > small:
        i, j = np.unravel_index(np.argmax(abs(A)), A.shape)
        A = np.delete(A - np.outer(A[:, j] / A[i, j], A[i]), j, axis=1)
        rank += 1
    return rank


def _parametrizations(eq) -> list:
    """Coefficients and base parameters; a general angle between axes, a float beside letters or a letter, has none."""
    turns = [x for b in eq.model.bodies for x in (*b.placement.R.ravel(), *b.tail.R.ravel())]
    general = any(isinstance(x, sympy.Basic) and x.free_symbols for x in turns)
    rounded = any(isinstance(x, float) and x not in (-1, 0, 1) for x in turns) and bool(eq.parameters)
    try:
        found = eq.coefficients()
        return [found] if found.values is not None else [found, eq.base_parameters()]
    except art.ModelError as refusal:
        assert (general or rounded) and "base parameters" in str(refusal), refusal
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
    found, pose = other.pose(f"link{len(rows)}"), eq.pose(eq.model.bodies[-1].name)
    symbols = sorted(found.free_symbols | pose.free_symbols, key=str)
    numbers = np.random.default_rng(0).uniform(0.3, 1.5, (3, len(symbols)))  # a float angle leaves rounding, no zero
    poses = sympy.lambdify(symbols, [found, pose], "numpy")
    for x, y in (poses(*at) for at in numbers):
        assert backwards or abs(x - y).max() < 1e-12 * abs(y).max()


def main() -> None:
    """As many pages as asked for, from a seed on; complaints are listed, and the last line is a row of the record."""
    count, first = (int(x) for x in (*sys.argv[1:], *("100", "0")[len(sys.argv) - 1 :]))
    complaints, times = 0, []
    signal.signal(signal.SIGPROF, _late)
    for seed in range(first, first + count):
        began = time.process_time()
        signal.setitimer(signal.ITIMER_PROF, LONGEST)
        try:
            attack(seed)
        except Exception as found:
            complaints += 1
            place = traceback.extract_tb(found.__traceback__)[-1]
            print(f"seed {seed}: {type(found).__name__} in {place.name}: {found}"[:400], flush=True)
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        times.append(time.process_time() - began)
        if seed % 100 == 99:
            sympy.core.cache.clear_cache()
            print(f"{seed + 1 - first} pages", file=sys.stderr, flush=True)
    print(f"| {first} | {count} | {complaints} | {np.mean(times):.2f} | {max(times):.1f} |")
    sys.exit(bool(complaints))


def _late(*_) -> None:
    raise TimeoutError(f"a page that takes more than {LONGEST} s of CPU")


if __name__ == "__main__":
    main()
