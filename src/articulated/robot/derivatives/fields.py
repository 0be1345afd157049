"""What derivatives return, for type checkers: a NamedTuple with a field for each argument, or each pair of them.

Which fields there are follows from the method; `wrt=` takes some of them, or adds `forces` and `parameters`.
"""

from collections.abc import Iterator
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.floating]


class Fields(Protocol):
    """Arrays of a NamedTuple."""

    @property
    def _fields(self) -> tuple[str, ...]: ...
    def _asdict(self) -> dict[str, Any]: ...
    def __iter__(self) -> Iterator[Floats]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, k: int, /) -> Floats: ...


class Further(Fields, Protocol):
    """By what a method can do without, where `wrt=` names it."""

    forces: Floats
    parameters: Floats
    base_velocity: Floats
    base_acceleration: Floats


class ByQ(Further, Protocol):
    """Of a method of q."""

    q: Floats


class ByQV(ByQ, Protocol):
    """Of a method of q and v."""

    v: Floats


class ByQVA(ByQV, Protocol):
    """Of a method of q, v and a."""

    a: Floats


class ByQVTau(ByQV, Protocol):
    """Of a method of q, v and tau."""

    tau: Floats


class ByOthers(Fields, Protocol):
    """Of `integrate`, `difference` and `friction_forces`."""

    q: Floats
    v: Floats
    dv: Floats
    q0: Floats
    q1: Floats


class ByAny(ByQVA, ByQVTau, Protocol):
    """Of any method with one result."""

    dv: Floats
    q0: Floats
    q1: Floats


class ByPairsQ(Fields, Protocol):
    """Second derivatives of a method of q."""

    q_q: Floats


class ByPairsQV(ByPairsQ, Protocol):
    """Of q and v."""

    q_v: Floats
    v_v: Floats


class ByPairsQVA(ByPairsQV, Protocol):
    """Of q, v and a."""

    q_a: Floats
    v_a: Floats
    a_a: Floats


class ByPairsQVTau(ByPairsQV, Protocol):
    """Of q, v and tau."""

    q_tau: Floats
    v_tau: Floats
    tau_tau: Floats
