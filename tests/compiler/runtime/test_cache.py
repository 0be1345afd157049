"""The cache: found again, shared, and never trusted further than it can be checked."""

import errno
import os
import random
import shutil
import stat
import subprocess
import sys
import warnings
from pathlib import Path

import numpy as np
import pytest

import articulated as art
from articulated import _imported
from articulated.compiler import kernel, pipeline
from articulated.compiler.runtime import cache, engine
from articulated.compiler.runtime.fingerprint import fingerprint

from ..conftest import fresh

SOURCE = str(Path(art.__file__).parents[1])
posix = pytest.mark.skipif(os.name == "nt", reason="permissions of POSIX")
machine_code = pytest.mark.skipif(engine.reason() is not None, reason="no machine code here")

ABOUT, IMAGE = {"shapes": [[2, 3]], "fields": None, "operations": 7}, bytes(range(256)) * 40


def kernels(path: Path) -> list[Path]:
    return sorted(path.iterdir())


@pytest.fixture
def compiles(monkeypatch):
    """How often LLVM was asked."""
    calls = []
    original = engine.compile_object
    monkeypatch.setattr(engine, "compile_object", lambda *a, **k: calls.append(1) or original(*a, **k))
    return calls


# -- kept and found --------------------------------------------------------------------------


def test_what_is_written_is_read(cache_directory):
    assert cache.read("a" * 40) is None and not cache_directory.exists()
    cache.write("a" * 40, ABOUT, IMAGE)
    assert cache.read("a" * 40) == (ABOUT, IMAGE)
    cache.write("a" * 40, ABOUT, b"")
    assert cache.read("a" * 40) == (ABOUT, b"") and cache.read("b" * 40) is None


@posix
def test_only_the_owner_can_look(cache_directory):
    cache.write("a", ABOUT, IMAGE)
    modes = {stat.S_IMODE(p.stat().st_mode) for p in cache_directory.iterdir()}
    assert stat.S_IMODE(cache_directory.stat().st_mode) == 0o700 and modes == {0o600}


@machine_code
def test_the_second_robot_is_not_compiled(arm, rng, compiles, monkeypatch):
    q, v = arm.random(rng, 9), rng.normal(size=(9, 6))

    def everything(robot):
        fused = robot.compile("mass_matrix", ("pose", "tool0"))
        return robot.bias_forces(q, v), *robot.articulated_bodies(q, v, v), *fused(q)

    expected, made = everything(arm), len(compiles)
    monkeypatch.setattr(pipeline, "trace", None)  # nor traced
    found = everything(art.load("ur5"))
    assert len(compiles) == made > 0
    assert all((x == y).all() for x, y in zip(found, expected, strict=True))


@machine_code
@pytest.mark.parametrize(
    "change",
    [
        lambda robot: robot.replace(gravity=(0, 0, -9.80)),
        lambda robot: robot.replace("wrist_3_link", inertia=art.Inertia(0.3)),
        lambda robot: robot.replace("wrist_3_link", placement=art.Transform(None, [0, 0, 1e-9])),
        lambda robot: robot.floating(),
    ],
)
def test_another_robot_is_another_kernel(arm, compiles, change):
    arm.gravity_forces(arm.neutral())
    made, other = len(compiles), change(arm)
    other.gravity_forces(other.neutral())
    assert len(compiles) == made + 1


def test_fingerprints_tell_things_apart():
    things = [1, 1.0, True, "1", None, 0.0, -0.0, (1,), ((1,),), (1, 1), [], {}, {"a": 1}, np.ones(2), np.ones((2, 1)),
              art.Revolute(), art.Continuous(), art.Revolute([0, 1, 0]), art.Revolute(damping=0.1), art.Transform(),
              art.Helical(pitch=0.1), art.Helical(pitch=0.2), art.Inertia(1.0), art.Inertia(1),
              float("nan")]  # fmt: skip
    marks = [fingerprint(thing) for thing in things]
    assert None not in marks and len(set(marks)) == len(things)
    assert marks == [fingerprint(thing) for thing in things]
    assert fingerprint((1, 2)) == fingerprint([1, 2])


def test_what_we_cannot_see_into_is_not_kept():
    class Own(art.Revolute):
        def transform(self, q):
            return super().transform(2 * q)

    for thing in (Own(), object(), lambda: 0, {"a": [object()]}, np.array([object()])):
        assert fingerprint(thing) is None
    robot = art.build([art.Link("body", None, Own(), inertia=art.Inertia(1, [1, 0, 0]))])
    assert robot.mass_matrix([0.1]).shape == (1, 1)


