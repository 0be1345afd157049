"""A robot from a Denavit-Hartenberg table.

topic: Robot files
words: Denavit-Hartenberg, DH table, modified DH, Craig, Peter Corke, textbook robot
change: `convention="modified"`; `art.DH(…, joint="prismatic")` slides along d.
"""

import numpy as np

import articulated as art

rows = [art.DH(d=0.4, alpha=np.pi / 2), art.DH(a=0.5), art.DH(a=0.4)]
bodies = [
    art.Inertia(m, (-r / 2, 0, 0), (0.001, m * r**2 / 12, m * r**2 / 12)) for m, r in ((3, 0.1), (2, 0.5), (1, 0.4))
]
arm = art.from_dh(rows, convention="standard", links=bodies, name="elbow")
print(arm)
print(arm.gravity_forces([0.0, 0.3, -0.5]).round(2), "N m")
