"""The body of a program as functions of a module, and the calls that run it."""

from dataclasses import dataclass, field

from ...abi import SINCOS_SYMBOL
from ..x86 import body
from .body import FRAMES, chunk
from .frame import Layout
from .types import Lanes

#: of functions called from outside; Windows would probe a large frame by a call out of the module, so `frames` does it
ENTRY = 'nounwind "no-stack-arg-probe" "stackrealign"'
_PAGE = 4096


@dataclass
class Steps:
    """What to do for one state, or for one per lane, once its numbers are in the frame."""

    functions: list[str] = field(default_factory=list)
    calls: list[list[str]] = field(default_factory=list)  # by stage: of the functions, then for the sines
    scratch: int = 0  # slots the functions need besides the frame


def steps_of(layout: Layout, name: str, vector: Lanes, assembly: bool) -> Steps:
    """The body of a program; in `assembly`, or left to LLVM."""
    steps, constants = Steps(), body.Constants(layout.lanes) if assembly else None
    leaves = [i for i in layout.targets if layout.program.ops[i] in ("input", "const", "sine", "cosine")]
    for s, stage in enumerate(layout.stages):
        steps.calls.append([])
        last = s == len(layout.stages) - 1
        # arguments and sines that are stored as they are: angles before their sines, the others at the end
        mine = leaves if last else [i for i in leaves if i in stage.angles]
        pieces = list(stage.chunks) or [()]
        for operations in pieces:
            extra = mine if operations is pieces[-1] else []
            if operations or extra:
                text, call, slots = _piece(layout, f"{name}_{len(steps.functions)}", operations, extra, constants)
                steps.functions.append(text)
                steps.calls[-1].append(call)
                steps.scratch = max(steps.scratch, slots)
        if stage.angles:
            steps.calls[-1] += sine_calls(layout, s, vector)
    if constants:
        steps.functions.append(constants.text())
    return steps


def _piece(
    layout: Layout, title: str, operations: tuple[int, ...], leaves: list[int], constants: body.Constants | None
) -> tuple[str, str, int]:
    """A function for some operations, in assembly if there is a table for its constants; its call; slots of scratch."""
    if constants is None:
        call = f"  call void @{title}(ptr %args, {', '.join(['ptr %frame'] * FRAMES)})"
        return chunk(layout, title, operations, leaves), call, 0
    text, slots = body.function(layout, title, operations, leaves, constants)
    pointers = f"ptr %args, ptr %frame, ptr %scratch, ptr @{constants.name}"
    return text, f"  call {body.CONVENTION} void @{title}({pointers})", slots


def sine_calls(layout: Layout, s: int, vector: Lanes, apart: int = 0) -> list[str]:
    """The sines after a stage, of one frame or also of another one so many bytes further on."""
    names = [f"%s.{kind}{s}" for kind in ("angles", "sines", "cosines")]
    lines = [
        f"  {name} = getelementptr i8, ptr {base}, i64 {offset}"
        for name, (base, offset) in zip(names, (layout.angles[s], *layout.sines[s]), strict=True)
    ]
    count = len(layout.stages[s].angles) * layout.lanes.count
    # the caller's own array must not be read beyond its end; those in the frame are whole vectors
    last = count - vector.count if layout.angles[s][0] != "%frame" else (count - 1) // vector.count * vector.count
    step, advance = (apart, vector.bytes) if apart else (vector.bytes, 2 * vector.bytes)
    arrays = ", ".join(f"ptr {name}" for name in names)
    return [
        *lines,
        f"  call void @{SINCOS_SYMBOL}({arrays}, i64 {step}, i64 {advance}, i64 {last * vector.size + apart})",
    ]


def frames(layout: Layout, steps: Steps, vector: Lanes, count: int = 1) -> list[str]:
    """The memory of a call: as many frames, then the scratch."""
    frame, scratch = (slots * layout.lanes.bytes for slots in (count * layout.slots, steps.scratch))
    frame = -(-frame // vector.bytes) * vector.bytes
    size = max(frame + scratch, 1)
    lines = [
        f"  %frame = alloca [{size} x i8], align {vector.bytes}",
        f"  %scratch = getelementptr i8, ptr %frame, i64 {frame}",
    ]
    # a stack grows page by page: the next one is there only when the one above has been used
    for offset in range(size // _PAGE * _PAGE, 0, -_PAGE):
        lines.append(f"  %page{offset} = getelementptr i8, ptr %frame, i64 {offset - 1}")
        lines.append(f"  store volatile i8 0, ptr %page{offset}")
    return lines
