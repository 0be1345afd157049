"""Programs a type checker accepts, and, in the lines that say so, some it must refuse.  Nobody runs this file.

tests/project/test_types.py gives it to mypy and to pyright, and compares the lines they complain about.
"""

# as mypy --strict, with what `make types` found out about the library
# mypy: disallow-any-generics, disallow-subclassing-any, disallow-untyped-calls, disallow-incomplete-defs
# mypy: check-untyped-defs, disallow-untyped-decorators, warn-return-any, strict-equality, extra-checks

import numpy as np

import articulated as art
import articulated.casadi
import articulated.torch

panda = art.load("panda")
q, v, a = panda.random(0), [0.1] * 7, np.zeros(7)
hand = art.Transform(p=(0, 0, 0.1))

# -- right ----------------------------------------------------------------------------------------

tau = panda.inverse_dynamics(q, v, a, forces=art.Wrenches({"panda_hand": np.zeros(6)}, axes="world"), threads=2)
torque: float = float(tau[0]) + float(tau.max())
M = panda.mass_matrix(q, dtype=np.float32, parameters=panda.parameters)
J = panda.jacobian(q, "panda_hand", axes="frame", out=np.empty((6, 7)))
back = panda.forward_dynamics(q, v, tau, method="articulated_body")
pose = panda.body_motions(q, v, a).pose
shift = panda.operational_space(q, v, "panda_hand").bias[0]
lower = panda.limits.lower.min() - panda.limits.effort.max()
elbow = q[panda.index("panda_joint4").q]
home = panda.poses["home"] + panda.configuration({"panda_joint4": -1.0})
heavy = panda.attach("panda_hand", art.Inertia(1.0), hand, name="box").replace(gravity=(0, 0, -1.6))
tool = panda.replace("panda_hand", inertia=art.Inertia(1.0)).add_frame("tip", "panda_hand", hand)
w = panda.manipulability(q, "panda_hand", directions=["x", "y"])
C = panda.coriolis_matrix(q, v, "nonskew") + panda.study.mass_matrix_by_energy(q, threads=2)
dog = art.load("quadruped", floating_base=True, on_error="strict", packages=["/opt/ros"])
feet = art.Contacts(dog, point=["FL_FOOT"])
forces = feet.inverse_dynamics(dog.neutral(), np.zeros(18), np.zeros(18), method="qr").forces.sum()
arm = art.from_dh([art.DH(a=0.5), art.DH(d=0.1, joint="prismatic")], convention="modified")
link = art.Link("arm", None, art.Revolute((0, 1, 0), damping=0.1, limits=art.Limits(-1, 1)))
theirs = art.conventions.to_mujoco(dog, dog.neutral())
q2, v2 = art.conventions.to_mujoco(dog, dog.neutral(), np.zeros(18))
speed: float = float(art.conventions.to_mujoco(dog, dog.neutral(), np.zeros(18)).v[0])
eq = art.derive("2r", letters="theta")
geared = panda.add_motors([art.Motor("panda_joint2", ratio=100, inertia=6e-5)])
right: bool = art.exercise("2r", topic="skew", seed=3).check("0").right
law = art.Impedance(panda, stiffness=100.0, damping=20.0)
run = art.simulate(panda, home, duration=0.1, method="rk4", torque=lambda t, q, v: -v, contacts=art.Ground(0.5))
late: float = float(run[-1].v[0]) + float(run[10:20].q.max())
run.plot("positions", "run.png", size=(4, 3), joints=["panda_joint1"])
found = panda.inverse_kinematics({"panda_hand": pose}, seed=1).q.sum()
code: str = eq.export("c", "M,g") + eq.derivation("md")
names: list[str] = art.robots() + panda.joint_names
p = panda.permutation("pinocchio")
d = panda.derivatives("inverse_dynamics")(q, v, a, forces={"panda_hand": np.zeros(6)}, threads=2)
stiffness: float = float(d.q[0, 0]) + float(d.a.max())
by_q, by_v, by_tau = panda.derivatives("forward_dynamics", space="coordinates")(q, v, tau, method="composite_body")
pushed = panda.derivatives("inverse_dynamics", wrt=["q", "forces"])(q, v, a).forces
slope = panda.derivatives("pose", wrt="q")(q, "panda_hand", dtype=np.float32).q
twist = panda.derivatives("body_motions")(q, v, a).velocity_q
moved: float = float(panda.jvp("pose")(q, frame="panda_hand", tangents={"q": v})[0, 3])
bodies = panda.jvp("body_motions")(q, v, a, tangents={"v": v}).acceleration
gradient = panda.vjp("potential_energy")(q, cotangents=1.0).q
both = panda.vjp("inverse_dynamics", ["a", "parameters"])(q, v, a, cotangents=v).parameters
bent = panda.hessian("inverse_dynamics", wrt=["q", "v"])(q, v, a, cotangents=v).q_v
third = panda.second_derivatives("forward_dynamics")(q, v, a).q_tau
held = feet.derivatives("forward_dynamics")(dog.neutral(), np.zeros(18), np.zeros(12)).a_q
fused = panda.compile("mass_matrix", ("jacobian", "panda_hand", {"axes": "frame"}), dtype=np.float32)
panda.warm("operational_space", ("pose", "panda_hand"))
listing: str = panda.c_source(("jacobian", "panda_hand"), name="hand")
labels = panda.names("articulated_bodies")
feet.warm("impact")
growth = eq.derivative("tau", "q")
tensors = articulated.torch.Robot(panda).inverse_dynamics(q, v, a)
program = articulated.casadi.Robot(panda).function("jacobian", "panda_hand")

