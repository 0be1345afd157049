"""The numbers of the five lectures, computed independently of this project (see ground_truth.json: meta)."""

import json
from pathlib import Path

import numpy as np
import pytest

import articulated as art
from articulated.model.parameters import from_gyration

HERE = Path(__file__).parent
CASES = {case["id"]: case for case in json.loads((HERE / "ground_truth.json").read_text())["cases"]}


def agree(case, found, key, expected=None):
    """Compare at the tolerance the case states."""
    expected = np.array(case["expected"][key] if expected is None else expected, float)
    found = np.asarray(found, float)
    assert found.shape == expected.shape
    allowed = case["tolerance"]["abs"] + case["tolerance"].get("rel", 0.0) * abs(expected)
    assert (abs(found - expected) <= allowed).all(), f"{case['id']} {key}: {abs(found - expected).max()}"


def tree(case) -> art.Robot:
    """A robot from the tables of a case."""
    t = case["inputs"]["tree"]
    links = []
    for i in range(t["N_B"]):
        kind = {"R": art.Revolute, "P": art.Prismatic}[t["joint_type"][i]]
        xx, yy, zz, xy, xz, yz = t["inertia_com_xx_yy_zz_xy_xz_yz"][i]
        inertia = art.Inertia(t["mass"][i], t["com"][i], [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
        place = art.Transform.from_rpy(t["placement_rpy"][i], t["placement_xyz"][i])
        links.append(art.Link(f"b{i + 1}", f"b{t['lambda'][i]}", kind(t["axis"][i]), place, inertia))
    return art.build([art.Link("b0"), *links], case["inputs"]["gravity"])


def pushes(rows) -> dict:
    return {f"b{i}": row for i, row in enumerate(rows, start=1)}


def pose_in_parent(robot, q, i) -> np.ndarray:
    """g of body i + 1 in its parent."""
    return robot.model.bodies[i].transform(q).matrix()


angular_first = art.spatial.angular_first


@pytest.mark.parametrize("name", ["S0.graph.example3", "S2.graph.tree4"])
def test_lists_of_the_tree(name):
    case = CASES[name]
    parents = case["inputs"]["lambda"]
    links = [art.Link(f"b{i}", f"b{p}", art.Revolute()) for i, p in enumerate(parents, start=1)]
    found = art.build([*reversed(links), art.Link("b0")]).topology()
    # links given in reverse order: children of one parent come out reversed, so compare what that cannot change
    assert sorted(found.parent) == sorted(case["expected"]["lambda"])
    found = art.build([art.Link("b0"), *links]).topology()
    expected = case["expected"]
    assert found.predecessor == expected["p"] and found.successor == expected["s"]
    assert found.parent == expected["lambda"] and found.children == expected["mu"]


@pytest.mark.parametrize("name, robot", [("S0.graph.example3", "tree3"), ("S2.graph.tree4", "tree4")])
def test_the_worked_example_of_the_lists_is_built_in(name, robot):
    expected, found = CASES[name]["expected"], art.load(robot).topology()
    assert found == (expected["p"], expected["s"], expected["lambda"], expected["mu"])


def test_graphs_that_are_not_trees_are_refused():
    case = CASES["S0.graph.invalid"]
    irregular, *bad = case["inputs"]["bad_lambda"]

    def built(parents, *extra):
        links = [art.Link(f"b{i}", f"b{p}", art.Revolute()) for i, p in enumerate(parents, start=1)]
        return art.build([art.Link("b0"), *links, *extra])

    assert built(irregular).topology().parent == [0, 1, 2]  # a tree in irregular order: renumbered
    for parents in bad:
        with pytest.raises(art.ModelError):
            built(parents)
    loop = case["inputs"]["closed_loop_example"]
    parent, child = loop["extra_arc"]
    with pytest.raises(art.ModelError, match="two parents"):
        built(loop["lambda"], art.Link(f"b{child}", f"b{parent}", art.Revolute()))


def test_articulated_bodies_of_the_nine_body_tree():
    case = CASES["S0.aba.tree9.fixed"]
    robot, x = tree(case), case["inputs"]
    found = robot.articulated_bodies(
        x["q"], x["qd"], x["tau"], pushes(x["w_ext"]), base_velocity=x["V0"], base_acceleration=x["V0dot"]
    )
    agree(case, found.a, "qdd")
    upwards = np.concatenate([-np.array(x["gravity"]), np.zeros(3)]) + x["V0dot"]
    moving = robot.body_motions(x["q"], x["qd"], found.a, base_velocity=x["V0"], base_acceleration=upwards)
    for i in range(9):
        for key, part in (("Mhat", found.inertia), ("Mbar", found.projected), ("bhat", found.bias)):
            agree(case, part[i], key, case["expected"][key][str(i + 1)])
        agree(case, found.acceleration[i], "Vdot", case["expected"]["Vdot_incl_minus_g"][str(i + 1)])
        velocity = robot.frame_velocity(x["q"], x["qd"], f"b{i + 1}", axes="frame")
        agree(case, velocity, "V", case["expected"]["V"][str(i + 1)])
        agree(case, moving.velocity[i], "V", case["expected"]["V"][str(i + 1)])
        agree(case, moving.acceleration[i], "Vdot", case["expected"]["Vdot_incl_minus_g"][str(i + 1)])
        S = np.array(robot.model.bodies[i].S, float)[:, 0]
        agree(case, S @ found.inertia[i] @ S, "mhat", case["expected"]["mhat"][i])
    agree(case, np.diagonal(found.joint_inertia), "mhat")
    assert (found.joint_inertia == np.diag(np.diagonal(found.joint_inertia))).all()
    # bhat, put together from its parts
    total = found.own_bias.copy()
    for i, parent in enumerate(case["inputs"]["tree"]["lambda"]):
        if parent:
            passed = found.projected_bias[i] + found.actuation[i] + found.coriolis[i]
            total[parent - 1] += art.spatial.coadjoint(pose_in_parent(robot, x["q"], i)) @ passed
    agree(case, total, "bhat", [case["expected"]["bhat"][str(i + 1)] for i in range(9)])
    assert np.allclose(art.load("tree9").mass_matrix(x["q"]), robot.mass_matrix(x["q"]), rtol=0, atol=1e-14)


def test_the_same_in_world_coordinates():
    case = CASES["S0.aba.tree9.fixed"]
    robot, x = tree(case), case["inputs"]
    found = robot.study.articulated_bodies_in_world(x["q"], x["qd"], x["tau"], pushes(x["w_ext"]))
    agree(case, found.a, "qdd")
    for i in range(9):
        X = art.spatial.adjoint(robot.pose(x["q"], f"b{i + 1}"))  # motions to the world; transposed, forces back
        agree(case, X.T @ found.inertia[i] @ X, "Mhat", case["expected"]["Mhat"][str(i + 1)])
        agree(case, X.T @ found.wrench[i], "w", robot.body_wrenches(x["q"], x["qd"], found.a, pushes(x["w_ext"]))[i])
        agree(case, X @ np.array(case["expected"]["V"][str(i + 1)]), "xi", found.velocity[i])
        agree(case, X @ np.array(case["expected"]["Vdot_incl_minus_g"][str(i + 1)]), "xi_rate", found.acceleration[i])
        if i in (2, 3, 4, 6, 7, 8):  # leaves: pA is p_i
            assert (found.bias[i] == found.own_bias[i]).all()
            agree(case, X.T @ found.own_bias[i], "p", case["expected"]["bhat"][str(i + 1)])


def test_two_body_handle():
    case = CASES["S0.two_body"]
    robot, x = tree(case), case["inputs"]
    found = robot.articulated_bodies(x["q"], x["qd"], x["tau"], {"b1": x["w_ext1"]})
    agree(case, found.a, "qdd")
    agree(case, found.inertia[0], "Mhat_1")
    agree(case, found.bias[0], "bhat_1")
    agree(case, found.bias[1], "b_2")
    agree(case, found.projected[1], "Mbar_2")
    agree(case, found.inertia[1][4, 4], "m_2")
    agree(case, found.joint_inertia[1, 1], "m_2")
    agree(case, found.own_bias[1], "b_2")
    agree(case, found.projected_bias[1], "bbar_2")
    # b_1 - w_ext1 + A* bbar_2 + A* M X tau / m - A* Mbar a_2 V, each from what the lecture prints
    A, S = art.spatial.coadjoint(pose_in_parent(robot, x["q"], 1)), np.array(robot.model.bodies[1].S, float)[:, 0]
    V = [robot.frame_velocity(x["q"], x["qd"], name, axes="frame") for name in ("b1", "b2")]
    a2_V = art.spatial.motion_cross(S * x["qd"][1]) @ (A.T @ V[0])
    actuation, coriolis = found.inertia[1] @ S * x["tau"][1] / case["expected"]["m_2"], -found.projected[1] @ a2_V
    assert np.allclose(found.actuation[1], actuation, rtol=0, atol=1e-12)
    assert np.allclose(found.coriolis[1], coriolis, rtol=0, atol=1e-12)
    b_1 = art.spatial.bias_wrench(robot.model.bodies[0].inertia.matrix(), V[0])
    agree(case, b_1 - x["w_ext1"] + A @ case["expected"]["bbar_2"] + A @ actuation + A @ coriolis, "bhat_1")
    agree(case, found.acceleration[0], "Vdot_1")
    agree(case, found.acceleration[1], "Vdot_2")
    agree(case, found.wrench[0], "w_1")
    agree(case, found.wrench[1], "w_2")


def test_two_body_newton_euler():
    case = CASES["S2.two_body"]
    robot, x = tree(case), case["inputs"]
    q, v, a, forces = x["q"], x["qd"], x["qdd"], pushes(x["F_ext_linear_first"])
    agree(case, robot.inverse_dynamics(q, v, a, forces), "tau")
    agree(case, angular_first(robot.body_wrenches(q, v, a, forces)), "F_joint")
    agree(case, angular_first(robot.gravity_wrenches(q)), "F_G")
    agree(case, robot.contributions(q, v, a, forces).torque, "body_contributions_to_tau")
    J = robot.body_jacobians(q)
    for i in (0, 1):
        agree(case, angular_first(J[i], axis=-2), f"J_{i + 1}")
        agree(case, angular_first(J[i] @ v), "V", case["expected"]["V"][i])
        A = robot.frame_acceleration(q, v, a, f"b{i + 1}", axes="frame", spatial=True)
        agree(case, angular_first(A), "A", case["expected"]["A"][i])
    agree(case, robot.study.inverse_dynamics_by_jacobians(q, v, a, forces), "tau")
    reaction = {name: -np.array(F) for name, F in forces.items()}
    agree(case, robot.inverse_dynamics(q, v, a, art.Wrenches(reaction, on="environment")), "tau")


def test_bar_with_disc():
    case = CASES["S0.bar_disc"]
    robot, x = art.load("bar_disc"), case["inputs"]
    found = robot.articulated_bodies(robot.neutral(), np.zeros(robot.nv), np.zeros(robot.nv))
    agree(case, found.inertia[0], "Mhat_s")
    agree(case, found.inertia[1], "Mhat_D")
    agree(case, found.projected[1], "Mbar_D")
    wrench = found.inertia[0] @ [0, 0, 0, x["alpha_x"], x["alpha_y"], 0]
    agree(case, wrench, "wrench_for_alpha")
    agree(case, wrench[3] / x["alpha_x"], "M_x_over_alpha_x")
    agree(case, wrench[4] / x["alpha_y"], "M_y_over_alpha_y")


def planar_2r(x) -> art.Robot:
    """The 2R arm of the Sapienza lecture from its lengths, masses and moments of inertia."""
    links = []
    for i in ("1", "2"):
        # only Izz enters the planar motion; the other two make the bodies physical
        about_com = np.diag([x["I" + i + "zz"] / 2, x["I" + i + "zz"] / 2, x["I" + i + "zz"]])
        links.append(art.Inertia(x["m" + i], [x["d" + i] - x["l" + i], 0, 0], about_com))
    rows = [art.DH(a=x["l1"]), art.DH(a=x["l2"])]
    return art.from_dh(rows, links=links, gravity=[0, -x["g0"], 0])


def test_planar_2r():
    case = CASES["S1.2R"]
    x, e = case["inputs"], case["expected"]
    q, v, a = x["q"], np.array(x["qd"]), x["qdd"]
    for robot in (planar_2r(x), art.load("2r")):
        agree(case, robot.mass_matrix(q), "B")
        agree(case, robot.christoffel(q), "C_k", [e["C1"], e["C2"]])
        agree(case, robot.coriolis_forces(q, v), "c")
        agree(case, robot.gravity_forces(q), "g")
        agree(case, robot.inverse_dynamics(q, v, a), "tau")
        agree(case, robot.forward_dynamics(q, v, x["tau_fd"]), "qdd_for_tau_fd")
        agree(case, robot.kinetic_energy(q, v), "T")
        agree(case, robot.kinetic_energy(q, v, by_body=True), "T_i", [e["T1"], e["T2"]])
        agree(case, robot.potential_energy(q), "U")
        agree(case, robot.potential_energy(q, by_body=True), "U_i", [e["U1"], e["U2"]])
        agree(case, robot.coriolis_matrix(q, v), "S_prime")
        agree(case, robot.coriolis_matrix(q, v, "nonskew"), "S_second")
        agree(case, robot.mass_matrix_rate(q, v), "Bdot")
        agree(case, robot.inverse_dynamics(q, v, a) @ v, "power_tau_dot_qd")
        for i, body in enumerate(robot.body_names):
            twist = robot.frame_velocity(q, v, body, axes="frame")
            agree(case, twist[3:], "omega", e["omega"][i])
            agree(case, twist[:3], "v", e["v"][i])
            r = np.array([x["d" + str(i + 1)] - x["l" + str(i + 1)], 0, 0])
            agree(case, twist[:3] + np.cross(twist[3:], r), "v_c", e["v_c"][i])


def test_planar_2r_balanced_about_joint_2():
    case = CASES["S1.2R.Q1"]
    x = case["inputs"]
    robot = planar_2r(x)
    agree(case, robot.mass_matrix(x["q"]), "B")
    agree(case, robot.coriolis_forces(x["q"], x["qd"]), "c")
    agree(case, robot.gravity_forces(x["q"]), "g")
    agree(case, robot.inverse_dynamics(x["q"], x["qd"], x["qdd"]), "tau")


def test_planar_2r_positive_definite():
    case = CASES["S1.2R.Q3"]
    q2 = np.linspace(-np.pi, np.pi, 721)
    B = planar_2r(case["inputs"]).mass_matrix(np.stack([0 * q2, q2], axis=-1))
    agree(case, np.linalg.det(B).min(), "det_min_at_q2_0")
    agree(case, B[:, 0, 0].min(), "b11_min_at_q2_pi")
    agree(case, B[:, 1, 1], "b22", np.full(len(q2), case["expected"]["b22"]))


def test_free_motion_of_the_2r():
    """One second from forward dynamics and an integrator of one's own (here Runge and Kutta's)."""
    case, about = CASES["S2.sim.2R"], CASES["S1.2R"]["inputs"]
    robot, none = planar_2r(about), np.zeros(2)
    step, x = 1.0 / 8192, np.array([about["q"], about["qd"]])

    def rate(x):
        return np.array([x[1], robot.forward_dynamics(x[0], x[1], none)])

    passed = dict(zip(np.array(case["inputs"]["t"]) * 8192, case["expected"]["states"], strict=True))
    for k in range(1, 8193):
        k1 = rate(x)
        k2 = rate(x + step / 2 * k1)
        k3 = rate(x + step / 2 * k2)
        x = x + step / 6 * (k1 + 2 * k2 + 2 * k3 + rate(x + step * k3))
        if k in passed:
            agree(case, x.ravel(), "states", passed[k])
            agree(case, robot.kinetic_energy(x[0], x[1]) + robot.potential_energy(x[0]), "total_energy")


def test_stanford_arm():
    case = CASES["S1.stanford.A"]
    x, e = case["inputs"], case["expected"]
    rows = [art.DH(theta, d, a, alpha, "prismatic" if sigma else "revolute") for sigma, theta, d, a, alpha in x["dh"]]
    links = [from_gyration(m, com, k2) for m, com, k2 in zip(x["m"], x["com"], x["k2"], strict=True)]
    q, v, a = np.array(x["q"]), np.array(x["qd"]), np.array(x["qdd"])
    table = art.from_dh(rows, links=links, gravity=x["gravity"])
    built_in = art.load("stanford")
    for robot in (table, built_in):
        agree(case, robot.mass_matrix(q), "M")
        agree(case, robot.mass_matrix(q)[0, 0], "B11")
        agree(case, robot.kinetic_energy(q, v, by_body=True), "T_per_link")
        agree(case, robot.potential_energy(q, by_body=True), "U_per_link")
        agree(case, robot.christoffel(q), "christoffel_C_k")
        agree(case, robot.coriolis_matrix(q, v), "S_christoffel")
        agree(case, robot.mass_matrix_rate(q, v), "Bdot")
        agree(case, robot.coriolis_forces(q, v), "c")
        agree(case, robot.gravity_forces(q), "g")
        agree(case, robot.inverse_dynamics(q, v, a), "tau")
        for i, body in enumerate(robot.body_names):
            twist = robot.frame_velocity(q, v, body, axes="frame")
            agree(case, twist[3:], "omega_i", e["omega_i"][i])
            agree(case, twist[:3], "v_i", e["v_i"][i])
            agree(case, twist[:3] + np.cross(twist[3:], x["com"][i]), "v_ci", e["v_ci"][i])
        by_jacobians = robot.body_jacobians(q, at="center_of_mass") @ v  # J_L and J_A of the lecture
        agree(case, by_jacobians[:, :3], "v_ci")
        agree(case, by_jacobians[:, 3:], "omega_i")


def test_denavit_hartenberg_matrix():
    case = CASES["S1.dh"]
    x = case["inputs"]
    robot = art.from_dh([art.DH(0, x["d"], x["a"], x["alpha"])], links=[art.Inertia(1.0)])
    agree(case, robot.pose([x["theta"]], robot.body_names[-1]), "A")


def test_four_body_tree():
    case = CASES["S2.rnea.tree4"]
    robot, x = tree(case), case["inputs"]
    q, v, a, forces = x["q"], x["qd"], x["qdd"], pushes(x["F_ext_linear_first"])
    agree(case, robot.inverse_dynamics(q, v, a, forces), "tau")
    agree(case, angular_first(robot.body_wrenches(q, v, a, forces)), "F_total_joint_wrench")
    agree(case, robot.mass_matrix(q), "M")
    agree(case, np.linalg.eigvalsh(robot.mass_matrix(q)), "M_eig")
    agree(case, robot.bias_forces(q, v, forces), "h_with_Fext")
    agree(case, robot.coriolis_forces(q, v), "c_times_qd")
    agree(case, robot.gravity_forces(q), "tau_G")
    for method in ("fastest", "articulated_body", "composite_body"):
        agree(case, robot.forward_dynamics(q, v, x["tau_fd"], forces, method=method), "qdd_fd")
    agree(case, robot.study.forward_dynamics_by_unit_accelerations(q, v, x["tau_fd"], forces), "qdd_fd")
    agree(case, angular_first(robot.body_jacobians(q), axis=-2), "J_body")
    agree(case, robot.mass_matrix_rate(q, v), "Mdot")
    agree(case, robot.coriolis_matrix(q, v, "body_jacobian"), "c_analytic_form")
    agree(case, robot.coriolis_matrix(q, v), "c_christoffel")
    agree(case, robot.regressor(q, v, a), "regressor")
    agree(case, robot.parameters, "inertial_parameters")
    up = np.array([0, 0, 9.81, 0, 0, 0])
    for i in range(4):
        agree(case, angular_first(robot.frame_velocity(q, v, f"b{i + 1}", "frame")), "V", case["expected"]["V"][i])
        A = robot.frame_acceleration(q, v, a, f"b{i + 1}", "frame", spatial=True)
        R = robot.pose(q, f"b{i + 1}")[:3, :3]
        trick = A + np.concatenate([R.T @ up[:3], np.zeros(3)])
        agree(case, angular_first(trick), "A", case["expected"]["A_with_gravity_trick"][i])
    assert np.allclose(art.load("tree4").mass_matrix(q), robot.mass_matrix(q), rtol=0, atol=1e-14)


@pytest.mark.parametrize("name", ["tree4", "tree9"])
def test_urdf_fixtures_are_the_same_robots(name, rng):
    fixture, built_in = art.load(HERE / "urdf" / f"{name}.urdf"), art.load(name)
    q, v, a = built_in.random(rng), rng.normal(size=built_in.nv), rng.normal(size=built_in.nv)
    assert fixture.joint_names == built_in.joint_names and fixture.body_names == built_in.body_names
    assert np.allclose(fixture.inverse_dynamics(q, v, a), built_in.inverse_dynamics(q, v, a), rtol=0, atol=1e-12)


def test_weights_instead_of_the_gravity_trick():
    case = CASES["S2.rnea.tree4"]
    robot, x = tree(case), case["inputs"]
    found = robot.study.inverse_dynamics_with_weights(x["q"], x["qd"], x["qdd"], pushes(x["F_ext_linear_first"]))
    agree(case, found, "tau")


@pytest.mark.parametrize("feet", ["0", "2", "4"])
def test_floating_base_quantities_of_solo12(feet):
    """M, h and J of the USP lecture's quadruped (its contact torques come with the contact sets)."""
    case = CASES[f"S3.pid.solo12.static.{feet}feet"]
    x = case["inputs"]
    robot = art.load("solo12", floating_base=True)
    assert robot.joint_names == ["floating_base", *x["joints"]]
    q = np.concatenate([x["base_xyz"], x["base_quat_xyzw"], x["q_joints"]])
    agree(case, robot.mass_matrix(q), "M")
    agree(case, robot.bias_forces(q, np.zeros(18)), "h")
    J = [robot.jacobian(q, foot)[:3] for foot in x["contacts"]]
    agree(case, np.concatenate(J) if J else [], "J_C")
