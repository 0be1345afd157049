"""Table of the public names, by the module they live in; `articulated` imports each on its first use."""

PUBLIC = {
    "_version": "__version__",
    "algebra.spatial": "Inertia Transform",
    "contacts": "Contacts InfeasibleAcceleration",
    "control": "BaseEstimator CartesianImpedance ComputedTorque DifferentialIK Gait Impedance Infeasible "
    "MomentumObserver NotTraceable PD Servo SolverFailed Walk WholeBody contact_forces external_torques lqr "
    "swing tasks traced",
    "errors": "ArticulatedError Diagnostic MissingExtra ModelError ModelWarning ShapeError SimulationWarning "
    "SingularModelError UnknownName",
    "files.dh": "DH",
    "identification": "Normal PayloadEstimator base_parameters distributed_normal excitation identify read_log "
    "regressor_names",
    "joints": "Limits Mimic",  # and every joint of its table
    "model": "Link",
    "model.lines": "LinearActuator Spring",
    "model.motors": "Motor",
    "model.parameters": "about_point from_gyration",
    "model.findings": "Report",
    "motions": "Path frame_path motion path time_optimal",
    "optimization": "Problem costs linearize_step simulate_derivatives",
    "robot": "Robot conventions spatial",
    "robot.arguments.forces": "Wrenches",
    "robot.closed_forms": "derive exercise exercise_sheet explain moving_frames",
    "robot.construction": "build dh_table from_dh from_screws load robots save",
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
