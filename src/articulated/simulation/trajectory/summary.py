"""A trajectory in words: what a reader should know first, then what moved how far, with units."""

import html
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

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
#: gain of energy, relative to what could have become kinetic, that is no rounding and no oscillation
GROWTH = 0.25
TINY = 1e-12
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
    """Limits that were exceeded, contacts not solved, penetration, energy from nowhere; the worst moment of each."""
    return [*_beyond_limits(run), *_of_contacts(run), *_of_energy(run)]


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
    contact = run.contact
    if contact is None:
        return
    worst = np.unravel_index(int(np.argmax(contact.residual)), contact.residual.shape)
    if contact.residual[worst] > SOLVED:
        share = float(np.mean(contact.residual > SOLVED))
        t = float(run.t[worst[-1]])
        text = (
            f"in {100 * share:.2g} % of the samples the contacts are not solved to {SOLVED:g}; the largest residual is "
        )
        yield Finding("residual", "", t, f"{text}{contact.residual[worst]:.2g} at t = {t:g} s{_member(worst[:-1])}")
    if contact.gaps.size and contact.gaps.min() < -DEEP:
        at = np.unravel_index(int(np.argmin(contact.gaps)), contact.gaps.shape)
        t, point = float(run.t[at[-2]]), contact.names[at[-1]]
        text = f"{shortened(point)} is {-contact.gaps[at] * 1e3:.3g} mm inside what it touches at t = {t:g} s"
        yield Finding("penetration", point, t, f"{text}{_member(at[:-2])}")


def _of_energy(run: "Trajectory") -> Iterator[Finding]:
    """Energy that a simulation has made itself: nothing drove the robot, and it has more than it could have got."""
    if "method" not in run.info or run.contact is not None or run.forces or run.tau.any():
        return
    total, potential = run.energy.total, run.energy.potential
    gained = total - total[..., :1]
    fallen = potential[..., :1] - potential.min(axis=-1, keepdims=True)
    share = gained / (run.energy.kinetic[..., :1] + fallen + ROUNDING * abs(total[..., :1]) + TINY)
    at = np.unravel_index(int(np.argmax(share)), share.shape)
    if share[at] > GROWTH:
        t, step = float(run.t[at[-1]]), run.info.get("step", run.info.get("dt"))
        long = f" of {step:g} s" if isinstance(step, (float, int)) else ""
        text = f"the total energy has grown by {gained[at]:.3g} J at t = {t:g} s{_member(at[:-1])} although nothing "
        yield Finding("energy", "", t, f"{text}drives the robot: the step{long} is too large for this motion")


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
    nothing = 1e-14 * max(abs(x.min()), abs(x.max()))  # rounding, which would read as a number
    return [shortened(name), *("0" if abs(value) <= nothing else f"{value:.5g}" for value in values), unit]
