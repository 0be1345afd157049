"""A sketch as SVG, as a LaTeX picture, and in characters for a terminal."""

from html import escape
from itertools import pairwise
from math import cos, pi, sin
from typing import NamedTuple

import numpy as np

from .formula import GREEK
from .latex import symbol_latex
from .sketch import AXIS, Mark, Point, Sketch

WIDE = 480  # pixels of the larger side of an SVG
BROAD = 40  # characters of the larger side; a line is as high as two characters are wide
SIZE = 8.0  # centimeters of the larger side on paper
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
ROUND = AXIS / 6  # the radius of a joint that turns
CLEAR = 1.2 * ROUND  # distance of a label from lines, marks and other labels that is enough
LETTER = 0.75 * ROUND  # half the width of a letter with its index
SQUARE = 1.3 * ROUND  # half the side of one that slides: both are seen where they coincide


def label_text(label: str) -> str:
    """q₁ θ₂ of q_1 theta_2."""
    heads = (part.partition("_") for part in label.split())
    return " ".join(GREEK.get(head, head) + index.translate(SUBSCRIPTS) for head, _, index in heads)


class Letter(NamedTuple):
    """A label: "label" of a joint, "axis" of the world or "frame"; its name and its middle."""

    kind: str
    name: str
    at: Point


def _letters(sketch: Sketch) -> list[Letter]:
    """Every label, one after the other where it is clear of lines, marks and the labels before it, and nearer to what
    it names than to any other line."""
    world, own = _world_axes(sketch), _frame_axes(sketch)
    hinges = [((x - dx, y - dy), (x + dx, y + dy)) for _, (x, y), (dx, dy), _ in sketch.joints]
    axes = [*((sketch.base, tip) for _, tip in world), *((o, tip) for _, o, tip in own)]
    strokes = np.array([*sketch.lines, *axes, *hinges]).reshape(-1, 2, 2)
    marks = np.array([mark.at for mark in sketch.joints])
    taken = np.array(sketch.centers).reshape(-1, 2)
    wanted = [("label", label, mark.at, 2.5 * ROUND) for mark, label in _grouped(sketch) if label]
    wanted += [("axis", name, tip, ROUND) for name, tip in world]
    wanted += [("frame", name, tip, 0.8 * ROUND) for name, _, tip in own]
    turns = [(reach, k * pi / 12) for reach in (1, 1.5, 2, 2.5, 3, 4, 5) for k in range(24)]
    around = np.array([(r * cos(t), 0.9 * r * sin(t)) for r, t in turns])
    out = []
    for kind, name, at, far in wanted:
        others = strokes[_distances(np.array(at), strokes) > 0.1 * ROUND]
        places = at + far * around
        label = places[:, None] + _across(name)
        ratio = _distances(places, others).min(axis=-1, initial=1.0) / np.linalg.norm(far * around, axis=-1)
        gaps = [_distances(label, strokes), _lengths(label, taken), _lengths(label, marks) - SQUARE]
        clear = np.concatenate(gaps, axis=-1).min(axis=(1, 2))
        best = int(np.argmax(np.minimum(np.minimum(clear, CLEAR), CLEAR * ratio)))
        taken = np.concatenate([taken, label[best]])
        x, y = places[best]
        out.append(Letter(kind, name, (float(x), float(y))))
    return out


def _across(name: str) -> np.ndarray:
    """Points of a label from its left to its right end, seen from its middle."""
    letters = 2 * len(name.split()) - 1
    return np.array([(k * LETTER, 0.0) for k in range(-letters, letters + 1)])


