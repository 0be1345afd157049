"""Determinants and adjugates of small matrices of polynomials; refusal of robots without a closed form."""

import re
import warnings
from collections.abc import Iterable
from typing import Any

import numpy as np
import sympy

from ...algebra.scalars import Array, zeros
from ...errors import ModelError, ModelWarning
from ...model import Model
from ..ring.polynomial import Polynomial
from ..ring.values import evaluated_array, random_values

ROUNDING = 1e-12  # singular value of a scaled matrix that counts as zero
MOST = 100_000  # products of terms that are multiplied out: some ten seconds


def determinant(M: Array) -> Any:
    """Determinant of a small matrix, expanded along its first row."""
    if not len(M):
        return 1
    rest = [np.delete(M[1:], k, axis=1) for k in range(len(M))]
    return sum(((-1) ** k * M[0, k] * determinant(rest[k]) for k in range(len(M))), start=0)


def cofactors(M: Array) -> tuple[Array, Any]:
    """Adjugate and determinant of a symmetric matrix, each cofactor once."""
    n = len(M)
    adjugate = zeros(n, n)
    for i in range(n):
        for j in range(i, n):
            minor = np.delete(np.delete(M, i, axis=0), j, axis=1)
            adjugate[i, j] = adjugate[j, i] = (-1) ** (i + j) * determinant(minor)
    return adjugate, sum((M[0, j] * adjugate[j, 0] for j in range(n)), start=0)


def regular(M: np.ndarray) -> bool:
    """True if a symmetric matrix of numbers is regular, scaled by its diagonal: rows have units, kg and kg m²."""
    size = np.sqrt(abs(np.diag(M)))
    size = np.where(size > 0, size, np.sqrt(abs(M).max(axis=0, initial=0)))
    return bool(size.all() and np.linalg.svd(M / size / size[:, None], compute_uv=False).min() > ROUNDING)


def refuse_long(what: str, M: Array, most: int = MOST) -> None:
    """Refuse a determinant whose expansion has too many products: the permanent of the numbers of terms."""
    counts = np.array([[len(x.terms) if isinstance(x, Polynomial) else int(x != 0) for x in row] for row in M], object)
    products = _permanent(counts)
    if products > most:
        raise ModelError(
            f"{what}: the determinant of M has {products:.1e} products of terms, and up to {most} are multiplied out; "
            "give some of the letters numbers"
        )


def _permanent(counts: Array) -> float:
    if not len(counts):
        return 1
    return sum(counts[0, k] * _permanent(np.delete(counts[1:], k, axis=1)) for k in range(len(counts)) if counts[0, k])


def refuse_asymmetric(model: Model) -> None:
    """Refuse an asymmetric inertia tensor, and a mass that is negative whatever its letters are."""
    for link in model.links:
        if sympy.sympify(link.inertia.mass).is_negative:
            raise ModelError(f"link {link.name!r}: its mass {link.inertia.mass} is negative")
        about = link.inertia.about_com
        scale = max((abs(x) for x in about.ravel() if not isinstance(x, sympy.Basic)), default=0)
        for i, j in ((0, 1), (0, 2), (1, 2)):
            left = sympy.sympify(about[i, j]) - sympy.sympify(about[j, i])
            if left.free_symbols or abs(left) > 1e-9 * scale:
                raise ModelError(
                    f"link {link.name!r}: its inertia is not symmetric; {about[i, j]} stands in row {i + 1}, column "
                    f"{j + 1}, and {about[j, i]} in row {j + 1}, column {i + 1}"
                )


def refuse_turning_springs(model: Model) -> None:
    """Refuse the spring of a joint that turns in space: its rotation vector is no polynomial."""
    for b in model.bodies:
        if b.stiffness != 0 and b.joint.quaternion:
            raise ModelError(
                f"joint {b.joint.name!r}: a spring about a quaternion has no closed form here; use springs between "
                "frames, art.Spring, or a joint of three hinges"
            )


def remark_on_letters(model: Model, names: Iterable[str]) -> None:
    """Warn of a symbol whose name pages use for the sine or cosine of a joint, and of two that are printed alike."""
    printed: dict[str, str] = {}
    for name in names:
        if (other := printed.setdefault(name.replace("_", ""), name)) != name:
            text = f"{model.name}: pages write {other} and {name} alike; call one of them something else"
            warnings.warn(text, ModelWarning, stacklevel=3)
        if found := re.fullmatch(r"([cs])_?([0-9]+)", name):
            function = {"c": "cos", "s": "sin"}[found[1]]
            text = f"{model.name}: pages write {name} for {function}(q_{found[2]}); call the parameter something else"
            warnings.warn(text, ModelWarning, stacklevel=3)


def refuse_singular(equations: Any) -> None:
    """Refuse a singular M: every joint must move mass."""
    state = equations.state
    if not len(equations.polynomials["M"]):
        raise ModelError(f"{equations.name} has no moving joint: there is nothing to derive")
    M = evaluated_array(state.ring, equations.polynomials["M"], random_values(state, 1))
    for k in range(len(M)):
        if not regular(M[: k + 1, : k + 1]):
            b = next(b for b in state.source.bodies if b.dofs.start <= k < b.dofs.stop)
            raise ModelError(
                f"row {b.index} (link {b.name!r}, joint {b.joint.name!r}): the inertia matrix is singular up to here; "
                "no mass resists this joint, or it moves the same mass in the same way as an earlier one"
            )
