"""The chart of the README, from the committed tables: `python -m benchmarks.chart` draws docs/pictures/speed.svg."""

import re
from math import log10
from pathlib import Path

HERE = Path(__file__).parent
PICTURE = HERE.parent / "docs" / "pictures" / "speed.svg"
TITLE = "How many times longer the others take"
SUBTITLE = "called from Python, one thread, the same robots; articulated is 1×"
COLORS = {"panda": "#c1121f", "ur5": "#e9a03b", "solo12": "#2a9d8f", "talos": "#1d3557"}
#: rows of the chart: quantity in the table of Pinocchio
QUANTITIES = ("inverse dynamics", "forward dynamics", "mass matrix", "M + h + J in one call")
#: states of a batch of steps with contacts
MANY = 256
SIZES = ("one state", "N = 4096")
WIDTH, LEFT, RIGHT, TOP, ROW = 880, 320, 760, 78, 30
TICKS = (1, 2, 5, 10, 20, 50, 100)

Rows = dict[str, dict[str, float]]


def rows() -> Rows:
    """Ratios by row of the chart, then by robot."""
    return {**_pinocchio(), **_mujoco()}


def _pinocchio() -> Rows:
    text = (HERE / "results.md").read_text("utf-8").partition("## Against Pinocchio")[2].partition("\n## ")[0]
    lines = [[cell.strip() for cell in line.strip("|").split("|")] for line in text.splitlines() if line[:1] == "|"]
    robots = lines[0][1:]
    found = {line[0]: dict(zip(robots, map(_number, line[1:]), strict=True)) for line in lines[2:]}
    names = (f"{quantity}, {size}" for size in SIZES for quantity in QUANTITIES)
    return {f"{name}  (Pinocchio)": found[name] for name in names if name in found}


def _mujoco() -> Rows:
    text = (HERE / "simulation_contacts.md").read_text("utf-8")
    found = {}
    for scene, states, ratio in re.findall(r"^\| ([^|]+) \| (\d+) \|.*?\| ([\d.]+)× \| \d", text, re.MULTILINE):
        robot = scene.split(",")[0].lower()
        if int(states) == MANY:
            found[robot] = min(float(ratio), found.get(robot, float("inf")))
    return {f"step with contacts, N = {MANY}  (MuJoCo)": found}


def _number(cell: str) -> float:
    return float(cell.partition("×")[0])


def picture() -> str:
    """The chart as SVG: a dot for each robot on a logarithmic axis."""
    table = rows()
    bottom = TOP + ROW * len(table)
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {bottom + 40}" font-family="sans-serif" '
             'font-size="14" fill="#222">',
             f'<rect width="{WIDTH}" height="{bottom + 40}" rx="8" fill="#fff"/>',
             f'<text x="20" y="30" font-size="17" font-weight="bold">{TITLE}</text>',
             f'<text x="20" y="50" fill="#666">{SUBTITLE}</text>']  # fmt: skip
    for k, (robot, color) in enumerate(COLORS.items()):
        x = LEFT + 180 + 82 * k
        parts.append(f'<circle cx="{x}" cy="25" r="6" fill="{color}"/><text x="{x + 10}" y="30">{robot}</text>')
    for tick in TICKS:
        x = _place(tick)
        parts.append(f'<path d="M{x:.1f} {TOP - 8}V{bottom}" stroke="{"#888" if tick == 1 else "#ddd"}"/>')
        parts.append(f'<text x="{x:.1f}" y="{bottom + 20}" text-anchor="middle" fill="#666">{tick}×</text>')
    for k, (name, ratios) in enumerate(table.items()):
        y = TOP + ROW * k + ROW / 2
        low, high = min(ratios.values()), max(ratios.values())
        parts.append(f'<text x="{LEFT - 14}" y="{y + 5:.0f}" text-anchor="end">{name}</text>')
        parts.append(f'<path d="M{_place(low):.1f} {y}H{_place(high):.1f}" stroke="#bbb" stroke-width="3"/>')
        parts += [f'<circle cx="{_place(x):.1f}" cy="{y}" r="6" fill="{COLORS[r]}"/>' for r, x in ratios.items()]
        parts.append(f'<text x="{RIGHT + 14}" y="{y + 5:.0f}" fill="#666">{low:g}–{high:g}×</text>')
    return "\n".join([*parts, "</svg>", ""])


def _place(ratio: float) -> float:
    return LEFT + (RIGHT - LEFT) * log10(ratio) / log10(TICKS[-1])


if __name__ == "__main__":
    PICTURE.write_text(picture(), "utf-8")
