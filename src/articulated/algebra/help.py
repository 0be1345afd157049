"""Help for the methods of `Transform` and `Inertia`."""

from ..documentation import Help

#: what the examples begin with: a frame one metre along x, turned by a quarter about z; a rod of two kilograms
SETTING = """>>> X = art.Transform([[0, -1, 0], [1, 0, 0], [0, 0, 1]], (1, 0, 0))
>>> rod = art.Inertia(2.0, (0.5, 0, 0), (0, 0.25, 0.25))"""

ARGUMENTS = {
    "R": "rotation (3, 3), the child's axes in its columns",
    "p": "the child's origin in the parent's axes, (3,): m",
    "rpy": "roll, pitch, yaw about the parent's fixed x, y, z, (3,): rad",
    "xyz": "the child's origin in the parent's axes, (3,): m",
    "matrix": "homogeneous, (4, 4): [[R, p], [0, 1]]",
    "x": "a point in the child's axes from its origin, (3,): m; or several, in the columns of (3, n)",
    "V": "motion, (6,), [linear; angular] at the origin of the frame it is given in: m/s, rad/s; or columns (6, n)",
    "F": "force, (6,), [force; moment] at the origin of the frame it is given in: N, N m; or columns (6, n)",
    "M": "map from motions to forces in the child's axes at its origin, (6, 6)",
    "mass": "kg",
    "first": "mass times centre of mass in the frame, (3,): kg m",
    "second": "rotational inertia about the frame's origin along its axes, (3, 3): kg m²",
    "spread": "second moments ∫ x xᵀ dm about the frame's origin, (3, 3): kg m²",
    "X": "pose of the frame it is given in, in the frame it shall be seen from: a Transform",
    "with_moments_of.X": "pose of the frame the other is given in, in the frame of this one: a Transform",
    "other": "an Inertia",
}

TRANSFORM: dict[str, Help] = {
    "computed": Help("a Transform", example=">>> art.Transform.computed(X.R, X.p).p.tolist()\n[1, 0, 0]"),
    "from_rpy": Help(
        "a Transform",
        source="the convention of URDF: Rz(yaw) Ry(pitch) Rx(roll)",
        example=">>> art.Transform.from_rpy((0, 0, 1.5707963267948966), (1, 0, 0)).matrix().round(6)[:3, 0].tolist()\n"
        "[0.0, 1.0, 0.0]",
    ),
    "from_matrix": Help("a Transform", example=">>> art.Transform.from_matrix(X.matrix()).p.tolist()\n[1.0, 0.0, 0.0]"),
    "exact": Help(
        "a Transform",
        example=">>> art.Transform(p=(1.0, 0.5, 0.0)).exact().p.tolist()\n[1, 0.5, 0]",
    ),
    "matrix": Help("(4, 4): [[R, p], [0, 1]]", example=">>> X.matrix()[0].tolist()\n[0.0, -1.0, 0.0, 1.0]"),
    "exact_matrix": Help("(4, 4): [[R, p], [0, 1]]", example=">>> X.exact_matrix()[0].tolist()\n[0, -1, 0, 1]"),
    "inverse": Help("a Transform", example=">>> (X.inverse() @ X).p.tolist()\n[0, 0, 0]"),
    "point": Help(
        "(3,), or (3, n): m, in the parent's axes from its origin",
        example=">>> X.point([1, 0, 0]).tolist()\n[1.0, 1.0, 0.0]",
    ),
    "motion_in": Help(
        "(6,), or (6, n), in the child's axes at its origin: m/s, rad/s",
        source="Ad⁻¹ of the Pisa lecture",
        example=">>> X.motion_in([0, 0, 0, 0, 0, 2]).tolist()\n[2.0, 0.0, 0.0, 0.0, 0.0, 2.0]",
    ),
    "motion_out": Help(
        "(6,), or (6, n), in the parent's axes at its origin: m/s, rad/s",
        source="Ad of the Pisa lecture",
        example=">>> X.motion_out([2, 0, 0, 0, 0, 2]).tolist()\n[0.0, 0.0, 0.0, 0.0, 0.0, 2.0]",
    ),
    "force_in": Help(
        "(6,), or (6, n), in the child's axes at its origin: N, N m",
        source="Adᵀ of the Pisa lecture",
        example=">>> X.force_in([0, 3, 0, 0, 0, 0]).tolist()\n[3.0, 0.0, 0.0, 0.0, 0.0, -3.0]",
    ),
    "force_out": Help(
        "(6,), or (6, n), in the parent's axes at its origin: N, N m",
        source="Ad⁻ᵀ of the Pisa lecture",
        example=">>> X.force_out([3, 0, 0, 0, 0, 0]).tolist()\n[0.0, 3.0, 0.0, 0.0, 0.0, 3.0]",
    ),
    "tensor_out": Help(
        "(6, 6), in the parent's axes at its origin",
        source="Ad⁻ᵀ M Ad⁻¹",
        example=">>> bool((X.tensor_out(rod.matrix()) == rod.moved_out(X).matrix()).all())\nTrue",
    ),
    "symmetric_out": Help(
        "(6, 6), in the parent's axes at its origin",
        source="Ad⁻ᵀ M Ad⁻¹",
        example=">>> bool((X.symmetric_out(rod.matrix()) == X.tensor_out(rod.matrix())).all())\nTrue",
    ),
}

INERTIA: dict[str, Help] = {
    "from_moments": Help(
        "an Inertia",
        example=">>> art.Inertia.from_moments(2.0, (1, 0, 0), rod.second).com.tolist()\n[0.5, 0.0, 0.0]",
    ),
    "computed": Help(
        "an Inertia", example=">>> art.Inertia.computed(rod.mass, rod.first, rod.second).com.tolist()\n[0.5, 0.0, 0.0]"
    ),
    "from_spread": Help(
        "an Inertia",
        source="Wensing, Kim, Slotine 2018: I = tr(Σ) 1 - Σ",
        example=">>> bool((art.Inertia.from_spread(2.0, rod.first, rod.spread).second == rod.second).all())\nTrue",
    ),
    "exact": Help("an Inertia", example=">>> rod.exact().first.tolist()\n[1, 0, 0]"),
    "moved_out": Help(
        "an Inertia",
        source="the parallel axis theorem (Steiner)",
        example=">>> rod.moved_out(X).com.tolist()\n[1.0, 0.5, 0.0]",
    ),
    "with_moments_of": Help(
        "an Inertia",
        example=">>> rod.with_moments_of(rod, X).mass, rod.with_moments_of(rod, X).com.tolist()\n"
        "(4.0, [0.75, 0.25, 0.0])",
    ),
    "matrix": Help(
        "(6, 6), [linear; angular]: kg, kg m, kg m²",
        example=">>> rod.matrix().diagonal().tolist()\n[2.0, 2.0, 2.0, 0.0, 0.75, 0.75]",
    ),
    "exact_matrix": Help(
        "(6, 6), [linear; angular]: kg, kg m, kg m²",
        example=">>> rod.exact_matrix().diagonal().tolist()\n[2.0, 2.0, 2.0, 0.0, 0.75, 0.75]",
    ),
}
