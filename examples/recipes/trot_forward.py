"""A quadruped trots where it is told.

topic: Control
words: trot, walking, gait, quadruped, velocity command, footholds, locomotion, legged robot
change: `gait=` is "stand", "walk", "pace" or another row of its table; `walk.command` may be called at any time.
"""

import articulated as art

dog = art.load("quadruped", floating_base=True)
walk = art.Walk(dog, gait="trot", friction=0.6)
walk.command(0.4, 0.0, 0.2)  # m/s forwards and to the left, rad/s
run = art.simulate(dog, walk.home, duration=1.2, dt=2e-3, torque=walk, contacts=art.Ground(0.7))
x, y, z = run.q[-1, :3]
print(f"{x:.2f} m forwards, {y:.2f} m to the left, base at {z:.2f} m")
