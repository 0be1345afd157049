"""A log with positions and torques only.

topic: Identification
words: read log, rosbag, CSV, Parquet, joint states, measured torques, differentiate, filter, resample, data
change: Names such as `elbow_position` and `q_elbow` are found; `cutoff=` is the filter, `degrees=True` for degrees. A bag of ROS 1 or 2 is read by its path, `art.read_log(robot, "bag/")` (extra `ros`).
"""

import numpy as np

import articulated as art

arm = art.load("2r")
t = np.arange(0, 4, 0.01)
q = np.column_stack([np.sin(t), 0.5 * np.cos(2 * t)])
np.savez("run.npz", time=t, q=q, tau=arm.gravity_forces(q))
log = art.read_log(arm, "run.npz")
print(log)
print(f"velocity off by {abs(log.v[:, 0] - np.cos(log.t)).max():.1e} rad/s")
