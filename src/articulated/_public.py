"""Table of the public names, by the module they live in; `articulated` imports each on its first use."""

PUBLIC = {
    "_version": "__version__",
    "algebra.spatial": "Inertia Transform",
    "contacts": "Contacts InfeasibleAcceleration",
    "control": "CartesianImpedance ComputedTorque DifferentialIK Gait Impedance Infeasible NotTraceable PD "
    "Servo SolverFailed WholeBody lqr swing tasks traced",
    "errors": "ArticulatedError Diagnostic ModelError ModelWarning ShapeError SimulationWarning "
    "SingularModelError UnknownName",
    "files.dh": "DH",
    "identification": "Normal PayloadEstimator base_parameters distributed_normal excitation identify "
    "joint_regressor read_log",
    "joints": "Limits Mimic",  # and every joint of its table
    "model": "Link",
    "model.motors": "Motor",
    "model.parameters": "about_point from_gyration",
    "model.report": "Report",
    "robot": "Robot conventions spatial",
    "robot.arguments.forces": "Wrenches",
    "robot.closed_forms": "derive exercise explain moving_frames",
    "robot.construction": "build from_dh from_screws load robots save",
    "robot.inverse_kinematics.targets": "Direction Orientation",
    "simulation": "Ball Box ContactHistory ControllerFailed Diverged Ground Scene Simulator Trajectory plot_tree "
    "simulate",
    "viewer": "Viewer view",
}
#: the module of each name
PLACES = {name: module for module, names in PUBLIC.items() for name in names.split()}


def places() -> dict[str, str]:
    """The module of each name, joints included."""
    from .joints import JOINTS

    return {**PLACES, **{joint.__name__: "joints" for joint in JOINTS.values()}}
