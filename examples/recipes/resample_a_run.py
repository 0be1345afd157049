"""States between samples.

topic: Simulation
words: interpolate, resample, spline, time grid, between samples
change: `run.between(t0, t1)` cuts; `a + b` joins.
"""

import articulated as art

run = art.simulate(art.load("2r"), [0.3, 0.2], duration=0.5)
print(run.at(0.1234).q.round(5))
print(len(run), "samples;", len(run.resample(dt=0.02)), "at 50 Hz")
