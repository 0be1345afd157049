"""Which module may import which; what comes from outside, and where."""

import sys
from collections.abc import Mapping, Sequence

from articulated import _public
from articulated.cli.app import COMMANDS
from articulated.files.formats import FORMATS

from .imports import COMPUTED, File, Import

#: a name may import those beyond a `>` after it; `|` stands between peers, which leave each other alone
ORDER = [
    "__main__ > __init__ > _public > cli > torch | jax | casadi | gymnasium | viewer > bridges > identification |"
    " optimization > motions > simulation > control > contacts > robot > symbolic | files | compiler | logs |"
    " drawing > geometry > algorithms > model > joints > algebra > inputs > errors > text | housekeeping |"
    " _version | _imported | _pyinstaller"
]
#: the same inside a package
INSIDE = {
    "compiler": [
        "kernel > closures | pipeline > emit > passes > abi | source",
        "kernel > closures > runtime > abi | source",
    ],
}

#: where peers meet all the same, and why
MEETINGS = {
    ("inputs.numbers", "algebra.scalars"): "a number may be a symbol",
    ("inputs.vectors", "algebra.scalars"): "and so may the components of a vector",
    ("symbolic.equations.lectures", "files.dh"): "the lecture's robots are Denavit-Hartenberg tables of symbols",
    ("files.toml.symbols", "symbolic.ring.expressions"): "a file may hold symbols, read as expressions",
    ("symbolic.pages.program", "compiler.passes.trace"): "a closed form becomes a program as a recursion does",
    ("symbolic.pages.languages", "compiler.emit.c"): "and C by the same emitter",
}
#: modules that import what a table of theirs names
TABLES = {
    "__init__": set(_public.PUBLIC),
    "files.formats": {f"files.{name}.{part}" for name in FORMATS for part in ("reader", "writer")},
    "cli.app": {f"cli.commands.{place.partition('.')[0]}" for place in COMMANDS.values()},
}

#: who may import what from outside; the rest of the standard library and NumPy may be used anywhere
FENCES = {
    "sympy": ["symbolic/"],
    "mpmath": ["symbolic/"],  # which SymPy brings
    "latex2mathml": ["symbolic/pages/html.py"],
    "llvmlite": ["compiler/runtime/engine.py"],
    "dask": ["compiler/runtime/containers.py", "identification/scale.py"],
    "xarray": ["compiler/runtime/containers.py", "simulation/trajectory/columns.py"],
    "pandas": ["simulation/trajectory/columns.py"],
    "matplotlib": ["simulation/trajectory/plots/"],
    "mujoco": ["files/mjcf/", "cli/oracles.py"],
    "pinocchio": ["cli/oracles.py"],
    "xacro": ["files/xacro.py"],
    "xml": ["files/"],
    "torch": ["bridges/torch.py"],
    "jax": ["bridges/jax.py"],
    "casadi": ["bridges/casadi.py"],
    "gymnasium": ["bridges/gymnasium.py"],
    "pyarrow": ["logs/"],
    "rosbags": ["logs/bags.py"],
    "click": ["cli/"],
    "rich": ["viewer/server.py"],
    "socket": [],
    "viser": ["viewer/server.py"],
    "websockets": ["viewer/server.py"],
    "trimesh": ["drawing/surfaces.py"],
    "fast_simplification": ["drawing/surfaces.py"],
    "PIL": ["drawing/film.py"],
    "av": ["drawing/film.py"],
    "PyInstaller": ["_pyinstaller/"],
}


def floors(chain: str) -> list[list[str]]:
    """The names of a chain, from the top down."""
    return [[name.strip() for name in floor.split("|")] for floor in chain.split(">")]


def known(chains: Sequence[str]) -> set[str]:
    """Every name of some chains."""
    return {name for chain in chains for floor in floors(chain) for name in floor}


def below(name: str, chains: Sequence[str]) -> set[str]:
    """Everything that `name` may import."""
    found = set()
    for chain in map(floors, chains):
        height = next((k for k, floor in enumerate(chain) if name in floor), len(chain))
        found |= {other for floor in chain[height + 1 :] for other in floor}
    return found


def complaints(file: File, modules: Mapping[str, File]) -> list[str]:
    """Complaints about the imports of a file."""
    problems = [(one.line, _problem(file, one, modules)) for one in file.imports]
    return [f"{file.place}:{line}: {problem}" for line, problem in problems if problem]


def target(one: Import, modules: Mapping[str, File]) -> str:
    """The module of ours that an import is about: the name taken from it, if that is a module."""
    module = one.module.removeprefix("articulated").lstrip(".")
    with_name = f"{module}.{one.name}".lstrip(".")
    return with_name if one.name and with_name in modules else module or "__init__"


def _problem(file: File, one: Import, modules: Mapping[str, File]) -> str:
    if one.module == COMPUTED:
        return "" if file.module in TABLES else "imports what is only known when it runs"
    outermost = one.module.split(".")[0]
    if outermost != "articulated":
        return _outside(file.place, outermost)
    other = target(one, modules)
    if other not in modules:
        return f"there is no {other}"
    if one.module.endswith(other) or other == "__init__":  # not a module, so a name in one
        offered = {*modules[other].names, "", "*"}
        if one.name not in offered and "__getattr__" not in offered:
            return f"there is no {one.name} in {other}"
    return "" if (file.module, other) in MEETINGS else _upwards(file.module, other)


def _outside(place: str, name: str) -> str:
    if name in FENCES:
        return "" if any(place.startswith(allowed) for allowed in FENCES[name]) else f"{name} is fenced"
    return "" if name in sys.stdlib_module_names or name == "numpy" else f"{name} has no fence"


def _upwards(own: str, other: str) -> str:
    """Why one module may not import another; empty if it may."""
    (room, *mine), (there, *theirs) = own.split("."), other.split(".")
    if room != there:
        return "" if there in below(room, ORDER) else f"{other} does not lie below {room}"
    if room in INSIDE and mine and mine[:1] != theirs[:1]:
        return "" if {*theirs[:1]} & below(mine[0], INSIDE[room]) else f"{other} does not lie below {room}.{mine[0]}"
    return ""
