"""The picture of the architecture, from the table of imports that are allowed: `python -m docs.site.architecture`."""

from html import escape
from pathlib import Path

from tests.project.layers import ORDER, floors

PICTURE = Path(__file__).parents[1] / "pictures" / "architecture.svg"
WIDTH, HEIGHT, GAP, MARGIN = 760, 40, 8, 180
#: not floors of the house, but its doors; and what has no package of its own
LEFT_OUT = {
    "__main__",
    "__init__",
    "_public",
    "torch",
    "jax",
    "casadi",
    "gymnasium",
    "_version",
    "_imported",
    "_pyinstaller",
}
SAYS = {
    "cli": "commands, other libraries as oracles",
    "viewer": "the page in the browser",
    "bridges": "robots in PyTorch, JAX and CasADi",
    "simulation": "motion in time, contacts, trajectories",
    "control": "joint and whole-body laws, gaits",
    "contacts": "what contacts forbid, torques while they hold",
    "robot": "Robot: a flat list of methods; the one seam to the compiler",
    "symbolic": "ring, equations, pages",
    "files": "URDF MJCF TOML D-H",
    "compiler": "passes, emit, runtime",
    "logs": "CSV NPZ Parquet",
    "drawing": "surfaces, pictures",
    "algorithms": "the textbook recursions; study, fast",
    "model": "links in any order in, a frozen tree out",
    "joints": "one file per joint: nq, nv, S, transform",
    "algebra": "scalars, rotations, rigid motions, inertias",
    "inputs": "checks of what comes in: choices, numbers, labels",
}
BESIDE = {
    "cli": "what people call",
    "robot": "arrays in, arrays out",
    "symbolic": "uses of the tree, and logs",
    "algorithms": "the mathematics",
    "model": "the robot",
}
STYLE = """
rect { fill: #eef4f6; stroke: #0a7d91; } text { font: 14px sans-serif; fill: #1c2b33; }
.name { font-weight: bold; } .beside { fill: #0a7d91; font-size: 13px; }
@media (prefers-color-scheme: dark) { rect { fill: #1f2b31; } text { fill: #e6eef1; } .beside { fill: #5cc8da; } }
"""


def picture() -> str:
    """Floors from the top down; rooms on one floor do not know each other."""
    rows = [[name for name in floor if name not in LEFT_OUT] for floor in floors(ORDER[0])]
    rows = [row for row in rows if row]
    parts = [part for k, row in enumerate(rows) for part in _floor(row, k * (HEIGHT + GAP) + GAP)]
    size = f'width="{MARGIN + WIDTH + GAP}" height="{len(rows) * (HEIGHT + GAP) + GAP}"'
    body = "\n".join(parts)
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n<style>{STYLE}</style>\n{body}\n</svg>\n'


def _floor(row: list[str], y: int) -> list[str]:
    wide = (WIDTH - GAP * (len(row) - 1)) / len(row)
    parts = [f'<text class="beside" x="4" y="{y + 25}">{BESIDE[row[0]]}</text>'] if row[0] in BESIDE else []
    for k, name in enumerate(row):
        x = MARGIN + k * (wide + GAP)
        parts.append(f'<rect x="{x:.0f}" y="{y}" width="{wide:.0f}" height="{HEIGHT}" rx="4"/>')
        said = f'<tspan dx="10">{escape(SAYS.get(name, ""))}</tspan>' if name in SAYS else ""
        parts.append(f'<text x="{x + 10:.0f}" y="{y + 25}"><tspan class="name">{name}</tspan>{said}</text>')
    return parts


if __name__ == "__main__":
    PICTURE.parent.mkdir(exist_ok=True)
    PICTURE.write_text(picture(), "utf-8")
