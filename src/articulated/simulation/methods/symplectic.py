"""A variational step on any scalar: the displacement that takes up the momentum, found by a quasi-Newton iteration.

As in adaptive.py all is selected, not branched on, and lanes that have finished stay as they are.
"""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from ...algebra.scalars import Array, Scalar, array, chosen, select, sqrt
from ...algorithms.configuration import end_momenta, halfway
from ...algorithms.inverse_dynamics import friction_forces, lagrangian_slopes
from ...algorithms.mass_matrix import mass_matrix
from ...model import Model
from ...model.with_numbers import with_parameters
from ..drive.external_forces import ForceSites

if TYPE_CHECKING:
    from ..contact.held import HeldRows, Rows

#: squared relative residual that is asked for: what the next iteration leaves is below it
WANTED = 1e-31
#: where an iteration that halves the residual no more is as good as rounding lets it be
STALLED = 1e-24
#: above this, after the last iteration, a step has failed
WORST = 1e-20
#: unless it moves the joints by less than this, in meters and radians: then it is rounding of large torques
NEAR = 1e-13
_TINY = 1e-300


class Tried(NamedTuple):
    """A lane after an iteration."""

    d: Array
    size: Array  # of the residual, r M⁻¹ r
    scale: Array  # what it is compared with: p M⁻¹ p and its like for damping and weight
    done: Array
    rounds: Array
    worst: Array  # how far d has moved


class Stepped(NamedTuple):
    """A lane after a step."""

    q: Array
    v: Array
    p: Array
    t: Array
    left: Array  # of the step: all of it if it has failed
    gain: Array  # of velocity
    failed: Array
    residual: Array  # the largest so far
    iterations: Array


