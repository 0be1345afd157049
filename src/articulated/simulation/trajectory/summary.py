"""Summary of a trajectory: findings first, then ranges with units."""

import html
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from ...algorithms.centroidal import body_centers
from ...model import Model
from ...robot.arguments.state_names import component_names, component_units
from ...text import counted, html_block, html_findings, html_folded, html_table, shortened
from .quantities import bounds

if TYPE_CHECKING:
    from .trajectory import Trajectory

#: beyond a limit by less than this part of it is rounding
ROUNDING = 1e-5
#: a contact problem is solved to this relative residual
SOLVED = 1e-6
#: deeper than this is more than the solver's drift, m
DEEP = 1e-4
#: parts of a summary that a notebook shows at once
OPEN = ("energy", "position", "normal force")
#: gain of energy, relative to what kinetic energy has been exchanged with, that is no rounding and no oscillation, and
#: part of the largest kinetic energy so far by which that grows
GROWTH, KEPT = 0.1, 0.1
TINY = 1e-12
#: samples of a run at which bodies without shapes are looked for
MOST_SAMPLES = 200
#: times the speed limit of a joint, and least and largest bound in rad/s or m/s, that no motion passes
BELIEVED, FASTEST = 100.0, (1e3, 1e5)
QUANTITIES = {"q": "position", "v": "speed", "tau": "effort"}


class Finding(NamedTuple):
    """Something to know before a motion is trusted: how far beyond, where, and the time it is worst."""

    what: str
    where: str
    t: float
    text: str


def headline(run: "Trajectory") -> str:
    """`panda: 1001 samples, 0 … 1 s`."""
    batch = f", batch {' × '.join(map(str, run.batch.shape))}" if run.batch.shape else ""
    contacts = f", {len(run.contact.names)} contact points" if run.contact is not None else ""
    return (
        f"{shortened(run.robot.name)}: {counted(len(run), 'sample')}, {run.t[0]:g} … {run.t[-1]:g} s{batch}{contacts}"
    )


def findings(run: "Trajectory") -> list[Finding]:
    """Divergence, limits exceeded, contacts not solved, penetration, bodies without shapes below the ground, and energy
    from nowhere; the worst moment of each, or the first."""
    return [
        *_of_divergence(run), *_beyond_limits(run), *_of_contacts(run), *_without_shapes(run), *_of_energy(run),
    ]  # fmt: skip


def _beyond_limits(run: "Trajectory") -> Iterator[Finding]:
    model = run.robot.model
    for name, quantity in QUANTITIES.items():
        x, (lower, upper) = getattr(run, name), bounds(model, name)
        names, unit = component_names(model, name), component_units(model, name)
        beyond = np.maximum(x - upper, lower - x)
        slack = ROUNDING * np.maximum(1.0, np.where(np.isfinite(upper), abs(upper), 1.0))
        worst = beyond.max(axis=tuple(range(x.ndim - 1)), initial=-np.inf)
        for k in np.flatnonzero(worst > slack):
            at = np.unravel_index(int(np.argmax(beyond[..., k])), x.shape[:-1])
            value, limit = x[at][k], upper[k] if x[at][k] > upper[k] else lower[k]
            t = float(run.t[at[-1]])
            text = f"{quantity} of {shortened(names[k])} is {value:.4g} {unit[k]} at t = {t:g} s{_member(at[:-1])}; "
            yield Finding(f"{quantity} limit", names[k], t, f"{text}its limit is {limit:.4g} {unit[k]}")


def _of_contacts(run: "Trajectory") -> Iterator[Finding]:
    contact, worst = run.contact, float(run.info.get("residual", 0.0))
    unsolved = f"not solved to {SOLVED:g}; the largest residual is"
    if contact is None:  # joints that stop, hold or close a loop, and piles that record no contact
        if worst > SOLVED:
            text = f"what stops or holds the motion is {unsolved} {worst:.2g}"
            yield Finding("residual", "", float(run.t[-1]), text)
        return
    worst_at = np.unravel_index(int(np.argmax(contact.residual)), contact.residual.shape)
    if contact.residual[worst_at] > SOLVED:
        share, t = float(np.mean(contact.residual > SOLVED)), float(run.t[worst_at[-1]])
        text = f"in {100 * share:.2g} % of the samples the contacts are {unsolved} {contact.residual[worst_at]:.2g}"
        yield Finding("residual", "", t, f"{text} at t = {t:g} s{_member(worst_at[:-1])}")
    if contact.gaps.size and contact.gaps.min() < -DEEP:
        at = np.unravel_index(int(np.argmin(contact.gaps)), contact.gaps.shape)
        t, point = float(run.t[at[-2]]), contact.names[at[-1]]
        text = f"{shortened(point)} is {-contact.gaps[at] * 1e3:.3g} mm inside what it touches at t = {t:g} s"
        yield Finding("penetration", point, t, f"{text}{_member(at[:-2])}")