def _lengths(points: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Distances of points (…, 2) from others (n, 2): (…, n)."""
    return np.linalg.norm(points[..., None, :] - others, axis=-1)


def _distances(points: np.ndarray, strokes: np.ndarray) -> np.ndarray:
    """Distances of points (…, 2) from segments (n, 2, 2): (…, n)."""
    start, along = strokes[:, 0], strokes[:, 1] - strokes[:, 0]
    square = np.maximum((along * along).sum(axis=-1), 1e-300)
    part = np.clip(((points[..., None, :] - start) * along).sum(axis=-1) / square, 0, 1)
    return np.linalg.norm(points[..., None, :] - start - part[..., None] * along, axis=-1)


def _frame_axes(sketch: Sketch) -> list[tuple[str, Point, Point]]:
    """Name, origin and tip of the frames' axes; those seen end on are left out."""
    axes = [(k, p, name, d) for k, p, *two in sketch.frames for name, d in zip("xz", two, strict=True)]
    shown = [(f"{name}_{k}", p, d) for k, p, name, d in axes if abs(d[0]) + abs(d[1]) > AXIS / 4]
    names: dict[tuple[Point, Point], list[str]] = {}  # frames that lie in each other share their axes
    for name, (x, y), (dx, dy) in shown:
        names.setdefault(((x, y), (round(x + 0.8 * dx, 3), round(y + 0.8 * dy, 3))), []).append(name)
    return [(" ".join(name), *place) for place, name in names.items()]


def _grouped(sketch: Sketch) -> list[tuple[Mark, str]]:
    """Joints with their labels; those in one place share one: q₁ q₂."""
    labels: dict[Point, list[str]] = {}
    for mark in sketch.joints:
        labels.setdefault(mark.at, []).append(mark.label)
    seen: set[Point] = set()
    out = []
    for mark in sorted(sketch.joints, key=lambda mark: mark.kind != "slides"):  # circles over squares
        first = mark.at not in seen
        seen.add(mark.at)
        out.append((mark, " ".join(filter(None, labels[mark.at])) if first else ""))
    return out


def svg(sketch: Sketch) -> str:
    """The sketch as SVG, in the colors of the page around it."""
    w, h = (x * WIDE for x in sketch.size)

    def xy(p: Point) -> Point:
        return round(p[0] * WIDE, 1), round(h - p[1] * WIDE, 1)

    def line(p: Point, r: Point, name: str) -> str:
        (x0, y0), (x1, y1) = xy(p), xy(r)
        return f'<line class="{name}" x1="{x0}" y1="{y0}" x2="{x1}" y2="{y1}"/>'

    def text(p: Point, name: str, words: str) -> str:
        x, y = xy(p)
        middle = 'text-anchor="middle" dominant-baseline="central"'
        return f'<text class="{name}" x="{x}" y="{y}" {middle}>{escape(words)}</text>'

    parts = [line(p, r, "link") for p, r in sketch.lines]
    parts += [line(sketch.base, tip, "axis") for _, tip in _world_axes(sketch)]
    parts += [line(origin, tip, "frame") for _, origin, tip in _frame_axes(sketch)]
    for mark, _ in _grouped(sketch):
        (x, y), (dx, dy) = mark.at, mark.axis
        parts += [line((x - dx, y - dy), (x + dx, y + dy), "hinge"), _symbol(mark.kind, *xy(mark.at))]
    parts += [text(letter.at, letter.kind, label_text(letter.name)) for letter in _letters(sketch)]
    parts += ['<circle class="center" cx="{}" cy="{}" r="3"/>'.format(*xy(p)) for p in sketch.centers]
    head = f'<svg class="sketch" viewBox="0 0 {w:.0f} {h:.0f}" width="{w:.0f}" role="img" aria-label="A sketch">'
    body = f"{head}{''.join(parts)}</svg><figcaption>{escape(sketch.drawn_caption)}</figcaption>"
    return f'<figure class="robot">{body}</figure>\n'


def _symbol(kind: str, x: float, y: float) -> str:
    if kind == "slides":
        r = SQUARE * WIDE
        return f'<rect x="{x - r:.1f}" y="{y - r:.1f}" width="{2 * r:.1f}" height="{2 * r:.1f}"/>'
    return f'<circle class="joint" cx="{x}" cy="{y}" r="{ROUND * WIDE:.1f}"/>'


def _world_axes(sketch: Sketch) -> list[tuple[str, Point]]:
    """Name and tip of the axes that are not seen end on."""
    x, y = sketch.base
    seen = [(name, d) for name, d in sketch.axes if abs(d[0]) + abs(d[1]) > AXIS / 9]
    return [(n, (x + 1.2 * dx, y + 1.2 * dy)) for n, (dx, dy) in seen]


def picture(sketch: Sketch) -> str:
    """The sketch as a picture environment, which every LaTeX has."""
    w, h = sketch.size

    def line(p: Point, r: Point) -> str:
        (x0, y0), (x1, y1) = p, r
        middle = f"({(x0 + x1) / 2:.4f},{(y0 + y1) / 2:.4f})"
        return rf"\qbezier({x0:.4f},{y0:.4f}){middle}({x1:.4f},{y1:.4f})"

    parts = [r"\linethickness{1pt}", *(line(p, r) for p, r in sketch.lines), r"\linethickness{0.4pt}"]
    parts += [line(sketch.base, tip) for _, tip in _world_axes(sketch)]
    parts += [line(origin, tip) for _, origin, tip in _frame_axes(sketch)]
    for mark, _ in _grouped(sketch):
        (x, y), (dx, dy) = mark.at, mark.axis
        if dx or dy:
            parts.append(line((x - dx, y - dy), (x + dx, y + dy)))
        if mark.kind == "slides":
            corners = [(x + i * SQUARE, y + j * SQUARE) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))]
            parts += [line(p, r) for p, r in pairwise(corners)]
        else:
            parts.append(rf"\put({x:.4f},{y:.4f}){{\circle{{{2 * ROUND:.4f}}}}}")
    for kind, name, (x, y) in _letters(sketch):
        size, words = "" if kind == "label" else r"\footnotesize ", "\\,".join(map(symbol_latex, name.split()))
        parts.append(rf"\put({x:.4f},{y:.4f}){{\makebox(0,0){{{size}${words}$}}}}")
    parts += [rf"\put({x:.4f},{y:.4f}){{\circle*{{{ROUND:.4f}}}}}" for x, y in sketch.centers]
    body = "\n".join(parts)
    return (
        f"\\begin{{center}}\\setlength{{\\unitlength}}{{{SIZE}cm}}\n\\begin{{picture}}({w:.4f},{h:.4f})\n{body}\n"
        "\\end{picture}\n\\end{center}\n"
    )


