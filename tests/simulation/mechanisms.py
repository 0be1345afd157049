"""Mechanisms with closed loops whose motion is published: IVP test set, IFToMM's library, Exudyn's test models."""

from typing import NamedTuple

import numpy as np

import articulated as art


class Mechanism(NamedTuple):
    robot: art.Robot
    loops: art.Contacts
    q: np.ndarray
    v: np.ndarray


def at(*p: float) -> art.Transform:
    return art.Transform(p=p)


def hinge(name: str, axis=(0, 0, 1)) -> art.Revolute:
    return art.Revolute(axis, name=name)


def rod(along, mass: float = 1.0, width: float = 0.0) -> art.Inertia:
    """A rod from the origin to a point, of a square section."""
    a = np.array(along, float)
    I = mass / 12 * (a @ a * np.eye(3) - np.outer(a, a)) + mass * width**2 / 12 * (np.eye(3) + np.outer(a, a) / (a @ a))
    return art.Inertia(mass, tuple(a / 2), I)


def four_bars() -> Mechanism:
    """IFToMM A02: three cranks side by side and two bars between them, upright; singular whenever they are level."""
    links = [art.Link("ground")]
    for k in range(3):
        tip = (f"tip{k}", at(0, 1, 0))
        links.append(art.Link(f"crank{k}", "ground", hinge(f"crank{k}"), at(k, 0, 0), rod((0, 1, 0)), frames=[tip]))
    for k in range(2):
        end = (f"end{k}", at(1, 0, 0))
        links.append(art.Link(f"bar{k}", f"crank{k}", hinge(f"bar{k}"), at(0, 1, 0), rod((1, 0, 0)), frames=[end]))
    robot = art.build(links, gravity=(0, -9.81, 0), name="four_bars")
    loops = art.Contacts(robot, loops=[("end0", "tip1"), ("end1", "tip2")])
    rates = {"crank0": -1, "crank1": -1, "crank2": -1, "bar0": 1, "bar1": 1}
    return Mechanism(robot, loops, np.zeros(5), np.array([rates[name] for name in robot.joint_names], float))


def bricard() -> Mechanism:
    """IFToMM A04: five rods along the edges of a cube and six hinges; one equation too many."""
    corners = np.array([(0, 0, 0), (1, 0, 0), (1, -1, 0), (1, -1, 1), (0, -1, 1), (0, 0, 1)], float)
    axes = [(0, 1, 0), (0, 0, 1), (1, 0, 0), (0, 1, 0), (0, 0, 1), (1, 0, 0)]
    links, parent = [art.Link("ground")], "ground"
    for k in range(5):
        along = corners[k + 1] - corners[k]
        place = at(*(corners[k] - (corners[k - 1] if k else 0)))
        end = [("end", at(*along))] if k == 4 else []
        links.append(art.Link(f"rod{k}", parent, hinge(f"hinge{k}", axes[k]), place, rod(along, 1.0, 0.1), frames=end))
        parent = f"rod{k}"
    links.append(art.Link("post", "ground", art.Fixed(), at(*corners[5])))
    robot = art.build(links, gravity=(0, -9.81, 0), name="bricard")
    loops = art.Contacts(robot, loops=[("end", "post", "hinge", axes[5])])
    return Mechanism(robot, loops, np.zeros(5), np.zeros(5))


def slider_crank() -> Mechanism:
    """Exudyn's spatial slider-crank: a crank about x at (0, 0.1, 0.12), a rod of 0.3 m, a slider along x."""
    links = [
        art.Link("ground"),
        art.Link(
            "crank", "ground", hinge("crank", (1, 0, 0)), at(0, 0.1, 0.12),
            art.Inertia(0.12, (0, 0, 0.04), np.diag([1e-4, 1e-4, 1e-5])), frames=[("pin", at(0, 0, 0.08))],
        ),
        art.Link("slider", "ground", art.Prismatic((1, 0, 0), name="slider"), inertia=art.Inertia(2.0)),
        art.Link("fork", "slider", hinge("fork", (1, 0, 0))),
        art.Link(
            "rod", "fork", hinge("rod", (0, 1, 0)),
            inertia=art.Inertia(0.5, (-0.15, 0, 0), np.diag([4e-4, 4e-3, 4e-3])), frames=[("end", at(-0.3, 0, 0))],
        ),
    ]  # fmt: skip
    robot = art.build(links, name="slider_crank")
    loops = art.Contacts(robot, loops=[("end", "pin")])
    begin = {"crank": 0.0, "slider": 0.2, "fork": -np.arcsin(1 / np.sqrt(5)), "rod": np.arccos(2 / 3)}
    q = np.array([begin[name] for name in robot.joint_names])
    J, crank = loops.jacobian(q), robot.joint_names.index("crank")
    others = [k for k in range(4) if k != crank]
    v = np.zeros(4)
    v[crank], v[others] = 6.0, np.linalg.solve(J[:, others], -6.0 * J[:, crank])
    return Mechanism(robot, loops, q, v)


