"""The methods of a robot for another library: a call becomes an operation and the arrays it is called with."""

from collections.abc import Callable, Iterable, Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from ..errors import ArticulatedError, unexpected, unknown
from ..robot import Robot
from ..robot.fast_methods import LOOKING, computing, noting, optional, required
from ..robot.kernels import DYNAMIC, Kernels
from ..robot.request import AS_USUAL, PARAMETERS, Algorithm, Written
from .operations import Operation

#: the methods that are operations
METHODS = sorted(set(computing(Robot)) - set(LOOKING))


class Asked(NamedTuple):
    """What a call of a method asks for: its arrays by name, and the operation in a precision."""

    arrays: dict[str, Any]
    operation: Callable[[Any], Operation]


class Bridged:
    """A robot whose methods take the arrays of another library; a bridge says how they are evaluated."""

    # for type checkers; tests/project/test_types.py compares them with METHODS
    articulated_bodies: Callable[..., Any]
    bias_forces: Callable[..., Any]
    body_jacobians: Callable[..., Any]
    body_motions: Callable[..., Any]
    body_wrenches: Callable[..., Any]
    center_of_mass: Callable[..., Any]
    centroidal_map: Callable[..., Any]
    centroidal_momentum: Callable[..., Any]
    christoffel: Callable[..., Any]
    composite_inertias: Callable[..., Any]
    configuration_rate: Callable[..., Any]
    contributions: Callable[..., Any]
    coriolis_forces: Callable[..., Any]
    coriolis_matrix: Callable[..., Any]
    difference: Callable[..., Any]
    distance_to_limits: Callable[..., Any]
    force_map: Callable[..., Any]
    forward_dynamics: Callable[..., Any]
    frame_acceleration: Callable[..., Any]
    frame_velocity: Callable[..., Any]
    friction_forces: Callable[..., Any]
    gravity_forces: Callable[..., Any]
    gravity_wrenches: Callable[..., Any]
    integrate: Callable[..., Any]
    inverse_dynamics: Callable[..., Any]
    jacobian: Callable[..., Any]
    jacobian_rate: Callable[..., Any]
    kinetic_energy: Callable[..., Any]
    manipulability: Callable[..., Any]
    mass_matrix: Callable[..., Any]
    mass_matrix_inverse: Callable[..., Any]
    mass_matrix_rate: Callable[..., Any]
    pose: Callable[..., Any]
    potential_energy: Callable[..., Any]
    regressor: Callable[..., Any]
    screws: Callable[..., Any]

    def __init__(self, robot: Robot):
        if not isinstance(robot, Robot):
            raise ArticulatedError(f"{self._title} takes a Robot, as art.load returns it; got {type(robot).__name__}")
        self.robot = robot
        self._noting = noting(Robot, robot, _Asking(robot))

    def evaluated(self, method: str, asked: Asked) -> Any:
        """What a call returns."""
        raise NotImplementedError

    def _call(self, method: str, /, *arguments: Any, **options: Any) -> Any:
        return self.evaluated(method, getattr(Robot, method)(self._noting, *arguments, **options))

    def asked(self, method: str, /, *choices: Any, forces: Iterable[str] = (), **options: Any) -> Asked:
        """What a call asks for, whatever its arrays: `choices` follow them, forces are the names of frames."""
        if method not in METHODS:
            raise unknown("method", method, self._title, METHODS)
        function = getattr(Robot, method)
        arrays = [name for name in required(function) if name != "frame"]
        acting = {"forces": dict.fromkeys(forces, "force")} if forces else {}
        return function(self._noting, *arrays, *choices, **acting, **options)

    def _method(self, name: str) -> Callable[..., Any]:
        if name not in METHODS:
            raise AttributeError(str(unknown("method", name, self._title, METHODS)))
        return partial(self._call, name)

    if not TYPE_CHECKING:  # a type checker would take it for every name there could be
        __getattr__ = _method

    def __dir__(self) -> list[str]:
        return [*METHODS, "robot"]

    def __repr__(self) -> str:
        return f"<{self._title} {self.robot.name}>"

    def __reduce__(self) -> Any:
        return type(self), (self.robot,)

    @property
    def _title(self) -> str:
        return f"articulated.{type(self).__module__.rpartition('.')[2]}.Robot"


class _Asking(Kernels):
    """Notes what a method asks for instead of computing it."""

    def __init__(self, robot: Robot):
        super().__init__(robot.model, robot.kernels.vectors, shared=robot.kernels)
        self._robot = robot

    def evaluate(  # type: ignore[override]
        self,
        method: str,
        algorithm: Algorithm,
        arrays: Mapping[str, Any],
        forces: Any = None,
        choices: Mapping[str, Any] = {},
        threads: int = 1,
        written: Written = AS_USUAL,
        parameters: Any = None,
        **misspelt: Any,
    ) -> Asked:
        for name in misspelt:  # `out=` and `dtype=` too: an operation makes its results, of the precision of its arrays
            own = [PARAMETERS] if method in DYNAMIC else []
            raise unexpected(method, name, [*optional(Robot, method), *own, "threads"])
        forces = self.by_frame(method, forces)
        if parameters is not None:
            arrays = self.with_parameters(method, arrays, parameters)
        names, frames = tuple(arrays), tuple(forces)

        def operation(dtype: Any) -> Operation:
            request = self.request(method, algorithm, names, frames, choices, dtype, written=written)
            return Operation(self._robot, request, threads)

        return Asked({**arrays, **{f"force_{k}": x for k, x in enumerate(forces.values())}}, operation)
