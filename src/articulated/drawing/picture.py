"""Shaded pictures of surfaces over a ground, with their shadows; in NumPy, without a display."""

from collections.abc import Sequence
from math import tan
from typing import NamedTuple

import numpy as np

from .camera import Camera, axes
from .meshes import Color
from .raster import gradients, visible
from .surfaces import Surface

#: supersampling: pixels drawn for one that is shown, along each side
FINER = 2
#: pixels of the shadow map along each side, over how many of them an edge on the ground is soft, and the gap in
#: parts of its depth below which a surface does not shade itself
SHADOWS, SOFT, GAP = 640, 4, 0.012
#: direction of the lamp; brightness of the lamp, of the sky, of what the ground reflects, and of the highlight
LAMP = np.array([0.35, 0.55, 1.0]) / np.linalg.norm([0.35, 0.55, 1.0])
LIT, SKY, BOUNCE, SHINE = 0.72, 0.42, 0.16, 0.10


class Style(NamedTuple):
    """Colors of a theme, linear from 0 to 1."""

    zenith: tuple[float, float, float]
    horizon: tuple[float, float, float]
    ground: tuple[float, float, float]
    line: float  # change of the ground's brightness on a line
    shadow: float  # brightness of the ground in the shadow


LIGHT_STYLE = Style((0.55, 0.68, 0.84), (0.93, 0.95, 0.98), (0.74, 0.76, 0.78), -0.30, 0.50)
DARK_STYLE = Style((0.010, 0.013, 0.020), (0.040, 0.048, 0.062), (0.052, 0.057, 0.066), 0.8, 0.40)


class Item(NamedTuple):
    """A surface in its place."""

    surface: Surface
    color: Color
    pose: np.ndarray  # (4, 4)
    glows: bool = False  # in its own color, and without a shadow: an arrow


class Triangles(NamedTuple):
    """Triangles of all items, in the world."""

    corners: np.ndarray  # (m, 3, 3) m
    normals: np.ndarray  # (m, 3, 3)
    colors: np.ndarray  # (m, 3) linear
    glows: np.ndarray  # (m,)
    closed: np.ndarray  # (m,)

    def of(self, chosen: np.ndarray) -> "Triangles":
        """The triangles that are chosen."""
        return Triangles(*(x[chosen] for x in self))


