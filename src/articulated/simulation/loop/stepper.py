"""Single steps of a compiled loop: the states before and after a step change places."""

from collections.abc import Callable
from functools import partial

import numpy as np

from .rollout import Arrays, Rollout

#: of a step that is a sample
COUNTS = {"samples": 1, "every": 1, "more": 0, "steps": 1}


def there_and_back(loop: Rollout, stored: Arrays, inputs: Arrays) -> list[tuple[Arrays, Arrays, Callable[..., None]]]:
    """(before, after, take): a step from the state of the loop to other arrays, and one back; `take(counts)` takes it.

    What a step finds is left in `stored`, (n, 1, size) by name; `inputs` are looked at in every step.
    """
    after = {name: np.empty_like(x) for name, x in loop.state.items()}

    def bound(before: Arrays, after: Arrays) -> tuple[Arrays, Arrays, Callable[..., None]]:
        arrays = loop.arrays(before, after, stored, 0.0) | inputs
        if loop.threads > 1:
            return before, after, partial(_shared, loop, arrays)
        return before, after, loop.kernel.bound(arrays, COUNTS, loop.tables)

    return [bound(loop.state, after), bound(after, loop.state)]


def _shared(loop: Rollout, arrays: Arrays, counts: dict[str, int]) -> None:
    loop.kernel(arrays, counts, loop.tables, threads=loop.threads)
