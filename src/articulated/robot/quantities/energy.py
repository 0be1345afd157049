"""Methods of `Robot` about energy and momentum."""

from ...algorithms import energy
from .row import Quantity

ROWS = [
    Quantity(
        {False: energy.kinetic_energy, True: energy.kinetic_energies},
        (),
        "(…), or (…, nb) by body: J",
        """Kinetic energy of the moving bodies and rotors, (…); by_body: (…, nb).

On a moving base, what is welded to the platform is none of them: it has ½ Vᵀ I V more, with
I = robot.model.base_inertia.matrix() and V the base_velocity.
""",
        name="kinetic_energy",
        takes="q v by_body base_velocity",
        included="a",
        source="Sapienza lecture",
        inertial=True,
        example='round(float(art.load("2r").kinetic_energy([0, 0], [1, 0])), 4) → 0.6731',
    ),
    Quantity(
        {False: energy.potential_energy, True: energy.potential_energies},
        (),
        "(…), or (…, nb) by body: J, zero at the world's origin",
        "Potential energy of gravity, zero at the world's origin, and of springs, (…); by_body: (…, nb).",
        name="potential_energy",
        takes="q by_body",
        included="gs",
        source="Sapienza lecture",
        inertial=True,
        example='round(float(art.load("2r").potential_energy([1.5707963267948966, 0])), 4) → 23.7893',
    ),
    Quantity(
        energy.centroidal_momentum,
        ("spatial",),
        "(…, 6), [linear; angular] about the center of mass, world axes: kg m/s, kg m²/s",
        included="",
        source="Orin, Goswami, Lee 2013",
        inertial=True,
        example="""
>>> art.load("2r").centroidal_momentum([0, 0], [1, 0]).round(4).tolist()
[-0.0, 2.425, 0.0, 0.0, 0.0, 0.4415]
""",
    ),
    Quantity(
        energy.centroidal_map,
        ("spatial", "v"),
        "(…, 6, nv)",
        included="",
        source="Orin, Goswami, Lee 2013",
        inertial=True,
        example='art.load("2r").centroidal_map([0, 0]).shape → (6, 2)',
    ),
]
