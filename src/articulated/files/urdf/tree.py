"""The tree of a URDF file: joints that do not connect all links to one are findings with their lines."""

from collections.abc import Mapping

from ...text import chain_of
from ..description import Findings
from ..xml import Element
from .joints import Arc


def find_root(report: Findings, links: Mapping[str, Element], arcs: list[Arc]) -> str:
    """The link no joint carries; raises everything that keeps the file from being a tree."""
    carrier: dict[str, Arc] = {}
    for arc in arcs:
        _check_ends(report, links, arc)
        if arc.child in carrier:
            other = carrier[arc.child].element.line
            text = f"link {arc.child!r} is already the child of joint {carrier[arc.child].name!r} in line {other}"
            report.add("URDF040", text, arc.element, f"joint {arc.name!r}")
        carrier.setdefault(arc.child, arc)
    report.stop_on_errors()
    _refuse_loops(report, carrier)
    roots = [name for name in links if name not in carrier]
    if len(roots) > 1:
        shown = ", ".join(f"{name!r} (line {links[name].line})" for name in roots[:10])
        more = " …" if len(roots) > 10 else ""
        report.add("URDF042", f"{len(roots)} links are not the child of any joint: {shown}{more}", links[roots[1]])
    report.stop_on_errors()
    return roots[0]


def _check_ends(report: Findings, links: Mapping[str, Element], arc: Arc) -> None:
    owner = f"joint {arc.name!r}"
    for tag, end in (("parent", arc.parent), ("child", arc.child)):
        if end not in links:
            at = arc.element.all(tag)[0]
            report.add("URDF023", f"<{tag}>: no link {end!r}{report.did_you_mean(end, links)}", at, owner, end)
    if arc.parent == arc.child:
        report.add("URDF043", f"link {arc.child!r} is parent and child", arc.element, owner)


def _refuse_loops(report: Findings, carrier: Mapping[str, Arc]) -> None:
    settled: set[str] = set()
    for start in carrier:
        path: dict[str, None] = {}
        node = start
        while node in carrier and node not in settled and node not in path:
            path[node] = None
            node = carrier[node].parent
        if node in path:
            names = list(path)
            loop = [*names[names.index(node) :], node][::-1]
            report.add(
                "URDF041", f"closed loop: {chain_of(loop)}", carrier[node].element, f"joint {carrier[node].name!r}"
            )
        settled.update(path)
    report.stop_on_errors()
