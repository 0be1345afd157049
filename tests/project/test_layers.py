"""Imports point down only, peers leave each other alone, and third parties stay behind their fences.

This holds for every import: those inside functions and those for types only point down as well.
"""

from pathlib import Path

import pytest

import articulated

from .imports import COMPUTED, File, files
from .layers import FENCES, INSIDE, MEETINGS, ORDER, TABLES, complaints, known, target

ROOT = Path(articulated.__file__).parent
MODULES = files(ROOT)


def test_imports_keep_to_the_layers_and_fences():
    assert [complaint for file in MODULES.values() for complaint in complaints(file, MODULES)] == []


def test_the_order_names_every_module_and_nothing_else():
    assert known(ORDER) == {module.split(".")[0] for module in MODULES}
    for room, chains in INSIDE.items():
        assert known(chains) == {module.split(".")[1] for module in MODULES if module.startswith(f"{room}.")}


def test_every_meeting_of_peers_takes_place():
    found = {(file.module, target(one, MODULES)) for file in MODULES.values() for one in file.imports}
    assert set(MEETINGS) <= found


def test_every_fence_has_someone_behind_it():
    found = {(one.module.split(".")[0], file.place) for file in MODULES.values() for one in file.imports}
    for name, allowed in FENCES.items():
        for place in allowed:
            assert (ROOT / place).exists()
            assert any(name == other and file.startswith(place) for other, file in found), (name, place)


def test_computed_imports_come_from_tables_of_modules():
    assert set(TABLES) == {m for m, file in MODULES.items() if any(one.module == COMPUTED for one in file.imports)}
    assert set().union(*TABLES.values()) <= set(MODULES)


# -- the rules refuse what they should ----------------------------------------------------


@pytest.mark.parametrize(
    ("place", "line", "words"),
    [
        ("model/links.py", "from ..robot import Robot", "robot does not lie below model"),
        ("model/links.py", "def f():\n    from ..robot.robot import Robot", "robot.robot does not lie below model"),
        ("model/links.py", "if TYPE_CHECKING:\n    from ..robot import Robot", "robot does not lie below model"),
        ("model/links.py", "import articulated.robot", "robot does not lie below model"),
        ("model/links.py", "import_module('articulated.robot')", "robot does not lie below model"),
        ("model/links.py", "importlib.import_module('..robot', __package__)", "robot does not lie below model"),
        ("model/links.py", "import_module(name)", "only known when it runs"),
        ("model/links.py", "__import__(name)", "only known when it runs"),
        ("model/links.py", "from .. import load", "__init__ does not lie below model"),
        ("model/links.py", "import articulated as art", "__init__ does not lie below model"),
        ("model/links.py", "from ..robots import Robot", "there is no robots"),
        ("model/links.py", "from .lynx import Link", "there is no model.lynx"),
        ("model/links.py", "from ..algebra import lynx", "there is no lynx in algebra"),
        ("model/links.py", "from ..algebra import a", "there is no a in algebra"),
        ("model/links.py", "from ..algebra.spatial import Lynx", "there is no Lynx in algebra.spatial"),
        ("files/load.py", "from ..symbolic import derive", "symbolic does not lie below files"),
        ("compiler/kernel.py", "from ..files.dh import DH", "files.dh does not lie below compiler"),
        ("symbolic/pages/tex.py", "from ...compiler.emit.c import source", "compiler.emit.c does not lie below"),
        (
            "symbolic/pages/languages.py",
            "from ...compiler import kernel",
            "compiler.kernel does not lie below symbolic",
        ),
        ("text.py", "from .errors import unknown", "errors does not lie below text"),
        ("_version.py", "from . import _public", "_public does not lie below _version"),
        ("compiler/passes/sums.py", "from ..emit import c", "compiler.emit.c does not lie below compiler.passes"),
        ("compiler/passes/sums.py", "from .. import kernel", "compiler.kernel does not lie below compiler.passes"),
        ("compiler/passes/sums.py", "import articulated.compiler", "compiler does not lie below compiler.passes"),
        ("compiler/runtime/cache.py", "from ..passes import graph", "compiler.passes.graph does not lie below"),
        ("compiler/runtime/cache.py", "from .. import pipeline", "compiler.pipeline does not lie below"),
        ("compiler/pipeline.py", "from .runtime import engine", "compiler.runtime.engine does not lie below"),
        ("compiler/abi.py", "from .source import Source", "compiler.source does not lie below compiler.abi"),
        ("a_new_room/file.py", "from ..errors import ShapeError", "errors does not lie below a_new_room"),
        ("compiler/a_new_file.py", "from .abi import Run", "compiler.abi does not lie below compiler.a_new_file"),
        ("robot/robot.py", "import sympy", "sympy is fenced"),
        ("compiler/kernel.py", "from llvmlite import binding", "llvmlite is fenced"),
        ("files/load.py", "def f():\n    import mujoco", "mujoco is fenced"),
        ("cli/app.py", "import socket", "socket is fenced"),
        ("robot/robot.py", "from scipy.linalg import lu", "scipy has no fence"),
    ],
)
def test_what_is_not_allowed_is_refused(place, line, words):
    found = complaints(File(place, line), MODULES)
    assert len(found) == 1 and words in found[0], found


@pytest.mark.parametrize(
    ("place", "line"),
    [
        ("model/links.py", "from ..algebra.spatial import Inertia"),
        ("model/links.py", "from . import lines"),
        ("model/__init__.py", "from .links import Link"),
        ("files/urdf/reader.py", "from ..xml import *"),
        ("cli/commands/check.py", "from ...robot.construction import load"),
        ("compiler/kernel.py", "from .passes.trace import trace"),
        ("compiler/kernel.py", "from .runtime import cache"),
        ("compiler/emit/llvm/body.py", "from ...passes.graph import Node"),
        ("__main__.py", "from . import load"),
        ("files/xml.py", "import xml.parsers.expat, numpy, math"),
    ],
)
def test_what_is_allowed_passes(place, line):
    assert complaints(File(place, line), MODULES) == []
