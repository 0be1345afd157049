"""Edges that are to look sharp: a browser shades corners that share a vertex as one smooth surface."""

import numpy as np

from .solids import Surface
from .thinning import normals, welded

#: cosine of the angle between two faces beyond which their edge is sharp: 40 degrees
SHARP = 0.766


def closed(surface: Surface) -> bool:
    """Whether it has an inside: every edge between two faces that run along it in opposite directions."""
    _, faces = welded(surface)
    edges = np.concatenate([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]])
    most = int(edges.max(initial=0)) + 1
    there, back = edges @ [most, 1], edges @ [1, most]
    return len(np.unique(there)) == len(there) and bool(np.array_equal(np.sort(there), np.sort(back)))


def outward(surface: Surface) -> Surface:
    """A closed surface with its faces counterclockwise from outside."""
    a, b, c = (surface.vertices[surface.faces[:, k]] for k in range(3))
    return surface if np.einsum("ni,ni->", a, np.cross(b, c)) >= 0 else surface._replace(faces=surface.faces[:, ::-1])


def creased(surface: Surface) -> Surface:
    """The same with vertices of their own for the faces on either side of a sharp edge."""
    points, faces = welded(surface)
    if not len(faces):
        return surface._replace(vertices=points, faces=faces)
    n = normals(points, faces)
    unit = n / np.maximum(np.linalg.norm(n, axis=1, keepdims=True), 1e-300)
    label = np.arange(faces.size)  # of each corner of each face: corners with one label are one vertex
    left, right = _joined_corners(faces, unit)
    while True:
        before = label.copy()
        for a, b in ((left, right), (right, left)):
            np.minimum.at(label, a, label[b])
        if np.array_equal(before, label):
            break
    kept, of = np.unique(label, return_inverse=True)
    return surface._replace(vertices=points[faces.ravel()[kept]], faces=of.reshape(-1, 3))


def _joined_corners(faces: np.ndarray, unit: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Pairs of corners at one point, of faces that meet there in an edge that is not sharp."""
    m = len(faces)
    corner = np.arange(3 * m).reshape(m, 3)
    start, end = (np.concatenate([x[:, [k, (k + 1) % 3]] for k in range(3)]) for x in (faces, corner))
    face = np.tile(np.arange(m), 3)
    turned = start[:, 0] > start[:, 1]
    start[turned], end[turned] = start[turned, ::-1], end[turned, ::-1]
    order = np.lexsort((start[:, 1], start[:, 0]))
    start, end, face = start[order], end[order], face[order]
    k = np.flatnonzero((start[1:] == start[:-1]).all(axis=1))
    k = k[np.einsum("ni,ni->n", unit[face[k]], unit[face[k + 1]]) > SHARP]
    return end[k].ravel(), end[k + 1].ravel()
