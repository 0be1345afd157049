"""`robot.derivatives` and its kin: one signature for each list of methods, so that a type checker knows the fields."""

from __future__ import annotations  # help shows types as they are written here

from collections.abc import Sequence
from typing import Any, Literal, overload

from ...algorithms.contributions import Contributions
from ...algorithms.forward_dynamics import ArticulatedBodies
from ...algorithms.kinematics import BodyMotions
from ...inputs.choices import flag
from .. import method_names as names
from ..method_names import By, Differentiable, Further, Single, Space
from . import fields
from .method import Derivatives, Jvp, OfMethod, Vjp
from .second_order import Hessians, SecondDerivatives
from .sparse import PackedDerivatives

# `wrt=`: one name or several; of second derivatives, and of first ones
_Q = names.Q | Sequence[names.Q] | None
_QV = names.QV | Sequence[names.QV] | None
_QVA = names.QVA | Sequence[names.QVA] | None
_QVTau = names.QVTau | Sequence[names.QVTau] | None
_Others = names.Others | Sequence[names.Others] | None
_Q1 = names.Q | Further | Sequence[names.Q | Further] | None
_QV1 = names.QV | Further | Sequence[names.QV | Further] | None
_QVA1 = names.QVA | Further | Sequence[names.QVA | Further] | None
_QVTau1 = names.QVTau | Further | Sequence[names.QVTau | Further] | None
_Any1 = By | Further | Sequence[By | Further] | None
_Any = By | Sequence[By] | None
_No = Literal[False]


