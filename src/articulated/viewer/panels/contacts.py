"""Contact analysis of the feet that are ticked, and the forces that hold the robot up."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ...contacts import Contacts
from ...contacts.kinds import likely_feet
from ...control.whole_body.history import Tick
from ...drawing.forces import Touching
from ...errors import ArticulatedError
from .. import html
from ..state import Moment
from .panel import Panel

if TYPE_CHECKING:
    from ..page import Page

#: frames offered where none is called a foot
OFFERED = 12


class Feet(Panel):
    """Feet on the ground: ranks of the contacts, and the forces for standing still."""

    def __init__(self, page: "Page"):
        super().__init__(page)
        self.page, gui, robot = page, page.gui, page.robot
        self._sets: dict[Any, Contacts] = {}
        feet = likely_feet(robot.model)
        names = feet or [b.name for b in robot.model.bodies][-OFFERED:]
        gui.add_html(html.block("<p>Frames in contact with the ground:</p>"))
        self.boxes = {name: gui.add_checkbox(name, False) for name in names}
        self._kind = gui.add_dropdown(
            "Contact type", ("points", "soles"), hint="Constrained in three directions, or in six"
        )
        self._friction = gui.add_slider("Friction coefficient", min=0.0, max=2.0, step=0.01, initial_value=0.7)
        for handle in (*self.boxes.values(), self._kind, self._friction):
            handle.on_update(lambda _: page.again())
        self._text = gui.add_html("")

    @property
    def ticked(self) -> list[str]:
        """Names of the feet on the ground."""
        return [name for name, box in self.boxes.items() if box.value]

    @property
    def friction(self) -> float:
        """Coulomb's coefficient."""
        return float(self._friction.value)

    def contacts(self) -> Contacts | None:
        """The set that is ticked; None without any."""
        key = (tuple(self.ticked), self._kind.value)
        if not key[0]:
            return None
        if key not in self._sets:
            how = {"point" if key[1] == "points" else "surface": key[0]}
            self._sets[key] = Contacts(self.robot, **how)  # type: ignore[arg-type]
        return self._sets[key]

    def tell(self, moment: Moment) -> None:
        if moment.sample is not None and (tick := self.page.playback.tick) is not None:
            asked, _ = self.page.playback.forces(moment.sample)
            self._text.content = html.block(*tick_html(tick, asked))
            return
        try:
            held = self.contacts()
            if held is None:
                self._text.content = ""
                return
            ranks, found = held.analyze(moment.q), standing(held, moment.q, self.friction)
        except ArticulatedError as problem:
            self._text.content = html.block(f"<p>{html.name(problem, 400)}</p>")
            return
        self._text.content = html.block(html.shown(ranks), forces_html(held.names, found))

    def standing(self, q: np.ndarray) -> Touching | None:
        """The forces on the feet that hold the robot still at q; None without feet."""
        held = self.contacts()
        return None if held is None else standing(held, q, self.friction)


def standing(held: Contacts, q: np.ndarray, friction: float) -> Touching:
    """The forces on the contacts that hold the robot still at q."""
    still, count = np.zeros(held.robot.nv), len(held.names)
    forces = held.by_contact(held.inverse_dynamics(q, still, still).forces)
    linear = np.array([forces[name][:3] for name in held.names])
    up = np.tile([0.0, 0.0, 1.0], (count, 1))
    return Touching(held.positions(q), linear, up, np.full(count, friction), np.ones(count, bool))


def tick_html(tick: Tick, asked: Touching | None) -> list[str]:
    """Forces that a whole-body law asks for in a tick, and the constraints that hold it back."""
    forces = (
        "" if asked is None or not tick.contacts else forces_html(tick.contacts, asked, "Forces asked of the ground")
    )
    rows = [[f"<td class='name'>{html.name(task)}</td>", f"<td>{x:.3g}</td>"] for task, x in tick.residuals.items()]
    active = "".join(f"<li data-active='{html.name(name, 60)}'>{html.name(name, 60)}</li>" for name in tick.active)
    return [
        f"<h4>Whole-body law, {tick.t:.3f} s: {tick.status}</h4>",
        f"<p>active constraints:</p><ul>{active}</ul>" if active else "<p>no constraint is active</p>",
        forces, "<h4>Residuals of tasks</h4>", html.table(rows),
    ]  # fmt: skip


def forces_html(names: Sequence[str], found: Touching, title: str = "Standing still") -> str:
    """A row for each contact: its force, and whether that stays in its cone."""
    most = float(abs(found.forces).max())
    rows = [
        [f"<td class='name'>{html.name(name)}</td>",
         *(f"<td data-force='{k},{i}' data-value='{x!r}'>{html.number(x, most)}</td>" for i, x in enumerate(f)),
         f"<td class='name'>{'lifted' if not on else 'holds' if inside else 'pulls' if f[2] < 0 else 'slips'}</td>"]
        for k, (name, f, inside, on) in enumerate(
            zip(names, found.forces.tolist(), found.inside, found.closed, strict=True)
        )
    ]  # fmt: skip
    return f"<h4>{title}</h4>" + html.table(rows, ["", "fx N", "fy N", "fz N", ""])
