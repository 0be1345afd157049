"""`contacts.study`: the USP lecture's letters, base last, and its formulas as they stand."""

import json
from pathlib import Path

import numpy as np
import pytest

import articulated as art
from articulated.contacts.ranks import subspaces
from tests import doubtful

from .legged import QUADRUPEDS, SETS, contacts, legged, relative

CASES = {c["id"]: c for c in json.loads((Path(__file__).parents[1] / "oracles/ground_truth.json").read_text())["cases"]}
LAWS = [name for name in CASES if name.startswith("S3.pid.")]
COMPILED = [(name, kind, feet) for name, kind, feet in SETS if name in ("quadruped", "biped")]
every_set = pytest.mark.parametrize(("name", "kind", "feet"), COMPILED, ids=["quadruped", "biped"])


def transposed(A):
    return np.swapaxes(A, -1, -2)


@every_set
def test_the_base_is_last(name, kind, feet, rng):
    """S3.15, S3.17: q = [q_r; x_b], S = [I 0]."""
    held = contacts(name, kind, feet)
    robot, study = held.robot, held.study
    q, v = robot.random(rng, (3,)), rng.normal(size=(3, robot.nv))
    assert np.array_equal(study.base_last(v), np.concatenate([v[:, 6:], v[:, :6]], axis=1))
    assert np.array_equal(study.base_last(q), np.concatenate([q[:, 7:], q[:, :7]], axis=1))
    assert np.array_equal(study.base_first(study.base_last(q)), q)
    assert np.array_equal(study.base_first(study.base_last(v)), v)
    assert np.array_equal(v[:, study.order], study.base_last(v))
    n = robot.nv - 6
    assert np.array_equal(study.S, np.hstack([np.eye(n), np.zeros((n, 6))]))
    assert np.array_equal(study.base_last(v) @ study.S.T, v[:, held.actuated])


def test_passive_joints_stand_before_the_base(rng):
    robot = legged("quadruped")
    held = art.Contacts(robot, point=QUADRUPEDS["quadruped"], passive=["FL_HFE", "HR_KFE"])
    n, order = len(held.actuated), held.study.order.tolist()
    assert order[:n] == held.actuated and order[-6:] == [0, 1, 2, 3, 4, 5]
    assert sorted(order) == list(range(robot.nv))
    q = robot.random(rng)
    named = dict(zip(robot.joint_names[1:], q[7:], strict=True))
    assert held.study.base_last(q)[n : n + 2].tolist() == [named["FL_HFE"], named["HR_KFE"]]


@every_set
def test_the_lectures_equations_hold(name, kind, feet, rng):
    """S3.16, S3.22, S3.25, S3.29: with P, and block by block with Q and R, for a motion found by the KKT system."""
    for count in range(len(feet) + 1):
        held = contacts(name, kind, feet[:count])
        q, v = held.robot.random(rng, (2,)), rng.normal(size=(2, held.robot.nv))
        M, h, S, J, b = held.study.equations(q, v)
        tau = rng.normal(size=(2, len(S)))
        kkt = np.block([[M, -transposed(J)], [J, np.zeros((2, held.k, held.k))]])
        x = np.linalg.pinv(kkt, 1e-12) @ np.concatenate([tau @ S - h, b], axis=-1)[..., None]
        a, forces = np.split(x[..., 0], [held.robot.nv], axis=-1)
        f = subspaces.apply(M, a) + h
        usual = held.robot.inverse_dynamics(q, v, held.study.base_first(a))
        scale = abs(f).max()
        assert abs(held.study.base_last(usual) - f).max() < 1e-11 * scale
        assert abs(f - tau @ S - subspaces.apply(transposed(J), forces)).max() < 1e-10 * scale
        assert np.allclose(subspaces.apply(J, a), b, rtol=0, atol=1e-9 * max(1, abs(a).max()))

        P = held.study.projector(q)
        assert abs(P @ transposed(J)).max(initial=0) < 1e-13
        assert abs(subspaces.apply(P, f - tau @ S)).max() < 1e-10 * scale

        Q, R, S_c, S_u = held.study.qr(q)
        k, nv = held.k, held.robot.nv
        assert S_c.shape == (k, nv) and S_u.shape == (nv - k, nv) and R.shape == (2, k, k)
        assert abs(transposed(Q) @ Q - np.eye(nv)).max() < 1e-14
        assert abs(Q @ transposed(S_c) @ R - transposed(J)).max(initial=0) < 1e-14 * max(1, abs(J).max(initial=0))
        assert not np.tril(R, -1).any() and (np.diagonal(R, axis1=-2, axis2=-1) >= 0).all()
        constrained = subspaces.apply(S_c @ transposed(Q), f - tau @ S)
        assert abs(constrained - subspaces.apply(R, forces)).max(initial=0) < 1e-10 * scale
        assert abs(subspaces.apply(S_u @ transposed(Q), f - tau @ S)).max(initial=0) < 1e-10 * scale


