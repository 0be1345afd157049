"""Mesh simplification by quadric error metrics: the cheapest edges collapse first (Garland, Heckbert 1997).

A heap of edges is slow in Python, so every round collapses many edges at once that do not touch each other.
"""

import numpy as np

from .solids import Surface

#: largest share of the edges that collapses in one round
ROUND = 0.3
#: cosines by which a face may turn; the next one when the one before allows no more
TURNED = (0.4, 0.0, -0.5)
#: triangles that quadrics begin with; points of finer meshes are clustered first
COARSE = 60_000
#: how much the rim of an open surface counts against its faces
RIM = 10.0


def thinned(surface: Surface, most: int) -> Surface:
    """At most about so many triangles; as they are if they are not more."""
    if len(surface.faces) <= most:
        return surface
    points, faces = clustered(*welded(surface), max(COARSE, 4 * most))
    quadrics = _quadrics(points, faces)
    refused, turned = np.zeros(0, np.int64), list(TURNED)
    while len(faces) > most and turned:
        before = len(faces)
        points, faces, quadrics, more = _round(points, faces, quadrics, most, refused, turned[0])
        refused = np.concatenate([refused, more])
        if len(faces) > 0.99 * before:
            refused = refused[:0]
            turned.pop(0)
    used, faces = np.unique(faces, return_inverse=True)
    return surface._replace(vertices=points[used], faces=faces.reshape(-1, 3))


def clustered(points: np.ndarray, faces: np.ndarray, most: int) -> tuple[np.ndarray, np.ndarray]:
    """A fine mesh with the points of each small cube made one, about `most` triangles; others as they are."""
    if len(faces) <= most:
        return points, faces
    cube = np.sqrt(np.linalg.norm(normals(points, faces), axis=1).sum() / most) or 1.0  # two triangles to its square
    first, of = _different(np.floor(points / cube))
    means = np.stack([np.bincount(of, x) for x in points.T], axis=1) / np.bincount(of)[:, None]
    return (means, proper(of[faces])) if len(first) > 3 else (points, faces)


def welded(surface: Surface) -> tuple[np.ndarray, np.ndarray]:
    """Points and faces with corners at the same place made one, and without faces of no area."""
    first, of = _different(surface.vertices.round(9))
    return surface.vertices[first], proper(of[surface.faces])


def proper(faces: np.ndarray) -> np.ndarray:
    """Those with three different corners, each once."""
    faces = faces[(faces != np.roll(faces, 1, axis=1)).all(axis=1)]
    first, _ = _different(np.sort(faces, axis=1))
    return faces[np.sort(first)]


