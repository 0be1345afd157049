"""Help for the lectures' other routes."""

from ...documentation import Help

STUDY: dict[str, Help] = {
    "inverse_dynamics_with_weights": Help(
        "(…, nv): N m, N",
        included="gcfae",
        source="SUSTech ch. 9, section 2.3",
        example="""
>>> art.load("2r").study.inverse_dynamics_with_weights([0, 0], [0, 0], [0, 0]).round(4).tolist()
[23.7893, 3.6788]
""",
    ),
    "inverse_dynamics_by_jacobians": Help(
        "(…, nv): N m, N",
        included="gcfae",
        source="SUSTech ch. 9, section 3.1",
        example="""
>>> art.load("2r").study.inverse_dynamics_by_jacobians([0, 0], [0, 0], [0, 0]).round(4).tolist()
[23.7893, 3.6788]
""",
    ),
    "mass_matrix_by_unit_accelerations": Help(
        "(…, nv, nv)",
        included="a",
        source="SUSTech ch. 9, section 4.2",
        example="""
>>> art.load("2r").study.mass_matrix_by_unit_accelerations([0, 0]).round(4).tolist()
[[1.3462, 0.2838], [0.2838, 0.0963]]
""",
    ),
    "mass_matrix_by_jacobians": Help(
        "(…, nv, nv)",
        included="a",
        source="SUSTech ch. 9, section 3.1",
        example="""
>>> art.load("2r").study.mass_matrix_by_jacobians([0, 0]).round(4).tolist()
[[1.3462, 0.2838], [0.2838, 0.0963]]
""",
    ),
    "mass_matrix_by_energy": Help(
        "(…, nv, nv)",
        included="a",
        source="Sapienza lecture",
        example="""
>>> art.load("2r").study.mass_matrix_by_energy([0, 0]).round(4).tolist()
[[1.3462, 0.2837], [0.2837, 0.0963]]
""",
    ),
    "mass_matrix_by_screws": Help(
        "(…, nv, nv)",
        included="a",
        source="Rennes lecture",
        example="""
>>> art.load("2r").study.mass_matrix_by_screws([0, 0]).round(4).tolist()
[[1.3462, 0.2837], [0.2837, 0.0962]]
""",
    ),
    "mass_matrix_by_sums": Help(
        "(…, nv, nv)",
        included="a",
        source="Rennes lecture",
        example="""
>>> art.load("2r").study.mass_matrix_by_sums([0, 0]).round(4).tolist()
[[1.3462, 0.2837], [0.2837, 0.0962]]
""",
    ),
    "composite_bodies_in_world": Help(
        "WorldCompositeBodies: a NamedTuple of H (…, nv, nv), inertias and screws at the world's origin",
        included="a",
        source="Rennes lecture",
        example="""
>>> art.load("2r").study.composite_bodies_in_world([0, 0])[0].shape
(2, 2)
""",
    ),
    "loop_counts": Help(
        "LoopCounts: a NamedTuple of integers",
        source="Rennes lecture",
        example="""
>>> art.load("2r").study.loop_counts()
LoopCounts(inertias=2, entries=3, depth=2)
""",
    ),
    "forward_dynamics_by_unit_accelerations": Help(
        "(…, nv): rad/s², m/s²",
        included="gcfae",
        source="SUSTech ch. 9, section 4.2",
        example="""
>>> robot = art.load("2r")
>>> robot.study.forward_dynamics_by_unit_accelerations([0, 0], [0, 0], robot.gravity_forces([0, 0])).round(9).tolist()
[0.0, -0.0]
""",
    ),
    "articulated_bodies_in_world": Help(
        "WorldArticulatedBodies: a NamedTuple, world axes at the world's origin",
        included="gcfae",
        source="Rennes lecture",
        example="""
>>> len(art.load("2r").study.articulated_bodies_in_world([0, 0], [0, 0], [0, 0]))
7
""",
    ),
}
