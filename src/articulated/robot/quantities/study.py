"""Methods of `robot.study`: the lectures' other routes to the same quantities."""

from ...algorithms import study
from .row import Quantity

ROWS = [
    Quantity(
        study.inverse_dynamics_with_weights,
        ("v",),
        "(…, nv): N m, N",
        included="gcfae",
        source="SUSTech ch. 9, section 2.1.3",
        example="""
>>> art.load("2r").study.inverse_dynamics_with_weights([0, 0], [0, 0], [0, 0]).round(4).tolist()
[23.7893, 3.6788]
""",
    ),
    Quantity(
        study.inverse_dynamics_by_jacobians,
        ("v",),
        "(…, nv): N m, N",
        included="gcfae",
        source="SUSTech ch. 9, section 3.1",
        example="""
>>> art.load("2r").study.inverse_dynamics_by_jacobians([0, 0], [0, 0], [0, 0]).round(4).tolist()
[23.7893, 3.6788]
""",
    ),
    Quantity(
        study.mass_matrix_by_unit_accelerations,
        ("v", "v"),
        "(…, nv, nv)",
        included="a",
        source="SUSTech ch. 9, section 4.2",
        example='art.load("2r").study.mass_matrix_by_unit_accelerations([0, 0])[0].round(3).tolist() → [1.346, 0.284]',
    ),
    Quantity(
        study.mass_matrix_by_jacobians,
        ("v", "v"),
        "(…, nv, nv)",
        included="a",
        source="SUSTech ch. 9, section 3.1",
        example='art.load("2r").study.mass_matrix_by_jacobians([0, 0])[0].round(4).tolist() → [1.3462, 0.2838]',
    ),
    Quantity(
        study.mass_matrix_by_energy,
        ("v", "v"),
        "(…, nv, nv)",
        included="a",
        source="Sapienza lecture",
        example='art.load("2r").study.mass_matrix_by_energy([0, 0])[0].round(4).tolist() → [1.3462, 0.2837]',
    ),
    Quantity(
        study.mass_matrix_by_screws,
        ("v", "v"),
        "(…, nv, nv)",
        included="a",
        source="Rennes lecture",
        example='art.load("2r").study.mass_matrix_by_screws([0, 0])[0].round(4).tolist() → [1.3462, 0.2837]',
    ),
    Quantity(
        study.mass_matrix_by_sums,
        ("v", "v"),
        "(…, nv, nv)",
        included="a",
        source="Rennes lecture",
        example='art.load("2r").study.mass_matrix_by_sums([0, 0])[0].round(4).tolist() → [1.3462, 0.2837]',
    ),
    Quantity(
        study.composite_bodies_in_world,
        (),
        "WorldCompositeBodies: a NamedTuple of H (…, nv, nv), inertias and screws at the world's origin",
        included="a",
        source="Rennes lecture",
        example='art.load("2r").study.composite_bodies_in_world([0, 0])[0].shape → (2, 2)',
    ),
    Quantity(
        study.forward_dynamics_by_unit_accelerations,
        ("v",),
        "(…, nv): rad/s², m/s²",
        takes="q v tau forces base_velocity base_acceleration",
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
        study.articulated_bodies_in_world,
        (),
        "WorldArticulatedBodies: a NamedTuple, world axes at the world's origin",
        included="gcfae",
        source="Rennes lecture",
        divides_by_mass=True,
        example='len(art.load("2r").study.articulated_bodies_in_world([0, 0], [0, 0], [0, 0])) → 7',
    ),
]
