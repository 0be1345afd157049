"""A motion as a GIF, without a display."""

from pathlib import Path

import articulated as art

run = art.simulate(art.load("double_pendulum"), [2.0, 1.0], duration=1.5, method="rk4")
run.animate("swing.gif", size=(240, 180), fps=20)
print(f"wrote swing.gif, {Path('swing.gif').stat().st_size / 1000:.0f} kB")
