"""`contacts.study`: a contact set as the USP lecture writes it, for teaching (S3.10, S3.15-S3.18, S3.25-S3.32).

The lecture puts the joints first and the base last, q = [q_r; x_b], so that S = [I 0], and takes a QR without pivoting,
Jᵀ = Q [R; 0], which needs independent constraints.  `Contacts.inverse_dynamics` needs neither.
"""

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..errors import ShapeError
from ..inputs.choices import floats
from .checks import require_finite
from .ranks.subspaces import TOLERANCE, Floats, RankError, apply, plain_qr, projector, pseudo_inverse

if TYPE_CHECKING:
    from .contacts import Contacts


class Equations(NamedTuple):
    """M a + h = Sᵀ tau + Jᵀ λ and J a = b, base last (S3.16-S3.18, S3.22)."""

    M: Floats  # (…, nv, nv)
    h: Floats  # (…, nv)
    S: Floats  # (n, nv), [I 0]: the actuated joints
    J: Floats  # (…, k, nv)
    b: Floats  # (…, k), -J̇ v


class Factors(NamedTuple):
    """Jᵀ = Q [R; 0], base last, and the selections of the rows with and without contact forces (S3.28, S3.29)."""

    Q: Floats  # (…, nv, nv), orthogonal
    R: Floats  # (…, k, k), upper triangular, its diagonal not negative; singular if constraints are dependent
    S_c: Floats  # (k, nv), [I 0]
    S_u: Floats  # (nv - k, nv), [0 I]


class LectureTorques(NamedTuple):
    """Torques (…, n) and contact forces (…, k)."""

    tau: Floats
    forces: Floats


class Study:
    """The lecture's letters on arrays, any leading shape; velocities in the lecture's order.

    `q`, `v` and `a` are given in the usual order, base first; `base_last` and `base_first` convert.
    """

    def __init__(self, contacts: "Contacts"):
        self._contacts = contacts
        own = contacts.robot.model.independent
        # actuated joints, then passive ones, then the base
        own.sort(key=lambda b: (b.joint.floats, b.dofs.start not in contacts.actuated))
        self._order = _concatenated([np.r_[b.dofs] for b in own])
        self._q_order = _concatenated([np.r_[b.coords] for b in own])

    def __repr__(self) -> str:
        letters = ", ".join(name for name in vars(type(self)) if not name.startswith("_"))
        return f"<study of {self._contacts!r}: {letters}>"

    @property
    def order(self) -> NDArray[np.intp]:
        """Indices of the lecture's velocities among the robot's: v[order] has the base last (S3.15)."""
        return self._order.copy()

    @property
    def S(self) -> Floats:
        """[I 0]: the actuated joints of all velocities (S3.17).  (n, nv)."""
        return np.eye(len(self._contacts.actuated), self._contacts.robot.nv)

    def base_last(self, x: ArrayLike) -> Floats:
        """Configurations (…, nq), or velocities, accelerations or forces (…, nv), in the lecture's order."""
        given = floats("contacts.study.base_last: x", x, self._names())
        return given[..., self._which("base_last", given)]

    def base_first(self, x: ArrayLike) -> Floats:
        """The other way."""
        given = floats("contacts.study.base_first: x", x, self._names(in_order=True))
        return given[..., np.argsort(self._which("base_first", given))]

    def equations(self, q: ArrayLike, v: ArrayLike) -> Equations:
        """M, h, S, J and b in one state, base last."""
        robot, order = self._contacts.robot, self._order
        M = robot.mass_matrix(q)[..., order[:, None], order]
        h = robot.bias_forces(q, v)[..., order]
        return Equations(M, h, self.S, self._jacobian("equations", q), -self._contacts.bias(q, v))

    def projector(self, q: ArrayLike) -> Floats:
        """P = I - J⁺ J, base last: P Jᵀ = 0, so that P (M a + h) = P Sᵀ tau (S3.25).  (…, nv, nv)."""
        return projector(self._jacobian("projector", q), scale=self._contacts.structure.size)

    def qr(self, q: ArrayLike) -> Factors:
        """Q, R, S_c and S_u of the QR of Jᵀ without pivoting, base last."""
        J = self._jacobian("qr", q)
        Q, R = plain_qr(np.swapaxes(J, -1, -2))
        nv, k = J.shape[-1], min(J.shape[-2:])  # (more rows than velocities: R is wide)
        return Factors(Q, R[..., :k, :], np.eye(nv)[:k], np.eye(nv)[k:])

    def inverse_dynamics(self, q: ArrayLike, v: ArrayLike, a: ArrayLike) -> LectureTorques:
        """tau = (S_u Qᵀ Sᵀ)⁺ S_u Qᵀ (M a + h) and λ = R⁻¹ S_c Qᵀ (M a + h - Sᵀ tau) (S3.30, S3.32), as they stand.

        Dependent constraints, where R has no inverse and S_u Qᵀ leaves equations out (E3.5), are refused.
        """
        robot = self._contacts.robot
        Q, R, S_c, S_u = self.qr(q)
        self._require_independent(R)
        f = robot.inverse_dynamics(q, v, a)[..., self._order]
        Q_T, S_T = np.swapaxes(Q, -1, -2), self.S.T
        tau = apply(pseudo_inverse(S_u @ Q_T @ S_T, scale=1.0), apply(S_u @ Q_T, f))
        left = apply(S_c @ Q_T, f - apply(S_T, tau))
        return LectureTorques(tau, np.linalg.solve(R, left[..., None])[..., 0])

    # -- how ----------------------------------------------------------------------------

    def _names(self, in_order: bool = False) -> dict[int, list[str]]:
        """Names of components in the usual order, or in the lecture's, by their number."""
        vectors = self._contacts.robot.kernels.vectors
        order = {"v": self._order, "q": self._q_order} if in_order else {"v": slice(None), "q": slice(None)}
        return {vectors[kind].size: np.array(vectors[kind].names)[which].tolist() for kind, which in order.items()}

    def _which(self, method: str, x: Floats) -> NDArray[np.intp]:
        robot = self._contacts.robot
        if x.ndim and x.shape[-1] in (robot.nq, robot.nv):
            return self._order if x.shape[-1] == robot.nv else self._q_order
        raise ShapeError(
            f"contacts.study.{method}: x has shape {x.shape}; {robot.name} has (…, {robot.nq}) for a configuration "
            f"and (…, {robot.nv}) for velocities"
        )

    def _jacobian(self, method: str, q: Any) -> Floats:
        require_finite(f"study.{method}", q=q)
        J = self._contacts.jacobian(q)[..., self._order]
        if not np.isfinite(J).all():
            raise ShapeError(f"contacts.study.{method}: the Jacobian is not finite: is a quaternion in q zero?")
        return J

    def _require_independent(self, R: Floats) -> None:
        k, size = R.shape[-1], self._contacts.structure.size
        values = np.linalg.svd(R, compute_uv=False)
        if R.shape[-2] < k or (k and (values[..., -1] <= TOLERANCE * np.maximum(values[..., 0], size)).any()):
            raise RankError(
                f"the constraints of {', '.join(self._contacts.names)} are dependent, so R has no inverse and the "
                "lecture's QR does not apply; contacts.inverse_dynamics takes dependent ones, too"
            )


def _concatenated(parts: list[NDArray[np.intp]]) -> NDArray[np.intp]:
    return np.concatenate([np.zeros(0, int), *parts]).astype(int)
