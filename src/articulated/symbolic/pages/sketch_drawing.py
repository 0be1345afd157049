"""A sketch as SVG, as a LaTeX picture, and in characters for a terminal."""

from html import escape
from itertools import pairwise
from math import cos, dist, pi, sin

from .formula import GREEK
from .latex import symbol_latex
from .sketch import AXIS, Mark, Point, Sketch

WIDE = 360  # pixels of the larger side of an SVG
BROAD = 40  # characters of the larger side; a line is as high as two characters are wide
SIZE = 5.0  # centimeters of the larger side on paper
SUBSCRIPTS = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
ROUND = AXIS / 5  # the radius of a joint that turns
SQUARE = 1.3 * ROUND  # half the side of one that slides: both are seen where they coincide


def label_text(label: str) -> str:
    """q₁ θ₂ of q_1 theta_2."""
    heads = (part.partition("_") for part in label.split())
    return " ".join(GREEK.get(head, head) + index.translate(SUBSCRIPTS) for head, _, index in heads)


def _beside(mark: Mark, sketch: Sketch) -> Point:
    """The place of a label's middle around its joint, as far as possible from every line and mark."""
    x, y = mark.at
    lines = [*sketch.lines, *(((o[0], o[1]), (o[0] + d[0], o[1] + d[1])) for _, o, *two in sketch.frames for d in two)]
    for other in sketch.joints:
        (a, b), (dx, dy) = other.at, other.axis
        lines.append(((a - dx, b - dy), (a + dx, b + dy)))
    places = [(x + 3 * ROUND * cos(k * pi / 8), y + 2.6 * ROUND * sin(k * pi / 8)) for k in range(16)]
    points = [*sketch.centers, *(other.at for other in sketch.joints)]
    return max(places, key=lambda p: min([*(_distance(p, *line) for line in lines), *(dist(p, c) for c in points)]))


def _distance(p: Point, a: Point, b: Point) -> float:
    """From a point to a segment."""
    dx, dy = b[0] - a[0], b[1] - a[1]
    square = dx * dx + dy * dy
    t = min(1.0, max(0.0, ((p[0] - a[0]) * dx + (p[1] - a[1]) * dy) / square)) if square else 0.0
    return dist(p, (a[0] + t * dx, a[1] + t * dy))


def _frame_axes(sketch: Sketch) -> list[tuple[str, Point, Point, Point]]:
    """Name, origin, tip and place of the letter of the frames' axes; those seen end on are left out."""
    out = []
    for k, (x, y), *two in sketch.frames:
        for name, (dx, dy) in zip("xz", two, strict=True):
            if abs(dx) + abs(dy) > AXIS / 4:
                out.append((f"{name}_{k}", (x, y), (x + 0.8 * dx, y + 0.8 * dy), (x + 1.1 * dx, y + 1.1 * dy)))
    return out


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
    for name, tip, letter in _world_axes(sketch):
        parts += [line(sketch.base, tip, "axis"), text(letter, "axis", name)]
    for name, origin, tip, letter in _frame_axes(sketch):
        parts += [line(origin, tip, "frame"), text(letter, "frame", label_text(name))]
    for mark, label in _grouped(sketch):
        (x, y), (dx, dy) = mark.at, mark.axis
        parts += [line((x - dx, y - dy), (x + dx, y + dy), "hinge"), _symbol(mark.kind, *xy(mark.at))]
        parts += [text(_beside(mark, sketch), "label", label_text(label))] if label else []
    parts += ['<circle class="center" cx="{}" cy="{}" r="3"/>'.format(*xy(p)) for p in sketch.centers]
    head = f'<svg class="sketch" viewBox="0 0 {w:.0f} {h:.0f}" width="{w:.0f}" role="img" aria-label="A sketch">'
    body = f"{head}{''.join(parts)}</svg><figcaption>{escape(sketch.drawn_caption)}</figcaption>"
    return f'<figure class="robot">{body}</figure>\n'


def _symbol(kind: str, x: float, y: float) -> str:
    if kind == "slides":
        r = SQUARE * WIDE
        return f'<rect x="{x - r:.1f}" y="{y - r:.1f}" width="{2 * r:.1f}" height="{2 * r:.1f}"/>'
    return f'<circle class="joint" cx="{x}" cy="{y}" r="{ROUND * WIDE:.1f}"/>'


def _world_axes(sketch: Sketch) -> list[tuple[str, Point, Point]]:
    """Name, tip and place of the letter of the axes that are not seen end on."""
    x, y = sketch.base
    seen = [(name, d) for name, d in sketch.axes if abs(d[0]) + abs(d[1]) > AXIS / 9]
    return [(n, (x + 1.2 * dx, y + 1.2 * dy), (x + 1.5 * dx, y + 1.5 * dy)) for n, (dx, dy) in seen]


def picture(sketch: Sketch) -> str:
    """The sketch as a picture environment, which every LaTeX has."""
    w, h = sketch.size

    def line(p: Point, r: Point) -> str:
        (x0, y0), (x1, y1) = p, r
        middle = f"({(x0 + x1) / 2:.4f},{(y0 + y1) / 2:.4f})"
        return rf"\qbezier({x0:.4f},{y0:.4f}){middle}({x1:.4f},{y1:.4f})"

    parts = [r"\linethickness{1pt}", *(line(p, r) for p, r in sketch.lines), r"\linethickness{0.4pt}"]
    for name, tip, (x, y) in _world_axes(sketch):
        parts += [line(sketch.base, tip), rf"\put({x:.4f},{y:.4f}){{\makebox(0,0){{\footnotesize ${name}$}}}}"]
    for name, origin, tip, (x, y) in _frame_axes(sketch):
        letter = rf"\makebox(0,0){{\footnotesize ${symbol_latex(name)}$}}"
        parts += [line(origin, tip), rf"\put({x:.4f},{y:.4f}){{{letter}}}"]
    for mark, label in _grouped(sketch):
        (x, y), (dx, dy) = mark.at, mark.axis
        if dx or dy:
            parts.append(line((x - dx, y - dy), (x + dx, y + dy)))
        if mark.kind == "slides":
            corners = [(x + i * SQUARE, y + j * SQUARE) for i, j in ((-1, -1), (1, -1), (1, 1), (-1, 1), (-1, -1))]
            parts += [line(p, r) for p, r in pairwise(corners)]
        else:
            parts.append(rf"\put({x:.4f},{y:.4f}){{\circle{{{2 * ROUND:.4f}}}}}")
        words = "\\,".join(map(symbol_latex, label.split()))
        a, b = _beside(mark, sketch)
        parts.append(rf"\put({a:.4f},{b:.4f}){{\makebox(0,0){{${words}$}}}}" if label else "")
    parts += [rf"\put({x:.4f},{y:.4f}){{\circle*{{{ROUND:.4f}}}}}" for x, y in sketch.centers]
    body = "\n".join(filter(None, parts))
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
