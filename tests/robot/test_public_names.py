"""Public objects are pickled, and Python's own messages call them by their public names."""

import inspect
import pickle
import re

import pytest

import articulated as art
from tests.robot.callables import cases

MODULES = {
    "conventions": [f"{way}_{library}" for way in ("to", "from") for library in ("pinocchio", "mujoco", "drake")],
    "spatial": art.spatial.__all__,
    "tasks": ["CenterOfMass", "Frame", "Momentum", "Posture"],
}
EVERY = {name: getattr(art, name) for name in art.__all__ if callable(getattr(art, name))}
EVERY |= {f"{module}.{name}": getattr(getattr(art, module), name) for module in MODULES for name in MODULES[module]}
CLASSES = [x for x in EVERY.values() if inspect.isclass(x)]
METHODS = {
    f"{kind.__name__}.{name}": (kind, function)
    for kind in CLASSES
    for name, function in inspect.getmembers(kind, lambda x: inspect.isfunction(x) or inspect.ismethod(x))
    if not name.startswith("_")
}


def test_functions_and_classes_are_pickled_by_their_names():
    for name, found in EVERY.items():
        assert pickle.loads(pickle.dumps(found)) is found, name
        assert found.__qualname__ == name.rpartition(".")[2]


def test_methods_have_the_name_of_their_class():
    """Their own, or that of a base class they have them from."""
    for name, (kind, function) in METHODS.items():
        owner = next(base for base in kind.__mro__ if name.rpartition(".")[2] in vars(base))
        if owner.__module__.startswith("articulated"):
            assert function.__qualname__ == f"{owner.__name__}.{name.rpartition('.')[2]}", name
        assert pickle.loads(pickle.dumps(function)) == function


def expected(function):
    """Names that Python may call a function by in its messages."""
    if inspect.ismethod(function):
        kind = function.__self__ if inspect.isclass(function.__self__) else type(function.__self__)
        return {f"{base.__name__}.{function.__name__}" for base in kind.__mro__}
    if inspect.isclass(function):
        return {f"{function.__name__}.{maker}" for maker in ("__init__", "__new__")}
    return {getattr(function, "__name__", ""), *(f"{base.__name__}.__call__" for base in type(function).__mro__)}


def test_what_can_be_called_is_pickled_and_named():
    """Functions, bound methods, laws and derivatives; an option that is not there is refused in their names."""
    complaints = []
    for case in cases():
        function = case.function
        if str(getattr(function, "__module__", "")).startswith("tests"):  # around the public callable
            continue
        assert callable(pickle.loads(pickle.dumps(function))), case.name
        with pytest.raises((TypeError, art.UnknownName)) as refused:
            function(**case.given, no_such_option=1)
        text = str(refused.value)
        said = re.match(r"([^ ]+)\(\) got an unexpected keyword", text)
        if "<locals>" in text or (said and said.group(1) not in expected(function)):
            complaints.append(f"{case.name}: {text}")
    assert not complaints
