"""Impulses of a pile: sweeps over contacts with momentum, and elimination of the few that sweeps leave unsolved.

Nothing is as large as the square of the number of contacts: the velocities of the bodies say what impulses do.  The
aim is the residual of a robot alone: contacts that sweeps do not bring there, and those that they touch, are solved as
those of a robot, the others held.  Where these are many, sweeps go on to TOLERANCE, and the worst are eliminated.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import cache

from ...algebra.scalars import Array, array, select, sqrt
from ...compiler.passes.loops import Row
from ..contact import interior, problem, rows
from ..contact.laws import greatest, least
from ..contact.problem import Kind, part
from ..contact.solver import Certified, Solver
from ..loop.blocks import constant, minus, nothing, plus
from . import blocks
from .statements import Statements

#: a residual of this size is accepted
TOLERANCE = 1e-4
#: sweeps between two looks at the residual, looks, and how often these: from the best, and with half the momentum
SWEEPS, LOOKS, PHASES = 5, 30, 3
#: looks before what is left is eliminated
QUICK = 2
#: most blocks that are eliminated, and contacts from one that is not solved to the last that is taken with it
FEW, FAR = 96, 6
#: decades of residuals, of which the worst are eliminated where all are too many
LEVELS = 8


class Sweeping(Certified):
    """Statements that solve the problem of the blocks that act.

    Of each are given J1 J2 Y1 Y2 of its bodies, whose numbers are its `ends`, and G; beside robots also Y, by which it
    moves them.  Blocks of the second kind and the third push robots.  `twist` and `pushed` are the changes of
    velocities by impulses.
    """

    certain = 1e300

    def __init__(self, s: Statements, most: int, kinds: Sequence[Kind], bounces: bool, bodies: int, nv: int):
        super().__init__(s.r, most, kinds, s.m["slowest"], bounces, "heap", tiled=False)
        self.s, self.bodies, self.nv = s, bodies, nv
        self.local({"J1": 18, "J2": 18, "Y1": 18, "Y2": 18, "G": 9, "d": 3, "old": 3})
        self.lanes("norm theta cap momentum")
        self.local({"ends": 2, "hot": 1, "seed": 1})
        self.lanes("warm many level")
        if nv:
            self.local({"Y": 3 * nv})
            self.lane["pushed"] = s.r.local("heap pushed", nv)
        s.m = {**self.m, **self.lane, **s.m}
        self.exact = Exact(self)

    @contextmanager
    def over(self, kind: Kind, *left: str) -> Iterator[str]:
        """A loop over the blocks of a kind; names of what they are and of what they move, some left out."""
        words = f"J1 J2 Y1 Y2 {_TWISTS}" if kind.law is rows.CONTACT else ""
        words += " Y pushed" if kind is not self.kinds[0] else ""
        with self.s.over("acting", kind.end, start=kind.start):
            yield " ".join(word for word in words.split() if word not in left)

    def own(self, counter: str) -> Row:
        """The block of G on the diagonal."""
        return self.m["G"].row(counter)

    @part
    def velocities(self, x: str, s: str, c: str | None = "c") -> None:
        """s = G x + c, and what x does to bodies and robots."""
        with self.s.over("bodies", self.bodies + 1):
            self.s.run(nothing(6), "", "twist")
        if self.nv:
            self.s.run(nothing(self.nv), "", "pushed")
        for kind in self.kinds:
            with self.over(kind, "J1", "J2") as own:
                self._push(own, f"d={x}")
        self._feel(s, c)

    def _push(self, own: str, d: str) -> None:
        moved = [word.rpartition("=")[2] for word in own.split() if "=" in word or word == "pushed"]
        self.s.run(blocks.pushed, f"{d} {own}", " ".join(moved), True)

    def _feel(self, s: str, c: str | None) -> None:
        for kind in self.kinds:
            with self.over(kind, "Y1", "Y2") as own:
                self.s.run(blocks.felt, own + (f" c={c}" if c else ""), s)

    @part
    def attempt(self) -> None:
        """Sweeps from the impulses x, the best kept; elimination between them."""
        r, done = self.r, self.lane["done"]
        self._from("x")
        self.s.run(constant(1.0), "", "theta")
        self.s.run(constant(1.0), "", "cap")
        self._sweep()
        with r.loop("look", QUICK, until=done, ahead=True):
            self._look(problem.TOLERANCE)
        self.exact.attempt(0)
        with r.loop("phase", PHASES, until=done, ahead=True):
            with r.loop("look", LOOKS, until=done, ahead=True):
                self._look(TOLERANCE)
            self._from("best")
            self.s.run(_less_momentum, "cap", "theta cap")
            self.exact.attempt(LEVELS)

    @part
    def _from(self, x: str) -> None:
        """Impulses from which sweeps go on."""
        self.velocities(x, "s")
        self.copy(x, "old")
        if x != "x":
            self.copy(x, "x")

    @part
    def _look(self, tolerance: float) -> None:
        """Sweeps with momentum, and the residual; impulses are kept if they are the best so far."""
        s = self.s
        with self.r.loop("sweep", SWEEPS):
            s.run(_momentum, "norm theta cap", "momentum theta")
            for kind in self.kinds:
                with self.over(kind, "J1", "J2") as own:
                    s.run(_further, "x old share=momentum", "d")
                    self.r.copy(s.place("x"), s.place("old"))
                    s.run(plus, "a=x b=d", "x", True)
                    self._push(own, "d")
            self._sweep()
        self._feel("s", "c")
        self.measure("x", "s", tolerance)

    @part
    def _sweep(self) -> None:
        s = self.s
        s.run(nothing(), "", "norm")
        for kind in self.kinds:
            with self.over(kind) as own:
                felt = [word for word in own.split() if word not in ("Y1", "Y2")]
                s.run(_swept(kind), " ".join([*felt, "G c x old law done norm"]), "d norm", True)
                s.run(plus, "a=x b=d", "x", True)
                self._push(" ".join(word for word in own.split() if word not in ("J1", "J2")), "d")


_TWISTS = "twist1=twist@first twist2=twist@second"


class Exact:
    """Blocks that are not solved, and those near them, as the problem of a robot; the impulses of others are held."""

    def __init__(self, p: Sweeping):
        self.p, self.s, self.r, self.name = p, p.s, p.r, "hot"
        kinds = [Kind(rows.CONTACT, interior.CONTACT, 0, "hot")]
        kinds += [Kind(rows.SCALARS, interior.SCALARS, "hot", "warm")] if p.nv else []
        self.solver = Solver(p.r, FEW, kinds, p.lane["scale"], name="hot")
        self.taken = {"J1", "J2", "Y1", "Y2", "Y", "ends", "x"} & p.m.keys()
        self.solver.local({name: p.m[name].size for name in self.taken} | {"felt": 3})
        self.s.local("heat", 1, p.s.m["pose"].rows)
        self.s.local("listed", 1, p.most)

    @part
    def attempt(self, levels: int) -> None:
        """Impulses of these, and their residual among all; nothing if all are solved."""
        p, r, m = self.p, self.r, self.solver.m
        with r.loop("exact", 1, until=p.lane["done"], ahead=True):
            p._from("best")
            self._choose(levels)
            listed, kinds, last = self.s.m["listed"], p.kinds, self.solver.acting
            r.gather(p.m["hot"], listed, "hot", (0, kinds[min(1, len(kinds) - 1)].end))
            if p.nv:
                r.gather(p.m["hot"], listed, "warm", (kinds[1].end, kinds[2].end), "hot")
            with r.loop("row", last):
                for name, target in (*((name, name) for name in sorted(self.taken)), ("s", "felt"), ("law", "law")):
                    r.copy(p.m[name].row("row", table="pile listed"), m[target].row("row"))
            with r.loop("row", last), r.loop("column", last, wide=True):
                both = {f"{name}i": m[name].row("row") for name in ("J1", "J2", "Y", "ends") if name in m}
                both |= {f"{name}j": m[name].row("column") for name in ("Y1", "Y2", "Y", "ends") if name in m}
                r.run(blocks.coupled, both, [self.solver.pair("G", "row", "column")])
            self.solver.velocities("x", "s", None)
            self.solver.all(minus, "a=felt b=s", "c")
            self.solver.begin()
            self.solver.attempt()
            with r.loop("row", last):
                r.copy(m["best"].row("row"), p.m["x"].row("row", table="pile listed"))
            p.velocities("x", "s")
            p.measure("x", "s")
            p._from("best")

    def _choose(self, levels: int) -> None:
        """The worst of the blocks that are not solved, by levels, and as many of those that touch them as fit."""
        p, s = self.p, self.s
        p.worst("x", "s")
        s.run(_lowest, "scale", "level")
        with self.r.loop("level", levels + 1):
            s.run(nothing(), "", "many")
            p.all(_above, "many share level law", "many")
            s.run(_raised, "level many", "level")
        p.all(_worst, "share level law many", "hot")
        with s.over("bodies", s.m["heat"].rows):
            s.run(nothing(), "", "heat")
        s.run(nothing(), "", "warm")
        with self.r.loop("far", FAR):
            p.copy("hot", "seed")
            s.run(nothing(), "", "many")
            for kind in p.kinds:
                with p.over(kind) as own:
                    robots, ends = " warm" * ("pushed" in own), ""
                    if "J1" in own:
                        ends = "mobility1=mobility@first mobility2=mobility@second heat1=heat@first heat2=heat@second"
                    s.run(_spread, f"hot law {ends}{robots}", "hot" + " heat@first heat@second" * bool(ends) + robots)
                    s.run(plus, "a=many b=hot", "many", True)
            p.all(_fitting, "hot many seed", "hot", entrywise=True)


# -- blocks -----------------------------------------------------------------------------------------


def _further(x: Array, old: Array, share: Array) -> Array:
    return share[0] * (x - old)


def _momentum(norm: Array, theta: Array, cap: Array) -> tuple[Array, Array]:
    """The part of the last change that is made once more, as in Nesterov 1983; from the start where sweeps turn back.

    That restart is by O'Donoghue and Candès 2015: the sweep goes against the change of the impulses.
    """
    now = select(norm[0] < 0, 1.0, theta[0])
    after = 0.5 + sqrt(0.25 + now * now)
    return array([least((now - 1) / after, cap[0])]), array([after])


def _less_momentum(cap: Array) -> tuple[Array, Array]:
    return array([1.0]), 0.5 * cap


@cache
def _swept(kind: Kind) -> Callable[..., tuple[Array, Array]]:
    """The change of the impulse of a block, the others held, and its product with that since before the last."""

    def block(
        G: Array, c: Array, x: Array, old: Array, law: Array, done: Array, norm: Array, **given: Array
    ) -> tuple[Array, Array]:
        s = blocks.felt(c, **given)
        if kind.law is rows.CONTACT:
            found, size = blocks.solved(G, s, x, law[:1]), G[8]
        else:
            found, size = kind.law.solved(G, s - rows.matrix(G) @ x, law)[0], G[0]
        here = select(done[0] > 0.5, 0.0, law[9])
        change = array([select(here > 0.5, a, 0.0) for a in found - x])
        return change, array([norm[0] + size * (change @ (x + change - old))])

    return block


def _lowest(scale: Array) -> Array:
    return problem.TOLERANCE * scale


def _unsolved(share: Array, level: Array, law: Array) -> Array:
    return array([select(share[0] > level[0] * level[0], law[9], 0.0)])


def _above(many: Array, share: Array, level: Array, law: Array) -> Array:
    return many + _unsolved(share, level, law)


def _worst(share: Array, level: Array, law: Array, many: Array) -> Array:
    return array([select(many[0] > FEW, 0.0, _unsolved(share, level, law)[0])])


def _raised(level: Array, many: Array) -> Array:
    return array([select(many[0] > FEW, 10 * level[0], level[0])])


def _spread(
    hot: Array, law: Array, mobility1: Array | None = None, mobility2: Array | None = None,
    heat1: Array | None = None, heat2: Array | None = None, warm: Array | None = None,
) -> tuple[Array, ...]:  # fmt: skip
    """A block that touches what one that is hot touches, and what it touches; what does not move parts them."""
    there = hot[0]
    for x in (heat1, heat2, warm):
        there = there if x is None else greatest(there, x[0])
    there, found = law[9] * there, list[Array]()
    for mobility, heat in ((mobility1, heat1), (mobility2, heat2)):
        if mobility is not None and heat is not None:
            found.append(array([select(mobility[0] > 0, greatest(heat[0], there), heat[0])]))
    return array([there]), *found, *(() if warm is None else (array([greatest(warm[0], there)]),))


def _fitting(hot: Array, many: Array, seed: Array) -> Array:
    return array([select(many[0] > FEW, seed[0], hot[0])])
