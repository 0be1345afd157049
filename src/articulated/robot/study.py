"""`robot.study`: the lectures' other routes to the same quantities, on arrays.

Each is compiled as it is written, never as a shorter formulation: two routes that agree are two programs.
"""

from __future__ import annotations  # help shows types as they are written here

from typing import Any, Unpack

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ..algorithms.study import forward_dynamics, inverse_dynamics, mass_matrix
from ..algorithms.study.forward_dynamics import WorldArticulatedBodies
from ..algorithms.study.mass_matrix import LoopCounts, WorldCompositeBodies
from ..documentation import document
from .arguments.forces import Forces, written
from .arguments.options import Axes, ForcesOn, Options
from .help import ARGUMENTS, STUDY
from .kernels import Kernels

Floats = NDArray[np.floating]


class Study:
    """Routes kept for study; arrays, batches, `forces` and options as in the methods of `Robot`."""

    def __init__(self, kernels: Kernels):
        self.kernels = kernels.under("study.", {})

    def __repr__(self) -> str:
        routes = ", ".join(name for name in vars(type(self)) if not name.startswith("_"))
        return f"<study of {self.kernels.model.name}: {routes}>"

    # -- inverse dynamics -----------------------------------------------------------------

    def inverse_dynamics_with_weights(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        forces: Forces = None,
        force_axes: Axes = "frame",
        forces_on: ForcesOn = "robot",
        **options: Unpack[Options],
    ) -> Floats:
        """tau by recursive Newton-Euler without the gravity trick: every body has a weight (SUSTech 2.3)."""
        return self._forced(
            inverse_dynamics.inverse_dynamics_with_weights,
            {"q": q, "v": v, "a": a},
            forces,
            force_axes,
            forces_on,
            options,
        )

    def inverse_dynamics_by_jacobians(
        self,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        forces: Forces = None,
        force_axes: Axes = "frame",
        forces_on: ForcesOn = "robot",
        **options: Unpack[Options],
    ) -> Floats:
        """tau = Σ J_iᵀ (I A + V ×* I V - F_ext - F_G), friction and rotors: no recursion on forces (SUSTech 3.1)."""
        return self._forced(
            inverse_dynamics.inverse_dynamics_by_jacobians,
            {"q": q, "v": v, "a": a},
            forces,
            force_axes,
            forces_on,
            options,
        )

    # -- the mass matrix ------------------------------------------------------------------

    def mass_matrix_by_unit_accelerations(self, q: ArrayLike, **options: Unpack[Options]) -> Floats:
        """Column j is the torque for the unit acceleration j, at rest and without gravity (SUSTech 4.2)."""
        return self._matrix(mass_matrix.mass_matrix_by_unit_accelerations, q, options)

    def mass_matrix_by_jacobians(self, q: ArrayLike, **options: Unpack[Options]) -> Floats:
        """Σ J_iᵀ I_i J_i, with rotors (SUSTech 3.1)."""
        return self._matrix(mass_matrix.mass_matrix_by_jacobians, q, options)

    def mass_matrix_by_energy(self, q: ArrayLike, **options: Unpack[Options]) -> Floats:
        """From T = ½ vᵀ M v, polarised (Sapienza lecture)."""
        return self._matrix(mass_matrix.mass_matrix_by_energy, q, options)

    def mass_matrix_by_screws(self, q: ArrayLike, **options: Unpack[Options]) -> Floats:
        """H_ij = s_iᵀ I^C_r s_j in world coordinates, r the outer of the two bodies (Rennes lecture)."""
        return self._matrix(mass_matrix.mass_matrix_by_screws, q, options)

    def mass_matrix_by_sums(self, q: ArrayLike, **options: Unpack[Options]) -> Floats:
        """H_ij = Σ_k s_iᵀ I_k s_j over the bodies k that both joints carry: the triple sum of T (Rennes lecture)."""
        return self._matrix(mass_matrix.mass_matrix_by_sums, q, options)

    def composite_bodies_in_world(self, q: ArrayLike, **options: Unpack[Options]) -> WorldCompositeBodies:
        """H with the composite inertias I^C and screws s it is made of, at the world's origin (Rennes lecture)."""
        return self._matrix(mass_matrix.composite_bodies_in_world, q, options)

    def loop_counts(self) -> LoopCounts:
        """How often the loops of composite bodies run: the sum of depths, not n² (Rennes lecture)."""
        return mass_matrix.loop_counts(self.kernels.model)

    # -- forward dynamics -----------------------------------------------------------------

    def forward_dynamics_by_unit_accelerations(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        forces: Forces = None,
        force_axes: Axes = "frame",
        forces_on: ForcesOn = "robot",
        **options: Unpack[Options],
    ) -> Floats:
        """a = M⁻¹ (tau - h), h and each column of M by inverse dynamics (SUSTech 4.2)."""
        self.kernels.require_mass()
        return self._forced(
            forward_dynamics.forward_dynamics_by_unit_accelerations,
            {"q": q, "v": v, "tau": tau},
            forces,
            force_axes,
            forces_on,
            options,
        )

    def articulated_bodies_in_world(
        self,
        q: ArrayLike,
        v: ArrayLike,
        tau: ArrayLike,
        forces: Forces = None,
        force_axes: Axes = "frame",
        forces_on: ForcesOn = "robot",
        **options: Unpack[Options],
    ) -> WorldArticulatedBodies:
        """Articulated bodies in world coordinates: IA, pA, p_i, twists and joint forces (Rennes lecture)."""
        self.kernels.require_mass()
        return self._forced(
            forward_dynamics.articulated_bodies_in_world,
            {"q": q, "v": v, "tau": tau},
            forces,
            force_axes,
            forces_on,
            options,
        )

    # -- each method is named as the algorithm it runs --------------------------------------

    def _matrix(self, algorithm: Any, q: ArrayLike, options: Options) -> Any:
        return self.kernels.evaluate(algorithm.__name__, algorithm, {"q": q}, **options)

    def _forced(
        self, algorithm: Any, state: dict[str, ArrayLike], acting: Forces, axes: Axes, on: ForcesOn, options: Options
    ) -> Any:
        return self.kernels.evaluate(algorithm.__name__, algorithm, state, acting, written=written(axes, on), **options)


document(Study, ARGUMENTS, STUDY)
