"""Long command lines for large robots: the work grows with what is given.  Counted, not timed."""

import pytest

import articulated as art
from articulated.cli.exit_codes import BadInput
from articulated.cli.state import vector
from tests.counting import calls


def chain(n):
    links = [art.Link(f"link{i}", f"link{i - 1}" if i else None, art.Revolute(name=f"j{i}")) for i in range(n)]
    return art.build(links)


@pytest.mark.parametrize("name", ["q", "v"])
def test_components_by_name(name):
    def work(n):
        robot = chain(n)
        text = " ".join(f"j{i}={i}" for i in range(n))
        assert vector(robot, name, text).tolist() == [*range(n)]
        return calls(lambda: vector(robot, name, text))

    assert work(400) < 5 * work(100)


def test_degrees_of_a_slide_are_still_refused_by_name():
    robot = art.build([art.Link("a", None, art.Revolute(name="j")), art.Link("b", "a", art.Prismatic(name="k"))])
    with pytest.raises(BadInput, match="k is not an angle; got 90deg"):
        vector(robot, "q", "j=90deg k=90deg")
