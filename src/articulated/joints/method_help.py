"""Help for the methods that every joint has."""

from ..documentation import Help

#: first lines of the examples
SETTING = """>>> import numpy as np
>>> hinge, ball = art.Revolute((0, 0, 1), name="hinge"), art.Spherical()"""

ARGUMENTS = {
    "q": "coordinates, (nq,): rad, m, a quaternion x y z w",
    "q0": "coordinates, (nq,)",
    "q1": "other coordinates, (nq,)",
    "v": "velocity, (nv,): rad/s, m/s, in the axes of the moved body",
    "integrate.v": "velocity times time, (nv,): rad, m, in the axes of the moved body",
    "dt": "s",
    "d": "displacement of the step, its velocity times its time, (nv,): rad, m",
    "p": "momentum of the step, (nv,)",
    "f": "impulse of the forces in its middle, (nv,)",
    "rng": "a numpy Generator",
    "shape": "leading shape of the result",
    "owner": "name of the link it carries",
    "link": "the art.Link whose joint it is",
    "name": "the new name",
    "changes": "fields of the joint: name, damping, friction, armature, limits, mimic, and its own such as axis",
}

JOINT: dict[str, Help] = {
    "transform": Help(
        "a Transform, of the moved body's frame in its frame at neutral",
        example=">>> hinge.transform([np.pi / 2]).R.astype(float).round(6)[:, 0].tolist()\n[0.0, 1.0, 0.0]",
    ),
    "neutral": Help("(nq,)", example=">>> ball.neutral().tolist()\n[0, 0, 0, 1]"),
    "rate": Help(
        "(nq,): rad/s, m/s, 1/s of a quaternion",
        example=">>> ball.rate(ball.neutral(), [0, 0, 2]).tolist()\n[0.0, 0.0, 1.0, 0.0]",
    ),
    "integrate": Help("(nq,)", example=">>> hinge.integrate(np.array([0.5]), np.array([0.25])).tolist()\n[0.75]"),
    "difference": Help(
        "(nv,): rad, m, in the axes of the moved body at q0",
        example=">>> hinge.difference(np.array([0.5]), np.array([0.75])).tolist()\n[0.25]",
    ),
    "straight": Help(
        "coordinates (nq,) and velocity (nv,)",
        example=">>> q, v = art.Floating().straight(art.Floating().neutral(), np.array([1, 0, 0, 0, 0, 0]), 2)\n"
        ">>> q.tolist()[:3]\n[2.0, 0.0, 0.0]",
    ),
    "bending": Help("(nv,): rad/s², m/s²", example=">>> hinge.bending(np.array([1.0])).tolist()\n[0]"),
    "halfway": Help(
        "coordinates in the middle and at the end, (nq,) each",
        source="discrete mechanics (Marsden and West 2001)",
        example=">>> [q.tolist() for q in hinge.halfway(np.array([0.0]), np.array([0.5]))]\n[[0.25], [0.5]]",
    ),
    "momenta": Help(
        "momenta at the beginning and at the end, (nv,) each",
        source="discrete mechanics (Marsden and West 2001)",
        example=">>> before, after = hinge.momenta(np.array([0.1]), np.array([2.0]), np.array([1.0]))\n"
        ">>> before.tolist(), after.tolist()\n([1.5], [2.5])",
    ),
    "sample": Help(
        "(*shape, nq), within the limits", example=">>> ball.sample(np.random.default_rng(0), (5,)).shape\n(5, 4)"
    ),
    "check": Help("nothing; a ModelError names the link", example='>>> hinge.check("forearm")'),
    "freeze": Help("nothing", example=">>> hinge.freeze()"),
    "split": Help(
        "a list of links, each carried by the one before",
        example='>>> len(art.Universal().split(art.Link("knuckle", joint=art.Universal())))\n2',
    ),
    "named": Help("a joint", example=">>> hinge.named(\"elbow\").name\n'elbow'"),
    "replace": Help("a joint", example=">>> hinge.replace(damping=0.5).damping\n0.5"),
}
