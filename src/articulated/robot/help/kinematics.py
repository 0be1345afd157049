"""Help for inverse kinematics and skewness."""

from ...documentation import Help

KINEMATICS: dict[str, Help] = {
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
    "skewness_defect": Help(
        "(…): N m s/rad, and the like",
        source="Sapienza lecture, question 4",
        example="""
>>> bool(art.load("2r").skewness_defect([0, 1.0], [1, 1]) < 1e-12)
True
""",
    ),
}
