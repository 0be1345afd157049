"""`simulate` itself: what it does not need is not imported."""

import subprocess
import sys

PROGRAM = """
import sys
import articulated as art
inertia = art.Inertia(1.0, (0, 0, -1), [[0.01, 0, 0], [0, 0.01, 0], [0, 0, 0.01]])
pendulum = art.build([art.Link("bob", None, art.Revolute([0, 1, 0]), inertia=inertia)])
art.simulate(pendulum, [1.0], duration=0.01)
art.simulate(pendulum, [1.0], duration=0.01, torque=lambda t, q, v: -v)
print(*[name for name in sys.modules if name.startswith(("articulated.control", "articulated.contacts"))])
"""


def test_a_pendulum_moves_without_controllers_and_contact_sets():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=300, check=True)
    assert done.stdout.split() == []