def characters(sketch: Sketch) -> str:
    """The sketch in characters: o turns, # slides, * is a center of mass, + the base."""
    columns, lines = round(sketch.size[0] * BROAD) + 1, round(sketch.size[1] * BROAD / 2) + 1
    grid = [[" "] * columns for _ in range(lines)]

    def cell(p: Point) -> tuple[int, int]:
        return min(lines - 1, max(0, lines - 1 - round(p[1] * BROAD / 2))), min(
            columns - 1, max(0, round(p[0] * BROAD))
        )

    for p, r in sketch.lines:
        (i0, j0), (i1, j1) = cell(p), cell(r)
        steps = max(abs(i1 - i0), abs(j1 - j0), 1)
        slope = abs(i1 - i0) * 2, abs(j1 - j0)
        stroke = "-" if slope[0] * 2 < slope[1] else "|" if slope[1] * 2 < slope[0] else "/\\"[(i1 > i0) == (j1 > j0)]
        for k in range(steps + 1):
            grid[round(i0 + (i1 - i0) * k / steps)][round(j0 + (j1 - j0) * k / steps)] = stroke
    for p in sketch.centers:
        i, j = cell(p)
        grid[i][j] = "*"
    i, j = cell(sketch.base)
    grid[i][j] = "+"
    for mark, label in _grouped(sketch):
        i, j = cell(mark.at)
        grid[i][j] = "#" if mark.kind == "slides" or grid[i][j] == "#" else "o"
        text = label_text(label)
        above = max(0, i - 1)
        for k, letter in enumerate(text):
            if j + 2 + k < columns:
                grid[above][j + 2 + k] = letter
    drawn = ["".join(row).rstrip() for row in grid]
    while drawn and not drawn[0]:
        drawn.pop(0)
    while drawn and not drawn[-1]:
        drawn.pop()
    return "\n".join(drawn)
