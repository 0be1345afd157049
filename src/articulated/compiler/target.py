"""The processor that code is generated for, as a value: the runtime finds it out, the emitters read it."""

from collections.abc import Set
from dataclasses import dataclass

#: bytes of the widest vector register by feature; the first feature the processor has counts
_WIDTHS = (("avx512f", 64), ("avx2", 32), ("", 16))
_SIZES = {"float64": 8, "float32": 4}


@dataclass(frozen=True)
class Target:
    """A processor: the width of its vectors, and whether it is x86."""

    width: int  # bytes of a vector register
    x86: bool = False  # whether it runs 64-bit x86 instructions

    def lanes(self, precision: str = "float64") -> int:
        """States that are evaluated together, one per lane of a vector; at least two."""
        return max(self.width // _SIZES[precision], 2)


def vector_width(features: Set[str]) -> int:
    """Bytes of the widest vector register of a processor with these features."""
    return next(width for name, width in _WIDTHS if not name or name in features)
