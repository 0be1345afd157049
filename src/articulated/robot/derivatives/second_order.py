"""Second derivatives as algorithms, and as `robot.hessian(method)` and `robot.second_derivatives(method)`.

By q they are those of dv ↦ f(integrate(q, dv)) at dv = 0, which are symmetric: where the directions of one joint do not
commute (a ball, a free base), the derivative of a derivative is not, and its symmetric part is taken.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations_with_replacement
from typing import Any, ClassVar

import numpy as np

from ...algebra.scalars import Array
from ...errors import ShapeError
from ...model import Model
from ..request import Request, result_type
from .algorithms import Closed, Differentiated, Gradient, Jacobian
from .method import Derivatives, Result, Vjp


@dataclass(frozen=True)
class SecondOrder(Differentiated):
    """Base of both kinds: first derivatives as a program, and its Jacobian, block by block."""

    @property
    def result(self) -> type | None:
        """A field for each pair of arguments, q_q, q_v, …; each pair once."""
        pairs = combinations_with_replacement(self.wrt, 2)
        return result_type("SecondDerivatives", tuple(f"{one}_{other}" for one, other in pairs))

    #: whether first derivatives are differentiated forward: each pair of arguments is needed once, the one that comes
    #: first in the method as columns or, backward, as rows; the others then cost little more
    forward: ClassVar[bool]

    def first(self) -> Differentiated:
        """Algorithm of the first derivatives, a NamedTuple with a field for each argument."""
        raise NotImplementedError

    def __call__(self, model: Model, forces: Mapping[str, Array] = {}, **arrays: Array) -> Any:
        """The second derivatives at these arrays."""
        from ...compiler.passes.differentiate import jacobian
        from ...compiler.passes.simplify import folded
        from ...compiler.passes.trace import trace

        given = {**arrays, **{f"force_{k}": forces[frame] for k, frame in enumerate(self.request.frames)}}
        first = self.first()

        def evaluated(**values: Array) -> Any:
            acting = {frame: values.pop(f"force_{k}") for k, frame in enumerate(self.request.frames)}
            return first(model, acting, **values)

        program = folded(trace(evaluated, {name: len(x) for name, x in given.items()}))
        maps = {name: self.maps(model, given, name)[name] for name in self.wrt}
        found = jacobian(program, given, maps, self.forward)
        assert self.result
        return self.result(*(self._block(model, found, *pair) for pair in combinations_with_replacement(self.wrt, 2)))

    def _block(self, model: Model, found: Mapping[str, Sequence[Array]], one: str, other: str) -> Array:
        """The second derivatives by a pair of arguments, from those of each first derivative by each argument."""
        place = list(dict(self.request.arrays)).index
        if one == other:
            return _symmetric(model, found[other][self.wrt.index(one)])
        if (place(one) < place(other)) != self.forward:
            return found[other][self.wrt.index(one)]
        return np.swapaxes(found[one][self.wrt.index(other)], -1, -2)


@dataclass(frozen=True)
class Hessian(SecondOrder):
    """Hessian of the sum of all results times their `cotangent_…`, (n, n) each."""

    forward = False

    def first(self) -> Differentiated:
        """The gradient."""
        return Gradient(self.request, self.wrt, self.space, self.formulation)


@dataclass(frozen=True)
class Second(SecondOrder):
    """Second derivatives of every result, (*shape, n, n) each."""

    forward = True

    @property
    def closed(self) -> bool:
        """True if there is a closed form of the first derivatives."""
        return Closed.knows(self.request, self.wrt, self.space)

    def first(self) -> Differentiated:
        """The Jacobian, by a closed form if there is one."""
        return (Closed if self.closed else Jacobian)(self.request, self.wrt, self.space, self.formulation)


def _symmetric(model: Model, H: Array) -> Array:
    """H with its lower triangle the mirrored upper one: different joints commute; of one joint the mean is taken."""
    out = H.copy()
    several = [b.dofs for b in model.bodies if b.leader is b and b.joint.nv > 1]
    together = [range(dofs.start, dofs.stop) for dofs in several] if H.shape[-1] == model.nv else []
    for i, j in combinations_with_replacement(range(H.shape[-1]), 2):
        if i != j:
            mean = any(i in dofs and j in dofs for dofs in together)
            out[..., i, j] = out[..., j, i] = (H[..., i, j] + H[..., j, i]) * 0.5 if mean else H[..., i, j]
    return out


_TOO_LARGE = "the robot is too large for this"


class Hessians(Vjp[Result]):
    """The Hessian of a method's result times `cotangents`: a NamedTuple with a field for each pair of arguments."""

    title, kind, by_forces, refused = "hessian", Hessian, False, True
    too_long, instead = _TOO_LARGE, "differences of vjp"


class SecondDerivatives(Derivatives[Result]):
    """All second derivatives of a method: a NamedTuple with a field for each pair of arguments."""

    title, kind, by_forces, refused = "second derivatives", Second, False, True
    too_long, instead = _TOO_LARGE, "a hessian, or for differences of derivatives"

    def differentiated(self, request: Request, extra: Sequence[str]) -> Differentiated:
        """The differentiated algorithm, by its arrays."""
        if request.result is not None:
            raise ShapeError(f"{self.method} has several results; hessian takes cotangents for all of them")
        return super().differentiated(request, extra)
