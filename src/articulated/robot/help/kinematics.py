"""Help for where things are and how they move."""

from ...documentation import Help

KINEMATICS: dict[str, Help] = {
    "integrate": Help(
        "(…, nq): q ⊕ dv, quaternions by the exponential map",
        source="Solà et al. 2018",
        example="""
>>> art.load("2r").integrate([0.1, 0.2], [1, 1]).tolist()
[1.1, 1.2]
""",
    ),
    "difference": Help(
        "(…, nv): the dv with integrate(q0, dv) = q1",
        source="Solà et al. 2018",
        example="""
>>> art.load("2r").difference([0.1, 0.2], [1.1, 1.2]).tolist()
[1.0, 1.0]
""",
    ),
    "configuration_rate": Help(
        "(…, nq): the rate of every coordinate, per second",
        example="""
>>> dog = art.load("quadruped", floating_base=True)
>>> dog.configuration_rate(dog.neutral(), [1.0] * 18)[:3].tolist()
[1.0, 1.0, 1.0]
""",
    ),
    "inverse_kinematics": Help(
        "a NamedTuple: q (…, nq), success, error (its largest component: m, rad; of a direction its angle: rad), "
        "iterations, and reason, a text that says why not, (…) each",
        source="Levenberg 1944, Marquardt 1963; joints at a limit are held as in a projected Newton method",
        example="""
>>> arm = art.load("2r")
>>> found = arm.inverse_kinematics({"tip": [0.5, 0.6, 0]}, q0=[0.1, 0.2])
>>> bool(found.success), arm.pose(found.q, "tip")[:2, 3].round(6).tolist()
(True, [0.5, 0.6])
>>> arm.inverse_kinematics({"tip": [1.0, 0, 0]}, restarts=2).reason
"'tip' stays 0.1 m away, with no joint at a limit"
>>> dog = art.load("quadruped", floating_base=True)
>>> feet = art.Contacts(dog, point=["FL_FOOT", "FR_FOOT", "HL_FOOT", "HR_FOOT"])
>>> bool(dog.inverse_kinematics({"base": [0.02, 0, 0.2]}, q0=dog.poses["home"], contacts=feet).success)
True
""",
    ),
    "distance_to_limits": Help(
        "(…, nq): rad, m",
        example="""
>>> art.load("panda").distance_to_limits([0, 0, 0, -1, 0, 1, 0]).round(3).tolist()
[2.897, 1.763, 2.897, 0.93, 2.897, 1.018, 2.897]
""",
    ),
    "pose": Help(
        "(…, 4, 4): homogeneous, from the frame to the world; m",
        source="Featherstone 2008, section 4.4",
        example="""
>>> art.load("2r").pose([0, 0], "tip")[:3, 3].tolist()
[0.9, 0.0, 0.0]
""",
    ),
    "jacobian": Help(
        "(…, 6, nv), [linear; angular]: m or m/rad, rad/m or 1",
        source="SUSTech ch. 9, section 3",
        example="""
>>> art.load("2r").jacobian([0, 0], "tip")[:2].tolist()
[[-0.0, -0.0], [0.9, 0.4]]
""",
    ),
    "jacobian_rate": Help(
        "(…, 6, nv), per second",
        source="SUSTech ch. 9, section 3",
        example="""
>>> art.load("2r").jacobian_rate([0, 0], [1, 0], "tip")[:2].tolist()
[[-0.9, -0.4], [-0.0, -0.0]]
""",
    ),
    "manipulability": Help(
        "(…); its unit is that of the directions multiplied",
        source="Yoshikawa 1985",
        example="""
>>> round(float(art.load("2r").manipulability([0, 1.0], "tip", directions=["x", "y"])), 6)
0.168294
""",
    ),
    "body_jacobians": Help(
        "(…, nb, 6, nv), in the axes of each body",
        source="SUSTech ch. 9, section 3",
        example="""
>>> art.load("2r").body_jacobians([0, 0], at="center_of_mass").shape
(2, 6, 2)
""",
    ),
    "frame_velocity": Help(
        "(…, 6), [linear; angular]: m/s, rad/s",
        example="""
>>> art.load("2r").frame_velocity([0, 0], [1, 0], "tip").tolist()
[-0.0, 0.9, 0.0, 0.0, 0.0, 1.0]
""",
    ),
    "frame_acceleration": Help(
        "(…, 6), [linear; angular]: m/s², rad/s²",
        example="""
>>> art.load("2r").frame_acceleration([0, 0], [1, 0], [0, 0], "tip")[:2].round(12).tolist()
[-0.9, -0.0]
""",
    ),
    "body_motions": Help(
        "BodyMotions(pose (…, nb, 4, 4), velocity (…, nb, 6), acceleration (…, nb, 6))",
        source="Pisa lecture, step 1",
        example="""
>>> art.load("2r").body_motions([0, 0], [1, 0], [0, 0]).velocity.shape
(2, 6)
""",
    ),
    "screws": Help(
        "(…, nv, 6), [linear; angular], world axes at the world's origin",
        source="Rennes lecture",
        example="""
>>> art.load("2r").screws([0, 0])[1].tolist()
[0.0, -0.5, 0.0, 0.0, 0.0, 1.0]
""",
    ),
}
