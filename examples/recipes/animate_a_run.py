"""A GIF or a film of a motion.

topic: Simulation
words: GIF, MP4, video, animation, movie, render, headless, picture
change: The ending says the format: .gif, .mp4 (extra `video`) or .png for the last moment; `dark=True`, `view_from=…`.
"""

import articulated as art

dog = art.load("quadruped", floating_base=True)
home = dog.poses["home"]
legs = art.traced(lambda t, q, v: 60 * (home[7:] - q[7:]) - 2 * v[6:])
run = art.simulate(dog, home + [0, 0, 0.1, *[0] * 16], duration=0.6, torque=legs, contacts=art.Ground(friction=0.7))
run.animate("landing.gif", size=(320, 220), fps=20)
print("wrote landing.gif")
