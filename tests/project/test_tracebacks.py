"""An error in a notebook shows the line of the user and the message, and none of our own frames."""

import linecache

import pytest

import articulated as art

CELLS = [
    ("robot.inverse_dynamics([1, 2], [1], [1])", "ShapeError: inverse_dynamics: v has shape (1,)"),
    ("robot.jacobian([0, 0], 'tipp')", "did you mean 'tip'"),
    ("robot.mass_matrix([0, 0], thread=2)", "UnexpectedOption: mass_matrix takes the options"),
    ("art.load('pandas')", "did you mean 'panda'"),
    ("art.load('<robot/>')", "FileError: "),
]


@pytest.mark.parametrize(("line", "words"), CELLS)
def test_a_notebook_shows_the_line_and_the_message(line, words):
    source, file = f"def mine(robot):\n    return {line}\nmine(art.load('2r'))\n", "<ipython-input-1>"
    linecache.cache[file] = (len(source), None, source.splitlines(True), file)  # as IPython does
    with pytest.raises(art.ArticulatedError) as caught:
        exec(compile(source, file, "exec"), {"art": art})
    shown = "\n".join(caught.value._render_traceback_())
    assert line in shown and words in shown and "mine(art.load('2r'))" in shown
    assert "articulated/" not in shown.partition("Error: ")[0] and len(shown.splitlines()) < 16


def test_ipython_uses_it(capsys):
    shell = pytest.importorskip("IPython.core.interactiveshell").InteractiveShell()
    shell.run_cell("import articulated as art\nart.load('2r').pose([0, 0], 'tipp')")
    shown = capsys.readouterr().out
    assert "did you mean 'tip'" in shown and "model.py" not in shown and "'tipp'" in shown