def _different(rows: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The first of equal rows, sorted, and which of these each row is; np.unique(axis=0) is ten times slower."""
    order = np.lexsort(rows.T[::-1])
    new = np.ones(len(rows), bool)
    new[1:] = (rows[order[1:]] != rows[order[:-1]]).any(axis=1)
    of = np.empty(len(rows), np.int64)
    of[order] = np.cumsum(new) - 1
    return order[new], of


def _edges(points: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Both ends of each edge of each face, (3 m,), as one number: less · n + more."""
    ends = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    return ends.min(axis=1) * len(points) + ends.max(axis=1)


def normals(points: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """Twice the area of each face along its normal, (m, 3)."""
    a, b, c = (points[faces[:, k]] for k in range(3))
    return np.cross(b - a, c - a)


def _quadrics(points: np.ndarray, faces: np.ndarray) -> np.ndarray:
    """(n, 4, 4): the sum of squared distances to the planes of the faces at each point, weighted by area."""
    n = normals(points, faces)
    area = np.linalg.norm(n, axis=1, keepdims=True)
    unit = n / np.maximum(area, 1e-300)
    planes = np.concatenate([unit, -np.einsum("ni,ni->n", unit, points[faces[:, 0]])[:, None]], axis=1)
    found = np.zeros((len(points), 4, 4))
    every = np.einsum("ni,nj,n->nij", planes, planes, area[:, 0])
    for k in range(3):
        np.add.at(found, faces[:, k], every)
    # planes through the rim, upright on its faces, keep it where it is
    every_edge, first, count = np.unique(_edges(points, faces), return_index=True, return_counts=True)
    rim, ends = first[count == 1], divmod(every_edge[count == 1], len(points))
    a, b = points[ends[0]], points[ends[1]]
    side = np.cross(b - a, unit[rim % len(faces)])
    length = np.linalg.norm(side, axis=1, keepdims=True)
    side = side / np.maximum(length, 1e-300)
    upright = np.concatenate([side, -np.einsum("ni,ni->n", side, a)[:, None]], axis=1)
    fence = RIM * np.einsum("ni,nj,n->nij", upright, upright, length[:, 0] ** 2)
    for k in range(2):
        np.add.at(found, ends[k], fence)
    return found


def _round(
    points: np.ndarray, faces: np.ndarray, Q: np.ndarray, most: int, refused: np.ndarray, turned: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Collapse the cheapest edges that are apart from each other, but for those that were refused before."""
    edges = np.unique(_edges(points, faces))
    edges = np.stack(divmod(edges[~np.isin(edges, refused)], len(points)), axis=1)
    place, cost = _best(points, Q, edges)
    # among equals, as in a flat face, no direction goes first: neighbours would wait for each other
    cost *= 1 + 0.1 * np.random.default_rng(len(edges)).random(len(edges))
    order = np.argsort(cost, kind="stable")[: max(1, int(ROUND * len(edges)))]
    first, rank = np.full(len(points), len(order)), np.arange(len(order))
    for k in range(2):
        np.minimum.at(first, edges[order, k], rank)
    chosen = order[(first[edges[order, 0]] == rank) & (first[edges[order, 1]] == rank)]
    chosen = chosen[: max(1, (len(faces) - most + 1) // 2)]
    folding = _folding(points, faces, edges[chosen], place[chosen], turned)
    refused, chosen = edges[chosen[folding]] @ [len(points), 1], chosen[~folding]
    goes, stays = edges[chosen].T
    target = np.arange(len(points))
    target[goes] = stays
    points, Q = points.copy(), Q.copy()
    points[stays] = place[chosen]
    Q[stays] += Q[goes]
    return points, proper(target[faces]), Q, refused


def _best(points: np.ndarray, Q: np.ndarray, edges: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Where each edge would collapse to, and what that costs."""
    a, b = points[edges[:, 0]], points[edges[:, 1]]
    middle, both = (a + b) / 2, Q[edges[:, 0]] + Q[edges[:, 1]]
    A = both[:, :3, :3]
    # in flat places every point is as good: stay near the middle
    small = 1e-6 * np.trace(A, axis1=1, axis2=2)[:, None, None] * np.eye(3) + 1e-30 * np.eye(3)
    gradient = np.einsum("nij,nj->ni", A, middle) + both[:, :3, 3]
    best = middle - np.linalg.solve(A + small, gradient[..., None])[..., 0]
    x = np.concatenate([best, np.ones((len(best), 1))], axis=1)
    length = np.einsum("ni,ni->n", b - a, b - a)
    cost = np.einsum("ni,nij,nj->n", x, both, x) + 1e-6 * length * np.trace(A, axis1=1, axis2=2)
    return best, cost


def _folding(points: np.ndarray, faces: np.ndarray, edges: np.ndarray, place: np.ndarray, turned: float) -> np.ndarray:
    """Which collapses would turn a face over that stays."""
    moved, of = points.copy(), np.full(len(points), -1)
    target = np.arange(len(points))
    target[edges[:, 0]] = edges[:, 1]
    for k in range(2):
        moved[edges[:, k]] = place
        of[edges[:, k]] = np.arange(len(edges))
    left = target[faces]
    stays = (left != np.roll(left, 1, axis=1)).all(axis=1) & (of[faces] >= 0).any(axis=1)
    before, after = normals(points, faces[stays]), normals(moved, faces[stays])
    sizes = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
    bad = of[faces[stays][np.einsum("ni,ni->n", before, after) < turned * sizes]]
    found = np.zeros(len(edges), bool)
    found[bad[bad >= 0]] = True
    return found
