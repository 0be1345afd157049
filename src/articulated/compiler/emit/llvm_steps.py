"""The body of a program as functions of a module, and the calls that run it."""

from dataclasses import dataclass, field

from ..forms import SINES
from . import x86
from .llvm_body import FRAMES, chunk
from .llvm_layout import Layout
from .llvm_types import Lanes

#: of functions called from outside; large frames stay unprobed on Windows, where a probe would call out of the module
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
    steps = Steps()
    leaves = [i for i in layout.targets if layout.program.ops[i] in ("input", "const", "sine", "cosine")]
    constants = x86.Constants(layout.lanes)
    for s, stage in enumerate(layout.stages):
        steps.calls.append([])
        last = s == len(layout.stages) - 1
        # arguments and sines that are stored as they are: angles before their sines, the others at the end
        mine = leaves if last else [i for i in leaves if i in stage.angles]
        pieces = list(stage.chunks) or [()]
        for operations in pieces:
            extra = mine if operations is pieces[-1] else []
            if operations or extra:
                title = f"{name}_{len(steps.functions)}"
                if assembly:
                    text, slots = x86.function(layout, title, operations, extra, constants)
                    steps.scratch = max(steps.scratch, slots)
                    pointers = f"ptr %args, ptr %frame, ptr %scratch, ptr @{constants.name}"
                    call = f"  call {x86.CONVENTION} void @{title}({pointers})"
                else:
                    text = chunk(layout, title, operations, extra)
                    call = f"  call void @{title}(ptr %args, {', '.join(['ptr %frame'] * FRAMES)})"
                steps.functions.append(text)
                steps.calls[-1].append(call)
        if stage.angles:
            steps.calls[-1] += sine_calls(layout, s, vector)
    if assembly:
        steps.functions.append(constants.text())
    return steps


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
    return [*lines, f"  call void @{SINES}({arrays}, i64 {step}, i64 {advance}, i64 {last * vector.size + apart})"]


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
