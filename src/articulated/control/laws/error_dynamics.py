"""Error dynamics of a controlled robot: M e'' + D e' + K e = 0, frozen at one state."""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...errors import ShapeError, SingularModelError
from ...inputs.choices import floats, number

Floats = NDArray[np.floating]

#: largest entry of a matrix: products of two are finite
LARGEST = 1e150


@dataclass(frozen=True, eq=False)
class ErrorDynamics:
    """M e'' + D e' + K e = F for the error e = reference - actual under an external force -F; prints as its modes."""

    inertia: Floats  # M, (n, n)
    damping: Floats  # D
    stiffness: Floats  # K

    def __post_init__(self) -> None:
        inertia = _matrix("inertia", self.inertia)
        for name in ("inertia", "damping", "stiffness"):
            object.__setattr__(self, name, _matrix(name, getattr(self, name), len(inertia)))

    @property
    def eigenvalues(self) -> NDArray[np.complexfloating]:
        """The 2 n exponents λ of e(t) ~ exp(λ t), slowest first."""
        n = len(self.inertia)
        try:
            K, D = np.linalg.solve(self.inertia, self.stiffness), np.linalg.solve(self.inertia, self.damping)
        except np.linalg.LinAlgError:
            raise SingularModelError("eigenvalues need a nonsingular inertia") from None
        found = np.linalg.eigvals(np.block([[np.zeros((n, n)), np.eye(n)], [-K, -D]])).astype(complex)
        return found[np.argsort(-found.real)]

    @property
    def stable(self) -> bool:
        """Whether every small error dies out."""
        return bool((self.eigenvalues.real < 0).all())

    @property
    def frequencies(self) -> Floats:
        """Natural frequencies without damping, rad/s, slowest first."""
        return np.sqrt(np.maximum(self._modes()[0], 0))

    @property
    def damping_ratios(self) -> Floats:
        """Damping ratio of each mode, 1 is critical; exact where the damping does not couple the modes."""
        squared, shapes = self._modes()
        resisted = np.einsum("ij,ik,kj->j", shapes, self.damping, shapes)
        with np.errstate(divide="ignore", invalid="ignore"):
            return resisted / (2 * np.sqrt(np.maximum(squared, 0)))

    def deflection(self, force: Floats) -> Floats:
        """The error at which a constant external force is held: -K⁻¹ force."""
        if np.linalg.matrix_rank(self.stiffness) < len(self.stiffness):
            raise SingularModelError("deflection needs a nonsingular stiffness")
        n, given = len(self.stiffness), floats("force", force)
        if given.ndim == 0 or given.shape[-1] != n:
            raise ShapeError(f"force has shape {given.shape}; it must be (…, {n})")
        return -np.linalg.solve(self.stiffness, given[..., None])[..., 0]

    def _modes(self) -> tuple[Floats, Floats]:
        """ω² and shapes φ with K φ = ω² M φ, φᵀ M φ = 1."""
        try:
            L = np.linalg.cholesky(self.inertia)
        except np.linalg.LinAlgError:
            raise SingularModelError("modes need a positive definite inertia") from None
        K = np.linalg.solve(L, np.linalg.solve(L, (self.stiffness + self.stiffness.T) / 2).T)
        squared, shapes = np.linalg.eigh((K + K.T) / 2)
        return squared, np.linalg.solve(L.T, shapes)

    def __str__(self) -> str:
        lines = ["mode   rad/s       Hz   damping"]
        for i, (w, ratio) in enumerate(zip(self.frequencies, self.damping_ratios, strict=True), start=1):
            lines.append(f"{i:>4} {w:>7.3g} {w / (2 * np.pi):>8.3g} {ratio:>9.3g}")
        slowest = self.eigenvalues[0].real if len(self.inertia) else -np.inf
        end = f"slowest error dies out as exp({slowest:.3g} t)" if slowest < 0 else f"unstable: exp({slowest:.3g} t)"
        return "\n".join([*lines, end])


def _matrix(name: str, given: Any, size: int | None = None) -> Floats:
    """`given` if it is a square matrix of numbers that can be computed with."""
    x = floats(name, given, rows=())
    if x.ndim != 2 or x.shape[0] != x.shape[1] or (size is not None and len(x) != size):
        expected = f"({size}, {size}), as the inertia" if size is not None else "(n, n)"
        raise ShapeError(f"{name} has shape {x.shape}; it must be {expected}")
    if not (abs(x) < LARGEST).all():
        raise ShapeError(f"{name} holds NaN or infinity, or numbers too large to compute with")
    return x


def damping_for(inertia: Floats, stiffness: Floats, ratio: float = 1.0) -> Floats:
    """The D that gives every mode of M e'' + D e' + K e = 0 this damping ratio."""
    ratio, inertia = number("ratio", ratio, "a number, not negative", most=LARGEST), _matrix("inertia", inertia)
    squared, shapes = ErrorDynamics(inertia, np.zeros_like(inertia), stiffness)._modes()
    back = inertia @ shapes
    return (back * (2 * ratio * np.sqrt(np.maximum(squared, 0)))) @ back.T
