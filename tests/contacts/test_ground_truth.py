"""The USP lecture's numbers (S3.*), computed independently of this project."""

import json
from pathlib import Path

import numpy as np
import pytest

import articulated as art
from articulated.contacts.ranks import subspaces
from tests import doubtful

CASES = {c["id"]: c for c in json.loads((Path(__file__).parents[1] / "oracles/ground_truth.json").read_text())["cases"]}
LAWS = [name for name in CASES if name.startswith("S3.pid.")]


def state(x):
    return np.concatenate([x["base_xyz"], x["base_quat_xyzw"], x["q_joints"]])


@pytest.mark.parametrize("name", LAWS)
@pytest.mark.parametrize("method", ["qr", "projector", "full_qr"])
def test_floating_base_inverse_dynamics(name, method):
    x, e, tolerance = (CASES[name][key] for key in ("inputs", "expected", "tolerance"))
    robot = doubtful.load(x["robot"], floating_base=True)
    held = art.Contacts(robot, point=x["contacts"])
    q, v, a = state(x), np.array(e["nu"]), np.array(e["qdd_d"])

    def agree(found, key):
        assert np.allclose(found, np.reshape(e[key], np.shape(found)), rtol=tolerance["rel"], atol=tolerance["abs"]), (
            key
        )

    agree(held.jacobian(q), "J_C")
    agree(-held.bias(q, v), "b")
    agree(held.acceleration(q, v, x["qdd0"]), "qdd_d")
    agree(subspaces.projector(held.jacobian(q)), "P")
    found = held.inverse_dynamics(q, v, a, method=method)
    agree(found.tau, "tau")
    agree(found.forces, "lambda")
    agree(found.residual, "residual_projected_norm")
    shifted = held.inverse_dynamics(q, v, a, tau0=x["tau0"], method=method)
    agree(shifted.tau, "tau_with_tau0")
    agree(shifted.forces, "lambda_with_tau0")
    moved = held.forward_dynamics(q, v, found.tau)
    agree(moved.a, "forward_qdd_under_tau")
    agree(moved.forces, "forward_lambda_under_tau")
    ranks = held.analyse(q)
    assert (ranks.k, ranks.rank, ranks.base_rank) == (e["k"], e["rank_JC"], e["rank_base"])
    assert (ranks.internal, ranks.uncontrollable) == (e["internal"], e["uncontrollable"])


@pytest.mark.parametrize("name", LAWS)
def test_the_two_blocks_of_the_qr(name):
    """S3.28, S3.29: S_u Qᵀ Jᵀ = 0, S_c Qᵀ Jᵀ = R, and the rank of S_u Qᵀ Sᵀ."""
    x, e = CASES[name]["inputs"], CASES[name]["expected"]
    robot = doubtful.load(x["robot"], floating_base=True)
    held = art.Contacts(robot, point=x["contacts"])
    J_T = held.jacobian(state(x)).T
    Q, R, order, rank = subspaces.qr(J_T)
    assert abs(Q @ R - J_T[:, order]).max(initial=0) < 1e-14 * max(1, abs(J_T).max(initial=0))
    assert abs(Q.T @ Q - np.eye(len(Q))).max() < 1e-14
    assert abs(Q.T[rank:] @ J_T).max(initial=0) < 1e-14
    reduced = Q.T[rank:, held.actuated]
    assert list(reduced.shape) == e["shape_SuQtSt"]
    assert subspaces.rank(reduced) == e["rank_SuQtSt"]
    values = np.linalg.svd(reduced, compute_uv=False)
    assert np.allclose(values, e["singular_values_SuQtSt"], rtol=0, atol=1e-12)


@pytest.mark.parametrize(
    "name", [name for name in CASES if name.startswith("S3.table.") and "urdf" in CASES[name]["inputs"]]
)
def test_constraint_table(name):
    x = CASES[name]["inputs"]
    robot = doubtful.load(Path(x["urdf"]).stem, floating_base=True)
    for row in CASES[name]["expected"]["per_subset"]:
        found = art.Contacts(robot, point=row["feet"]).analyse(state(x))
        expected = [row[key] for key in ("k", "rank_JC", "rank_JC_base", "internal", "uncontrollable")]
        assert [found.k, found.rank, found.base_rank, found.internal, found.uncontrollable] == expected


def test_linear_algebra():
    """S3.1-S3.10."""
    x, e = CASES["S3.linalg"]["inputs"], CASES["S3.linalg"]["expected"]

    def agree(found, key):
        assert np.allclose(found, e[key], rtol=0, atol=1e-12), key

    for name, key in (("A", "A"), ("tall", "tall"), ("rank_deficient", "rd")):
        agree(subspaces.rank(x[name]), f"rank_{key}")
        agree(subspaces.nullity(x[name]), f"nullity_{key}")
    agree(subspaces.right_pseudo_inverse(x["A"]), "right_pinv_A")
    agree(subspaces.left_pseudo_inverse(x["tall"]), "left_pinv_tall")
    agree(subspaces.projector(x["A"]), "projector_I_minus_ApA")
    agree(subspaces.general_solution(x["A"], x["b"], x["w"]), "x_general")
    agree(subspaces.pseudo_inverse(x["A"]) @ x["b"], "x_min_norm")
    null = subspaces.null_space(x["A"])[:, 0]
    agree(null / null[0], "null_vector_A")
    Q, R, order, rank = subspaces.qr(x["qr_matrix"])
    assert rank == 2 and abs(np.array(x["qr_matrix"])[:, order] - Q @ R).max() < 1e-14
    if list(order) == [0, 1]:
        agree(abs(R[:2]), "abs_R")


@pytest.mark.parametrize("formula", [subspaces.left_pseudo_inverse, subspaces.right_pseudo_inverse])
def test_formulas_for_full_rank_refuse_others(formula):
    """E3.2: applied to a matrix of lower rank they give numbers, but wrong ones."""
    with pytest.raises(subspaces.RankError, match=r"needs full .* rank 3, but the matrix has rank 2; pseudo_inverse"):
        formula(CASES["S3.linalg"]["inputs"]["rank_deficient"])


@pytest.mark.parametrize("formula", [subspaces.left_pseudo_inverse, subspaces.right_pseudo_inverse])
def test_full_rank_by_rounding_alone_is_refused(formula):
    nearly = np.ones((4, 4)) + np.diag([1e-17, 1e-300, 0, 0])
    with pytest.raises(subspaces.RankError, match="pseudo_inverse"):
        formula(nearly, tolerance=0)
    with pytest.raises(subspaces.RankError, match="full rank only by rounding"):
        formula([[1.0, 0.0], [0.0, 1e-200]], tolerance=0)


@pytest.mark.parametrize(("m", "n", "r"), [(4, 6, 4), (6, 4, 4), (5, 5, 3), (6, 6, 5), (3, 0, 0), (4, 4, 0)])
def test_penroses_conditions(m, n, r, rng):
    A = rng.normal(size=(7, m, r)) @ rng.normal(size=(7, r, n))
    X = subspaces.pseudo_inverse(A)
    transposed = [np.swapaxes(B, -1, -2) for B in (A @ X, X @ A)]
    for found, expected in ((A @ X @ A, A), (X @ A @ X, X), (A @ X, transposed[0]), (X @ A, transposed[1])):
        assert abs(found - expected).max(initial=0) < 1e-11 * max(1, abs(expected).max(initial=0))
    assert (np.asarray(subspaces.rank(A)) == r).all()
    assert subspaces.qr(A[0]).rank == r
