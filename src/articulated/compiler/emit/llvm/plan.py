"""The plan of a program's code: how it is cut into functions, and where its values live."""

from ...passes.schedule import stages
from ...passes.trace import Program
from ...target import Target
from .frame import Layout
from .types import Lanes

#: operations up to which a program is one function, and those of each function of a longer one
WHOLE, CHUNK = 2000, 300


def planned(program: Program, target: Target, lanes: Lanes, in_place: bool) -> Layout:
    """Plan for vectors of so many lanes; `in_place` if arguments and results stay in the caller's arrays."""
    padding = 1 if lanes.count > 1 else target.lanes(lanes.precision)
    return Layout(program, stages(program, WHOLE, CHUNK), lanes, padding, in_place, target.x86)