# -- wrong ----------------------------------------------------------------------------------------

art.lod("panda")  # wrong
art.load("panda", on_eror="strict")  # wrong
art.load("panda", on_error="stirct")  # wrong
art.load("panda", floating="yes")  # wrong
art.exercise("2r", topic="poetry")  # wrong
panda.add_motors(["panda_joint2"])  # wrong
panda.inverse_dynamic(q, v, a)  # wrong
panda.inverse_dynamics(q, v, a, force={"panda_hand": np.zeros(6)})  # wrong
panda.inverse_dynamics(q, v, a, thread=2)  # wrong
panda.inverse_dynamics(q, v)  # wrong
art.Wrenches({"panda_hand": np.zeros(6)}, on="ground")  # wrong
panda.mass_matrix(q, threads="2")  # wrong
panda.pose(q, "panda_hand", parameters=panda.parameters)  # wrong
panda.jacobian(q, "panda_hand", axes="sideways")  # wrong
panda.jacobian(q, frame=3)  # wrong
panda.forward_dynamics(q, v, tau, method="aba")  # wrong
panda.coriolis_matrix(q, v, factorization="skew")  # wrong
panda.body_motions(q, v, a).twist  # wrong
panda.limits.torque  # wrong
panda.index("panda_joint4").qd  # wrong
panda.configuration(["panda_joint4"])  # wrong
panda.manipulability(q, "panda_hand", directions=["u"])  # wrong
panda.replace("panda_hand", inertial=art.Inertia(1.0))  # wrong
panda.replace(gravty=(0, 0, 0))  # wrong
panda.attach("panda_hand", 3.0)  # wrong
panda.permutation("bullet")  # wrong
panda.study.mass_matrix_by_energy(q, thread=2)  # wrong
art.Contacts(dog, points=["FL_FOOT"])  # wrong
feet.inverse_dynamics(dog.neutral(), v, v, method="svd")  # wrong
feet.forward_dynamics(dog.neutral(), v, v).acceleration  # wrong
art.DH(theta=0, joint="hinge")  # wrong
art.from_dh([], convention="craig")  # wrong
art.Revolute(dampin=0.1)  # wrong
art.Spherical(axis=(0, 0, 1))  # wrong
art.Link("arm", joint="revolute")  # wrong
art.Impedance(panda, stiffness=100.0, damping=20.0, feedforward="none")  # wrong
art.conventions.to_mujuco(dog, dog.neutral())  # wrong
art.conventions.to_mujoco(dog, dog.neutral()).v  # wrong
art.derive(3)  # wrong
art.simulate(panda, home, method="rk5")  # wrong
art.simulate(panda, home, durtion=1.0)  # wrong
run.plot("overviw")  # wrong
run.plot(siz=(4, 3))  # wrong
run[0].vel  # wrong
run.energy.kinetik  # wrong
panda.inverse_kinematics({"panda_hand": pose}, tolerence=1e-6)  # wrong
panda.inverse_kinematics({"panda_hand": pose}).sucess  # wrong
eq.export("word")  # wrong
eq.derivation(format="pdf")  # wrong
eq.jacobian("link2", axes="sideways")  # wrong
eq.coriolis("skew")  # wrong
eq.coeficients()  # wrong
art.explain("rne", panda)  # wrong
art.Ground(frction=0.5)  # wrong
art.PD(panda, 100)  # wrong
panda.derivatives("inverse_dynamic")  # wrong
panda.derivatives("operational_space")  # wrong
panda.derivatives("neutral")  # wrong
panda.derivatives("inverse_dynamics", wrt=["p"])  # wrong
panda.derivatives("inverse_dynamics", wrt=["tau"])  # wrong
panda.derivatives("mass_matrix", wrt="v")  # wrong
panda.derivatives("inverse_dynamics", wtr=["q"])  # wrong
panda.derivatives("inverse_dynamics", space="angles")  # wrong
panda.derivatives("inverse_dynamics")(q, v, a).tau  # wrong
panda.derivatives("mass_matrix")(q).v  # wrong
panda.derivatives("inverse_dynamics")(q, v, a).qd  # wrong
panda.derivatives("inverse_dynamics")(q, v, a, thread=2)  # wrong
panda.derivatives("jacobian")(q, "panda_hand", axes="sideways")  # wrong
panda.jvp("poes")  # wrong
panda.jvp("pose")(q, "panda_hand")  # wrong
panda.jvp("pose")(q, "panda_hand", tangent={"q": v})  # wrong
panda.jvp("pose")(q, "panda_hand", tangents={"p": v})  # wrong
panda.jvp("body_motions")(q, v, a, tangents={"v": v}).twist  # wrong
panda.vjp("potential")  # wrong
panda.vjp("potential_energy")(q)  # wrong
panda.vjp("potential_energy")(q, cotangents=1.0).v  # wrong
panda.vjp("potential_energy", wrt=["tau"])  # wrong
panda.hessian("inverse_dynamics")(q, v, a, cotangents=v).v_q  # wrong
panda.hessian("inverse_dynamics", wrt=["forces"])  # wrong
panda.second_derivatives("body_motions")  # wrong
panda.second_derivatives("inverse_dynamics")(q, v, a).q_tau  # wrong
panda.compile("mass_matrx")  # wrong
panda.compile(("jacobean", "panda_hand"))  # wrong
panda.warm("mass_matrix", "bias_force")  # wrong
panda.c_source("mass_matrx")  # wrong
panda.names("mass_matrx")  # wrong
feet.derivatives("acceleration")  # wrong
feet.derivatives("impact")(dog.neutral(), v).a_q  # wrong
feet.derivatives("impact")(dog.neutral(), v, restitutoin=0.5)  # wrong
feet.warm("impacts")  # wrong
eq.derivative("tau", "qd")  # wrong
eq.derivative("torque", "q")  # wrong
articulated.torch.Robot(panda).inverse_dynamic(q, v, a)  # wrong
articulated.casadi.Robot(panda).function("jacobean", "panda_hand")  # wrong
