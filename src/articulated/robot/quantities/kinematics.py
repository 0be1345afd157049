"""Methods of `Robot` about configurations and motion."""

from ...algorithms import centroidal, configuration, jacobians, kinematics, mass_matrix, operational
from ...geometry import distances
from .row import Quantity

ROWS = [
    Quantity(
        configuration.distance_to_limits,
        ("q",),
        "(…, nq): rad, m",
        example="""
>>> art.load("panda").distance_to_limits([0, 0, 0, -1, 0, 1, 0]).round(3).tolist()
[2.897, 1.763, 2.897, 0.93, 2.897, 1.018, 2.897]
""",
    ),
    Quantity(
        distances.distances,
        ("pair",),
        "(…, pairs): m, between the nearest shapes of two links",
        """Distance of every pair of links that can meet, negative if they overlap, (…, pairs).

`distance_pairs` names them: links with collision shapes on different bodies, not neighbors, not built into each
other.  After them comes every link that moves with each obstacle in turn.
""",
        source="Gottschalk et al. 1996; docs/distances.md",
        example="""
>>> panda = art.load("panda")
>>> d = panda.distances([0, -0.8, 0, -2.4, 0, 1.6, 0.8])
>>> panda.distance_pairs[int(d.argmin())]
('panda_link2', 'panda_link4')
""",
    ),
    Quantity(
        configuration.integrate,
        ("q",),
        "(…, nq): q ⊕ dv, quaternions by the exponential map",
        source="Solà et al. 2018",
        example='art.load("2r").integrate([0.1, 0.2], [1, 1]).tolist() → [1.1, 1.2]',
    ),
    Quantity(
        configuration.difference,
        ("v",),
        "(…, nv): the dv with integrate(q0, dv) = q1",
        "The velocity that leads from q0 to q1 in unit time.",
        source="Solà et al. 2018",
        example='art.load("2r").difference([0.1, 0.2], [1.1, 1.2]).tolist() → [1.0, 1.0]',
    ),
    Quantity(
        configuration.configuration_rate,
        ("q",),
        "(…, nq): the rate of every coordinate, per second",
        example="""
>>> dog = art.load("quadruped", floating_base=True)
>>> dog.configuration_rate(dog.neutral(), [1.0] * 18)[:3].tolist()
[1.0, 1.0, 1.0]
""",
    ),
    Quantity(
        kinematics.pose_matrix,
        ("row", "column"),
        "(…, 4, 4): homogeneous, from the frame to the world; m",
        name="pose",
        source="Featherstone 2008, section 4.4",
        example='art.load("2r").pose([0, 0], "tip")[:3, 3].tolist() → [0.9, 0.0, 0.0]',
    ),
    Quantity(
        jacobians.jacobian,
        ("spatial", "v"),
        "(…, 6, nv), [linear; angular]: m or m/rad, rad/m or 1",
        source="SUSTech ch. 9, section 3",
        example='art.load("2r").jacobian([0, 0], "tip")[:2].tolist() → [[-0.0, -0.0], [0.9, 0.4]]',
    ),
    Quantity(
        jacobians.jacobian_rate,
        ("spatial", "v"),
        "(…, 6, nv), per second",
        source="SUSTech ch. 9, section 3",
        example='art.load("2r").jacobian_rate([0, 0], [1, 0], "tip")[:2].tolist() → [[-0.9, -0.4], [-0.0, -0.0]]',
    ),
    Quantity(
        operational.manipulability,
        (),
        "(…); its unit is that of the directions multiplied",
        """Product of the singular values of a frame's Jacobian in the named directions, (…); 0 where one is lost.

With fewer velocities than directions it is of as many as there are: the volume that they span.
""",
        source="Yoshikawa 1985",
        example='round(float(art.load("2r").manipulability([0, 1.0], "tip", directions=["x", "y"])), 6) → 0.168294',
    ),
    Quantity(
        jacobians.body_jacobians,
        ("body", "spatial", "v"),
        "(…, nb, 6, nv), in the axes of each body",
        'Jacobian of every body in its own axes, (…, nb, 6, nv); at its origin or its "center_of_mass".',
        source="SUSTech ch. 9, section 3",
        example='art.load("2r").body_jacobians([0, 0], at="center_of_mass").shape → (2, 6, 2)',
    ),
    Quantity(
        kinematics.frame_velocity,
        ("spatial",),
        "(…, 6), [linear; angular]: m/s, rad/s",
        example='art.load("2r").frame_velocity([0, 0], [1, 0], "tip").tolist() → [-0.0, 0.9, 0.0, 0.0, 0.0, 1.0]',
    ),
    Quantity(
        kinematics.frame_acceleration,
        ("spatial",),
        "(…, 6), [linear; angular]: m/s², rad/s²",
        example="""
>>> art.load("2r").frame_acceleration([0, 0], [1, 0], [0, 0], "tip")[:2].round(12).tolist()
[-0.9, -0.0]
""",
    ),
    Quantity(
        kinematics.body_motions,
        {"pose": ("body", "row", "column"), "velocity": ("body", "spatial"), "acceleration": ("body", "spatial")},
        "BodyMotions(pose (…, nb, 4, 4), velocity (…, nb, 6), acceleration (…, nb, 6))",
        "Pose (…, nb, 4, 4), twist and spatial acceleration (…, nb, 6) of every body, the latter in its own axes.",
        source="Pisa lecture, step 1",
        example='art.load("2r").body_motions([0, 0], [1, 0], [0, 0]).velocity.shape → (2, 6)',
    ),
    Quantity(
        mass_matrix.screws,
        ("v", "spatial"),
        "(…, nv, 6), [linear; angular], world axes at the world's origin",
        source="Rennes lecture",
        example='art.load("2r").screws([0, 0])[1].tolist() → [0.0, -0.5, 0.0, 0.0, 0.0, 1.0]',
    ),
    Quantity(
        centroidal.center_of_mass,
        ("point",),
        "(…, 3): m, in the world",
        inertial=True,
        example='art.load("2r").center_of_mass([0, 0]).round(4).tolist() → [0.3731, -0.0, 0.0]',
    ),
]
