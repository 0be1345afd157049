"""Lagrange's equations at the head of the derivation, and the model they become at its end."""

from typing import Any

from ..equations.notation import page
from ..equations.quantities import rows_of
from .document import Section, words


def lagrange_section(equations: Any) -> Section:
    """The equations that the derivation works out."""
    letters, v = page().letters, page().v
    rows: list[tuple[str, Any]] = [
        ("L", "T - U"),
        ("T", rf"\sum_{{i}} T_{{i}} = \frac{{1}}{{2}} {v}^{{\top}} {letters.inertia}(q)\, {v}"),
        ("U", r"\sum_{i} U_{i}"),
    ]
    become = f"The equations become ${model(equations)}$, link by link below."
    if not equations.state.velocities_are_rates:
        text = (
            "$v$ is no rate of coordinates: Lagrange's equations along unit velocities, with terms of axes that turn."
        )
        return Section("Hamel's equations", words(f"{text} {become}"), rows)
    friction = rf" - {letters.torque}^{{f}}_{{k}}" if any(equations.friction) else ""
    euler = r"\frac{d}{dt} \frac{\partial L}{\partial \dot{q}_{k}} - \frac{\partial L}{\partial q_{k}}"
    rows.append((euler, f"{letters.torque}_{{k}}{friction}"))
    return Section("Lagrange's equations", words(f"$T$ is quadratic in the velocities. {become}"), rows)


def model(equations: Any) -> str:
    """M(q) q̈ + C(q, q̇) q̇ + g(q) = τ in the letters of the page."""
    letters, forces, v = page().letters, page().forces, page().v
    if "(" not in forces:
        forces = forces.replace(letters.coriolis, f"{letters.coriolis}(q, {v})\\,", 1)
    rate = r"\ddot{q}" if equations.state.velocities_are_rates else r"\dot{v}"
    friction = f" + {letters.torque}^{{f}}" if any(equations.friction) else ""
    return f"{letters.inertia}(q)\\, {rate} + {forces} + {letters.gravity}(q){friction} = {letters.torque}"


def motion_section(equations: Any) -> Section:
    """The model written out: M as a matrix, then the force of every joint."""
    rows: list[tuple[str, Any]] = [(page().letters.inertia, equations.M), *rows_of(equations, "tau")]
    return Section("Equations of motion", words(f"${model(equations)}$, written out."), rows)
