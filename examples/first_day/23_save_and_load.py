"""Robots and runs in files, and in pickles."""

import pickle

import articulated as art

robot = art.load("ur5")
print("a URDF cannot express:", art.save(robot, "arm.urdf") or "nothing is lost")
run = art.simulate(art.load("arm.urdf"), robot.random(0), duration=0.2)
run.save("run.npz")
again = art.Trajectory.load("run.npz")
print(again.robot.name, len(again), "samples; equal:", bool((again.q == run.q).all()))
print(pickle.loads(pickle.dumps(robot)).mass == robot.mass)
