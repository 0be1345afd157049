"""Which emitter writes the straight-line code of a program, how it is cut, and where its values live."""

import sys
from collections.abc import Sequence

from ...passes.schedule import stages
from ...passes.trace import Program
from ...target import Target
from ..emitters import chosen
from ..protocol import Emitter
from .frame import Layout
from .types import Lanes


def planned(
    program: Program, target: Target, lanes: Lanes, in_place: bool, quaternions: Sequence[tuple[int, int]] = ()
) -> tuple[Emitter, Layout]:
    """For vectors of so many lanes; `in_place` if arguments and results stay in the caller's arrays."""
    processor = target.processor
    emitter = chosen(target, lanes, len(program.inputs) + len(program.outputs) if in_place else 0)
    cut = stages(program, sys.maxsize if emitter.whole else processor.whole, processor.chunk)
    padding = 1 if lanes.count > 1 else target.lanes(lanes.precision)
    return emitter, Layout(program, cut, lanes, padding, processor, in_place, target.x86, tuple(quaternions))
