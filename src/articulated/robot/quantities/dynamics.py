"""Methods of `Robot` about forces, energy and momentum."""

from ...algorithms import centroidal, energy, forward_dynamics, inverse_dynamics, springs
from .row import Quantity

ROWS = [
    Quantity(
        inverse_dynamics.inverse_dynamics,
        ("v",),
        "(…, nv): N m, N",
        """Generalized forces that give the acceleration a, (…, nv): M a + c + g + friction + springs - the part of
`forces`.

Coulomb and viscous friction, armature and springs of the joints and springs between frames are part of it, as they
are of forward dynamics; `robot.frictionless()` is without friction and armature.
""",
        included="gcfsae",
        source="recursive Newton-Euler (Luh, Walker, Paul 1980; Featherstone 2008, table 5.1)",
        inertial=True,
        example="""
>>> robot = art.load("2r")
>>> robot.inverse_dynamics([0, 0], [0, 0], [0, 0]).round(4).tolist()
[23.7892, 3.6788]
>>> robot.inverse_dynamics([0, 0], [0, 0], [0, 0], forces={"tip": [0, 10, 0, 0, 0, 0]}).round(4).tolist()
[14.7892, -0.3213]
""",
    ),
    Quantity(
        forward_dynamics.METHODS,
        ("v",),
        "(…, nv): rad/s², m/s²",
        """Acceleration under the generalized forces tau, (…, nv); joint friction, springs and armature are part of it.

`method` "articulated_body" and "composite_body" run the recursions of the Pisa and the Rennes lecture as they
are written; "fastest" the formulation with the fewest operations for this robot.
""",
        name="forward_dynamics",
        takes="q v tau forces method base_velocity base_acceleration",
        included="gcfsae",
        source="Featherstone 2008, tables 7.1 and 6.2",
        inertial=True,
        divides_by_mass=True,
        example="""
>>> robot = art.load("2r")
>>> robot.forward_dynamics([0, 0], [0, 0], robot.gravity_forces([0, 0])).round(9).tolist()
[0.0, -0.0]
""",
    ),
    Quantity(
        forward_dynamics.articulated_bodies,
        {
            "a": ("v",),
            "inertia": ("body", "spatial", "spatial"),
            "bias": ("body", "spatial"),
            "projected": ("body", "spatial", "spatial"),
            "acceleration": ("body", "spatial"),
            "wrench": ("body", "spatial"),
            "joint_inertia": ("free", "free"),
            "own_bias": ("body", "spatial"),
            "projected_bias": ("body", "spatial"),
            "actuation": ("body", "spatial"),
            "coriolis": ("body", "spatial"),
        },
        "ArticulatedBodies: a NamedTuple of inertias (…, nb, 6, 6) and forces (…, nb, 6), in the axes of each body",
        "Everything the articulated-body algorithm finds, by body: Mhat, bhat and its parts, Mbar, mhat, wrenches.",
        included="gcfsae",
        source="Featherstone 2008, table 7.1; Pisa lecture",
        inertial=True,
        divides_by_mass=True,
        example='art.load("2r").articulated_bodies([0, 0], [0, 0], [0, 0]).inertia.shape → (2, 6, 6)',
    ),
    Quantity(
        inverse_dynamics.bias_forces,
        ("v",),
        "(…, nv): N m, N",
        takes="q v forces base_velocity base_acceleration",
        included="gcfse",
        source="inverse dynamics with a = 0",
        inertial=True,
        example='art.load("2r").bias_forces([0, 0], [1, 1]).round(4).tolist() → [23.7892, 3.6788]',
    ),
    Quantity(
        inverse_dynamics.gravity_forces,
        ("v",),
        "(…, nv): N m, N",
        included="g",
        source="inverse dynamics with v = a = 0, no friction, no springs",
        inertial=True,
        example='art.load("2r").gravity_forces([0, 0]).round(4).tolist() → [23.7892, 3.6788]',
    ),
    Quantity(
        inverse_dynamics.coriolis_forces,
        ("v",),
        "(…, nv): N m, N",
        takes="q v",
        included="c",
        source="inverse dynamics with a = 0, no gravity",
        inertial=True,
        example='art.load("2r").coriolis_forces([0, 1.0], [1, 1]).round(4).tolist() → [-0.4733, 0.1578]',
    ),
    Quantity(
        inverse_dynamics.friction_forces,
        ("v",),
        "(…, nv): N m, N",
        included="f",
        example="""
>>> art.build([art.Link("a", None, art.Revolute(damping=0.5, friction=0.1))]).friction_forces([2.0]).tolist()
[1.1]
""",
    ),
    Quantity(
        springs.spring_forces,
        ("v",),
        "(…, nv): N m, N",
        """Generalized forces that hold the springs of the joints and those between frames, (…, nv).

Of the latter with their dampers; without these they are the part of springs in ∂U/∂q.
""",
        included="s",
        source="the slope of ½ k e²; of a line, ∂l/∂q times its tension",
        example="""
>>> art.build([art.Link("a", None, art.Revolute(stiffness=20.0, rest=0.5))]).spring_forces([0.75], [0.0]).tolist()
[5.0]
""",
    ),
    Quantity(
        springs.actuator_lengths,
        ("actuator",),
        "(…, actuators): m",
        "Lengths of the linear actuators, (…, number of them), in the order of `robot.model.actuators`.",
        source="Rennes lecture, B(q) = (∂l/∂q)ᵀ",
        example="""
>>> arm = art.load("2r").add_actuators([art.LinearActuator((0.0, 0.0, 0.0), "tip", "ram")])
>>> arm.actuator_lengths([0.0, 0.0]).round(9).tolist()
[0.9]
""",
    ),
    Quantity(
        inverse_dynamics.body_wrenches,
        ("body", "spatial"),
        "(…, nb, 6), [force; moment] in the body's axes at its origin: N, N m",
        "Force that each joint transmits to its body, in the axes of the body.",
        takes="q v a forces base_velocity base_acceleration",
        included="gce",
        source="recursive Newton-Euler",
        inertial=True,
        example="""
>>> art.load("2r").body_wrenches([0, 0], [0, 0], [0, 0])[0].round(4).tolist()
[0.0, 63.765, 0.0, 0.0, 0.0, -8.0932]
""",
    ),
    Quantity(
        inverse_dynamics.gravity_wrenches,
        ("body", "spatial"),
        "(…, nb, 6), [force; moment]: N, N m",
        included="g",
        source="SUSTech ch. 9, section 2.1.3",
        inertial=True,
        example='art.load("2r").gravity_wrenches([0, 0])[1].round(4).tolist() → [-0.0, -24.525, 0.0, 0.0, 0.0, 6.1313]',
    ),
    Quantity(
        energy.contributions,
        {
            "mass_matrix": ("body", "v", "v"),
            "coriolis": ("body", "v"),
            "gravity": ("body", "v"),
            "inertial": ("body", "v"),
            "external": ("body", "v"),
            "torque": ("body", "v"),
        },
        "Contributions: a NamedTuple of (…, nb, nv, nv) and (…, nb, nv), which add up over the bodies",
        "The contribution of each body to M, c and g, and, with its acceleration and the forces on it, to tau.",
        included="gce",
        source="SUSTech ch. 9, sections 3.1 and 3.2",
        inertial=True,
        example="""
>>> art.load("2r").contributions([0, 0], [0, 0]).gravity.round(4).tolist()
[[7.848, -0.0], [15.9413, 3.6788]]
""",
    ),
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
        centroidal.centroidal_momentum,
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
        centroidal.centroidal_map,
        ("spatial", "v"),
        "(…, 6, nv)",
        included="",
        source="Orin, Goswami, Lee 2013",
        inertial=True,
        example='art.load("2r").centroidal_map([0, 0]).shape → (6, 2)',
    ),
]