class Picture:
    """Pictures of one size, theme and scale.

    Parameters
    ----------
    width, height : pixels
    dark : True: light on dark
    cell : between two lines of the ground, m
    ground : pose of the ground, (4, 4); its z axis points up from it
    """

    def __init__(self, width: int, height: int, dark: bool, cell: float, ground: np.ndarray):
        self.width, self.height, self.cell, self.ground = width, height, cell, ground
        self.style = DARK_STYLE if dark else LIGHT_STYLE

    def draw(self, items: Sequence[Item], camera: Camera) -> np.ndarray:
        """(height, width, 3) from 0 to 255."""
        triangles = gathered(items)
        shadows = ShadowMap(triangles.of(~triangles.glows))
        image = self._background(camera, shadows)
        # the surfaces, on finer pixels, then averaged over these
        width, height = FINER * self.width, FINER * self.height
        corners, distance = self._projected(triangles.corners, camera, width, height)
        (ux, uy), (vx, vy) = (corners[:, 1] - corners[:, 0]).T, (corners[:, 2] - corners[:, 0]).T
        clockwise = ux * vy < uy * vx
        shown = (distance.min(axis=1) > 0) & (clockwise | ~triangles.closed)
        triangles, corners, distance = triangles.of(shown), corners[shown], distance[shown]
        if len(corners):
            # arrows are drawn over everything else: a force at a foot begins inside the foot
            near = 0.5 * distance.min() / distance + 0.5 * triangles.glows[:, None]
            seen = visible(corners, near, width, height)
            row, column = np.nonzero(seen >= 0)
            which = seen[row, column]
            offset = np.stack([column + 0.5, row + 0.5], axis=-1) - corners[which, 0]

            def at(values: np.ndarray) -> np.ndarray:
                """A value at the corners, at the pixels."""
                return values[which, 0] + np.einsum("ni,ni...->n...", offset, gradients(corners, values)[which])

            far = 1 / at(1 / distance)
            normals = at(triangles.normals)
            places = camera.place + self._rays(camera, column + 0.5, row + 0.5, width, height) * far[:, None]
            color = shaded(triangles.colors[which], normals, places, camera.place, shadows)
            color = np.where(triangles.glows[which, None], 0.75 * triangles.colors[which] + 0.25 * color, color)
            pixel = (row // FINER) * self.width + column // FINER
            sums = [np.bincount(pixel, x, self.width * self.height) for x in (*color.T, np.ones(len(pixel)))]
            *colors, count = (x.reshape(self.height, self.width, 1) / FINER**2 for x in sums)
            image = image * (1 - count) + np.concatenate(colors, axis=-1)
        return (255 * encoded(image) + 0.5).astype(np.uint8)

    def _projected(self, points: np.ndarray, camera: Camera, width: int, height: int) -> tuple[np.ndarray, np.ndarray]:
        """Pixels (…, 2), and distances along the line of sight (…,)."""
        x, y, back = np.moveaxis((points - camera.place) @ camera.axes.T, -1, 0)
        near = -back
        scale = height / 2 / tan(camera.angle / 2) / np.where(near > 0, near, 1.0)
        return np.stack([width / 2 + scale * x, height / 2 - scale * y], axis=-1), near

    def _rays(self, camera: Camera, x: np.ndarray, y: np.ndarray, width: int, height: int) -> np.ndarray:
        """Directions (…, 3) through pixels, of length one along the line of sight."""
        half = tan(camera.angle / 2) / (height / 2)
        right, up, back = camera.axes
        return ((x - width / 2) * half)[..., None] * right + ((height / 2 - y) * half)[..., None] * up - back

    def _background(self, camera: Camera, shadows: "ShadowMap") -> np.ndarray:
        """Sky, and ground with lines that fade towards the horizon, linear (height, width, 3)."""
        x, y = np.meshgrid(np.arange(self.width) + 0.5, np.arange(self.height) + 0.5)
        rays = self._rays(camera, x, y, self.width, self.height)
        slope = rays[..., 2] / np.linalg.norm(rays, axis=-1)
        zenith, horizon, ground = (np.array(color) for color in self.style[:3])
        image = horizon + (zenith - horizon) * np.clip(1.6 * slope, 0, 1)[..., None] ** 0.7
        R, origin = self.ground[:3, :3], self.ground[:3, 3]
        place, rays = (camera.place - origin) @ R, rays @ R
        below = rays[..., 2] < -1e-4 if place[2] > 0 else np.zeros(slope.shape, bool)
        if below.any():
            rays = rays[below]
            far, length = -place[2] / rays[:, 2], np.linalg.norm(rays, axis=-1)
            points = place + rays * far[:, None]
            # how much ground a pixel covers: lines narrower than that become fainter instead
            wide = length * far * tan(camera.angle / 2) / (self.height / 2) / np.clip(-rays[:, 2] / length, 0.02, 1)
            bright = 1 + self.style.line * np.maximum(
                self._lines(points[:, :2], wide, self.cell, 0.012),
                self._lines(points[:, :2], wide, 5 * self.cell, 0.03),
            )
            bright *= 1 - (1 - self.style.shadow) * shadows.on_ground(points @ R.T + origin)
            near = np.exp(-((far / (4 * np.linalg.norm(camera.place - camera.target))) ** 2))[:, None]
            image[below] = horizon + (ground * bright[:, None] - horizon) * near
        return image

    def _lines(self, points: np.ndarray, wide: np.ndarray, cell: float, width: float) -> np.ndarray:
        """Part of a pixel that covers so much ground lies on lines this far apart, (n,)."""
        line = width * self.cell
        off = abs((points / cell + 0.5) % 1 - 0.5) * cell
        part = np.clip((line / 2 + wide[:, None] / 2 - off) / wide[:, None], 0, 1) * np.minimum(1, line / wide)[:, None]
        return part.max(axis=1)


class ShadowMap:
    """Shadow map: the scene as the lamp sees it."""

    def __init__(self, triangles: Triangles):
        self.axes = axes(LAMP)
        lit = np.einsum("mki,i->m", triangles.normals, LAMP) > 0
        points = triangles.corners[lit | ~triangles.closed] @ self.axes.T
        self.empty = not len(points)
        if self.empty:
            return
        flat = points.reshape(-1, 3)
        self.low, high = flat.min(axis=0), flat.max(axis=0)
        self.size = np.maximum((high - self.low).max(), 1e-9)
        self.scale = (SHADOWS - 4 * SOFT) / self.size
        near = (points[..., 2] - self.low[2]) / self.size
        corners = self._pixels(points)
        seen = visible(corners, near, SHADOWS, SHADOWS)
        row, column = np.nonzero(seen >= 0)
        which = seen[row, column]
        offset = np.stack([column + 0.5, row + 0.5], axis=-1) - corners[which, 0]
        self.near = np.full((SHADOWS, SHADOWS), -np.inf)
        self.near[row, column] = near[which, 0] + np.einsum("ni,ni->n", offset, gradients(corners, near)[which])
        self.dark = blurred((seen >= 0).astype(float), SOFT)

    def _pixels(self, points: np.ndarray) -> np.ndarray:
        return (points[..., :2] - self.low[:2]) * self.scale + 2 * SOFT

    def on_ground(self, points: np.ndarray) -> np.ndarray:
        """Darkness of the ground at its points (n, 3), from 0 to 1."""
        if self.empty:
            return np.zeros(len(points))
        x, y = self._pixels(points @ self.axes[:2].T).T
        inside = (x >= 0) & (y >= 0) & (x < SHADOWS) & (y < SHADOWS)
        found = np.zeros(len(points))
        found[inside] = self.dark[y[inside].astype(int), x[inside].astype(int)]
        return found

    def lit(self, points: np.ndarray) -> np.ndarray:
        """Part of the lamp is seen from points of the surfaces (n, 3)."""
        if self.empty:
            return np.ones(len(points))
        placed = points @ self.axes.T
        depth = (placed[:, 2] - self.low[2]) / self.size + GAP
        x, y = self._pixels(placed).T
        found = np.zeros(len(points))
        for dx, dy in ((-0.8, -0.3), (0.8, 0.3), (-0.3, 0.8), (0.3, -0.8)):
            i, j = (np.clip(a, 0, SHADOWS - 1).astype(int) for a in (y + dy, x + dx))
            found += 0.25 * (self.near[i, j] < depth)
        return found


def gathered(items: Sequence[Item]) -> Triangles:
    """The triangles of all items."""
    moved = [item.surface.moved(item.pose) for item in items]
    counts = [len(s.faces) for s in moved]
    empty = np.zeros((0, 3, 3))
    colors = linear(np.array([item.color for item in items], float).reshape(-1, 3) / 255)
    return Triangles(
        np.concatenate([empty, *(s.vertices[s.faces] for s in moved)]),
        np.concatenate([empty, *(s.normals[s.faces] for s in moved)]),
        np.repeat(colors, counts, axis=0),
        np.repeat([item.glows for item in items], counts).astype(bool),
        np.repeat([s.closed for s in moved], counts).astype(bool),
    )


def shaded(
    color: np.ndarray, normals: np.ndarray, places: np.ndarray, eye: np.ndarray, shadows: ShadowMap
) -> np.ndarray:
    """Brightness of surfaces seen at places (n, 3): sky, ground, lamp and highlight (Blinn 1977)."""
    towards = eye - places
    towards /= np.linalg.norm(towards, axis=1, keepdims=True)
    n = normals / np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
    n = np.where(np.einsum("ni,ni->n", n, towards)[:, None] < 0, -n, n)  # seen from its back
    lamp = np.maximum(n @ LAMP, 0) * shadows.lit(places)
    half = towards + LAMP
    half /= np.linalg.norm(half, axis=1, keepdims=True)
    highlight = SHINE * np.maximum(np.einsum("ni,ni->n", n, half), 0) ** 30 * (lamp > 0)
    diffuse = LIT * lamp + SKY * (0.5 + 0.5 * n[:, 2]) + BOUNCE * (0.5 - 0.5 * n[:, 2])
    return color * diffuse[:, None] + highlight[:, None]


def blurred(image: np.ndarray, radius: int) -> np.ndarray:
    """Mean over squares of 2 radius + 1 pixels."""
    for axis in (0, 1):
        image = np.mean([np.roll(image, k, axis) for k in range(-radius, radius + 1)], axis=0)
    return image


def linear(color: np.ndarray) -> np.ndarray:
    """Brightness of sRGB values from 0 to 1."""
    return color**2.2


def encoded(brightness: np.ndarray) -> np.ndarray:
    """sRGB values from 0 to 1."""
    return np.clip(brightness, 0, 1) ** (1 / 2.2)
