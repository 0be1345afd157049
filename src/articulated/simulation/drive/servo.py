"""Torques that are found in the step: gains of a law taken at its end, and motors that give only so much."""

from typing import TYPE_CHECKING, Any

from ...algebra.scalars import array, select
from ...compiler.passes.loops import Memory

if TYPE_CHECKING:
    from ..loop.routine import Writer

#: excess over the largest torque of a motor, relative to it, that is rounding
ROUNDING = 1e-12


class Servo:
    """Step of a writer whose torques are tau - dt D a, or at most what the motors give.

    D enters the step as rotor inertia does, dt D being added to M: see `Towards.at_end_of_step`.  A joint whose torque
    is then beyond its limit has the limit and no D, and the step is taken again, until no other joint is.
    """

    def __init__(self, writer: "Writer"):
        self.writer, r, nv, drive = writer, writer.r, writer.nv, writer.plan.drive
        given = writer.copied("implicit", nv) if drive.implicit is not None else None
        self.given, self.implicit = given, given
        self.most = writer.copied("most", nv) if drive.most is not None else None
        if given and self.most:
            self.implicit = r.local("implicit in use", nv)
            self.wanted, self.held = r.local("wanted", nv), r.local("at its limit", nv)
            self.settled = r.local("settled", 1)
            self.before = {name: r.local(f"{name} before", x.size) for name, x in writer.given.items()}

    def take(self, sampled: bool) -> None:
        """A step, and tau as it acts in it."""
        writer, r, now = self.writer, self.writer.r, self.writer.now
        if not self.implicit:
            assert self.most
            r.run(clipped, {"tau": now["tau"], "most": self.most}, [now["tau"]])
            writer.advance(sampled)
        elif self.given and self.most:
            self._within_limits(sampled, self.given, self.implicit, self.most)
        else:
            writer.advance(sampled)
            r.run(_acted, {"tau": now["tau"], "implicit": self.implicit, "a": now["a"]}, [now["tau"]])

    def _within_limits(self, sampled: bool, wanted: Memory, implicit: Memory, most: Memory) -> None:
        writer, r, now = self.writer, self.writer.r, self.writer.now
        for name, memory in self.before.items():
            r.copy(now[name], memory)
        r.copy(now["tau"], self.wanted)
        r.run(_none_held, {"tau": now["tau"]}, [self.held])
        with r.loop("attempt", writer.nv + 1, until=self.settled):
            for name, memory in self.before.items():
                r.copy(memory, now[name])
            given = {"tau": self.wanted, "implicit": wanted, "held": self.held, "most": most}
            r.run(_in_use, given, [now["tau"], implicit])
            writer.advance(sampled)
            r.run(_acted, {"tau": now["tau"], "implicit": implicit, "a": now["a"]}, [now["tau"]])
            r.run(_judged, {"tau": now["tau"], "held": self.held, "most": most}, [self.held, self.settled])


def _acted(tau: Any, implicit: Any, a: Any) -> Any:
    return tau - implicit * a


def clipped(tau: Any, most: Any) -> Any:
    """Torques that are at most what motors give."""
    return array([select(x > m, m, select(x < -m, -m, x)) for x, m in zip(tau, most, strict=True)])


def _none_held(tau: Any) -> Any:
    return array([0.0] * len(tau))


def _in_use(tau: Any, implicit: Any, held: Any, most: Any) -> tuple[Any, Any]:
    """A joint at its limit (held is 1 or -1) has that torque, and no gains."""
    free = [h * h < 0.5 for h in held]
    torques = [select(f, x, h * m) for f, x, h, m in zip(free, tau, held, most, strict=True)]
    return array(torques), array([select(f, d, 0.0) for f, d in zip(free, implicit, strict=True)])


def _judged(tau: Any, held: Any, most: Any) -> tuple[Any, Any]:
    """Joints at their limit, those included that are beyond it now, and whether none has come to them."""
    found, others = [], 0.0
    for x, h, m in zip(tau, held, most, strict=True):
        new = select(x > m * (1 + ROUNDING), 1.0, select(x < -m * (1 + ROUNDING), -1.0, h))
        found.append(new)
        others = others + (new - h) * (new - h)
    return array(found), array([select(others > 0, 0.0, 1.0)])
