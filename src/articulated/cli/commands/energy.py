"""`articulated energy`: kinetic, potential, total."""

from typing import Any

from ..computing import computing


@computing("energy", "energy", ["kinetic", "potential", "total"], unit="J")
def energy(robot: Any, q: Any, v: Any) -> Any:
    """Kinetic, potential and total energy in joules; potential energy is zero at the world's origin.

    Examples:
      articulated energy panda --q home --v 0.2
    """
    import numpy as np

    kinetic, potential = np.broadcast_arrays(robot.kinetic_energy(q, v), robot.potential_energy(q))
    return np.stack([kinetic, potential, kinetic + potential], axis=-1)
