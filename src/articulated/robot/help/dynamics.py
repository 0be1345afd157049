"""Help for forces, inertias, energies."""

from ...documentation import Help

DYNAMICS: dict[str, Help] = {
    "inverse_dynamics": Help(
        "(…, nv): N m, N",
        included="gcfae",
        source="recursive Newton-Euler (Luh, Walker, Paul 1980; Featherstone 2008, table 5.1)",
        example="""
>>> robot = art.load("2r")
>>> robot.inverse_dynamics([0, 0], [0, 0], [0, 0]).round(4).tolist()
[23.7892, 3.6788]
>>> robot.inverse_dynamics([0, 0], [0, 0], [0, 0], forces={"tip": [0, 10, 0, 0, 0, 0]}).round(4).tolist()
[14.7892, -0.3213]
""",
    ),
    "forward_dynamics": Help(
        "(…, nv): rad/s², m/s²",
        included="gcfae",
        source="Featherstone 2008, tables 7.1 and 6.2",
        example="""
>>> robot = art.load("2r")
>>> robot.forward_dynamics([0, 0], [0, 0], robot.gravity_forces([0, 0])).round(9).tolist()
[0.0, -0.0]
""",
    ),
    "articulated_bodies": Help(
        "ArticulatedBodies: a NamedTuple of inertias (…, nb, 6, 6) and forces (…, nb, 6), in the axes of each body",
        included="gcfae",
        source="Featherstone 2008, table 7.1; Pisa lecture",
        example="""
>>> art.load("2r").articulated_bodies([0, 0], [0, 0], [0, 0]).inertia.shape
(2, 6, 6)
""",
    ),
    "bias_forces": Help(
        "(…, nv): N m, N",
        included="gcfe",
        source="inverse dynamics with a = 0",
        example="""
>>> art.load("2r").bias_forces([0, 0], [1, 1]).round(4).tolist()
[23.7892, 3.6788]
""",
    ),
    "gravity_forces": Help(
        "(…, nv): N m, N",
        included="g",
        source="inverse dynamics with v = a = 0, no friction",
        example="""
>>> art.load("2r").gravity_forces([0, 0]).round(4).tolist()
[23.7892, 3.6788]
""",
    ),
    "coriolis_forces": Help(
        "(…, nv): N m, N",
        included="c",
        source="inverse dynamics with a = 0, no gravity",
        example="""
>>> art.load("2r").coriolis_forces([0, 1.0], [1, 1]).round(4).tolist()
[-0.4733, 0.1578]
""",
    ),
    "friction_forces": Help(
        "(…, nv): N m, N",
        included="f",
        example="""
>>> art.build([art.Link("a", None, art.Revolute(damping=0.5, friction=0.1))]).friction_forces([2.0]).tolist()
[1.1]
""",
    ),
    "body_wrenches": Help(
        "(…, nb, 6), [force; moment] in the body's axes at its origin: N, N m",
        included="gce",
        source="recursive Newton-Euler",
        example="""
>>> art.load("2r").body_wrenches([0, 0], [0, 0], [0, 0])[0].round(4).tolist()
[0.0, 63.765, 0.0, 0.0, 0.0, -8.0932]
""",
    ),
    "gravity_wrenches": Help(
        "(…, nb, 6), [force; moment]: N, N m",
        included="g",
        source="SUSTech ch. 9, section 2.3",
        example="""
>>> art.load("2r").gravity_wrenches([0, 0])[1].round(4).tolist()
[-0.0, -24.525, 0.0, 0.0, 0.0, 6.1313]
""",
    ),
    "force_map": Help(
        "(…, nv, 6 n)",
        source="SUSTech ch. 9, section 3.1",
        example="""
>>> art.load("2r").force_map([0, 0], ["tip"]).shape
(2, 6)
""",
    ),
    "mass_matrix": Help(
        "(…, nv, nv), symmetric, positive definite where every joint moves mass: kg m², kg m, kg",
        included="a",
        source="composite bodies (Walker, Orin 1982; Featherstone 2008, table 6.2)",
        example="""
>>> art.load("2r").mass_matrix([0, 0]).round(4).tolist()
[[1.3462, 0.2838], [0.2838, 0.0963]]
""",
    ),
    "mass_matrix_inverse": Help(
        "(…, nv, nv)",
        included="a",
        source="branch-sparse factors (Featherstone 2008, section 6.5)",
        example="""
>>> robot = art.load("2r")
>>> (robot.mass_matrix_inverse([0, 1]) @ robot.mass_matrix([0, 1])).round(12).diagonal().tolist()
[1.0, 1.0]
""",
    ),
    "mass_matrix_rate": Help(
        "(…, nv, nv), per second",
        source="derivative of the composite bodies",
        example="""
>>> art.load("2r").mass_matrix_rate([0, 1.0], [0, 1.0]).round(4).tolist()
[[-0.3156, -0.1578], [-0.1578, 0.0]]
""",
    ),
    "coriolis_matrix": Help(
        "(…, nv, nv)",
        included="c",
        source='Christoffel symbols; Niemeyer, Slotine 1991 ("body_jacobian")',
        example="""
>>> art.load("2r").coriolis_matrix([0, 1.0], [1, 1]).round(4).tolist()
[[-0.1578, -0.3156], [0.1578, -0.0]]
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
    "christoffel": Help(
        "(…, nv, nv, nv)",
        source="Sapienza lecture; Γ_ijk = ½ (∂M_ij/∂q_k + ∂M_ik/∂q_j - ∂M_jk/∂q_i)",
        example="""
>>> art.load("2r").christoffel([0, 1.0])[0].round(4).tolist()
[[-0.0, -0.1578], [-0.1578, -0.1578]]
""",
    ),
    "composite_inertias": Help(
        "(…, nb, 6, 6): [[kg, kg m], [kg m, kg m²]]",
        included="",
        source="Rennes lecture",
        example="""
>>> art.load("2r").composite_inertias([0, 0])[0, 0, 0].round(4).item()
6.5
""",
    ),
    "contributions": Help(
        "Contributions: a NamedTuple of (…, nb, nv, nv) and (…, nb, nv), which add up over the bodies",
        included="gce",
        source="SUSTech ch. 9, sections 2.4 and 3.2",
        example="""
>>> art.load("2r").contributions([0, 0], [0, 0]).gravity.round(4).tolist()
[[7.848, -0.0], [15.9413, 3.6788]]
""",
    ),
    "operational_space": Help(
        "OperationalSpace(inertia (…, 6, 6), bias (…, 6)), [linear; angular]",
        included="gcfa",
        source="Khatib 1987",
        example="""
>>> robot = art.load("panda")
>>> robot.operational_space(robot.poses["home"], [0] * 7, "panda_hand").inertia.shape
(6, 6)
""",
    ),
    "kinetic_energy": Help(
        "(…), or (…, nb) by body: J",
        included="a",
        source="Sapienza lecture",
        example="""
>>> round(float(art.load("2r").kinetic_energy([0, 0], [1, 0])), 4)
0.6731
""",
    ),
    "potential_energy": Help(
        "(…), or (…, nb) by body: J, zero at the world's origin",
        included="g",
        source="Sapienza lecture",
        example="""
>>> round(float(art.load("2r").potential_energy([1.5707963267948966, 0])), 4)
23.7893
""",
    ),
    "center_of_mass": Help(
        "(…, 3): m, in the world",
        example="""
>>> art.load("2r").center_of_mass([0, 0]).round(4).tolist()
[0.3731, -0.0, 0.0]
""",
    ),
    "centroidal_momentum": Help(
        "(…, 6), [linear; angular] about the centre of mass, world axes: kg m/s, kg m²/s",
        included="",
        source="Orin, Goswami, Lee 2013",
        example="""
>>> art.load("2r").centroidal_momentum([0, 0], [1, 0]).round(4).tolist()
[-0.0, 2.425, 0.0, 0.0, 0.0, 0.4415]
""",
    ),
    "centroidal_map": Help(
        "(…, 6, nv)",
        included="",
        source="Orin, Goswami, Lee 2013",
        example="""
>>> art.load("2r").centroidal_map([0, 0]).shape
(6, 2)
""",
    ),
    "regressor": Help(
        "(…, nv, 10 nb); `robot.parameter_names` names the columns",
        included="gc",
        source="Atkeson, An, Hollerbach 1986",
        example="""
>>> import numpy as np
>>> robot = art.load("2r")
>>> Y = robot.regressor([0, 1], [1, 1], [0, 0])
>>> np.allclose(Y @ robot.parameters, robot.inverse_dynamics([0, 1], [1, 1], [0, 0]))
True
""",
    ),
}
