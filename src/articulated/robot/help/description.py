"""Help for what a robot is and how another is made of it."""

from ...documentation import Help

DESCRIPTION: dict[str, Help] = {
    "topology": Help(
        "Topology(predecessor, successor, parent, children): lists of numbers, 1-based; 0 is the base",
        source="Featherstone 2008, section 4.1; Pisa lecture",
        example="""
>>> art.load("tree4").topology().parent
[0, 1, 2, 2]
""",
    ),
    "permutation": Help(
        "indices (nv,)",
        example="""
>>> art.load("panda").permutation("pinocchio").tolist()
[0, 1, 2, 3, 4, 5, 6]
""",
    ),
    "support": Help(
        "(nb, nv) of 0 and 1",
        source="SUSTech ch. 9, section 3",
        example="""
>>> art.load("2r").support().tolist()
[[1.0, 0.0], [1.0, 1.0]]
""",
    ),
    "names": Help(
        "a tuple of lists, one per axis after the batch; a dict of such by field where the method returns a NamedTuple",
        example="""
>>> rows, columns = art.load("2r").names("jacobian")
>>> rows, columns
(['x', 'y', 'z', 'rx', 'ry', 'rz'], ['joint1', 'joint2'])
""",
    ),
    "index": Help(
        "JointIndex(q, v): slices",
        example="""
>>> robot = art.load("panda")
>>> robot.index("panda_joint4")
JointIndex(q=slice(3, 4, None), v=slice(3, 4, None))
>>> robot.limits.lower[robot.index("panda_joint4").q]
array([-3.0718])
""",
    ),
    "floating": Help(
        "a new Robot: q begins with x y z, qx qy qz qw, the pose of the base in the world, wherever it was fixed; "
        "v begins with [linear; angular] in the axes of the base",
        example="""
>>> art.load("quadruped").floating().nq
19
""",
    ),
    "replace": Help(
        "a new Robot",
        example="""
>>> art.load("2r").replace(gravity=(0, 0, 0)).gravity_forces([0.3, 0.2]).tolist()
[0.0, 0.0]
""",
    ),
    "lock": Help(
        "a new Robot without these joints; their links are where the positions put them",
        example="""
>>> art.load("panda").lock({"panda_joint1": 0.5}).nq
6
""",
    ),
    "frictionless": Help(
        "a new Robot",
        example="""
>>> art.load("puma560").frictionless().friction_forces([1.0] * 6).tolist()
[0.0, 0.0, 0.0, 0.0, 0.0, 0.0]
""",
    ),
    "add_frame": Help(
        "a new Robot with one frame more",
        example="""
>>> robot = art.load("2r").add_frame("camera", "link2", art.Transform(p=(0, 0.1, 0)))
>>> robot.pose([0, 0], "camera")[:3, 3].tolist()
[0.9, 0.1, 0.0]
""",
    ),
    "attach": Help(
        "a new Robot",
        example="""
>>> robot = art.load("2r")
>>> round(robot.attach("tip", art.Inertia(1.5)).mass - robot.mass, 12)
1.5
>>> robot.attach("tip", robot, prefix="other_").joint_names
['joint1', 'joint2', 'other_joint1', 'other_joint2']
""",
    ),
    "add_motors": Help(
        "a new Robot of the same joints; a rotor is a link that follows the joint it drives",
        source="Siciliano et al. 2009, 7.1.1",
        example="""
>>> robot = art.load("2r")
>>> geared = robot.add_motors([art.Motor("joint2", ratio=100, inertia=1e-4)])
>>> (geared.mass_matrix([0, 0]) - robot.mass_matrix([0, 0])).round(4).tolist()
[[0.0001, 0.01], [0.01, 1.0]]
""",
    ),
    "subtree": Help(
        "a new Robot",
        example="""
>>> art.load("panda").subtree("panda_link5").joint_names
['panda_joint6', 'panda_joint7']
""",
    ),
    "neutral": Help(
        "(nq,)",
        example="""
>>> art.load("quadruped", floating_base=True).neutral()[:7].tolist()
[0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0]
""",
    ),
    "random": Help(
        "(*shape, nq): uniform within the limits, or within ±π (m: ±1) where there are none",
        example="""
>>> art.load("panda").random(0, (3, 5)).shape
(3, 5, 7)
""",
    ),
    "configuration": Help(
        "(…, nq), the leading shape of the values",
        example="""
>>> art.load("2r").configuration({"joint2": [0.1, 0.2]}).tolist()
[[0.0, 0.1], [0.0, 0.2]]
""",
    ),
    "velocity": Help(
        "(…, nv)",
        example="""
>>> art.load("2r").velocity({"joint2": 0.5}).tolist()
[0.0, 0.5]
""",
    ),
    "named": Help(
        "a dict by joint: floats for one state, arrays for a batch or a joint with several numbers",
        example="""
>>> art.load("2r").named([0.1, 0.2])
{'joint1': 0.1, 'joint2': 0.2}
""",
    ),
    "compile": Help(
        "a function of the arrays that gives a NamedTuple with a field per method",
        example="""
>>> f = art.load("2r").compile("mass_matrix", "bias_forces")
>>> f([0.1, 0.2], [0, 0]).mass_matrix.shape
(2, 2)
""",
    ),
    "warm": Help(
        "nothing: the kernels are ready",
        example="""
>>> art.load("2r").warm("mass_matrix", ("pose", "tip"))
""",
    ),
    "c_source": Help(
        "the text of a C99 file",
        example="""
>>> "void gravity_forces" in art.load("2r").c_source("gravity_forces")
True
""",
    ),
    "actuation_map": Help(
        "(nv, motors)",
        source="SUSTech ch. 9, section 3.1",
        example="""
>>> art.load("2r").actuation_map(passive=["joint2"]).tolist()
[[1.0], [0.0]]
""",
    ),
}
