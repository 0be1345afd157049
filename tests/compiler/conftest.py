import pytest

import articulated as art
from articulated.compiler.runtime import cache, call


@pytest.fixture(scope="module", params=["in C", "through Python"])
def way(request):
    """Kernels called in C and kernels called through Python: whatever uses this runs both ways."""
    with pytest.MonkeyPatch.context() as patch:
        if request.param == "through Python":
            patch.setenv("ARTICULATED_EXTENSION", "off")
        elif problem := call.reason():
            pytest.skip(problem)
        yield request.param


@pytest.fixture(autouse=True)
def cache_directory(tmp_path, monkeypatch):
    """A cache of its own for every test, empty at first."""
    path = tmp_path / "cache"
    monkeypatch.setenv("ARTICULATED_CACHE", str(path))
    monkeypatch.setattr(cache, "_complaints", set())
    return path


@pytest.fixture
def arm() -> art.Robot:
    return art.load("ur5")


def fresh(robot: art.Robot) -> art.Robot:
    """The same robot without its kernels."""
    return art.Robot(robot.model)


def long_chain(size: int) -> art.Robot:
    inertia = art.Inertia(1.0, [0.1, 0, 0], [[0.01, 0, 0], [0, 0.02, 0], [0, 0, 0.03]])
    links = [
        art.Link(
            f"l{i}", f"l{i - 1}" if i else None, art.Revolute([0, 0, 1]), art.Transform(None, [0.1, 0, 0]), inertia
        )
        for i in range(size)
    ]
    return art.build(links, name="chain")
