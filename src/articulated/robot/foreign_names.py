"""Words that users of Pinocchio, MuJoCo and the Robotics Toolbox know, and what is written here instead.

Nothing is called by them: they are part of the error about a name that does not exist.
"""

_ID, _FD = "robot.inverse_dynamics(q, v, a)", "robot.forward_dynamics(q, v, tau)"
_FK, _IK = "robot.pose(q, frame)", "robot.inverse_kinematics({frame: pose})"
_LOAD = 'art.load("robot.urdf")'

#: asked of a robot
OF_A_ROBOT = {
    **dict.fromkeys(["rnea", "rne", "mj_inverse", "inv_dyn"], _ID),
    **dict.fromkeys(["aba", "accel", "mj_forward"], _FD),
    **dict.fromkeys(["crba", "inertia", "mj_fullM", "M"], "robot.mass_matrix(q)"),
    **dict.fromkeys(["nle", "nonLinearEffects", "qfrc_bias"], "robot.bias_forces(q, v)"),
    **dict.fromkeys(["gravload", "computeGeneralizedGravity", "gravity_vector"], "robot.gravity_forces(q)"),
    **dict.fromkeys(["coriolis", "computeCoriolisMatrix"], "robot.coriolis_matrix(q, v)"),
    **dict.fromkeys(["computeMinverse"], "robot.mass_matrix_inverse(q)"),
    **dict.fromkeys(["fk", "fkine", "forwardKinematics", "forward_kinematics", "framePlacement"], _FK),
    **dict.fromkeys(["jacob0", "computeFrameJacobian", "getFrameJacobian"], "robot.jacobian(q, frame)"),
    "jacobe": 'robot.jacobian(q, frame, axes="frame")',
    **dict.fromkeys(["ik", "ikine", "ikine_LM", "ik_LM", "ikine_GN", "ikine_NR"], _IK),
    **dict.fromkeys(["fdyn", "step", "mj_step", "simulate"], "art.simulate(robot, q0, duration=1.0)"),
    **dict.fromkeys(["qlim", "lowerPositionLimit", "upperPositionLimit", "jnt_range"], "robot.limits"),
    **dict.fromkeys(["randomConfiguration", "random_q"], "robot.random(seed)"),
    **dict.fromkeys(["qz", "qr", "qpos0", "q0", "q"], 'robot.neutral(), robot.poses["home"]'),
    **dict.fromkeys(["computeRNEADerivatives"], 'robot.derivatives("inverse_dynamics")(q, v, a)'),
    **dict.fromkeys(["computeABADerivatives"], 'robot.derivatives("forward_dynamics")(q, v, tau)'),
    **dict.fromkeys(["com", "centerOfMass"], "robot.center_of_mass(q)"),
    "maniplty": "robot.manipulability(q, frame)",
    **dict.fromkeys(["njoints", "n"], "robot.nv, len(robot.joint_names)"),
    **dict.fromkeys(["nbodies", "nbody"], "len(robot.body_names)"),
    **dict.fromkeys(["frames"], "robot.frame_names"),
    **dict.fromkeys(["joints"], "robot.joint_names"),
    **dict.fromkeys(["plot", "teach", "show", "view", "display"], "art.view(robot)"),
    **dict.fromkeys(["save", "write", "to_urdf"], 'art.save(robot, "robot.urdf")'),
    **dict.fromkeys(["load", "from_urdf", "from_file", "URDF"], _LOAD),
    "data": "not needed: methods take arrays and return them",
}
#: asked of `articulated`
OF_THE_PACKAGE = {
    **dict.fromkeys(["buildModelFromUrdf", "buildModelFromURDF", "buildModelFromMJCF", "RobotWrapper"], _LOAD),
    **dict.fromkeys(["MjModel", "from_urdf", "from_mjcf", "loadURDF", "URDF", "ERobot", "Model", "open"], _LOAD),
    **dict.fromkeys(["DHRobot", "RevoluteDH", "RevoluteMDH", "PrismaticDH"], "art.from_dh([art.DH(a=0.5), …])"),
    "SE3": "art.Transform(R, p)",
    **{word: OF_A_ROBOT[word] for word in ("rnea", "aba", "crba", "forwardKinematics", "mj_step")},
}