class WithDerivatives:
    """What a robot can be asked about the derivatives of its methods."""

    def _of(self, kind: type[OfMethod], method: Any, wrt: Any, space: Any) -> Any:
        raise NotImplementedError

    @overload
    def derivatives(
        self, method: names.OfQ, wrt: _Q1 = None, space: Space = "tangent", packed: _No = False
    ) -> Derivatives[fields.ByQ]: ...
    @overload
    def derivatives(
        self, method: names.OfQV, wrt: _QV1 = None, space: Space = "tangent", packed: _No = False
    ) -> Derivatives[fields.ByQV]: ...
    @overload
    def derivatives(
        self, method: names.OfQVA, wrt: _QVA1 = None, space: Space = "tangent", packed: _No = False
    ) -> Derivatives[fields.ByQVA]: ...
    @overload
    def derivatives(
        self, method: names.OfQVTau, wrt: _QVTau1 = None, space: Space = "tangent", packed: _No = False
    ) -> Derivatives[fields.ByQVTau]: ...
    @overload
    def derivatives(
        self, method: names.OfOthers, wrt: _Others = None, space: Space = "tangent", packed: _No = False
    ) -> Derivatives[fields.ByOthers]: ...
    @overload
    def derivatives(
        self, method: names.Several, wrt: _Any1 = None, space: Space = "tangent", packed: _No = False
    ) -> Derivatives[Any]: ...
    @overload
    def derivatives(
        self, method: Single, wrt: _Any1 = None, space: Space = "tangent", *, packed: Literal[True]
    ) -> PackedDerivatives[fields.ByAny]: ...
    @overload
    def derivatives(
        self, method: names.Several, wrt: _Any1 = None, space: Space = "tangent", *, packed: Literal[True]
    ) -> PackedDerivatives[Any]: ...
    def derivatives(
        self,
        method: Differentiable,
        wrt: By | Further | Sequence[By | Further] | None = None,
        space: Space = "tangent",
        packed: bool = False,
    ) -> Derivatives[Any]:
        """The derivatives of a method with respect to its arrays: `robot.derivatives("inverse_dynamics")(q, v, a)`.

        The result is called like the method and returns a NamedTuple with an array for each argument, whose last axis
        is that of the argument.  Derivatives with respect to q are in the tangent space, that of the dv of
        `integrate(q, dv)`; with space="coordinates" they are with respect to the entries of q.  `wrt` selects
        arguments; it may name "forces" (six columns for each frame that has one) and "parameters" (the inertial
        parameters, ten for each body).

        With packed=True the arrays are vectors of the entries that can differ from zero; `pattern()` of the result has
        their indices.
        """
        return self._of(PackedDerivatives if flag("derivatives: packed", packed) else Derivatives, method, wrt, space)

    @overload
    def jvp(self, method: Single, space: Space = "tangent") -> Jvp[fields.Floats]: ...
    @overload
    def jvp(self, method: Literal["body_motions"], space: Space = "tangent") -> Jvp[BodyMotions]: ...
    @overload
    def jvp(self, method: Literal["articulated_bodies"], space: Space = "tangent") -> Jvp[ArticulatedBodies]: ...
    @overload
    def jvp(self, method: Literal["contributions"], space: Space = "tangent") -> Jvp[Contributions]: ...
    def jvp(self, method: Differentiable, space: Space = "tangent") -> Jvp[Any]:
        """Derivatives of a method along a direction: `robot.jvp("pose")(q, "hand", tangents={"q": dv})`."""
        return self._of(Jvp, method, None, space)

    @overload
    def vjp(self, method: names.OfQ, wrt: _Q1 = None, space: Space = "tangent") -> Vjp[fields.ByQ]: ...
    @overload
    def vjp(self, method: names.OfQV, wrt: _QV1 = None, space: Space = "tangent") -> Vjp[fields.ByQV]: ...
    @overload
    def vjp(self, method: names.OfQVA, wrt: _QVA1 = None, space: Space = "tangent") -> Vjp[fields.ByQVA]: ...
    @overload
    def vjp(self, method: names.OfQVTau, wrt: _QVTau1 = None, space: Space = "tangent") -> Vjp[fields.ByQVTau]: ...
    @overload
    def vjp(self, method: names.OfOthers, wrt: _Others = None, space: Space = "tangent") -> Vjp[fields.ByOthers]: ...
    @overload
    def vjp(self, method: names.Several, wrt: _Any1 = None, space: Space = "tangent") -> Vjp[fields.ByAny]: ...
    def vjp(
        self, method: Differentiable, wrt: By | Further | Sequence[By | Further] | None = None, space: Space = "tangent"
    ) -> Vjp[Any]:
        """Gradients of a method's result times `cotangents`, by argument, in one pass backwards.

        `robot.vjp("inverse_dynamics")(q, v, a, cotangents=w)` is the gradient of w · tau: a NamedTuple q, v, a.
        """
        return self._of(Vjp, method, wrt, space)

    @overload
    def hessian(self, method: names.OfQ, wrt: _Q = None, space: Space = "tangent") -> Hessians[fields.ByPairsQ]: ...
    @overload
    def hessian(self, method: names.OfQV, wrt: _QV = None, space: Space = "tangent") -> Hessians[fields.ByPairsQV]: ...
    @overload
    def hessian(
        self, method: names.OfQVA, wrt: _QVA = None, space: Space = "tangent"
    ) -> Hessians[fields.ByPairsQVA]: ...
    @overload
    def hessian(
        self, method: names.OfQVTau, wrt: _QVTau = None, space: Space = "tangent"
    ) -> Hessians[fields.ByPairsQVTau]: ...
    @overload
    def hessian(
        self, method: names.OfOthers | names.Several, wrt: _Any = None, space: Space = "tangent"
    ) -> Hessians[Any]: ...
    def hessian(
        self, method: Differentiable, wrt: By | Sequence[By] | None = None, space: Space = "tangent"
    ) -> Hessians[Any]:
        """Second derivatives of a method's result times `cotangents`, each pair of arguments a field: q_q, q_v, …

        `robot.hessian("inverse_dynamics")(q, v, a, cotangents=w).q_q` is that of w · tau, (…, nv, nv).
        """
        return self._of(Hessians, method, wrt, space)

    @overload
    def second_derivatives(
        self, method: names.OfQ, wrt: _Q = None, space: Space = "tangent"
    ) -> SecondDerivatives[fields.ByPairsQ]: ...
    @overload
    def second_derivatives(
        self, method: names.OfQV, wrt: _QV = None, space: Space = "tangent"
    ) -> SecondDerivatives[fields.ByPairsQV]: ...
    @overload
    def second_derivatives(
        self, method: names.OfQVA, wrt: _QVA = None, space: Space = "tangent"
    ) -> SecondDerivatives[fields.ByPairsQVA]: ...
    @overload
    def second_derivatives(
        self, method: names.OfQVTau, wrt: _QVTau = None, space: Space = "tangent"
    ) -> SecondDerivatives[fields.ByPairsQVTau]: ...
    @overload
    def second_derivatives(
        self, method: names.OfOthers, wrt: _Others = None, space: Space = "tangent"
    ) -> SecondDerivatives[Any]: ...
    def second_derivatives(
        self, method: Single, wrt: By | Sequence[By] | None = None, space: Space = "tangent"
    ) -> SecondDerivatives[Any]:
        """All second derivatives of a method, (…, *result, n, n) for each pair of arguments: q_q, q_v, …

        They are nv times as many as first derivatives: for a humanoid, ask for a `hessian`.
        """
        return self._of(SecondDerivatives, method, wrt, space)
