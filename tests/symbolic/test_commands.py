"""`articulated derive` and `articulated explain-algorithm`."""

import numpy as np
import pytest

import articulated as art
from articulated.scalars import array
from articulated.symbolic.passes import explained, explained_in_symbols


def run(*words: str):
    testing = pytest.importorskip("typer.testing")
    from articulated.cli.app import app

    return testing.CliRunner().invoke(app, list(words))


@pytest.mark.parametrize("form", ["tex", "md", "html", "py", "c"])
def test_derive_writes_every_format(form, tmp_path):
    file = tmp_path / f"model.{form}"
    done = run("derive", "2r", "--symbols", "--format", form, "-o", str(file))
    assert done.exit_code == 0, done.stderr
    assert len(file.read_text()) > 300 and "recursion" in done.stderr


def test_derive_steps_end_with_the_check():
    done = run("derive", "2r", "--symbols", "--steps")
    assert done.exit_code == 0 and "Step 2" in done.stdout and "equal as expressions" in done.stdout


def test_mistakes_are_messages():
    for words, code in ((("derive", "nope"), 3), (("derive", "2r", "--steps", "--format", "c"), 2),
                        (("explain-algorithm", "magic", "2r"), 3), (("explain-algorithm", "aba", "2r", "--symbols"), 2),
                        (("explain-algorithm", "aba", "2r", "--state", "z=1"), 3)):  # fmt: skip
        done = run(*words)
        assert done.exit_code == code and "Traceback" not in done.stderr, (words, done.stderr)


@pytest.mark.parametrize("algorithm", ["rnea", "crba", "aba"])
@pytest.mark.parametrize("name", ["2r", "tree4"])
def test_the_passes_hold_the_numbers_of_the_kernels(algorithm, name):
    robot = art.load(name)
    rng = np.random.default_rng(5)
    state = {"q": robot.random(rng)} | {part: rng.normal(size=robot.nv) for part in ("v", "a", "tau")}
    passes = explained(algorithm, robot.model, {part: array(x) for part, x in state.items()})
    last = {row.body: row.value for row in passes[-1].rows if row.formula.startswith(("tau", "its rows", "a ="))}
    found = np.array([np.ravel(last[name]).astype(float) for name in robot.body_names])
    expected = {
        "rnea": lambda: robot.inverse_dynamics(state["q"], state["v"], state["a"])[:, None],
        "crba": lambda: robot.mass_matrix(state["q"]),
        "aba": lambda: robot.forward_dynamics(state["q"], state["v"], state["tau"])[:, None],
    }[algorithm]()
    assert np.allclose(found, expected, atol=1e-10)


def test_passes_in_symbols_end_with_the_closed_form():
    eq = art.derive("2r")
    torque = [row.value[0] for row in explained_in_symbols("rnea", eq.model)[-1].rows if row.formula.startswith("tau")]
    assert [(torque[1 - i] - eq.tau[i]).expand().simplify() for i in range(2)] == [0, 0]
