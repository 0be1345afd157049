"""Several objects in one scene.

topic: Simulation
words: scene, several robots, objects, pile, boxes, multi-body, two arms, stack
change: Robots go into the list as well; `at={name: pose}` places them.
"""

import articulated as art

boxes = [art.Box(size=(0.2, 0.2, 0.1), mass=1.0, at=(0, 0, 0.06 + 0.11 * k)) for k in range(3)]
scene = art.Scene([*boxes, art.Ground(friction=0.6)], friction=0.6)
run = art.simulate(scene, duration=0.3)
for name in scene.parts:
    print(name, scene.pose(run.q[-1], name)[2, 3].round(4), "m high")
