"""Imports point down only, and third parties stay behind their fences."""

import ast
from pathlib import Path

import pytest

import articulated

ROOT = Path(articulated.__file__).parent

#: from the bottom up; a module may import its own layer's name and everything below
LAYERS = [
    {"errors", "_version", "text", "housekeeping"},
    {"algebra"},
    {"joints"},
    {"model"},
    {"algorithms"},
    {"compiler", "symbolic", "files"},
    {"robot"},
    {"contacts"},
    {"control"},
    {"viewer", "identification", "simulation"},
    {"cli", "_public", "__init__", "__main__"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}

#: who may import what from outside (NumPy and the standard library may be used anywhere)
FENCES = {
    "sympy": ["symbolic/"],
    "llvmlite": ["compiler/runtime/engine.py"],
    "casadi": ["compiler/emit/casadi.py"],
    "mujoco": ["files/mjcf/reader.py", "cli/oracles/mujoco.py"],
    "pinocchio": ["cli/oracles/pinocchio.py"],
    "xacro": ["files/xacro.py"],
    "pyarrow": ["cli/logs/parquet.py"],
    "typer": ["cli/"],
    "rich": ["cli/"],
    "xml": ["files/"],
    "socket": ["viewer/"],
    "daqp": ["control/solver.py"],
    "dask": ["compiler/runtime/containers.py"],
    "xarray": ["compiler/runtime/containers.py"],
}

FILES = sorted(ROOT.rglob("*.py"))


def part(path: Path) -> str:
    """The unit of layering a file belongs to: its top-level folder or module."""
    relative = path.relative_to(ROOT)
    return relative.parts[0].removesuffix(".py")


def imported(path: Path) -> list[str]:
    """Absolute names of everything a file imports, relative imports resolved."""
    names = []
    package = ["articulated", *path.relative_to(ROOT).parts[:-1]]
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names += [alias.name for alias in node.names]
        elif isinstance(node, ast.ImportFrom) and node.level == 0:
            names.append(node.module or "")
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1]
            if node.module:
                names.append(".".join([*base, node.module]))
            else:
                names += [".".join([*base, alias.name]) for alias in node.names]
    return names


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_imports_point_down(path):
    level = LEVEL[part(path)]
    for name in imported(path):
        if name.startswith("articulated."):
            target = name.split(".")[1]
            assert LEVEL.get(target, level) <= level, f"{path.name} imports {name}, which lies above it"


@pytest.mark.parametrize("path", FILES, ids=lambda p: str(p.relative_to(ROOT)))
def test_third_parties_are_fenced(path):
    relative = path.relative_to(ROOT).as_posix()
    for name in imported(path):
        top = name.split(".")[0]
        if top in FENCES:
            assert any(relative.startswith(place) for place in FENCES[top]), f"{relative} imports {top}"


def test_every_module_has_a_layer():
    assert {part(path) for path in FILES} <= set(LEVEL)
