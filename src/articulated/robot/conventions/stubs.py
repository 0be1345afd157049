"""Types of the converters, for type checkers: as many vectors come back as are given."""

from __future__ import annotations  # help shows types as they are written here

from typing import Any, NamedTuple, Protocol, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ...model import Model
from ..kernels import Kernels

Floats = NDArray[np.floating]


class Robot(Protocol):
    """Anything that holds a model and the kernels made of it."""

    model: Model
    kernels: Kernels


class TwoVectors(NamedTuple):
    """A state of two vectors."""

    q: Floats
    v: Floats


class ThreeVectors(NamedTuple):
    """A state of three vectors."""

    q: Floats
    v: Floats
    a: Floats


class FourVectors(NamedTuple):
    """A state of four vectors."""

    q: Floats
    v: Floats
    a: Floats
    tau: Floats


class To(Protocol):
    """As many of q, v, a and tau as are given."""

    @overload
    def __call__(self, robot: Robot, q: ArrayLike, *, out: Any = None) -> Floats: ...

    @overload
    def __call__(self, robot: Robot, q: ArrayLike, v: ArrayLike, *, out: Any = None) -> TwoVectors: ...

    @overload
    def __call__(self, robot: Robot, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, out: Any = None) -> ThreeVectors: ...

    @overload
    def __call__(
        self, robot: Robot, q: ArrayLike, v: ArrayLike, a: ArrayLike, tau: ArrayLike, *, out: Any = None
    ) -> FourVectors: ...

    @overload
    def __call__(
        self,
        robot: Robot,
        q: ArrayLike,
        v: ArrayLike | None = None,
        a: ArrayLike | None = None,
        tau: ArrayLike | None = None,
        *,
        out: Any = None,
    ) -> Any: ...


class ToPinocchio(Protocol):
    """The same, and whether the model was read with `mimic=True`."""

    @overload
    def __call__(self, robot: Robot, q: ArrayLike, *, out: Any = None, mimic: bool = True) -> Floats: ...

    @overload
    def __call__(
        self, robot: Robot, q: ArrayLike, v: ArrayLike, *, out: Any = None, mimic: bool = True
    ) -> TwoVectors: ...

    @overload
    def __call__(
        self, robot: Robot, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, out: Any = None, mimic: bool = True
    ) -> ThreeVectors: ...

    @overload
    def __call__(
        self,
        robot: Robot,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        tau: ArrayLike,
        *,
        out: Any = None,
        mimic: bool = True,
    ) -> FourVectors: ...

    @overload
    def __call__(
        self,
        robot: Robot,
        q: ArrayLike,
        v: ArrayLike | None = None,
        a: ArrayLike | None = None,
        tau: ArrayLike | None = None,
        *,
        out: Any = None,
        mimic: bool = True,
    ) -> Any: ...


Tolerance = float | None


class From(Protocol):
    """The same, and how far a mimic joint may be from where it should be."""

    @overload
    def __call__(self, robot: Robot, q: ArrayLike, *, out: Any = None, tolerance: Tolerance = None) -> Floats: ...

    @overload
    def __call__(
        self, robot: Robot, q: ArrayLike, v: ArrayLike, *, out: Any = None, tolerance: Tolerance = None
    ) -> TwoVectors: ...

    @overload
    def __call__(
        self, robot: Robot, q: ArrayLike, v: ArrayLike, a: ArrayLike, *, out: Any = None, tolerance: Tolerance = None
    ) -> ThreeVectors: ...

    @overload
    def __call__(
        self,
        robot: Robot,
        q: ArrayLike,
        v: ArrayLike,
        a: ArrayLike,
        tau: ArrayLike,
        *,
        out: Any = None,
        tolerance: Tolerance = None,
    ) -> FourVectors: ...

    @overload
    def __call__(
        self,
        robot: Robot,
        q: ArrayLike,
        v: ArrayLike | None = None,
        a: ArrayLike | None = None,
        tau: ArrayLike | None = None,
        *,
        out: Any = None,
        tolerance: Tolerance = None,
    ) -> Any: ...
