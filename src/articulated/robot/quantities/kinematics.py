"""Methods of `Robot` about configurations and motion."""

from ...algorithms import centroidal, configuration, jacobians, kinematics, limits, manipulability, world_coordinates
from ...geometry import distances
from .row import Quantity

ROWS = [
    Quantity(
        "distance_to_limits",
        limits.distance_to_limits,
        "q",
        ("q",),
        "The distance to the nearer limit of each coordinate, negative beyond it, infinite without limits, (…, nq).",
        "(…, nq): rad, m",
        example="""
>>> art.load("panda").distance_to_limits([0, 0, 0, -1, 0, 1, 0]).round(3).tolist()
[2.897, 1.763, 2.897, 0.93, 2.897, 1.018, 2.897]
""",
    ),
    Quantity(
        "distances",
        distances.distances,
        "q obstacles",
        ("pair",),
        """Distance of every pair of links that can meet, negative if they overlap, (…, pairs).

`distance_pairs` names them: links with collision shapes on different bodies, not neighbors, not built into each
other.  After them comes every link that moves with each obstacle in turn.
""",
        "(…, pairs): m, between the nearest shapes of two links",
        source="Gottschalk et al. 1996; docs/distances.md",
        example="""
>>> panda = art.load("panda")
>>> d = panda.distances([0, -0.8, 0, -2.4, 0, 1.6, 0.8])
>>> panda.distance_pairs[int(d.argmin())]
('panda_link2', 'panda_link4')
""",
    ),
    Quantity(
        "integrate",
        configuration.integrate,
        "q dv",
        ("q",),
        "The configuration reached from q with the constant velocity dv in unit time.",
        "(…, nq): q ⊕ dv, quaternions by the exponential map",
        source="Solà et al. 2018",
        example="""
>>> art.load("2r").integrate([0.1, 0.2], [1, 1]).tolist()
[1.1, 1.2]
""",
    ),
    Quantity(
        "difference",
        configuration.difference,
        "q0 q1",
        ("v",),
        "The velocity that leads from q0 to q1 in unit time.",
        "(…, nv): the dv with integrate(q0, dv) = q1",
        source="Solà et al. 2018",
        example="""
>>> art.load("2r").difference([0.1, 0.2], [1.1, 1.2]).tolist()
[1.0, 1.0]
""",
    ),
    Quantity(
        "configuration_rate",
        configuration.configuration_rate,
        "q v",
        ("q",),
        "dq/dt for the velocity v, (…, nq).",
        "(…, nq): the rate of every coordinate, per second",
        example="""
>>> dog = art.load("quadruped", floating_base=True)
>>> dog.configuration_rate(dog.neutral(), [1.0] * 18)[:3].tolist()
[1.0, 1.0, 1.0]
""",
    ),
    Quantity(
        "pose",
        kinematics.pose_matrix,
        "q frame",
        ("row", "column"),
        "Homogeneous pose of a frame in the world, (…, 4, 4).",
        "(…, 4, 4): homogeneous, from the frame to the world; m",
        source="Featherstone 2008, section 4.4",
        example="""
>>> art.load("2r").pose([0, 0], "tip")[:3, 3].tolist()
[0.9, 0.0, 0.0]
""",
    ),
    Quantity(
        "jacobian",
        jacobians.jacobian,
        "q frame axes",
        ("spatial", "v"),
        "Velocity of a frame per unit v, (…, 6, nv), [linear; angular].",
        "(…, 6, nv), [linear; angular]: m or m/rad, rad/m or 1",
        source="SUSTech ch. 9, section 3",
        example="""
>>> art.load("2r").jacobian([0, 0], "tip")[:2].tolist()
[[-0.0, -0.0], [0.9, 0.4]]
""",
    ),
    Quantity(
        "jacobian_rate",
        jacobians.jacobian_rate,
        "q v frame axes",
        ("spatial", "v"),
        "Time derivative of the Jacobian, (…, 6, nv).",
        "(…, 6, nv), per second",
        source="SUSTech ch. 9, section 3",
        example="""
>>> art.load("2r").jacobian_rate([0, 0], [1, 0], "tip")[:2].tolist()
[[-0.9, -0.4], [-0.0, -0.0]]
""",
    ),
    Quantity(
        "manipulability",
        manipulability.manipulability,
        "q frame axes directions",
        (),
        """Product of the singular values of a frame's Jacobian in the named directions, (…); 0 where one is lost.

With fewer velocities than directions it is of as many as there are: the volume that they span.
""",
        "(…); its unit is that of the directions multiplied",
        source="Yoshikawa 1985",
        example="""
>>> round(float(art.load("2r").manipulability([0, 1.0], "tip", directions=["x", "y"])), 6)
0.168294
""",
    ),
    Quantity(
        "body_jacobians",
        jacobians.body_jacobians,
        "q at",
        ("body", "spatial", "v"),
        'Jacobian of every body in its own axes, (…, nb, 6, nv); at its origin or its "center_of_mass".',
        "(…, nb, 6, nv), in the axes of each body",
        source="SUSTech ch. 9, section 3",
        example="""
>>> art.load("2r").body_jacobians([0, 0], at="center_of_mass").shape
(2, 6, 2)
""",
    ),
    Quantity(
        "frame_velocity",
        kinematics.frame_velocity,
        "q v frame axes",
        ("spatial",),
        "[linear; angular] velocity of a frame, (…, 6).",
        "(…, 6), [linear; angular]: m/s, rad/s",
        example="""
>>> art.load("2r").frame_velocity([0, 0], [1, 0], "tip").tolist()
[-0.0, 0.9, 0.0, 0.0, 0.0, 1.0]
""",
    ),
    Quantity(
        "frame_acceleration",
        kinematics.frame_acceleration,
        "q v a frame axes spatial",
        ("spatial",),
        "Acceleration of a frame, (…, 6): of the point at its origin, or the spatial one.",
        "(…, 6), [linear; angular]: m/s², rad/s²",
        example="""
>>> art.load("2r").frame_acceleration([0, 0], [1, 0], [0, 0], "tip")[:2].round(12).tolist()
[-0.9, -0.0]
""",
    ),
    Quantity(
        "body_motions",
        kinematics.body_motions,
        "q v a base_velocity base_acceleration",
        {"pose": ("body", "row", "column"), "velocity": ("body", "spatial"), "acceleration": ("body", "spatial")},
        "Pose (…, nb, 4, 4), twist and spatial acceleration (…, nb, 6) of every body, the latter in its own axes.",
        "BodyMotions(pose (…, nb, 4, 4), velocity (…, nb, 6), acceleration (…, nb, 6))",
        source="Pisa lecture, step 1",
        example="""
>>> art.load("2r").body_motions([0, 0], [1, 0], [0, 0]).velocity.shape
(2, 6)
""",
    ),
    Quantity(
        "screws",
        world_coordinates.screws,
        "q",
        ("v", "spatial"),
        "Motion per unit of each velocity in world coordinates at the world's origin, (…, nv, 6).",
        "(…, nv, 6), [linear; angular], world axes at the world's origin",
        source="Rennes lecture",
        example="""
>>> art.load("2r").screws([0, 0])[1].tolist()
[0.0, -0.5, 0.0, 0.0, 0.0, 1.0]
""",
    ),
    Quantity(
        "center_of_mass",
        centroidal.center_of_mass,
        "q",
        ("point",),
        "Center of mass of the moving bodies, (…, 3).",
        "(…, 3): m, in the world",
        inertial=True,
        example="""
>>> art.load("2r").center_of_mass([0, 0]).round(4).tolist()
[0.3731, -0.0, 0.0]
""",
    ),
]