# Andrews' squeezer, with the names of the IVP test set
MASSES = (0.04325, 0.00365, 0.02373, 0.00706, 0.07050, 0.00706, 0.05498)
INERTIAS = (2.194e-6, 4.410e-7, 5.255e-6, 5.667e-7, 1.169e-5, 5.667e-7, 1.912e-5)
XA, YA, XB, YB, XC, YC = -0.06934, -0.00227, -0.03635, 0.03273, 0.014, 0.072
C0, L0, MOMENT = 4530.0, 0.07785, 0.033
D, DA, E, EA, RR, RA = 0.028, 0.0115, 0.02, 0.01421, 0.007, 0.00092
SS, SA, SB, SC, SD = 0.035, 0.01874, 0.01043, 0.018, 0.02
TA, TB, U, UA, UB, ZF, ZT, FA = 0.02308, 0.00916, 0.04, 0.01228, 0.00449, 0.02, 0.04, 0.01421
ANGLES = ("beta", "Theta", "gamma", "Phi", "delta", "Omega", "epsilon")
ASSEMBLED = (-0.0617138900142764496, 0.0, 0.455279819163070380, 0.222668390165885885, 0.487364979543842550,
             -0.222668390165885885, 1.23054744454982119)  # fmt: skip
SQUEEZED = {  # at t = 0.03 s
    "q": (15.81077119629904, -15.75637105984298, 0.04082224013073101, -0.5347301163226948, 0.5244099658805304,
          0.5347301163226948, 1.048080741042263),
    "v": (1139.920302151208, -1424.379294994111, 11.03291221937134, 19.29337464421385, 0.5735699284790808,
          -19.29337464421385, 0.3231791658026955),
}  # fmt: skip


def squeezer() -> Mechanism:
    """Seven bodies in a plane, three loops at one point, a crank that a moment drives and a spring."""

    def link(k, name, parent, place, center, frame=None):
        I = INERTIAS[k] * np.diag([0.5, 0.5, 1])
        frames = [(f"E{k}", at(*frame, 0))] if frame else []
        return art.Link(
            name, parent, hinge(name), at(*place, 0), art.Inertia(MASSES[k], (*center, 0), I), frames=frames
        )

    links = [
        art.Link("ground"),
        link(0, "beta", "ground", (0, 0), (RA, 0)),
        link(1, "Theta", "beta", (RR, 0), (-DA, 0), (-D, 0)),
        link(2, "gamma", "ground", (XB, YB), (SB, -SA), (0, -SS)),
        link(4, "delta", "ground", (XA, YA), (TA, TB)),
        link(3, "Phi", "delta", (ZT, 0), (0, EA - E), (0, -E)),
        link(6, "epsilon", "ground", (XA, YA), (-UB, -UA)),
        link(5, "Omega", "epsilon", (0, -U), (ZF - FA, 0), (ZF, 0)),
    ]
    robot = art.build(links, gravity=(0, 0, 0), name="squeezer")
    loops = art.Contacts(robot, loops=[("E1", "E2"), ("E1", "E3"), ("E1", "E5")])
    begin = dict(zip(ANGLES, ASSEMBLED, strict=True))
    return Mechanism(robot, loops, np.array([begin[name] for name in robot.joint_names]), np.zeros(7))


@art.traced
def squeezing(t, q, v):
    """The moment on the crank, and the spring from C to the point D of the body about B."""
    gamma = q[2]
    c, s = np.cos(gamma), np.sin(gamma)
    x, y = SD * c + SC * s + XB - XC, SD * s - SC * c + YB - YC
    length = np.sqrt(x * x + y * y)
    force = -C0 * (length - L0) / length
    about = force * (x * (SC * c - SD * s) + y * (SD * c + SC * s))
    return [MOMENT, 0 * gamma, about, 0 * gamma, 0 * gamma, 0 * gamma, 0 * gamma]
