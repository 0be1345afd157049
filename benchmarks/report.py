"""The measurements as tables in Markdown."""

import platform
from importlib import metadata
from pathlib import Path

from . import ours, processor
from .grid import AT_BEST, SIZES, Row, cell
from .growth import Chain
from .robots import ROBOTS
from .start import METHODS

#: issue 3: how many times faster than Pinocchio, by robot in the order of ROBOTS
TARGETS = {
    ("inverse_dynamics", 4096): (40, 45, 35, 20),
    ("forward_dynamics", 4096): (40, 50, 30, 18),
    ("mass_matrix", 4096): (30, 40, 10, 6),
    ("inverse_dynamics", 0): (6, 6, 8, 6),
    ("mass_matrix", 0): (5, 5, 5, 3.5),
    ("forward_dynamics", 0): (8, 9, 8, 5),
    ("fused", 0): (10, 10, 9, 5),
}
PACKAGES = ("numpy", "llvmlite", "pin", "mujoco", "dynibo", "frax", "adam-robotics", "jax", "roboticstoolbox-python")
NAMES = {
    "fused": "M + h + J in one call", "mass_matrix_inverse": "inverse of the mass matrix",
    "coriolis_matrix": "Coriolis matrix", "jacobian": "Jacobian",
}  # fmt: skip


def named(quantity: str) -> str:
    return NAMES.get(quantity, quantity.replace("_", " "))


def table(head: list[str], lines: list[list[str]]) -> list[str]:
    return ["| " + " | ".join(line) + " |" for line in (head, ["---"] * len(head), *lines)] + [""]


def short(seconds: float) -> str:
    """Three digits with a unit that fits."""
    for unit, scale in (("ns", 1e-9), ("µs", 1e-6), ("ms", 1e-3)):
        if seconds < 1000 * scale:
            return f"{seconds / scale:.3g} {unit}"
    return f"{seconds:.3g} s"


def times(ratio: float) -> str:
    return f"{ratio:.1f}×" if ratio < 10 else f"{ratio:.0f}×"


def machine() -> str:
    """The processor and the versions; nothing that names the computer."""
    processor = platform.machine()
    if Path("/proc/cpuinfo").exists():
        lines = Path("/proc/cpuinfo").read_text("utf-8").splitlines()
        processor = next((line.split(":")[1].strip() for line in lines if line.startswith("model name")), processor)
    versions = []
    for package in PACKAGES:
        try:
            versions.append(f"{package} {metadata.version(package)}")
        except metadata.PackageNotFoundError:
            continue
    return f"{processor}; Python {platform.python_version()}, {', '.join(versions)}."


def headlines(rows: list[Row]) -> list[str]:
    """The ratios against Pinocchio, each with its target in brackets."""
    lines = []
    for (quantity, size), targets in TARGETS.items():
        line = [f"{named(quantity)}, {f'N = {size}' if size else 'one state'}"]
        for robot, target in zip(ROBOTS, targets, strict=True):
            found = cell(rows, robot, quantity, size, "pin")
            line.append(f"{times(found.ratio)} ({target:g})" if found else "–")
        lines.append(line)
    return table(["", *ROBOTS], lines)


def of_robot(rows: list[Row], robot: str) -> list[str]:
    """Every quantity and size: our time per state, then how many times longer Pinocchio and MuJoCo take."""
    lines = []
    for quantity in ours.QUANTITIES:
        line = [named(quantity)]
        for size in SIZES:
            own = cell(rows, robot, quantity, size or 0, ours.NAME)
            theirs = [cell(rows, robot, quantity, size or 0, peer) for peer in ("pin", "mujoco")]
            ratios = [times(peer.ratio) if peer else "–" for peer in theirs]
            line.append(", ".join([short(own.seconds), *ratios]) if own else "–")
        lines.append(line)
    return table(["", *(f"N = {size}" if size else "one state" for size in SIZES)], lines)


def of_others(rows: list[Row]) -> list[str]:
    head = ["", "robot", "quantity", "one state", "N = 4096"]
    lines = []
    for row in rows:
        if row.size == 0:
            batch = cell(rows, row.robot, row.quantity, 4096, row.library)
            cells = [f"{short(r.seconds)}, {times(r.ratio)}" if r else "–" for r in (row, batch)]
            lines.append([row.library, row.robot, named(row.quantity), *cells])
    return table(head, lines)


def precisions(rows: list[Row]) -> list[str]:
    lines = []
    for row in rows:
        if row.library == "float32":
            double = cell(rows, row.robot, row.quantity, row.size, "float64")
            numbers = [short(row.seconds), short(double.seconds), times(double.ratio)]
            lines.append([row.robot, named(row.quantity), *numbers])
    return table(["", "quantity", "float32", "float64", "gain"], lines)


def threads(rows: list[Row]) -> list[str]:
    """Gains of a second thread; the size of a row is how many it used."""
    lines = []
    for two in rows:
        if (two.library, two.size) == (ours.NAME, 2):
            one = cell(rows, two.robot, two.quantity, 1, ours.NAME)
            line = [two.robot, named(two.quantity), short(one.seconds), short(two.seconds)]
            for library in (ours.NAME, "pin", processor.NAME):
                usual, best = (cell(rows, two.robot, two.quantity, 2, library + ending) for ending in ("", AT_BEST))
                line.append(f"{times(usual.ratio)}, {times(best.ratio)}" if usual else "–")
            lines.append(line)
    return table(["", "quantity", "1 thread", "2 threads", "gain", "Pinocchio's", "the machine's"], lines)


def compiling(found: dict[str, dict[str, dict[str, float]]]) -> list[str]:
    """A line for the first calls with one state, and one for the first calls with a batch after them."""
    lines = []
    for robot, ways in found.items():
        for form, ending in (("one state", ""), ("then a batch", ", batch")):
            both = [[ways[way][name + ending] for way in ("cold", "cached")] for name in METHODS]
            line = [" / ".join(map(short, pair)) for pair in both]
            once = [ways[way]["LLVM itself"] for way in ("cold", "cached")]
            memory = f"{ways['cold']['memory']:.0f} / {ways['cached']['memory']:.0f} MB"
            extra = ["", ""] if ending else [" / ".join(map(short, once)), memory]
            lines.append([robot, form, *line, *extra])
    return table(["cold / cached", "", *map(named, METHODS), "LLVM itself, once", "memory"], lines)


def imports(found: dict[str, tuple[float, float]]) -> list[str]:
    return table(["beyond NumPy", "CPU time", "memory"], [[n, short(t), f"{m:.0f} MB"] for n, (t, m) in found.items()])


def growth(chains: list[Chain]) -> list[str]:
    lines = [
        [c.library, str(c.bodies), named(c.quantity), short(c.first), short(c.call), f"{c.memory:.0f} MB"]
        for c in chains
    ]
    return table(["", "bodies", "quantity", "first call", "further ones", "memory"], lines)
