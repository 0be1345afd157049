"""Letters of the model on a page, as the textbooks write them: a table of styles.

On every page one letter has one meaning.  c is a cosine; so velocity forces are C q̇, or c(q, q̇) with its arguments;
g is the force, a_g the acceleration of gravity.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, NamedTuple

from ...inputs.choices import choose


class Notation(NamedTuple):
    """LaTeX of the letters of one textbook; `i` stands for the number of a joint, `v` for the velocities."""

    source: str
    inertia: str = "M"
    forces: str = "C {v}"  # centrifugal and Coriolis, the vector
    force: str = "(C {v})_{{{i}}}"  # one entry of it
    coriolis: str = "C"  # the matrix
    christoffel: str = r"\Gamma"  # symbols and the matrices made of them
    gravity: str = "g"
    torque: str = r"\tau"
    known: bool = True  # lengths and gravity are known where coefficients are counted


#: style → its letters
STYLES = {
    "plain": Notation("no textbook: one letter, one meaning"),
    "de_luca": Notation(
        "De Luca, Robotics 2", "B", r"c(q, {v})", r"c_{{{i}}}(q, {v})", "S", "C", torque="u", known=False
    ),
    "siciliano": Notation("Siciliano et al. 2009", "B"),
    "spong": Notation("Spong, Hutchinson, Vidyasagar 2006", "D"),
    "khalil": Notation(
        "Khalil and Dombre 2002", "A", christoffel=r"\Lambda", gravity="Q", torque=r"\Gamma"
    ),
}  # fmt: skip


class Page(NamedTuple):
    """The letters in use: those of a style, the velocities, and the names of the angles that c_12 is written for."""

    letters: Notation = STYLES["plain"]
    v: str = r"\dot{q}"
    angles: frozenset[str] = frozenset()

    @property
    def forces(self) -> str:
        """The vector of velocity forces."""
        return self.letters.forces.format(v=self.v)

    def force(self, i: int | str) -> str:
        """One of its entries."""
        return self.letters.force.format(v=self.v, i=i)


_PAGE: ContextVar[Page] = ContextVar("page")
PLAIN = Page()


def page() -> Page:
    """The letters of the page that is being written."""
    return _PAGE.get(PLAIN)


@contextmanager
def written_in(equations: Any, style: str = "plain") -> Iterator[Page]:
    """Formulas written in the letters of a style, and c_12 for the angles of these equations."""
    choose("derivation", "style", style, STYLES)
    state = getattr(equations, "state", None)
    rates = state is None or state.velocities_are_rates
    angles = frozenset(s.name for s in (state.letters if state else ()))
    token = _PAGE.set(Page(STYLES[style], r"\dot{q}" if rates else "v", angles))
    try:
        yield _PAGE.get()
    finally:
        _PAGE.reset(token)
