"""Work counted, not timed: a busy machine does not change it."""

import sys
from collections.abc import Callable
from typing import Any


def calls(function: Callable[[], Any]) -> int:
    """Calls of functions, Python's and builtin ones, while `function()` runs."""
    count = 0

    def noticed(frame: Any, event: str, argument: Any) -> None:
        nonlocal count
        count += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(noticed)
    try:
        function()
    finally:
        sys.setprofile(before)
    return count
