"""Constants of micro-architectures, one table per processor.

They decide how long a kernel takes, never what it computes: a sum is associated before any of them is read
(`passes/sums.py`).  `python -m benchmarks.microarchitecture` measures kernels over a grid of each of them.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from types import MappingProxyType


@dataclass(frozen=True)
class Processor:
    """What the emitters assume of a processor; the values here are those of `GENERIC`."""

    # -- list scheduling (passes/order.py) --
    #: half cycles from operation to result, two operations being issued per cycle; others take `short_latency`
    latency: Mapping[str, int] = field(
        default_factory=lambda: MappingProxyType(
            {"add": 6, "sub": 6, "mul": 8, "fma": 8, "fms": 8, "fnma": 8, "div": 26, "sqrt": 40}
        )
    )
    short_latency: int = 2
    #: operations of the program order by which an operation may be moved up
    lookahead: int = 24
    #: places in the program order that the end of a live range is worth
    live_range_bonus: int = 12

    # -- register allocation (emit/x86/registers.py, emit/x86/body.py) --
    #: how many times nearer the next use of a value may be that is evicted without a spill store
    reload_bonus: int = 2
    #: operations within which an operand in memory must be used again to be loaded into a register
    keep_within: int = 8

    # -- addresses (emit/x86/memory.py, emit/x86/windows.py) --
    #: instructions that the µop cache holds; longer code is decoded again in every call, and its bytes count
    uop_cache: int = 1000
    #: a pointer moves to a block of memory that is used this often ...
    window_uses: int = 3
    #: ... within this many instructions
    window_lines: int = 128

    # -- the batch loop (emit/llvm/batch.py, emit/llvm/rows.py) --
    #: bytes of the first-level data cache that the frames of two tiles and the spill slots may fill
    frame_bytes: int = 24 * 1024
    #: columns up to which a transposition is unrolled
    unrolled_columns: int = 24
    #: bytes of results from which one call writes them past the caches (emit/llvm/streaming.py)
    streaming_bytes: int = 8 * 1024 * 1024

    # -- straight-line code compiled by LLVM (emit/llvm/body.py, passes/schedule.py) --
    #: instructions after which a value in memory is loaded again; LLVM would keep it in a register, and spill it
    reload_after: int = 60
    #: pointers to the same frame, so that LLVM does not see that a load repeats another
    frame_pointers: int = 4
    #: operations up to which a program is one function, and those of each function of a longer one
    whole: int = 2000
    chunk: int = 300


GENERIC = Processor()

#: by LLVM's name of the processor, those for which other values were measured to be better
PROCESSORS: Mapping[str, Processor] = {}


def processor_named(name: str) -> Processor:
    """The table of a processor, or the generic one."""
    return PROCESSORS.get(name, GENERIC)
