"""The processor that code is generated for, as a value: the runtime finds it out, the emitters read it."""

from dataclasses import dataclass

#: bytes of the widest vector register by feature; the first feature the processor has counts
_WIDTHS = (("avx512f", 64), ("avx2", 32), ("", 16))
_SIZES = {"float64": 8, "float32": 4}


@dataclass(frozen=True)
class Target:
    """A processor, by what it can do."""

    features: frozenset[str] = frozenset()  # by LLVM's names
    x86: bool = False  # whether it runs 64-bit x86 instructions

    def lanes(self, precision: str = "float64") -> int:
        """How many numbers fit a vector register: so many states are evaluated together."""
        width = next(width for name, width in _WIDTHS if not name or name in self.features)
        return width // _SIZES[precision]
