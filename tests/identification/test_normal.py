"""Normal equations: those of the regressor, in any split to the same bits."""

from itertools import pairwise, permutations

import numpy as np
import pytest

import articulated as art
from articulated.algorithms.regressor import TERMS
from articulated.identification import tiles
from articulated.identification.joint_terms import driven, known_torque
from articulated.identification.normal import CELL
from tests.identification.motions import part, samples
from tests.zoo import random_tree, with_mimic

ROBOTS = {
    "panda": lambda: art.load("panda"),
    "friction of its own": lambda: art.load("puma560"),
    "floating": lambda: art.load("quadruped", floating_base=True),
    "mimic": with_mimic,
    "tree of every joint": lambda: random_tree(5, 8),
}


@pytest.mark.parametrize("make", ROBOTS.values(), ids=ROBOTS)
@pytest.mark.parametrize("count", [0, 1, 1500])
def test_they_are_those_of_the_regressor(make, count):
    robot = make()
    block = samples(robot, count)
    weights = np.random.default_rng(1).uniform(0.5, 2, (count, robot.nv))
    terms = tuple(TERMS)
    found = art.Normal(robot, block, friction=terms, weights=weights).equations()
    states = [block[name] for name in ("q", "v", "a")]
    Y = np.asarray(robot.regressor(*states, friction=terms)) * weights[..., None]
    tau = (block["tau"] - known_torque(robot, *states[1:], terms)) * weights
    assert not Y[:, ~driven(robot), len(robot.parameters) :].any()
    size = np.linalg.norm(Y, axis=(0, 1)) + 1e-3 * np.linalg.norm(Y) + 1e-300
    YtY, Ytau = np.einsum("nij,nik->jk", Y, Y), np.einsum("nij,ni->j", Y, tau)
    assert abs((found.YtY - YtY) / size / size[:, None]).max(initial=0.0) < 1e-12
    assert abs((found.Ytau - Ytau) / size).max(initial=0.0) <= 1e-12 * np.linalg.norm(tau)
    assert found.tautau == pytest.approx((tau**2).sum(), rel=1e-12)


def test_any_split_and_any_order_give_the_same_bits(tmp_path):
    robot = art.load("panda")
    block = samples(robot, 3 * CELL + 100)
    block["tau"] *= np.geomspace(1e-9, 1e9, len(block["tau"]))[:, None]  # where floating-point sums depend on the order
    whole = art.Normal(robot, block, friction=True)
    edges = [0, CELL, 2 * CELL, 3 * CELL, len(block["q"])]
    parts = [art.Normal(robot, part(block, slice(*ends)), friction=True) for ends in pairwise(edges)]
    for k, one in enumerate(parts):
        one.save(tmp_path / f"{k}.npz")
    read = [art.Normal.load(robot, tmp_path / f"{k}.npz") for k in range(4)]
    for order in permutations(read):
        assert sum(order) == whole
    assert (read[0] + read[1]) + (read[2] + read[3]) == read[0] + (read[1] + (read[2] + read[3]))
    assert whole != parts[0]
    assert whole.samples == len(block["q"])


def test_without_compiled_code_the_sums_are_the_same(monkeypatch):
    robot = art.load("tree4")
    block = samples(robot, 200)
    compiled = art.Normal(robot, block, friction=["viscous"]).equations()
    monkeypatch.setattr(tiles, "_kernel", lambda robot, plan: None)
    plain = art.Normal(art.load("tree4"), block, friction=["viscous"]).equations()
    assert abs(compiled.YtY - plain.YtY).max() < 1e-12 * abs(plain.YtY).max()
    assert abs(compiled.Ytau - plain.Ytau).max() < 1e-12 * abs(plain.Ytau).max()


def test_bad_blocks_are_refused(tmp_path):
    robot = art.load("2r")
    block = samples(robot, 10)
    for wrong, said in [
        ({"v": block["v"][:, :1]}, "v has shape"),
        ({"v": block["v"][:3]}, "rows"),
        ({"tau": np.full((10, 2), np.nan)}, "NaN"),
    ]:
        with pytest.raises(art.ShapeError, match=said):
            art.Normal(robot, block | wrong)
    with pytest.raises(art.ShapeError, match="no tau"):
        art.Normal(robot, {name: block[name] for name in ("q", "v", "a")})
    with pytest.raises(KeyError, match="viscous"):
        art.Normal(robot, block, friction="viscus")
    art.Normal(robot, block).save(tmp_path / "normal.npz")
    with pytest.raises(art.ShapeError, match="another robot"):
        art.Normal.load(art.load("3r"), tmp_path / "normal.npz")
    with pytest.raises(art.ShapeError, match="different columns"):
        art.Normal(robot, block) + art.Normal(robot, block, friction=True)