def _without_shapes(run: "Trajectory") -> Iterator[Finding]:
    """Bodies that touch nothing, for want of a shape, and whose centers of mass went below flat ground."""
    untouched = run.info.get("untouched")
    if not untouched:
        return
    every = -(-len(run) // MOST_SAMPLES)
    thinned = np.ascontiguousarray(run.q[..., ::every, :])
    centers = run.robot.kernels.evaluate("findings", body_centers, {"q": thinned})
    heights = centers @ np.array(untouched["normal"]) - untouched["offset"]
    for k, body in enumerate(run.robot.model.bodies):
        below = heights[..., k] < 0
        if body.name in untouched["bodies"] and below.any():
            at = int(np.argmax(below.any(axis=tuple(range(below.ndim - 1)))))
            t, place = float(run.t[at * every]), f"z = {untouched['offset']:g}" if untouched["level"] else "the ground"
            text = f"{shortened(body.name)} has no collision shape among what touches and passed {place} at t = {t:g} s"
            yield Finding("shape", body.name, t, text)
            return  # those that hang on it follow


def _damped(model: Model) -> bool:
    return any(b.damping for b in model.bodies) or any(spring.damping for spring in model.springs)


def growth(
    robot: Any, kinetic: np.ndarray, potential: np.ndarray, work: Any, dt: float
) -> tuple[np.ndarray, np.ndarray]:
    """Energy (…, T) gained since the first sample beyond `work`, and as a part of what the motion exchanges.

    At rest velocities are solved to a part of what gravity adds in a step of dt: its energy is no gain.
    """
    total = kinetic + potential
    gained = total - total[..., :1] - work
    most = np.maximum.accumulate(kinetic, axis=-1)
    exchanged = np.maximum.accumulate(abs(potential - potential[..., :1]) + abs(work), axis=-1)
    scale = np.minimum(most, exchanged + KEPT * most) + ROUNDING * abs(total).max(axis=-1, keepdims=True) + TINY
    scale += 0.5 * robot.mass * (np.array(robot.gravity, float) ** 2).sum() * dt**2
    return gained, gained / scale


def _of_energy(run: "Trajectory") -> Iterator[Finding]:
    """Energy gained beyond the work of the motors: an unstable integration."""
    work = _work(run) if "method" in run.info and not run.forces else None
    if work is None:
        return
    gained, share = growth(run.robot, run.energy.kinetic, run.energy.potential, work, np.diff(run.t).max(initial=0))
    method = run.info["method"]
    if method == "symplectic" and not _damped(run.robot.model) and not run.joints:
        share = abs(share)  # whose energy neither grows nor falls
    at = np.unravel_index(int(np.argmax(share)), share.shape)
    if share[at] > GROWTH:
        t, step = float(run.t[at[-1]]), run.info.get("step", run.info.get("dt"))
        long = f" of {step:g} s" if isinstance(step, (float, int)) else ""
        advice = '; method="midpoint" takes gyroscopic terms implicitly' if method == "euler" and not work.any() else ""
        grown = "grown" if gained[at] > 0 else "fallen"
        steps = np.diff(np.sign(gained[at]) * gained[at[:-1]])[: at[-1]]
        jump, source = int(steps.argmax()), "the work of the torques" if work.any() else "nothing drives the robot"
        text = (
            f"the total energy has {grown} by {abs(gained[at]):.3g} J at t = {t:g} s{_member(at[:-1])}, "
            f"{steps[jump]:.3g} J of it after sample {jump} at t = {run.t[jump]:g} s, "
            f"{'beyond' if work.any() else 'although'} {source}: the step{long} is too large for this motion{advice}"
        )
        yield Finding("energy", "", t, text)


def _work(run: "Trajectory") -> np.ndarray | None:
    """Work of the torques since the start, (…, T) J; None where samples are too far apart to tell."""
    if not run.tau.any():
        return np.zeros(run.energy.total.shape)
    steps, dt = np.diff(run.t), run.info.get("dt")
    if "step" in run.info or not isinstance(dt, (float, int)) or not np.allclose(steps, dt, rtol=1e-6):
        return None
    before, after = run.tau[..., :-1, :], run.v[..., 1:, :]
    power = (before * after).sum(axis=-1)  # Euler's method moves by the velocity after a step
    if run.info["method"] != "euler":
        power = (run.power[..., 1:] + run.power[..., :-1]) / 2
    return np.concatenate([0 * power[..., :1], np.cumsum(power * steps, axis=-1)], axis=-1)


def fastest(model: Model) -> np.ndarray:
    """Speeds beyond which a motion is not believed, (nv,): far above what joints are built for, or anything moves."""
    return np.clip(BELIEVED * bounds(model, "v").upper, *FASTEST)


def _of_divergence(run: "Trajectory") -> Iterator[Finding]:
    ends, reasons = (run.info.get(f"ended_{name}") for name in ("at", "by"))
    each = (
        list(enumerate(zip(ends, reasons, strict=True))) if isinstance(ends, list) and isinstance(reasons, list) else []
    )
    for reason, why in (("controller", ", as their controller returned NaN or infinity"), ("diverged", "")):
        if some := [(t, k) for k, (t, by) in each if by == reason]:
            t, k = min(some)
            text = f"{len(some)} of {len(each)} runs ended and stay where they were{why}, the first after t = {t:g} s"
            yield Finding(reason, "", t, f"{text}{_member(np.unravel_index(k, run.batch.shape or (1,)))}")
    beyond = abs(run.v) / fastest(run.robot.model)
    at = np.unravel_index(int(np.argmax(beyond)), beyond.shape) if beyond.size else ()
    if at and beyond[at] > 1:
        model, t = run.robot.model, float(run.t[at[-2]])
        name, unit = component_names(model, "v")[at[-1]], component_units(model, "v")[at[-1]]
        text = f"{shortened(name)} moves at {run.v[at]:.3g} {unit} at t = {t:g} s{_member(at[:-2])}"
        yield Finding("divergence", name, t, f"{text}: no robot does; try a smaller step or weaker gains")


def _member(at: tuple[Any, ...]) -> str:
    return f" (member {', '.join(str(int(k)) for k in at)} of the batch)" if at else ""


def summary_html(run: "Trajectory") -> str:
    """The summary for a notebook: findings, then ranges; what is not positions and energies opens at a click."""
    ends = [] if run.batch.shape else ["from", "to"]
    parts = [
        html_folded(title, html_table(["", *ends, "least", "most", "unit"], rows), open_=title in OPEN)
        for title, rows in _ranges(run)
        if rows
    ]
    if rows := [[shortened(key), shortened(value)] for key, value in run.info.items()]:
        parts.append(html_folded("how it was made", html_table(["", ""], rows)))
    head = f"<p><b>{html.escape(headline(run))}</b></p>"
    return html_block(head, html_findings([found.text for found in run.findings], "No limit is exceeded."), *parts)


def _ranges(run: "Trajectory") -> Iterator[tuple[str, list[list[str]]]]:
    """First and last value (of one run), least and most (of all), of energies, positions and efforts."""
    model = run.robot.model
    yield "energy", [_row(name, x, "J") for name, x in run.energy._asdict().items()]
    if run.contact is not None:
        yield "normal force", [_row(n, run.contact.normal[..., k], "N") for k, n in enumerate(run.contact.names)]
        yield "contact solver", [_row("residual", run.contact.residual, "")]
    for name, quantity in QUANTITIES.items():
        labels = zip(component_names(model, name), component_units(model, name), strict=True)
        yield quantity, [_row(label, getattr(run, name)[..., k], unit) for k, (label, unit) in enumerate(labels)]


def _row(name: str, x: np.ndarray, unit: str) -> list[str]:
    values = [*([x[0], x[-1]] if x.ndim == 1 else []), x.min(), x.max()]
    nothing = 1e-14 * max(abs(x.min()), abs(x.max()))  # rounding errors are shown as 0
    return [shortened(name), *("0" if abs(value) <= nothing else f"{value:.5g}" for value in values), unit]
