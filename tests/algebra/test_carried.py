"""Transforms and inertias take what users hold: lists, floats with leading axes, symbols; the rest is refused."""

import numpy as np
import pytest
import sympy

import articulated as art
from tests.near import near
from tests.zoo import random_inertia, random_pose

SHAPES = [(6,), (1, 6), (6, 6), (2, 3, 6), (0, 6)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_motions_and_forces_are_carried_row_by_row(shape, rng):
    X, V = random_pose(rng), rng.normal(size=shape)
    g = X.matrix()
    back = art.spatial.inverse(g)
    for method, matrix in (
        (X.motion_out, art.spatial.adjoint(g)),
        (X.motion_in, art.spatial.adjoint(back)),
        (X.force_out, art.spatial.coadjoint(g)),
        (X.force_in, art.spatial.coadjoint(back)),
    ):
        found = method(V)
        assert found.dtype == float and near(found, V @ matrix.T, 1e-13)
    points = V[..., :3]
    assert near(X.point(points), points @ g[:3, :3].T + g[:3, 3], 1e-13)
    body = random_inertia(rng)
    assert near(body @ V, V @ body.matrix().T, 1e-13)


def test_a_vector_is_a_list_of_numbers_or_symbols_or_named(rng):
    X, V = random_pose(rng), rng.normal(size=6)
    assert (X.motion_in(V.tolist()) == X.motion_in(V)).all() and (X.motion_in(V=V) == X.motion_in(V)).all()
    letters = sympy.symbols("a:6")
    found = X.motion_in(letters)
    assert near([x.subs(dict(zip(letters, V, strict=True))) for x in found], X.motion_in(V), 1e-13)


def test_maps_of_motions_to_forces_are_carried(rng):
    X, body = random_pose(rng), random_inertia(rng)
    M = body.matrix()
    assert near(X.tensor_out(M), body.moved_out(X).matrix(), 1e-12) and X.tensor_out(M).dtype == float
    assert near(X.symmetric_out(M), X.tensor_out(M), 1e-12)
    M[0, 5] += 1e-3
    assert X.tensor_out(M).shape == (6, 6)
    for entry in (M[0, 5], np.inf, np.nan):
        M[5, 0] = M[0, 5] - 1e-3 if np.isfinite(entry) else entry
        with pytest.raises(art.ShapeError, match="M is not symmetric"):
            X.symmetric_out(M)


X, ROD = art.Transform(p=(1, 2, 3)), art.Inertia(1.0, (1, 0, 0))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: X.motion_in([1, 2, 3]), r"Transform\.motion_in: V has shape \(…, 6\); got \(3,\)"),
        (lambda: X.force_out(np.ones((6, 5))), r"Transform\.force_out: F has shape \(…, 6\); got \(6, 5\)"),
        (lambda: X.point(np.ones(6)), r"Transform\.point: x has shape \(…, 3\); got \(6,\)"),
        (lambda: X.motion_out([[1, 2], [3]]), r"Transform\.motion_out: V has shape"),
        (lambda: X.motion_out("abcdef"), r"Transform\.motion_out: V\[0\] = 'a'"),
        (lambda: X.motion_out(np.array([1, 2, 3, None], object)), r"Transform\.motion_out: V has shape"),
        (lambda: X.tensor_out(np.ones((2, 6, 6))), r"Transform\.tensor_out: M has shape \(6, 6\); got \(2, 6, 6\)"),
        (lambda: ROD @ [1, 2, 3], r"Inertia\.__matmul__: V has shape"),
        (lambda: X @ np.eye(4), "Transform.from_matrix"),
        (lambda: ROD + 1, "unsupported operand"),
        (lambda: ROD.moved_out(np.eye(4)), r"Inertia\.moved_out: X is a Transform; got ndarray"),
        (lambda: ROD.with_moments_of(X, X), r"Inertia\.with_moments_of: other is an Inertia; got Transform"),
        (lambda: X.motion_in(), "missing 1 required positional argument: 'V'"),
        (lambda: X.motion_in(W=1), "unexpected keyword argument 'W'"),
    ],
)
def test_what_is_none_of_these_is_refused(call, words):
    with pytest.raises((art.ArticulatedError, TypeError), match=words):
        call()


def test_numbers_that_are_not_finite_show():
    assert np.isnan(X.motion_in([np.nan] * 6)).all() and np.isnan(X.motion_in(np.full((2, 6), np.nan))).all()
