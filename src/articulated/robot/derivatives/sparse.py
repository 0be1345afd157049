"""`robot.derivatives(method, packed=True)`: only the entries that can be other than zero, and where they stand.

Which these are follows from the program of the method: an entry is kept if its result depends on its argument.  A
torque does not depend on the joints of another limb, so that of a humanoid's derivatives less than half are left.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Any

import numpy as np

from ...model import Model
from ..methods import requests
from ..numeric import numeric
from ..request import Request
from ..results import result_type
from .algorithms import Differentiated
from .method import Derivatives, Result


@dataclass(frozen=True)
class Packed(Differentiated):
    """The derivatives of a request as vectors: of the entries at `places`, counted in the flat arrays."""

    whole: Differentiated | None = None
    places: tuple[tuple[int, ...], ...] = ()

    @property
    def closed(self) -> bool:
        """Whether the derivatives it takes its entries from are."""
        return self.whole is not None and self.whole.closed

    @property
    def identity(self) -> tuple[Any, ...]:
        """The places follow from the rest."""
        return "Packed", *(self.whole.identity if self.whole else ())

    def __call__(self, model: Model, forces: Any = {}, **arrays: Any) -> Any:
        """The entries at these arrays."""
        assert self.whole
        found = replace(self.whole, formulation=self.formulation)(model, forces, **arrays)
        return type(found)(*(x.ravel()[list(kept)] for x, kept in zip(found, self.places, strict=True)))


class PackedDerivatives(Derivatives[Result]):
    """The derivatives of a method without what is always zero: a vector for each argument.

    `pattern()` says where its entries stand; called with what follows the arrays in a call of the method.
    """

    title = "packed derivatives"

    def differentiated(self, request: Request, extra: Sequence[str]) -> Differentiated:
        """The derivatives of a request, packed."""
        whole = super().differentiated(request, extra)
        kept = tuple(tuple(np.flatnonzero(entries).tolist()) for entries in self._entries(whole))
        return Packed(request, whole.wrt, whole.space, None, whole, kept)

    def pattern(self, *choices: Any, **options: Any) -> Any:
        """A NamedTuple like the result: of each field the indices of its entries, as `np.nonzero` gives them.

        `full[(..., *pattern.q)] = found.q` puts them back into an array of zeros.  It takes what follows the arrays:
        `pattern("hand")` for a method of a frame; for `forces=` the names of frames will do.
        """
        (plain,), _ = requests(self.robot, [(self.method, *choices, options)])
        whole = super().differentiated(plain, ())
        fields = getattr(whole.result, "_fields", ())
        return result_type("Pattern", fields)(*map(np.nonzero, self._entries(whole)))

    def _entries(self, whole: Differentiated) -> list[np.ndarray]:
        alike = replace(whole, request=replace(whole.request, dtype=np.dtype(float)))  # as in every precision
        return self.robot.kernels.once(("entries", alike), lambda: _entries(self.robot.model, alike))


def _entries(model: Model, whole: Differentiated) -> list[np.ndarray]:
    """Whether each entry of each derivative can be other than zero: its result depends on its argument."""
    from ...compiler.passes.graph import Graph, Node

    program, graph = numeric(model, lambda: whole.traced(model))(), Graph()
    given = {name: np.array([graph.input(name, k) for k in range(size)], object) for name, size in program.inputs}
    bits = {scalar: 1 << k for k, scalar in enumerate(graph.args)}
    reach = _reach(program, bits)
    found = []
    for output in program.outputs:
        rows = [reach[entry[0]] if isinstance(entry, tuple) else 0 for entry in output.entries]
        for name in whole.wrt:
            columns = [
                reduce(int.__or__, (bits[part, k] for k, x in enumerate(column) if isinstance(x, Node) or x != 0), 0)
                for part, directions in whole.maps(model, given, name).items()
                for column in directions.T
            ]
            entries = [row & column != 0 for row in rows for column in columns]
            found.append(np.array(entries, bool).reshape(*output.shape, len(columns)))
    return found


def _reach(program: Any, bits: Mapping[tuple, int]) -> list[int]:
    """The arguments that each operation depends on, a bit for each scalar."""
    reach: list[int] = []
    for op, args in zip(program.ops, program.args, strict=True):
        if op in ("input", "const"):
            reach.append(bits[args] if op == "input" else 0)
        else:
            reach.append(reduce(int.__or__, (reach[k] for k in args), 0))
    return reach