class Balance:
    """The equations of a step, with M⁻¹ in one of its formulations.

    `law(t, q, v)` gives torques in the middle of the step, if they are not held; `sites` are where external forces act.
    Contacts that are `held` push at its beginning, so that they are in their places at its end, and there, so that the
    velocity moves none of them (Andersen 1983, RATTLE).
    """

    def __init__(
        self, model: Model, law: Callable[..., Array] | None, sites: ForceSites, held: "HeldRows | None" = None
    ):
        self.model, self.law, self.sites, self.held = model, law, sites, held

    def ends(self, q: Array, d: Array, t: Array, dt: Array, tau: Array, forces: dict[str, Any]) -> tuple[Any, ...]:
        """Momenta before and after the step, its configurations in the middle and at the end, and a scale of energy."""
        h = dt[0]
        middle, end = halfway(self.model, q, d)
        v = d / h
        model = with_own_parameters(self.model, forces)
        p, f = lagrangian_slopes(model, middle, v, self.sites(model, middle, forces))
        if self.law:
            tau = self.law(t[0] + h / 2, middle, v)
        before, after = end_momenta(self.model, d, p, h * (f + tau))
        return before, after, middle, end, p @ v + friction_forces(model, v) @ d + h * h * _weight(model)

    def iteration(self, inverse: Callable[..., Array]) -> Callable[..., Any]:
        """d ← d + h M⁻¹ r, as a block; `inverse(q, r, …)` is M⁻¹ r, damping over half a step added to M."""

        def block(
            q: Array, p: Array, d: Array, t: Array, dt: Array, tau: Array,
            size: Array, scale: Array, done: Array, rounds: Array, worst: Array, **forces: Any,
        ) -> Any:  # fmt: skip
            before, _, middle, _, compared = self.ends(q, d, t, dt, tau, forces)
            r, push = p - before, forces.get("push")
            rows = self._rows(q, forces)
            if rows:
                r = r + rows.J.T @ push
            step = dt[0] * inverse(middle, r, forces)
            found = (r @ step) / dt[0]
            if self.held and rows:
                from ..contact.held import apart

                missed = apart(self.model, halfway(self.model, q, d + step)[1], forces["anchors"], self.held)
                back, pushed, _ = rows.step(-missed)
                step, found, push = step + back, found - pushed @ missed / dt[0] ** 2, push + pushed / dt[0]
            enough = select(WANTED * compared < found, 0.0, 1.0)
            soon = select(found * found < WANTED * compared * size[0], 1.0, enough)
            stalled = select(found < STALLED * compared, select(0.5 * size[0] < found, 1.0, soon), soon)
            over = done[0] > 0
            tried = Tried(
                d=chosen(over, d, d + step),
                size=array([select(over, size[0], found)]),
                scale=array([select(over, scale[0], compared)]),
                done=array([select(over, done[0], stalled)]),
                rounds=array([rounds[0] + select(over, 0.0, 1.0)]),
                worst=chosen(over, worst, step),
            )
            return (*tried, chosen(over, forces["push"], push)) if rows else tried

        return block

    def _rows(self, q: Array, given: Mapping[str, Any]) -> "Rows | None":
        """Rows of the contacts that are held."""
        if self.held is None:
            return None
        from ..contact.held import Rows

        return Rows(with_own_parameters(self.model, given), q, self.held, mass_matrix)

    def finish(self, inverse: Callable[..., Array]) -> Callable[..., Stepped]:
        """The end of a step, as a block; `inverse(q, p, …)` is M⁻¹ p."""

        def block(
            q: Array, v: Array, p: Array, d: Array, t: Array, dt: Array, tau: Array, size: Array, scale: Array,
            rounds: Array, worst: Array, gain: Array, failed: Array, residual: Array, iterations: Array, **forces: Any,
        ) -> Stepped:  # fmt: skip
            _, after, _, end, _ = self.ends(q, d, t, dt, tau, forces)
            velocity = inverse(end, after, forces)
            if rows := self._rows(end, forces):
                back, pushed, _ = rows.step(-(rows.J @ velocity))
                velocity, after = velocity + back, after + rows.J.T @ pushed
            moves = select(failed[0] > 0, 0.0, dt[0]) > 0
            near = select(worst @ worst < NEAR * NEAR, 1.0, 0.0)
            good = select(moves, select(size[0] < WORST * scale[0] + _TINY, 1.0, near), 0.0) > 0.5
            bad = select(moves, select(good, 0.0, 1.0), failed[0])
            relative = sqrt(size[0] / (scale[0] + _TINY))
            return Stepped(
                q=chosen(good, end, q),
                v=chosen(good, velocity, v),
                p=chosen(good, after, p),
                t=array([select(good, t[0] + dt[0], t[0])]),
                left=array([select(bad > 0, dt[0], 0.0)]),
                gain=chosen(good, velocity - v, gain),
                failed=array([bad]),
                residual=array([select(good, select(residual[0] < relative, relative, residual[0]), residual[0])]),
                iterations=array([iterations[0] + select(moves, rounds[0], 0.0)]),
            )

        return block


def with_own_parameters(model: Model, given: Mapping[str, Any], stiff: float = 0.0) -> Model:
    """The model with the parameters a block is given, if any; damping and springs implicit over a time `stiff`."""
    if "parameters" not in given:
        return model
    own, count = given["parameters"], len(model.bodies)
    if stiff and len(own) > 10 * count:
        own = own.copy()
        own[10 * count : 11 * count] += stiff * own[11 * count : 12 * count] + stiff**2 * own[13 * count : 14 * count]
    return with_parameters(model, own)


def _weight(model: Model) -> Scalar:
    """At rest the momentum is rounding of the weight times h: sqrt(p M⁻¹ p) of it is at most h sqrt(mass) |g|."""
    return sum(b.inertia.mass for b in model.bodies) * float(model.gravity @ model.gravity)


def predicted(v: Array, gain: Array, dt: Array, failed: Array) -> tuple[Array, ...]:
    """(d, size, scale, done, rounds) before the first iteration; a lane that has failed, or does not move, is done."""
    zero = array([0.0])
    done = select(failed[0] > 0, 1.0, select(dt[0] > 0, 0.0, 1.0))
    return dt[0] * (v + gain / 2), zero, zero, array([done]), zero


def gained(a: Array, dt: Array) -> Array:
    """Velocity gained in a step at the acceleration of its beginning."""
    return dt[0] * a
