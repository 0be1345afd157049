"""The public names: all there, and none imported before it is needed."""

import os
import subprocess
import sys

import articulated as art


def test_every_public_name_is_there():
    for name in art.__all__:
        assert getattr(art, name) is not None
    assert set(art.__all__) <= set(dir(art))


def test_contacts_and_control_wait_until_they_are_asked_for():
    program = (
        "import sys, articulated as art; art.Robot; early = list(sys.modules)\n"
        "art.Contacts; art.tasks\n"
        "assert 'articulated.contacts' not in early and 'articulated.control' not in early, early\n"
        "assert 'articulated.contacts' in sys.modules and 'articulated.control' in sys.modules"
    )
    path = {**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)}
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, env=path)
    assert done.returncode == 0, done.stderr
