"""Methods of `robot.study`: the lectures' other routes to the same quantities."""

from ...algorithms.study import forward_dynamics, inverse_dynamics, mass_matrix
from .row import Quantity

ROWS = [
    Quantity(
        "inverse_dynamics_with_weights",
        inverse_dynamics.inverse_dynamics_with_weights,
        "q v a forces base_velocity base_acceleration",
        ("v",),
        "tau by recursive Newton-Euler without the gravity trick: every body has a weight (SUSTech 2.1.3).",
        "(…, nv): N m, N",
        included="gcfae",
        source="SUSTech ch. 9, section 2.1.3",
        example="""
>>> art.load("2r").study.inverse_dynamics_with_weights([0, 0], [0, 0], [0, 0]).round(4).tolist()
[23.7893, 3.6788]
""",
    ),
    Quantity(
        "inverse_dynamics_by_jacobians",
        inverse_dynamics.inverse_dynamics_by_jacobians,
        "q v a forces base_velocity base_acceleration",
        ("v",),
        "tau = Σ J_iᵀ (I A + V ×* I V - F_ext - F_G), friction and rotors: no recursion on forces (SUSTech 3.1).",
        "(…, nv): N m, N",
        included="gcfae",
        source="SUSTech ch. 9, section 3.1",
        example="""
>>> art.load("2r").study.inverse_dynamics_by_jacobians([0, 0], [0, 0], [0, 0]).round(4).tolist()
[23.7893, 3.6788]
""",
    ),
    Quantity(
        "mass_matrix_by_unit_accelerations",
        mass_matrix.mass_matrix_by_unit_accelerations,
        "q",
        ("v", "v"),
        "Column j is the torque for the unit acceleration j, at rest and without gravity (SUSTech 4.2).",
        "(…, nv, nv)",
        included="a",
        source="SUSTech ch. 9, section 4.2",
        example="""
>>> art.load("2r").study.mass_matrix_by_unit_accelerations([0, 0]).round(4).tolist()
[[1.3462, 0.2838], [0.2838, 0.0963]]
""",
    ),
    Quantity(
        "mass_matrix_by_jacobians",
        mass_matrix.mass_matrix_by_jacobians,
        "q",
        ("v", "v"),
        "Σ J_iᵀ I_i J_i, with rotors (SUSTech 3.1).",
        "(…, nv, nv)",
        included="a",
        source="SUSTech ch. 9, section 3.1",
        example="""
>>> art.load("2r").study.mass_matrix_by_jacobians([0, 0]).round(4).tolist()
[[1.3462, 0.2838], [0.2838, 0.0963]]
""",
    ),
    Quantity(
        "mass_matrix_by_energy",
        mass_matrix.mass_matrix_by_energy,
        "q",
        ("v", "v"),
        "From T = ½ vᵀ M v, polarised (Sapienza lecture).",
        "(…, nv, nv)",
        included="a",
        source="Sapienza lecture",
        example="""
>>> art.load("2r").study.mass_matrix_by_energy([0, 0]).round(4).tolist()
[[1.3462, 0.2837], [0.2837, 0.0963]]
""",
    ),
    Quantity(
        "mass_matrix_by_screws",
        mass_matrix.mass_matrix_by_screws,
        "q",
        ("v", "v"),
        "H_ij = s_iᵀ I^C_r s_j in world coordinates, r the outer of the two bodies (Rennes lecture).",
        "(…, nv, nv)",
        included="a",
        source="Rennes lecture",
        example="""
>>> art.load("2r").study.mass_matrix_by_screws([0, 0]).round(4).tolist()
[[1.3462, 0.2837], [0.2837, 0.0962]]
""",
    ),
    Quantity(
        "mass_matrix_by_sums",
        mass_matrix.mass_matrix_by_sums,
        "q",
        ("v", "v"),
        "H_ij = Σ_k s_iᵀ I_k s_j over the bodies k that both joints carry: the triple sum of T (Rennes lecture).",
        "(…, nv, nv)",
        included="a",
        source="Rennes lecture",
        example="""
>>> art.load("2r").study.mass_matrix_by_sums([0, 0]).round(4).tolist()
[[1.3462, 0.2837], [0.2837, 0.0962]]
""",
    ),
    Quantity(
        "composite_bodies_in_world",
        mass_matrix.composite_bodies_in_world,
        "q",
        (),
        "H with the composite inertias I^C and screws s it is made of, at the world's origin (Rennes lecture).",
        "WorldCompositeBodies: a NamedTuple of H (…, nv, nv), inertias and screws at the world's origin",
        included="a",
        source="Rennes lecture",
        example="""
>>> art.load("2r").study.composite_bodies_in_world([0, 0])[0].shape
(2, 2)
""",
    ),
    Quantity(
        "forward_dynamics_by_unit_accelerations",
        forward_dynamics.forward_dynamics_by_unit_accelerations,
        "q v tau forces base_velocity base_acceleration",
        ("v",),
        "a = M⁻¹ (tau - h), h and each column of M by inverse dynamics (SUSTech 4.2).",
        "(…, nv): rad/s², m/s²",
        included="gcfae",
        source="SUSTech ch. 9, section 4.2",
        divides_by_mass=True,
        example="""
>>> robot = art.load("2r")
>>> robot.study.forward_dynamics_by_unit_accelerations([0, 0], [0, 0], robot.gravity_forces([0, 0])).round(9).tolist()
[0.0, -0.0]
""",
    ),
    Quantity(
        "articulated_bodies_in_world",
        forward_dynamics.articulated_bodies_in_world,
        "q v tau forces base_velocity base_acceleration",
        (),
        "Articulated bodies in world coordinates: IA, pA, p_i, twists and joint forces (Rennes lecture).",
        "WorldArticulatedBodies: a NamedTuple, world axes at the world's origin",
        included="gcfae",
        source="Rennes lecture",
        divides_by_mass=True,
        example="""
>>> len(art.load("2r").study.articulated_bodies_in_world([0, 0], [0, 0], [0, 0]))
7
""",
    ),
]