@pytest.mark.parametrize("name", LAWS)
def test_the_lectures_torques_as_they_stand(name):
    """S3.30, S3.32 with the plain QR, against numbers made elsewhere; dependent constraints are refused (E3.5)."""
    x, e, tolerance = (CASES[name][key] for key in ("inputs", "expected", "tolerance"))
    held = art.Contacts(doubtful.load(x["robot"], floating_base=True), point=x["contacts"])
    q = np.concatenate([x["base_xyz"], x["base_quat_xyzw"], x["q_joints"]])
    v, a = np.array(e["nu"]), np.array(e["qdd_d"])
    order = held.study.order
    expected = np.reshape(e["P"], (len(v), len(v)))[np.ix_(order, order)]
    assert np.allclose(held.study.projector(q), expected, rtol=0, atol=tolerance["abs"])
    if e["rank_JC"] < e["k"]:
        with pytest.raises(subspaces.RankError, match=r"constraints of FL_FOOT, .* are dependent"):
            held.study.inverse_dynamics(q, v, a)
        # without the refusal: the plain QR leaves equations of motion out
        Q, _, _, S_u = held.study.qr(q)
        f, S = held.study.base_last(held.robot.inverse_dynamics(q, v, a)), held.study.S
        kept = S_u @ Q.T
        tau = np.linalg.pinv(kept @ S.T) @ (kept @ f)
        assert relative(tau, e["tau"]) > 1e-3
        return
    found = held.study.inverse_dynamics(q, v, a)
    assert np.allclose(found.tau, e["tau"], rtol=tolerance["rel"], atol=tolerance["abs"])
    assert np.allclose(found.forces, np.ravel(e["lambda"]), rtol=tolerance["rel"], atol=tolerance["abs"])


def test_plain_qr(rng):
    """S3.10: against the lecture's R, and on matrices of every shape and rank."""
    x, e = CASES["S3.linalg"]["inputs"], CASES["S3.linalg"]["expected"]
    _, R = subspaces.plain_qr(x["qr_matrix"])
    assert np.allclose(R[:2], np.abs(np.triu(e["abs_R"])) * np.sign(R[:2]), rtol=0, atol=1e-12)
    for m, n, r in [(6, 4, 4), (4, 6, 4), (5, 5, 3), (6, 4, 2), (3, 0, 0), (4, 3, 0)]:
        A = rng.normal(size=(2, 3, m, r)) @ rng.normal(size=(2, 3, r, n))
        Q, R = subspaces.plain_qr(A)
        assert Q.shape == (2, 3, m, m) and R.shape == (2, 3, m, n)
        assert abs(Q @ R - A).max(initial=0) < 1e-14 * max(1, abs(A).max(initial=0))
        assert abs(transposed(Q) @ Q - np.eye(m)).max() < 1e-14
        assert abs(np.tril(R, -1)).max(initial=0) == 0 and (np.diagonal(R, axis1=-2, axis2=-1) >= 0).all()
    with pytest.raises(subspaces.RankError, match="NaN"):
        subspaces.plain_qr([[1.0, np.nan]])


def test_more_rows_than_velocities(rng):
    """A double pendulum whose tip is welded: R is wide, S_u is empty, and the torques are refused."""
    robot = art.load("2r")
    held = art.Contacts(robot, surface=[robot.frame_names[-1]])
    Q, R, S_c, S_u = held.study.qr([0.3, 0.4])
    assert R.shape == (2, 6) and S_c.shape == (2, 2) and S_u.shape == (0, 2)
    assert np.allclose(Q @ R, held.jacobian([0.3, 0.4]).T, rtol=0, atol=1e-15)
    with pytest.raises(subspaces.RankError, match="dependent"):
        held.study.inverse_dynamics([0.3, 0.4], [0, 0], [0, 0])


@pytest.mark.parametrize("method", ["projector", "qr"])
def test_what_has_no_jacobian_is_refused(method):
    held = contacts("quadruped", "point", QUADRUPEDS["quadruped"])
    q = held.robot.neutral()
    q[3:7] = 0
    with pytest.raises(art.ShapeError, match=rf"study\.{method}: the Jacobian is not finite"):
        getattr(held.study, method)(q)
    q[8] = np.nan
    with pytest.raises(art.ShapeError, match=rf"study\.{method}: q holds NaN"):
        getattr(held.study, method)(q)
    for way in (held.study.base_last, held.study.base_first):
        with pytest.raises(art.ShapeError, match=r"x has shape \(5,\); quadruped has"):
            way(np.zeros(5))
