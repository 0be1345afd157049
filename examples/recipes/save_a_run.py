"""Save, load and tabulate a run.

topic: Simulation
words: save trajectory, npz, csv, parquet, pandas, log, export data
change: `run.csv` and `run.parquet` by the ending; `run.to_xarray()` has named axes.
"""

import articulated as art

run = art.simulate(art.load("2r"), [0.3, 0.2], duration=0.5)
run.save("run.npz")
again = art.Trajectory.load("run.npz")
print(again, again.robot)
print(again.to_pandas().iloc[::250, :5].round(3))
