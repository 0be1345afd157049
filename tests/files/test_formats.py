"""Laws of every row of FORMATS: a robot comes back, and what is malformed gives our error and no other."""

import json
import sys
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

import articulated as art
from articulated.files.description import Description, FileError
from articulated.files.formats import FORMATS, Format, of_file
from articulated.files.writers import Written
from tests.near import near

ARM = art.build(
    [
        art.Link("base", inertia=art.Inertia(2.0)),
        art.Link("arm", "base", art.Revolute((0, 0, 1), name="turn", limits=art.Limits(-1, 1, 2, 3)),
                 inertia=art.Inertia(1.0, (0.1, 0, 0), 0.01 * np.eye(3))),
    ],
    name="arm",
)  # fmt: skip


def malformed(whole: bytes) -> list[bytes]:
    """Nothing, noise, other formats, halves, and a text with a character missing, doubled or replaced."""
    rng = np.random.default_rng(0)
    texts = [b"", b"   \n", b"\0", bytes(range(256)), b"{}", b"[]", b"{", b"null", b"a = ", b"<", b"<robot", b"<a></b>"]
    texts += [whole[: len(whole) * k // 7] for k in range(1, 7)] + [whole.decode().encode("utf-16"), whole + whole]
    for at in rng.integers(len(whole), size=60):
        texts += [whole[:at] + whole[at + 1 :], whole[:at] + whole[at : at + 1] + whole[at:]]
        texts.append(whole[:at] + bytes(rng.integers(256, size=2, dtype=np.uint8)) + whole[at + 1 :])
    return texts


def law(format: Format, folder: Path) -> list[str]:
    """Complaints about one row."""
    wrong, path = [], folder / f"arm{format.endings[0]}"
    art.save(ARM, path)
    whole = path.read_bytes()
    again = art.load(path)
    if not near(again.inverse_dynamics([0.3], [0.2], [0.1]), ARM.inverse_dynamics([0.3], [0.2], [0.1]), 1e-12):
        wrong.append(f"{format.name}: the robot that is read is not the one that was written")
    if of_file(format.endings[0], whole) is not format:
        wrong.append(f"{format.name}: another format claims its files")
    for ending in format.endings:
        for text in malformed(whole):
            (folder / f"bad{ending}").write_bytes(text)
            try:
                art.load(folder / f"bad{ending}")
            except art.ArticulatedError:
                pass
            except Exception as problem:
                wrong.append(f"{format.name}: {type(problem).__name__} for {text[:40]!r} in a {ending} file")
    try:
        format.read(b"", "empty")
        wrong.append(f"{format.name}: an empty file is a robot")
    except FileError:
        pass
    return wrong


@pytest.mark.filterwarnings("ignore::articulated.ModelWarning")
@pytest.mark.parametrize("format", FORMATS.values(), ids=lambda format: format.name)
def test_a_robot_comes_back_and_nothing_else_escapes(format, tmp_path):
    if format.name == "mjcf":
        pytest.importorskip("mujoco")
    assert law(format, tmp_path) == []


def read_toy(text, file="", *, repair=False):
    """As a newcomer writes it: nothing is checked."""
    data = json.loads(text)
    links = [art.Link("base", inertia=art.Inertia(2.0))]
    for name, parent, joint, mass, com in data["links"]:
        body = art.Inertia(mass, com, 0.01 * np.eye(3))
        links.append(art.Link(name, parent, art.Revolute((0, 0, 1), name=joint), inertia=body))
    return Description(links, data["name"])


def write_toy(model):
    rows = [[k.name, k.parent, k.joint.name, float(k.inertia.mass), [float(x) for x in k.inertia.com]]
            for k in model.links if k.joint.nv]  # fmt: skip
    return Written(json.dumps({"name": model.name, "links": rows}), ())


def test_a_format_is_one_folder_and_one_row(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "articulated.files.toy.reader", SimpleNamespace(read_toy=read_toy))
    monkeypatch.setitem(sys.modules, "articulated.files.toy.writer", SimpleNamespace(write_toy=write_toy))
    monkeypatch.setitem(sys.modules, "articulated.files.toy", SimpleNamespace(__path__=[]))
    monkeypatch.setitem(FORMATS, "toy", Format("toy", (".toy",), lambda text: text.startswith(b'{"name"')))
    assert law(FORMATS["toy"], tmp_path) == []
    assert art.load(write_toy(ARM.model).text).name == "arm"
    with pytest.raises(art.ModelError, match=r"\.toml, \.toy"):
        art.save(ARM, tmp_path / "arm.doc")


def test_the_page_has_every_format():
    page = (Path(__file__).parents[2] / "docs" / "files.md").read_text("utf-8")
    assert not [name for name, format in FORMATS.items() if format.endings[0] not in page], "docs/files.md"


def test_an_unknown_ending_names_those_that_are_known(tmp_path):
    (tmp_path / "arm.doc").write_text("")
    with pytest.raises(art.ModelError, match=r"no reader for '\.doc' files; there are readers for \.xml, \.urdf"):
        art.load(tmp_path / "arm.doc")
