"""Transforms and inertias take what users hold: lists, arrays of floats, symbols; the rest is refused."""

import numpy as np
import pytest
import sympy

import articulated as art
from articulated.algebra.spatial import symmetric_out
from tests.near import near
from tests.zoo import random_inertia, random_pose

SHAPES = [(6,), (6, 1), (6, 6), (6, 7), (6, 0)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_motions_and_forces_are_carried_column_by_column(shape, rng):
    """As a product with the matrix does: the Jacobian of an arm with six axes among them."""
    X, V = random_pose(rng), rng.normal(size=shape)
    g = X.matrix()
    back = art.spatial.inverse(g)
    body = random_inertia(rng)
    for method, matrix in (
        (X.motion_out, art.spatial.adjoint(g)),
        (X.motion_in, art.spatial.adjoint(back)),
        (X.force_out, art.spatial.coadjoint(g)),
        (X.force_in, art.spatial.coadjoint(back)),
        (body.__matmul__, body.matrix()),
    ):
        found = method(V)
        assert found.dtype == float and near(found, matrix @ V, 1e-13)
        assert (method(V.astype(object)) == found).all()
        assert all((method(V[:, k]) == found[:, k]).all() for k in range(V[0].size) if V.ndim == 2)
    points = V[:3]
    assert near(X.point(points), g[:3, :3] @ points + g[:3, 3].reshape(3, *[1] * (V.ndim - 1)), 1e-13)


def test_far_points_keep_their_digits(rng):
    X, x = art.Transform.from_rpy((0.1, 0.2, 0.3), (4e6, 3e6, 5e6)), rng.normal(size=(3, 5))
    assert (X.point(x) == np.stack([X.point(column) for column in x.T], axis=1)).all()


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
    assert near(symmetric_out(X, M), X.tensor_out(M), 1e-12)
    M[0, 5] += 1e-3
    assert X.tensor_out(M).shape == (6, 6)


X, ROD = art.Transform(p=(1, 2, 3)), art.Inertia(1.0, (1, 0, 0))


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: X.motion_in([1, 2, 3]), r"Transform\.motion_in: V has shape \(6,\), or \(6, n\) .*; got \(3,\)"),
        (lambda: X.force_out(np.ones((5, 6))), r"Transform\.force_out: F has shape .*; got \(5, 6\); transpose it"),
        (lambda: X.force_out(np.ones((6, 5, 2))), r"Transform\.force_out: F has shape .*; got \(6, 5, 2\)"),
        (lambda: X.point(np.ones(6)), r"Transform\.point: x has shape \(3,\), or \(3, n\) .*; got \(6,\)"),
        (lambda: X.motion_out([[1, 2], [3]]), r"Transform\.motion_out: V has shape"),
        (lambda: X.motion_out("abcdef"), r"Transform\.motion_out: V\[0\] = 'a'"),
        (lambda: X.motion_out(np.array([1, 2, 3, None], object)), r"Transform\.motion_out: V has shape"),
        (lambda: X.tensor_out(np.ones((2, 6, 6))), r"Transform\.tensor_out: M has shape \(6, 6\); got \(2, 6, 6\)"),
        (lambda: ROD @ [1, 2, 3], r"Inertia\.__matmul__: V has shape"),
        (lambda: X @ np.eye(4), "Transform.from_matrix"),
        (lambda: ROD + 1, "unsupported operand"),
        (lambda: ROD.moved_out(np.eye(4)), r"Inertia\.moved_out: X is a Transform; got ndarray"),
        (lambda: X.motion_in(), "missing 1 required positional argument: 'V'"),
        (lambda: X.motion_in(W=1), "unexpected keyword argument 'W'"),
    ],
)
def test_what_is_none_of_these_is_refused(call, words):
    with pytest.raises((art.ArticulatedError, TypeError), match=words):
        call()


def test_numbers_that_are_not_finite_show():
    assert np.isnan(X.motion_in([np.nan] * 6)).all() and np.isnan(X.motion_in(np.full((6, 2), np.nan))).all()
