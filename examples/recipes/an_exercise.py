"""An exercise that marks itself.

topic: Closed forms
words: exercise, homework, exam, teaching, course, quiz, grading
change: Another robot, topic or seed; `task.hints` say more and more.
"""

import articulated as art

task = art.exercise("2r", topic="inertia", seed=1)
print(task.question)
print(task.check("I2 + m2*d2^2 + m2*d2*l1*c1"))
print(task.check("I2 + m2*d2*(d2 + l1*c2)"))
