"""Cold robots in threads, one round: python -m tests.compiler.stress_threads runs as many as one likes."""

import pytest

from articulated.compiler.runtime import engine
from tests.compiler.stress_threads import process


@pytest.mark.skipif(engine.reason() is not None, reason="no machine code")
def test_methods_that_threads_ask_for_first_at_once():
    assert process(0) == ""
