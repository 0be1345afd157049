"""The package works from a zip archive, and in a frozen program that has no files of it at all."""

import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

import articulated as art

PACKAGE = Path(art.__file__).parent
PROGRAM = """
import sys, numpy as np, articulated as art
robot = art.load("panda")
print(robot.mass_matrix(robot.neutral()).trace(), len(art.robots()), art.Contacts.__name__, "Robot" in dir(art))
robot.report, art.load(robot.model.name)
from articulated.compiler import kernel
from articulated.files.catalogue import about
print(about("2r"), kernel.status())
try:
    art.load("pandas")
except art.UnknownName as problem:
    print(problem)
"""
#: as the importers of frozen programs: modules from memory, no files, data through `importlib.resources` only
FROZEN = (
    """
import importlib.abc, importlib.machinery, importlib.resources.abc, io, sys, zipfile
archive = zipfile.ZipFile(io.BytesIO(open(sys.argv[1], "rb").read()))
names = set(archive.namelist())
sys.frozen = True

class Files(importlib.resources.abc.TraversableResources):
    def __init__(self, path): self.at = zipfile.Path(archive, path)
    def files(self): return self.at

class Frozen(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    def find_spec(self, name, path=None, target=None):
        folder = name.replace(".", "/")
        if f"{folder}/__init__.py" in names:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return importlib.machinery.ModuleSpec(name, self) if f"{folder}.py" in names else None
    def create_module(self, spec): return None
    def exec_module(self, module):
        name = module.__name__.replace(".", "/")
        file = f"{name}/__init__.py" if module.__spec__.submodule_search_locations is not None else f"{name}.py"
        exec(compile(archive.read(file), file, "exec"), module.__dict__)
    def get_resource_reader(self, name): return Files(name.replace(".", "/") + "/")

sys.meta_path.insert(0, Frozen())
"""
    + PROGRAM
    + """
assert not hasattr(art, "__file__")
"""
)


@pytest.fixture(scope="module")
def archive(tmp_path_factory):
    path = tmp_path_factory.mktemp("zip") / "program.zip"
    with zipfile.ZipFile(path, "w") as out:
        for file in sorted(PACKAGE.rglob("*")):
            if file.suffix in (".py", ".toml", ".typed"):
                out.write(file, file.relative_to(PACKAGE.parent).as_posix())
    return path


def run(program, *arguments, **environment):
    command = [sys.executable, "-c", program, *map(str, arguments)]
    given = {**os.environ, "ARTICULATED_EXTENSION": "off", "PYTHONPATH": "", **environment}
    done = subprocess.run(command, env=given, cwd=os.path.dirname(sys.executable), capture_output=True, text=True)
    assert done.returncode == 0, done.stderr[-2000:]
    return done.stdout


@pytest.fixture(scope="module")
def usual(tmp_path_factory):
    return run(PROGRAM, PYTHONPATH=str(PACKAGE.parent), ARTICULATED_CACHE="off")


def test_it_runs_from_an_archive(archive, tmp_path, usual):
    kept = tmp_path / "cache"
    first, second = (run(PROGRAM, PYTHONPATH=str(archive), ARTICULATED_CACHE=str(kept)) for _ in range(2))
    assert first == second and first.splitlines()[0] == usual.splitlines()[0]
    assert "did you mean 'panda'" in first and "planar" in first.splitlines()[1].lower()


def test_the_cache_knows_the_archive_it_came_from(archive, tmp_path):
    pytest.importorskip("llvmlite")
    kept = tmp_path / "cache"
    run(PROGRAM, PYTHONPATH=str(archive), ARTICULATED_CACHE=str(kept))
    there = set(os.listdir(kept))
    run(PROGRAM, PYTHONPATH=str(archive), ARTICULATED_CACHE=str(kept))
    assert set(os.listdir(kept)) == there
    other = tmp_path / "other.zip"
    other.write_bytes(archive.read_bytes())
    with zipfile.ZipFile(other, "a") as out:
        out.writestr("articulated/newer.py", "")
    run(PROGRAM, PYTHONPATH=str(other), ARTICULATED_CACHE=str(kept))
    assert len(set(os.listdir(kept)) - there) == len(there)  # every kernel anew


def test_it_runs_frozen_and_keeps_nothing(archive, tmp_path, usual):
    kept = tmp_path / "cache"
    said = run(FROZEN, archive, ARTICULATED_CACHE=str(kept))
    assert said.splitlines()[0] == usual.splitlines()[0] and not kept.exists()


#: for the sake of time: packages of the tests that a program of the core does not need
WITHOUT = ["sympy", "mujoco", "pinocchio", "matplotlib", "pandas", "pyarrow", "xarray", "scipy", "viser", "trimesh",
           "IPython", "dask", "pytest", "PIL"]  # fmt: skip


@pytest.mark.long
def test_pyinstaller_needs_no_options(tmp_path, usual):
    """The hook that is installed with the package takes along the catalogue and what is imported by name."""
    pytest.importorskip("PyInstaller")
    (tmp_path / "program.py").write_text(PROGRAM)
    left_out = [part for name in WITHOUT for part in ("--exclude-module", name)]
    command = [sys.executable, "-m", "PyInstaller", "--log-level", "ERROR", *left_out, "program.py"]
    subprocess.run(
        command, cwd=tmp_path, check=True, timeout=600, env={**os.environ, "PYTHONPATH": str(PACKAGE.parent)}
    )
    frozen = subprocess.run([tmp_path / "dist" / "program" / "program"], capture_output=True, text=True, timeout=300)
    assert frozen.returncode == 0, frozen.stderr
    assert frozen.stdout.splitlines()[0] == usual.splitlines()[0]
