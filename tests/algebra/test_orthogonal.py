"""Decompositions of known rank, on floats and traced."""

import numpy as np
import pytest

from articulated.algebra.orthogonal import Decomposition
from articulated.algebra.scalars import array, zeros
from articulated.compiler.emit import numpy as emitter
from articulated.compiler.passes.trace import trace

SHAPES = [
    (6, 12, 6),
    (6, 6, 5),
    (6, 3, 3),
    (12, 6, 6),
    (8, 6, 4),
    (5, 7, 3),
    (1, 1, 1),
    (12, 6, 0),
    (6, 0, 0),
    (0, 4, 0),
]


def matrix(m, n, rank, rng, sparse=False):
    left, right = rng.normal(size=(m, rank)), rng.normal(size=(rank, n))
    A = left @ right
    if sparse and rank == min(m, n) > 2:
        A[:2, 2:] = 0
    return A


def objects(A):
    return array(A) if A.size else zeros(*A.shape)


@pytest.mark.parametrize("sparse", [False, True])
@pytest.mark.parametrize(("m", "n", "rank"), SHAPES)
def test_pseudo_inverses_and_null_spaces(m, n, rank, sparse, rng):
    A = matrix(m, n, rank, rng, sparse)
    found = Decomposition(objects(A), rank)
    b, c = rng.normal(size=m), rng.normal(size=n)
    inverse = np.linalg.pinv(A, rcond=1e-10) if A.size and rank else np.zeros((n, m))
    tolerance = 1e-14 / max(float(found.conditioning), 1e-3)
    assert np.allclose(np.array(found.solve(array(b)), float), inverse @ b, rtol=0, atol=10 * tolerance)
    assert np.allclose(np.array(found.solve_transposed(array(c)), float), inverse.T @ c, rtol=0, atol=10 * tolerance)
    N = np.array(found.null_space(), float)
    assert N.shape == (n, n - rank)
    assert abs(N.T @ N - np.eye(n - rank)).max(initial=0) < 1e-14
    assert abs(A @ N).max(initial=0) < 1e-13


def test_zeros_survive():
    """Two legs that share a base: the columns of one never reach the rows of the other."""
    A = np.random.default_rng(0).normal(size=(9, 6))
    A[:3, 3:] = 0
    A[3:6, :3] = 0
    counts = []
    for given in (A, np.where(A, A, 1.0)):

        def solved(x, given=given):
            rows = array([[entry * x[0] if entry else 0 for entry in row] for row in given.tolist()])
            return Decomposition(rows, 6).solve(array([1.0] * 9))

        counts.append(len(trace(solved, {"x": 1})))
    assert counts[0] < 0.85 * counts[1]


def test_conditioning_tells_a_lower_rank(rng):
    A = matrix(6, 9, 5, rng)
    assert float(Decomposition(array(A), 5).conditioning) > 1e-3
    assert not float(Decomposition(array(A), 6).conditioning) > 1e-12


@pytest.mark.parametrize("shape", [(6, 9), (9, 6), (6, 6)])
def test_left_over_tells_a_higher_rank(shape, rng):
    A = matrix(*shape, 5, rng)
    assert float(Decomposition(array(A), 5).left_over) < 1e-14
    values = np.linalg.svd(A, compute_uv=False)
    for rank in range(5):
        found = float(Decomposition(array(A), rank, size=values[0]).left_over)
        # of two norms of what is left out: at least the best there is, and pivoting is near to that
        assert values[rank] / values[0] <= found * (1 + 1e-12) and found < 6 * values[rank] / values[0] * np.sqrt(54)
    assert float(Decomposition(array(A), 6).left_over) < 1e-12


def test_pivots_are_found_where_they_are():
    """The same traced program on matrices whose independent columns are in different places."""
    n, rank = 4, 2
    program = trace(lambda x: Decomposition(x.reshape(n, n), rank).solve(array([1.0, 2.0, 3.0, 4.0])), {"x": n * n})
    run = emitter.compiled(program)
    for kept in ((0, 1), (0, 3), (2, 3), (1, 2)):
        A = np.zeros((n, n))
        A[:, kept] = np.random.default_rng(1).normal(size=(n, rank))
        out = np.zeros((1, n))
        run(out, A.reshape(1, -1).T)
        assert np.allclose(out[0], np.linalg.pinv(A) @ [1, 2, 3, 4], rtol=0, atol=1e-13)
