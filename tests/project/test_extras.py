"""Without an extra, what needs it says which one to install; without LLVM, every number is the same."""

import os
import subprocess
import sys
import tomllib
from pathlib import Path

import numpy as np
import pytest

import articulated as art
from articulated.cli.commands.doctor import EXTRAS
from tests.methods import ROBOT, arguments, results
from tests.near import near

ROOT = Path(__file__).parents[2]
GROUPS = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"]["optional-dependencies"]

BLOCK = """
import sys
from importlib import metadata
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] == {0!r}:
            raise ModuleNotFoundError(f"No module named {{name!r}}", name=name)
sys.meta_path.insert(0, Blocked())
files = metadata.files
def others(package):
    if package == {0!r}:
        raise metadata.PackageNotFoundError(package)
    return files(package)
metadata.files = others
import numpy as np
import articulated as art
from articulated.cli import main
def command(*arguments):
    sys.argv = ["articulated", *arguments]
    main()
"""
STANDING = "art.Contacts(art.load('quadruped', floating_base=True), point=['FL_FOOT'])"
RUN = "art.Trajectory(art.load('2r'), [0.0], *[[[0.1, 0.2]]] * 4)"
#: extra → (package that is missing, what is asked for)
FEATURES = [
    ("symbolic", "sympy", "art.derive('2r')"),
    ("symbolic", "sympy", "art.derive(art.load('2r'), symbols=True)"),
    ("symbolic", "sympy", "art.moving_frames('2r')"),
    ("symbolic", "sympy", "art.explain('rnea', '2r')"),
    ("symbolic", "sympy", "art.exercise('2r')"),
    ("symbolic", "sympy", "command('exercise', '2r')"),
    ("symbolic", "sympy", "command('derive', '2r')"),
    ("symbolic", "sympy", "command('explain-algorithm', 'rnea', '2r')"),
    ("robots", "example-robot-data", "art.load('talos_reduced')"),
    ("robots", "example-robot-data", "command('info', 'talos_reduced')"),
    ("mjcf", "mujoco", "art.load('<mujoco><worldbody/></mujoco>')"),
    ("mjcf", "mujoco", "command('compare', '2r', '--with', 'mujoco')"),
    ("xacro", "xacro", "open('r.xacro', 'w').close(); art.load('r.xacro', xacro=True)"),
    ("data", "pyarrow", "open('log.parquet', 'wb').close(); command('id', '2r', '--log', 'log.parquet')"),
    ("data", "pyarrow", f"{RUN}.save('run.parquet')"),
    ("data", "pandas", f"{RUN}.to_pandas()"),
    ("ros", "rosbags", "open('run.mcap', 'wb').close(); art.read_log(art.load('2r'), 'run.mcap')"),
    ("data", "xarray", f"{RUN}.to_xarray()"),
    ("torch", "torch", "import articulated.torch"),
    ("jax", "jax", "from articulated import jax"),
    ("casadi", "casadi", "import articulated.casadi"),
    ("rl", "gymnasium", "import articulated.gymnasium"),
    ("scale", "dask", "art.distributed_normal(art.load('2r'), {})"),
    ("plot", "matplotlib", f"{RUN}.plot()"),
    ("plot", "matplotlib", "command('plot', '2r', '--kind', 'tree')"),
    ("view", "viser", "art.view(art.load('2r'))"),
    ("view", "viser", "command('view', '2r')"),
    ("view", "trimesh", f"{RUN}.animate('run.gif')"),
    ("video", "av", f"{RUN}.animate('run.mp4', size=(64, 48))"),
    ("plot", "matplotlib", f"exec(open({str(ROOT / 'examples' / '01_standing.py')!r}).read())"),
]


def run(program: str, folder: Path) -> subprocess.CompletedProcess:
    path = os.pathsep.join([str(Path(art.__file__).parents[1]), str(ROOT)])
    return subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, timeout=300,
        env={**os.environ, "PYTHONPATH": path, "PYTHONIOENCODING": "utf-8"},
    )  # fmt: skip


#: what is asked for, and the sentence that names the extra; what does not say it is printed
ASK = """
import contextlib, io, traceback
for asked in {0!r}:
    said, raised = io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True), False
    with contextlib.redirect_stderr(said):
        try:
            exec(asked, dict(globals()))
        except BaseException:
            raised = True
            traceback.print_exc()
    text = said.buffer.getvalue().decode()
    if {1!r} not in text or not raised:
        print(asked, text)
"""


@pytest.mark.parametrize("package", dict.fromkeys(package for _, package, _ in FEATURES))
def test_what_is_missing_is_named_with_its_extra(package, tmp_path):
    (extra,) = {extra for extra, name, _ in FEATURES if name == package}
    assert any(package in requirement for requirement in GROUPS[extra])
    asked = [asked for _, name, asked in FEATURES if name == package]
    done = run(BLOCK.format(package) + ASK.format(asked, f"pip install 'articulated[{extra}]'"), tmp_path)
    assert done.returncode == 0 and not done.stdout, done.stdout + done.stderr


def test_every_extra_has_a_feature():
    """But those that gather others."""
    assert {extra for extra, _, _ in FEATURES} == GROUPS.keys() - {"all", "test", "bench", "dev", "docs"}


def test_the_doctor_knows_every_extra():
    for extra in GROUPS.keys() - {"all", "test", "bench", "dev", "docs"}:
        assert extra in EXTRAS.values()
        for name in (name for name, its in EXTRAS.items() if its == extra):
            assert any(requirement.startswith(name) for requirement in GROUPS[extra])


# -- without LLVM -------------------------------------------------------------------------


def numbers(file: str = "") -> dict[str, np.ndarray]:
    """Results of every method for the same states."""
    rng, robot, found = np.random.default_rng(7), art.load("stanford"), {}
    for name in ROBOT:
        parts = results(getattr(robot, name)(**arguments(robot, name, rng, (3,))))
        found |= {f"{name} {k}": x for k, x in enumerate(parts)}
    if file:
        np.savez(file, **found)
    return found


def test_without_llvmlite_every_number_is_the_same(tmp_path):
    """Where it is there but switched off: tests/compiler/test_robots.py."""
    program = "from tests.project.test_extras import numbers; numbers('found.npz')\n"
    program += "from articulated.compiler import kernel; print(kernel.status())"
    done = run(BLOCK.format("llvmlite") + program, tmp_path)
    assert done.returncode == 0 and "NumPy: " in done.stdout, done.stdout + done.stderr
    found = np.load(tmp_path / "found.npz")
    for name, expected in numbers().items():
        assert near(found[name], expected, 1e-10), name
