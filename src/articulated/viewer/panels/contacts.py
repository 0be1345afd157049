"""Contact analysis of the feet that are ticked, and the forces that hold the robot up."""

from typing import Any

import numpy as np

from ...contacts import Contacts
from ...contacts.feet import likely_feet
from ...drawing.forces import Touching
from ...errors import ArticulatedError
from .. import html
from ..state import Moment
from .panel import Panel, Place

#: frames offered where none is called a foot
OFFERED = 12


class Feet(Panel):
    """Feet on the ground: ranks of the contacts, and the forces for standing still."""

    def __init__(self, place: Place):
        super().__init__(place)
        gui, robot = place.gui, place.robot
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
            handle.on_update(lambda _: place.again())
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
        try:
            held = self.contacts()
            if held is None:
                self._text.content = ""
                return
            ranks = held.analyze(moment.q)
            found = self.standing(moment.q)
        except ArticulatedError as problem:
            self._text.content = html.block(f"<p>{html.name(problem, 400)}</p>")
            return
        fields = [("constraints", ranks.k), ("independent", ranks.rank), ("internal forces", ranks.internal),
                  ("uncontrollable", ranks.uncontrollable), ("actuation", ranks.actuation)]  # fmt: skip
        rows = [[f"<td class='name'>{name}</td>", f"<td data-rank='{name}'>{value}</td>"] for name, value in fields]
        notes = [f"<p class='dim'>{html.name(note, 300)}</p>" for note in ranks.notes]
        self._text.content = html.block(html.table(rows), *notes, self._forces(held, found))

    def standing(self, q: np.ndarray) -> Touching | None:
        """The forces on the feet that hold the robot still at q; None without feet."""
        held = self.contacts()
        if held is None:
            return None
        still = np.zeros(self.robot.nv)
        forces = held.by_contact(held.inverse_dynamics(q, still, still).forces)
        positions = np.array([self.robot.pose(q, name)[:3, 3] for name in held.names])
        count = len(held.names)
        up = np.tile([0.0, 0.0, 1.0], (count, 1))
        linear = np.array([forces[name][:3] for name in held.names])
        return Touching(positions, linear, up, np.full(count, self.friction), np.ones(count, bool))

    def _forces(self, held: Contacts, found: Touching | None) -> str:
        if found is None:
            return ""
        within = found.inside
        most = float(abs(found.forces).max())
        rows = [
            [f"<td class='name'>{html.name(name)}</td>",
             *(f"<td data-force='{k},{i}' data-value='{x!r}'>{html.number(x, most)}</td>" for i, x in enumerate(f)),
             f"<td class='name'>{'holds' if within[k] else 'pulls' if f[2] < 0 else 'slips'}</td>"]
            for k, (name, f) in enumerate(zip(held.names, found.forces.tolist(), strict=True))
        ]  # fmt: skip
        return "<h4>Standing still</h4>" + html.table(rows, ["", "fx N", "fy N", "fz N", ""])
