"""Impulses of a pile: sweeps over contacts on the velocities of the bodies, with momentum and a certificate of energy.

Nothing is as large as the square of the number of contacts.  Impulses are accepted if they obey all laws to TOLERANCE
of the largest violation without impulses; whatever is reached, the kinetic energy they add is not above zero: where it
would be, the problem is solved again without recovery from penetrations, and at last the impulses are scaled down.
"""

from ...algebra.scalars import Array, array, select, sqrt
from ..contact.laws import greatest, least
from ..contact.problem import begun, judged
from ..contact.rows import CONTACT
from ..contact.solver import ROUNDING, largest_share
from ..loop.blocks import constant, larger, nothing, root, scaled, taken
from . import blocks
from .statements import Statements

#: a residual of this size is accepted
TOLERANCE = 1e-4
#: sweeps between two looks at the residual, looks, and how often these: from the best, and with half the momentum
SWEEPS, LOOKS, PHASES = 5, 30, 3


class Solver:
    """Statements that solve the problem of the contacts that act, from `free` and the impulses `x`.

    Arrays of these contacts are J1 J2 Y1 Y2 G, b (what closes a gap, or undoes a penetration), mu, flag and x; with
    restitution also `hard`, the one of a contact that bounces, and `bounced`, its b.  The result is `best`; `after` are
    the velocities of the bodies with it, `least` is its residual.
    """

    def __init__(self, s: Statements, bodies: int, fixed: int, contacts: int, bounces: bool):
        self.s, self.r, self.bodies, self.bounces = s, s.r, bodies, bounces
        rows = {"J1": 18, "J2": 18, "Y1": 18, "Y2": 18, "G": 9, "b": 1, "mu": 1, "flag": 1}
        rows |= dict.fromkeys(("x", "x0", "d", "old", "best"), 3) | {"hard": 1, "bounced": 1}
        for name, size in rows.items():
            s.local(name, size, contacts)
        for name in ("twist", "after", "after0"):
            s.local(name, 6, bodies + 1 + fixed)
        lanes = "done norm theta cap share worst scale least least0 take accepted taken most gain"
        for name in lanes.split():
            s.local(name, 1)
        s.local("sums", 2)

    def solve(self) -> None:
        """Impulses without restitution, then with it."""
        s = self.s
        self.r.part("attempt", self._attempt)
        s.run(_certified, "sums", "accepted")
        with self.r.loop("again", 1, until=s.m["accepted"], ahead=True):
            self._keep()
            with s.over("acting", "acting"):
                s.run(_safe, "accepted b", "b", True)
            self.r.part("attempt", self._attempt)
            s.run(_share_without_gain, "sums", "taken")
            with s.over("acting", "acting"):
                s.run(scaled, "part=taken a=best", "best", True)
            with s.over("bodies", self.bodies):
                s.run(_between, "taken a=free b=after", "after", True)
            s.copy("after", "twist", "bodies", self.bodies)
            self.r.part("worst best", lambda: self._worst("best"))
            s.run(begun(TOLERANCE), "worst scale", "least done")
            self._restore()
        if self.bounces:
            self._bounce()

    def _keep(self) -> None:
        s = self.s
        with s.over("acting", "acting"):
            self.r.copy(s.place("best"), s.place("x0"))
            self.r.copy(s.place("best"), s.place("x"))
        s.copy("after", "after0", "bodies", self.bodies)
        self.r.copy(s.m["least"], s.m["least0"])

    def _restore(self) -> None:
        """In lanes whose impulses were accepted before."""
        s = self.s
        with s.over("acting", "acting"):
            s.run(taken, "take=accepted a=x0 b=best", "best", True)
        with s.over("bodies", self.bodies):
            s.run(taken, "take=accepted a=after0 b=after", "after", True)
        s.run(taken, "take=accepted a=least0 b=least", "least", True)

    def _attempt(self) -> None:
        """Sweeps from the impulses x, the best kept; none is the first."""
        s, r = self.s, self.r
        s.copy("free", "twist", "bodies", self.bodies + 1)
        s.copy("free", "after", "bodies", self.bodies)
        with s.over("acting", "acting"):
            s.run(nothing(3), "", "best")
        self.r.part("worst best", lambda: self._worst("best"))
        s.run(larger, "a=worst b=slowest", "scale")
        s.run(begun(TOLERANCE), "worst scale", "least done")
        with s.over("acting", "acting"):
            s.run(blocks.pushed, f"{_TWISTS} Y1 Y2 d=x", "twist@first twist@second", True)
            r.copy(s.place("x"), s.place("old"))
        s.run(constant(1.0), "", "theta")
        s.run(constant(1.0), "", "cap")
        self.r.part("sweep", self._sweep)
        with r.loop("phase", PHASES, until=s.m["done"], ahead=True):
            with r.loop("look", LOOKS, until=s.m["done"], ahead=True):
                self._look()
            with s.over("acting", "acting"):
                r.copy(s.place("best"), s.place("x"))
                r.copy(s.place("best"), s.place("old"))
            s.copy("after", "twist", "bodies", self.bodies)
            s.run(_less_momentum, "cap", "theta cap")
        self._energy("free")

    def _look(self) -> None:
        """Sweeps with momentum, and the residual; impulses are kept if they are the best so far."""
        s, r = self.s, self.r
        with r.loop("sweep", SWEEPS):
            s.run(_momentum, "norm theta cap", "share theta")
            with s.over("acting", "acting"):
                s.run(_further, "x old share", "d")
                r.copy(s.place("x"), s.place("old"))
                s.run(blocks.moved, f"x d {_TWISTS} Y1 Y2", "x twist@first twist@second", True)
            r.part("sweep", self._sweep)
        r.part("worst x", lambda: self._worst("x"))
        s.run(judged(TOLERANCE), "worst scale least done", "take least done")
        with s.over("acting", "acting"):
            s.run(taken, "take a=x b=best", "best", True)
        with s.over("bodies", self.bodies):
            s.run(taken, "take a=twist b=after", "after", True)

    def _energy(self, before: str) -> None:
        """Work of the impulses on the velocities before, and on their change."""
        s = self.s
        s.run(nothing(2), "", "sums")
        with s.over("bodies", self.bodies):
            s.run(blocks.energies, f"sums inertia before={before} after", "sums", True)

    def _sweep(self) -> None:
        s = self.s
        s.run(nothing(), "", "norm")
        with s.over("acting", "acting"):
            s.run(blocks.swept, f"J1 J2 {_TWISTS} G b x old mu flag done norm", "d norm", True)
            s.run(blocks.moved, f"x d {_TWISTS} Y1 Y2", "x twist@first twist@second", True)

    def _worst(self, x: str) -> None:
        """The largest violation of a law, m/s."""
        s = self.s
        s.run(nothing(), "", "worst")
        with s.over("acting", "acting"):
            s.run(_missed, f"J1 J2 {_TWISTS} G b x={x} mu flag worst", "worst", True)
        s.run(root, "a=worst", "worst")

    def _bounce(self) -> None:
        """Restitution by energy: between the impulses without it and those of Newton's law, as for a robot."""
        s = self.s
        s.run(nothing(), "", "most")
        with s.over("acting", "acting"):
            s.run(larger, "a=most b=hard", "most", True)
        s.run(_none_bounces, "most", "accepted")
        with self.r.loop("again", 1, until=s.m["accepted"], ahead=True):
            self._keep()
            self._energy("free")
            s.run(_gain, "sums", "gain")
            s.copy("bounced", "b", "acting", "acting")
            self.r.part("attempt", self._attempt)
            self._energy("after0")
            s.run(_share_of_bounce, "sums most gain", "taken")
            with s.over("acting", "acting"):
                s.run(_between, "taken a=x0 b=best", "best", True)
            with s.over("bodies", self.bodies):
                s.run(_between, "taken a=after0 b=after", "after", True)
            self.r.copy(s.m["least0"], s.m["least"])