@machine_code
def test_many_processes_share_a_directory(cache_directory):
    script = """
import numpy as np, articulated as art, warnings
warnings.simplefilter("error")
robot = art.load("2r")
for method in ("mass_matrix", "gravity_forces", "center_of_mass"):
    print(repr(getattr(robot, method)(np.array([0.3, -0.8])).tolist()))
"""
    run = [sys.executable, "-c", script]
    env = {**os.environ, "PYTHONPATH": SOURCE}
    answers = set()
    for _ in range(2):
        workers = [subprocess.Popen(run, env=env, stdout=subprocess.PIPE, text=True) for _ in range(6)]
        answers |= {worker.communicate()[0] for worker in workers}
        assert all(worker.returncode == 0 for worker in workers)
    assert len(answers) == 1 and not [p for p in cache_directory.iterdir() if p.name.startswith(".")]


# -- never run what is not ours to the last bit -------------------------------------------------


def test_every_flipped_bit_and_every_cut_is_noticed(cache_directory):
    cache.write("a", ABOUT, IMAGE)
    path = cache_directory / "a"
    whole, rng = path.read_bytes(), random.Random(1)
    for _ in range(400):
        bit = rng.randrange(8 * len(whole))
        torn = bytearray(whole)
        torn[bit // 8] ^= 1 << bit % 8
        path.write_bytes(torn)
        assert cache.read("a") is None
    for length in [*range(0, 120), *(rng.randrange(len(whole)) for _ in range(100))]:
        path.write_bytes(whole[:length])
        assert cache.read("a") is None
    path.write_bytes(whole + b"x")
    assert cache.read("a") is None
    path.write_bytes(whole)
    assert cache.read("a") == (ABOUT, IMAGE)


def test_a_file_under_another_name_is_refused(cache_directory):
    cache.write("a", ABOUT, IMAGE)
    (cache_directory / "b").write_bytes((cache_directory / "a").read_bytes())
    (cache_directory / "b").chmod(0o600)
    assert cache.read("b") is None


@machine_code
def test_a_spoilt_kernel_is_compiled_again(arm, rng, cache_directory, compiles):
    q = arm.random(rng)
    expected = arm.mass_matrix(q)
    for path in kernels(cache_directory):
        content = bytearray(path.read_bytes())
        content[len(content) // 2] ^= 1
        path.write_bytes(content)
    made = len(compiles)
    assert (fresh(arm).mass_matrix(q) == expected).all() and len(compiles) > made
    assert (fresh(arm).mass_matrix(q) == expected).all() and len(compiles) == made + 1


@posix
@pytest.mark.parametrize("what", ["directory", "file"])
@pytest.mark.parametrize("mode", [0o020, 0o002])
def test_what_others_can_write_is_refused(cache_directory, what, mode):
    cache.write("a", ABOUT, IMAGE)
    path = {"directory": cache_directory, "file": cache_directory / "a"}[what]
    path.chmod(stat.S_IMODE(path.stat().st_mode) | mode)
    with pytest.warns(RuntimeWarning, match="can be written by others"):
        assert cache.read("a") is None
    assert cache.read("a") is None  # and says so once


@posix
def test_what_belongs_to_another_is_refused(cache_directory, monkeypatch):
    cache.write("a", ABOUT, IMAGE)
    monkeypatch.setattr(os, "geteuid", lambda: 12345)
    with pytest.warns(RuntimeWarning, match="another user"):
        assert cache.read("a") is None


@posix
def test_links_are_refused(cache_directory, tmp_path, monkeypatch):
    cache.write("a", ABOUT, IMAGE)
    (tmp_path / "aside").write_bytes((cache_directory / "a").read_bytes())
    (cache_directory / "a").unlink()
    (cache_directory / "a").symlink_to(tmp_path / "aside")
    assert cache.read("a") is None
    (tmp_path / "link").symlink_to(cache_directory)
    monkeypatch.setenv("ARTICULATED_CACHE", str(tmp_path / "link"))
    with pytest.warns(RuntimeWarning, match="link"):
        assert cache.read("b") is None
    with pytest.warns(RuntimeWarning, match="not kept"):
        cache.write("b", ABOUT, IMAGE)
    assert not (cache_directory / "b").exists()


@posix
def test_a_pipe_or_a_directory_is_not_a_kernel(cache_directory):
    cache.write("a", ABOUT, IMAGE)
    os.mkfifo(cache_directory / "b", 0o600)
    (cache_directory / "c").mkdir()
    with pytest.warns(RuntimeWarning, match="not a kernel"):
        assert cache.read("b") is None
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        assert cache.read("c") is None


# -- losing the cache costs time and nothing else ----------------------------------------------------


def failing(problem):
    def fail(*arguments, **named):
        raise OSError(problem, os.strerror(problem))

    return fail


@machine_code
@pytest.mark.parametrize(
    "place, problem",
    [("fdopen", errno.ENOSPC), ("replace", errno.EDQUOT), ("open", errno.EROFS), ("open", errno.EACCES)],
)
def test_a_full_or_locked_disk_is_one_warning(cache_directory, monkeypatch, place, problem):
    robot = art.load("2r")
    robot.gravity_forces([0, 0])  # the sines are there
    monkeypatch.setattr(os, place, failing(problem))
    with pytest.warns(RuntimeWarning) as said:
        assert robot.mass_matrix([0, 0]).shape == (2, 2)
        assert robot.center_of_mass([0, 0]).shape == (3,)
    monkeypatch.undo()
    assert len({str(w.message) for w in said}) == len(said) <= 2
    assert not [p for p in cache_directory.iterdir() if p.name.startswith(".")]


def test_a_file_in_the_way_is_one_warning(tmp_path, monkeypatch):
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("ARTICULATED_CACHE", str(tmp_path / "file"))
    with pytest.warns(RuntimeWarning, match="not kept") as said:
        cache.write("a", ABOUT, IMAGE)
        cache.write("b", ABOUT, IMAGE)
    assert len(said) == 1
    monkeypatch.setenv("ARTICULATED_CACHE", str(tmp_path / "file" / "below"))
    with pytest.warns(RuntimeWarning, match="not kept"):
        cache.write("a", ABOUT, IMAGE)


def test_a_place_where_nothing_can_be_made_is_one_warning(tmp_path, monkeypatch):
    """The system says "no such file" there, as it does of a cache that is switched off."""

    def refuse(self, *arguments, **options):
        raise FileNotFoundError(2, "No such file or directory", str(self))

    monkeypatch.setenv("ARTICULATED_CACHE", str(tmp_path / "below"))
    monkeypatch.setattr(Path, "mkdir", refuse)
    with pytest.warns(RuntimeWarning, match="not kept.*No such file") as said:
        cache.write("a", ABOUT, IMAGE)
        cache.write("b", ABOUT, IMAGE)
    assert len(said) == 1


@machine_code
@posix
def test_without_a_home_directory_it_is_one_warning(monkeypatch, arm, rng):
    monkeypatch.setenv("ARTICULATED_CACHE", "~nobody-of-this-name/kernels")
    with pytest.warns(RuntimeWarning, match="not kept.*home directory") as said:
        cache.write("a", ABOUT, IMAGE)
        arm.replace(name="other").mass_matrix(arm.random(rng))
    assert len(said) == 1 and cache.read("a") is None
    assert cache.directory() is None and "not kept" in kernel.status()


@machine_code
def test_switched_off(tmp_path, monkeypatch, arm):
    monkeypatch.setenv("ARTICULATED_CACHE", "off")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert cache.directory() is None
    arm.mass_matrix(arm.neutral())
    assert not list(tmp_path.rglob("*"))


@posix
def test_where_it_is(monkeypatch, tmp_path):
    monkeypatch.delenv("ARTICULATED_CACHE")
    monkeypatch.setenv("HOME", str(tmp_path))
    monkeypatch.setenv("XDG_CACHE_HOME", "relative")
    assert cache.directory().is_relative_to(tmp_path)
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    assert cache.directory() is None


def test_it_does_not_grow_for_ever(cache_directory, monkeypatch):
    monkeypatch.setattr(cache, "MOST_FILES", 10)
    for k in range(40):
        cache.write(f"{k:040}", ABOUT, IMAGE)
    assert len(kernels(cache_directory)) <= 10 and cache.read(f"{39:040}")


@machine_code
def test_a_cached_kernel_needs_no_compiler(cache_directory):
    """Nor what traces and emits: a process that finds its kernels does not even import it."""
    program = (
        "import sys, numpy as np, articulated as art; robot = art.load('2r'); "
        "robot.mass_matrix(np.zeros(2)); robot.mass_matrix(np.zeros((9, 2)));"
        "print('articulated.compiler.pipeline' in sys.modules, 'articulated.compiler.emit.llvm.module' in sys.modules)"
    )
    environment = {**os.environ, "ARTICULATED_CACHE": str(cache_directory)}
    runs = [
        subprocess.run([sys.executable, "-c", program], env=environment, capture_output=True, text=True, check=True)
        for _ in range(2)
    ]
    assert [run.stdout.split() for run in runs] == [["True", "True"], ["False", "False"]]


def test_modules_without_their_text_count(tmp_path):
    """Some installations keep only the compiled modules, where the text would be."""
    (tmp_path / "algorithms").mkdir()
    (tmp_path / "algorithms" / "energy.pyc").write_bytes(b"one")
    assert list(_imported._modules(str(tmp_path))) == [str(tmp_path / "algorithms" / "energy.pyc")]


def test_code_that_no_kernel_depends_on_does_not_count(tmp_path):
    for folder in ("files", "cli", "algorithms/__pycache__", "algorithms/files"):
        (tmp_path / folder).mkdir(parents=True)
        (tmp_path / folder / "some.py").write_text("")
    assert list(_imported._modules(str(tmp_path))) == [str(tmp_path / "algorithms" / "files" / "some.py")]


# -- a directory nobody can write -------------------------------------------------------------------


@machine_code
@posix
def test_a_directory_that_cannot_be_written_is_one_warning(cache_directory, monkeypatch):
    """Not one for each kernel: the message of the system names another file every time."""
    cache_directory.mkdir(mode=0o700)

    def refused(path, flags, *rest, **named):
        if flags & os.O_CREAT:
            raise OSError(errno.EROFS, os.strerror(errno.EROFS), path)
        return opened(path, flags, *rest, **named)

    opened = os.open
    robot = art.load("2r")
    monkeypatch.setattr(os, "open", refused)
    with pytest.warns(RuntimeWarning, match="Read-only") as said:
        for method in ("mass_matrix", "gravity_forces", "center_of_mass", "potential_energy"):
            getattr(robot, method)([0.1, 0.2])
    monkeypatch.undo()
    assert len(said) == 1


# -- a program whose package is upgraded while it runs -------------------------------------------------

#: loads a robot, or computes with it, when it is told to
RUNNING = """
import sys, numpy as np, articulated as art
robot = art.load("2r")
print("ready", flush=True)
for line in sys.stdin:
    print(*getattr(robot, line.strip())(np.array([0.3, -0.8])).ravel().tolist(), flush=True)
"""


class Running:
    """A program with a package of its own."""

    def __init__(self, package: Path, cache: str):
        environment = {**os.environ, "PYTHONPATH": str(package.parent), "ARTICULATED_CACHE": cache}
        self.process = subprocess.Popen(
            [sys.executable, "-c", RUNNING], env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self.process.stdout.readline() == "ready\n"

    def says(self, method: str) -> str:
        self.process.stdin.write(f"{method}\n")
        self.process.stdin.flush()
        return self.process.stdout.readline()

    def __enter__(self):
        return self

    def __exit__(self, *problem):
        self.process.communicate()
        assert self.process.returncode == 0


def upgrade(package: Path) -> None:
    """The next version counts energies, torques and masses twice."""
    path = package / "algebra" / "spatial.py"
    text = path.read_text("utf-8")
    changed = text.replace('_set(self, "mass", mass)', '_set(self, "mass", 2 * mass)')
    changed = changed.replace('_set(self, "first", read_only(first))', '_set(self, "first", read_only(2 * first))')
    changed = changed.replace('_set(self, "second", read_only(second))', '_set(self, "second", read_only(2 * second))')
    assert changed.count("2 * ") == text.count("2 * ") + 3
    path.unlink()  # as installers do
    path.write_text(changed, encoding="utf-8")


@machine_code
@pytest.mark.parametrize("first", [(), ("mass_matrix",)], ids=["before", "after"])
def test_nothing_old_is_kept_under_the_name_of_the_new(tmp_path, first):
    """Upgraded before, or after, its first kernel."""
    package, kept = tmp_path / "articulated", str(tmp_path / "cache")
    shutil.copytree(Path(art.__file__).parent, package, ignore=shutil.ignore_patterns("__pycache__"))
    with Running(package, "off") as old:
        methods = ("mass_matrix", "gravity_forces")
        expected = {method: old.says(method) for method in methods}
    with Running(package, kept) as old:
        for method in first:
            old.says(method)
        there = set(os.listdir(kept)) if first else set()
        upgrade(package)
        assert [old.says(method) for method in methods] == list(expected.values())
    assert (set(os.listdir(kept)) if os.path.isdir(kept) else set()) == there
    with Running(package, "off") as reference, Running(package, kept) as new:
        for method in methods:
            said = new.says(method)
            assert said == reference.says(method) != expected[method]
