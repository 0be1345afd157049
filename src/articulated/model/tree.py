"""Is it a tree?  Every way it can fail to be one, named with its culprits.  No recursion."""

from collections.abc import Sequence

from ..errors import ModelError, unknown
from ..text import chain_of


def check_tree(arcs: Sequence[tuple[str, str | None]]) -> None:
    """Refuse (link, parent) pairs that are not one tree hanging from the world."""
    if not arcs:
        raise ModelError("a robot needs at least one link")
    parents: dict[str, str | None] = {}
    for name, parent in arcs:
        if name in parents and parents[name] != parent:
            raise ModelError(
                f"link {name!r} has two parents, {parents[name]!r} and {parent!r}; "
                "a kinematic tree has one (closed loops belong into contact constraints)"
            )
        if name in parents:
            raise ModelError(f"two links are called {name!r}; give each its own name")
        parents[name] = parent
    for name, parent in parents.items():
        if parent is not None and parent not in parents:
            raise ModelError(f"link {name!r}: {unknown('parent link', parent, 'the robot', parents)}")
    roots = [name for name, parent in parents.items() if parent is None]
    _refuse_cycles(parents)
    if len(roots) > 1:
        raise ModelError(
            f"several roots: {', '.join(map(repr, roots[:10]))}{' …' if len(roots) > 10 else ''}; "
            "one link may hang from the world (parent=None): put a fixed base link under the others"
        )


def _refuse_cycles(parents: dict[str, str | None]) -> None:
    settled: set[str | None] = {None}
    for start in parents:
        path: dict[str | None, None] = {}
        node: str | None = start
        while node not in settled:
            if node in path:
                names = list(path)
                cycle = [*map(str, names[names.index(node) :]), str(node)][::-1]
                raise ModelError(f"closed loop: {chain_of(cycle)}; cut it and close it again as a contact constraint")
            path[node] = None
            node = parents[str(node)]
        settled.update(path)


def depth_first(arcs: Sequence[tuple[str, str | None]]) -> list[int]:
    """Positions of a tree's links, each parent before its children, children in given order."""
    children: dict[str | None, list[int]] = {}
    for i, (_, parent) in enumerate(arcs):
        children.setdefault(parent, []).append(i)
    order: list[int] = []
    stack = list(reversed(children[None]))
    while stack:
        i = stack.pop()
        order.append(i)
        stack.extend(reversed(children.get(arcs[i][0], ())))
    return order