_TWISTS = "twist1=twist@first twist2=twist@second"


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


def _missed(
    J1: Array, J2: Array, twist1: Array, twist2: Array, G: Array, b: Array, x: Array, mu: Array, flag: Array,
    worst: Array,
) -> Array:  # fmt: skip
    s = blocks.velocity(J1, J2, twist1, twist2) + array([0, 0, b[0]])
    missed = CONTACT.missed(x, s, CONTACT.mobilities(G), mu)
    return array([greatest(worst[0], select(flag[0] > 0.5, missed @ missed, 0.0))])


def _gain(sums: Array) -> Array:
    """Kinetic energy that impulses add."""
    return array([sums[0] + 0.5 * sums[1]])


def _certified(sums: Array) -> Array:
    return array([select(_gain(sums)[0] > ROUNDING * sums[1] + 1e-300, 0.0, 1.0)])


def _share_without_gain(sums: Array) -> Array:
    """The part of the impulses that gains nothing: all, or where the energy is least."""
    part = greatest(least(-sums[0] / greatest(sums[1], 1e-300), 1.0), 0.0)
    return array([select(_certified(sums)[0] > 0.5, 1.0, part)])


def _safe(accepted: Array, b: Array) -> Array:
    """Without recovery from a penetration: v = 0 obeys all laws, so that a solution gains no energy."""
    return array([select(accepted[0] > 0.5, b[0], greatest(b[0], 0.0))])


def _between(taken: Array, a: Array, b: Array) -> Array:
    return a + taken[0] * (b - a)


def _none_bounces(most: Array) -> Array:
    return array([select(most[0] > 0, 0.0, 1.0)])


def _share_of_bounce(sums: Array, most: Array, gain: Array) -> Array:
    """`sums` are V₀ᵀ M d and dᵀ M d of the change d by restitution, from V₀ without it."""
    return largest_share(array([sums[1], sums[0]]), most, gain)
