"""Laws, and the Jacobian, of sets too large for straight-line code: the routine of each, by its algorithm."""

from math import prod
from typing import TYPE_CHECKING, Any

from ...compiler.closures import Closure
from ...robot.request import PARAMETERS, Request
from ..constraints import constraint_jacobian
from ..laws import contact_acceleration, contact_impact, contact_motion, contact_torques
from ..ranks.structure import Structure
from . import blocks
from .law import Law
from .nearest_motion import Acceleration, ForwardDynamics, Impact
from .panels import GROUP, place
from .torques import Torques

if TYPE_CHECKING:
    from ..kernels import ContactKernels

#: arrays that the routines take
TAKEN = {"q", "v", "a", "a0", "tau", "tau0", "weight", "correction", "restitution", PARAMETERS}


class Jacobian(Law):
    """The Jacobian, row by row."""

    def _set_up(self, nv: int) -> None:
        self.order = [*range(nv), *[-1] * (-nv % GROUP)]

    @property
    def shapes(self) -> dict[str, tuple[int, ...]]:
        """Shape of the result."""
        return {"J": (self.k, self.model.nv)}

    def _write(self) -> None:
        r, nv = self.r, self.model.nv
        J, found = self.matrices.matrix(self.k, len(self.order)), r.output("out J", 1, self.k * nv)
        self.columns(J)
        for h, some in self.matrices.fours(self.k):
            with r.loop("j", nv, wide=True):
                rows = [place(found, (h, GROUP * nv), ("j", 1), s * nv) for s in range(some)]
                r.run(blocks.split(some), {"x": J.at(h, "j")}, rows)


#: routines by the algorithm that they compute
LAWS: dict[Any, type[Law]] = {
    contact_torques: Torques,
    contact_motion: ForwardDynamics,
    contact_impact: Impact,
    contact_acceleration: Acceleration,
    constraint_jacobian: Jacobian,
}


def looped(kernels: "ContactKernels", request: Request) -> Closure | None:
    """The closure of a law, or of the Jacobian, with its routine; None where no routine serves it.

    Not served are weights of contact forces, a base that is not carried in all directions, and a J of rank 0.
    """
    if request.algorithm is not constraint_jacobian:
        structure: Structure = dict(request.choices)["structure"]
        carried = request.algorithm is not contact_torques or structure.base_rank == len(structure.unactuated)
        if not structure.rank or not carried or not {name for name, _ in request.arrays} <= TAKEN:
            return None
    law = LAWS[request.algorithm](kernels, request)
    kernel = kernels.routine(f"{request.method} in loops", ("loops", request.identity), law.routine)
    given = {**request.sizes, **{f"out {name}": prod(shape) for name, shape in law.shapes.items()}}
    return Closure(kernel, given, law.fixed, {}, {}, tuple(law.shapes.values()), law.seconds)
