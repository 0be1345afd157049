"""Errors of the system and of the user's own functions stay what they were."""

import errno

import pytest

import articulated as art


def test_errors_of_the_system_stay_what_they_were(tmp_path):
    """Whoever catches OSError, or reads errno and filename, still can."""
    with pytest.raises(FileNotFoundError) as caught:
        art.load(tmp_path / "no.urdf")
    assert (caught.value.errno, caught.value.filename) == (errno.ENOENT, str(tmp_path / "no.urdf"))
    (tmp_path / "folder.urdf").mkdir()
    with pytest.raises(IsADirectoryError):
        art.load(tmp_path / "folder.urdf")


def test_names_no_file_can_have_are_our_errors():
    robot = art.load("2r")
    run = art.simulate(robot, [0, 0], duration=0.01)
    for name in ("a\0", "\ud800"):
        for done in (
            lambda name: art.load(f"{name}.urdf"),
            lambda name: art.save(robot, f"{name}.urdf"),
            lambda name: run.save(f"{name}.npz"),
            *(lambda name, ending=ending: art.Trajectory.load(name + ending, robot) for ending in (".npz", ".csv")),
        ):
            with pytest.raises(art.ArticulatedError):
                done(name)


def test_an_error_in_the_users_own_function_is_shown_as_it_is():
    def torque(t, q, v):
        return undefined  # noqa: F821

    with pytest.raises(NameError) as caught:
        art.simulate(art.load("2r"), [0, 0], torque=torque)
    hidden = [f.frame.f_locals.get("__tracebackhide__") for f in caught.traceback if "articulated" in str(f.path)]
    assert all(hidden) and hidden and caught.traceback[-1].name == "torque"
