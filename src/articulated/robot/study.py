"""`robot.study`: the lectures' other routes to the same quantities, on arrays.

Each is compiled as it is written, never as a shorter formulation: two routes that agree are two programs.
"""

from typing import Any

from ..algorithms import study
from ..algorithms.study import LoopCounts
from .kernels import Kernels
from .methods import add_methods
from .quantities import STUDY


class Study:
    """Routes kept for study; arrays, batches, `forces` and options as in the methods of `Robot`."""

    def __init__(self, kernels: Kernels):
        self._own = kernels
        self.kernels = kernels.under("study.", {}, STUDY)

    def __reduce__(self) -> Any:
        return Study, (self._own,)

    def __repr__(self) -> str:
        return f"<study of {self.kernels.model.name}: {', '.join([*STUDY, 'loop_counts'])}>"

    def loop_counts(self) -> LoopCounts:
        """Iterations of the loops of composite bodies: the sum of depths, not n² (Rennes lecture).

        Returns
        -------
        LoopCounts: a NamedTuple of integers

        Examples
        --------
        >>> art.load("2r").study.loop_counts()
        LoopCounts(inertias=2, entries=3, depth=2)
        """
        return study.loop_counts(self.kernels.model)


add_methods(Study, STUDY)
