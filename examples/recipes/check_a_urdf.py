"""What is wrong with a URDF.

topic: Robot files
words: URDF, check, validate, lint, degrees, inertia, triangle inequality, missing mesh
change: `art.load("my_robot.urdf")`, or `articulated check my_robot.urdf` in a terminal.
"""

import articulated as art

text = """<robot name="arm"><link name="base"/>
<link name="rod"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="3" ixy="0" ixz="0" iyz="0"/></inertial></link>
<joint name="hinge" type="revolute"><parent link="base"/><child link="rod"/><origin rpy="90 0 0"/>
<limit lower="-180" upper="180" effort="0" velocity="3"/></joint></robot>"""
try:
    art.load(text, on_error="strict")
except art.ModelError as problem:
    print(problem)
