"""Schedule of a contact problem: the order in which sweeps and Newton's method are tried."""

from typing import NamedTuple


class Phase(NamedTuple):
    """Sweeps, or steps of Newton's method with a proximal term: at most so many."""

    kind: str
    most: int
    proximal: float = 0.0


#: phases, one after the other; a problem is done as soon as it is within its tolerance.  A first sweep comes
#: before: with none a robot at rest would keep what its last step left of the residual, and creep.
#: One step in a thousand of a humanoid that tumbles gets past the first four; larger proximal terms are slow, and sure.
SCHEDULE = (
    Phase("sweep", 1), Phase("newton", 3, 1e-6), Phase("sweep", 6), Phase("newton", 6, 1e-6),
    *2 * (
        Phase("sweep", 20), Phase("newton", 100, 1e-2), Phase("newton", 50, 1e-3), Phase("newton", 20, 1e-4),
        Phase("newton", 10, 1e-6),
    ),
)  # fmt: skip
#: a residual of this size is good enough
TOLERANCE = 1e-6
#: part of its residual that Newton's method must leave less than, or the sweeps go on where they were
WORTHWHILE = 0.9
