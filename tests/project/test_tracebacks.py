"""An error in a notebook shows the line of the user and the message, and none of our own frames."""

import errno
import linecache

import pytest

import articulated as art

CELLS = [
    ("robot.inverse_dynamics([1, 2], [1], [1])", "ShapeError: inverse_dynamics: v has shape (1,)"),
    ("robot.jacobian([0, 0], 'tipp')", "did you mean 'tip'"),
    ("robot.mass_matrix([0, 0], thread=2)", "UnexpectedOption: mass_matrix takes the options"),
    ("art.load('pandas')", "did you mean 'panda'"),
    ("art.load('<robot/>')", "FileError: "),
    ("art.load('no.urdf')", "NoSuchFile: [Errno 2] No such file or directory: 'no.urdf'"),
    ("art.save(robot, 'no/folder.urdf')", "NoSuchFile: "),
    ("art.Trajectory.load('no.npz')", "NoSuchFile: "),
    ("art.lod('panda')", "NoSuchAttribute: module 'articulated' has no attribute 'lod'; did you mean 'load'?"),
    ("robot.compile('mass_matrix')([0, 0], [0, 0])", "WrongKind: mass_matrix takes the arrays q; got 2 by position"),
    ("art.simulate(robot, [0, 0]).batch[0]", "ShapeError: "),
    ("len(art.simulate(robot, [0, 0]).batch)", "WrongKind: "),
]


@pytest.mark.parametrize(("line", "words"), CELLS)
def test_a_notebook_shows_the_line_and_the_message(line, words):
    source, file = f"def mine(robot):\n    return {line}\nmine(art.load('2r'))\n", "<ipython-input-1>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)  # as IPython does
    with pytest.raises(art.ArticulatedError) as caught:
        exec(compile(source, file, "exec"), {"art": art})
    shown = "\n".join(caught.value._render_traceback_())
    assert line in shown and words in shown and "mine(art.load('2r'))" in shown
    assert "articulated/" not in shown.partition(words[:9])[0] and len(shown.splitlines()) < 16


def test_ipython_uses_it(capsys):
    Shell = pytest.importorskip("IPython.core.interactiveshell").InteractiveShell
    Shell.instance().run_cell("import articulated as art\nart.load('2r').pose([0, 0], 'tipp')", store_history=True)
    Shell.clear_instance()
    shown = capsys.readouterr().out
    assert "did you mean 'tip'" in shown and "model.py" not in shown and "'tipp'" in shown
    assert "Cell In[1], line 2" in shown


def test_errors_of_the_system_stay_what_they_were(tmp_path):
    """Whoever catches OSError, or reads errno and filename, still can."""
    with pytest.raises(FileNotFoundError) as caught:
        art.load(tmp_path / "no.urdf")
    assert (caught.value.errno, caught.value.filename) == (errno.ENOENT, str(tmp_path / "no.urdf"))
    (tmp_path / "folder.urdf").mkdir()
    with pytest.raises(IsADirectoryError):
        art.load(tmp_path / "folder.urdf")
    assert not hasattr(art, "lod")


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
