"""Numbers, vectors and memory in LLVM's text."""

import struct
from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Lanes:
    """A vector of `count` numbers of one precision; a single one is a plain scalar."""

    count: int
    precision: str = "float64"

    @property
    def size(self) -> int:
        """Bytes of one number."""
        return {"float64": 8, "float32": 4}[self.precision]

    @property
    def scalar(self) -> str:
        """LLVM's name of the number."""
        return {"float64": "double", "float32": "float"}[self.precision]

    @property
    def type(self) -> str:
        """LLVM's name of the vector."""
        return self.of(self.scalar)

    @property
    def whole(self) -> str:
        """The vector of integers of the same size."""
        return self.of(f"i{8 * self.size}")

    @property
    def suffix(self) -> str:
        """The ending of the names of intrinsic functions."""
        name = f"f{8 * self.size}"
        return name if self.count == 1 else f"v{self.count}{name}"

    @property
    def bytes(self) -> int:
        """Bytes of the vector."""
        return self.size * self.count

    @property
    def attributes(self) -> str:
        """Attributes of functions that work on such vectors.

        Without stackrealign vectors are spilled to unaligned slots, which is a third slower.
        """
        return f'{self.brief} "stackrealign"'

    @property
    def brief(self) -> str:
        """Attributes of functions that have nothing to spill."""
        return "noinline nounwind" + (' "prefer-vector-width"="512"' if self.bytes >= 64 else "")

    def of(self, scalar: str) -> str:
        """The vector of as many of another scalar type."""
        return scalar if self.count == 1 else f"<{self.count} x {scalar}>"

    def constant(self, x: float) -> str:
        """The number in every lane."""
        return self._splat(self.scalar, number(x, self.precision))

    def integer(self, x: int) -> str:
        """The integer in every lane."""
        return self._splat(f"i{8 * self.size}", str(x))

    def _splat(self, kind: str, text: str) -> str:
        return text if self.count == 1 else "<" + ", ".join([f"{kind} {text}"] * self.count) + ">"


def number(x: float, precision: str) -> str:
    """A literal with exactly the bits of x in this precision."""
    if precision == "float32":
        x = struct.unpack("<f", struct.pack("<f", x))[0]
    return f"0x{struct.unpack('<Q', struct.pack('<d', x))[0]:016X}"


def loop(
    name: str, count: object, inside: Sequence[str], before: str = "entry", latch: str = "", carried: Sequence[str] = ()
) -> list[str]:
    """The blocks of a loop, %name.k from 0 to a count of at least 1, which is entered from the block `before`.

    `inside` ends in the block `latch`, if that is another one; `carried` are further phis.  What follows is in the
    block `name.end`.
    """
    return [
        f"  br label %{name}",
        f"{name}:",
        f"  %{name}.k = phi i64 [ 0, %{before} ], [ %{name}.next, %{latch or name} ]",
        *(f"  {line}" for line in (*carried, *inside)),
        f"  %{name}.next = add i64 %{name}.k, 1",
        f"  %{name}.more = icmp ult i64 %{name}.next, {count}",
        f"  br i1 %{name}.more, label %{name}, label %{name}.end",
        f"{name}.end:",
    ]


def definition(head: str, *lines: str) -> str:
    """A function of these lines, the last of which returns."""
    return "\n".join([f"define internal {head} {{", "entry:", *lines, "}"])
