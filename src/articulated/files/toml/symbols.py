"""Symbols in a file: `[symbols]` names them, and a number may then be an expression of them."""

from typing import TYPE_CHECKING, Any

from ...errors import ArticulatedError

if TYPE_CHECKING:
    from .tables import Table

KINDS = ("positive", "real")


def read_symbols(top: "Table") -> dict[str, Any]:
    """The symbols of `[symbols]`: lists of names under `positive` and `real`."""
    found: dict[str, Any] = {}
    for table in top.tables("symbols"):
        heads = (k for k, line in enumerate(top.lines.all, start=1) if line.strip().startswith("[symbols]"))
        table.line = next(heads, top.line)
        for kind in KINDS:
            for name in table.names(kind):
                if name in found:
                    table.add("TOML011", f"{name!r} is named twice", kind)
                elif (symbol := _symbol(table, kind, name)) is not None:
                    found[name] = symbol
        table.finish()
    return found


def _symbol(table: "Table", kind: str, name: str) -> Any:
    expressions = _expressions(table, kind)
    if expressions is None:
        return None
    try:
        return expressions.symbol(name, positive=kind == "positive")
    except ArticulatedError as problem:
        table.add("TOML011", str(problem), kind)
        return None


def expression(table: "Table", key: str, text: str) -> Any:
    """Expression that a text spells in the symbols of a table; None, and a finding, if it spells none."""
    expressions = _expressions(table, key)
    if expressions is None:
        return None
    variables = {name: expressions.symbol(name) for name in table.variables if name not in table.symbols}
    known = {**variables, **table.symbols}
    try:
        found = expressions.parsed(text, known, repr(text[:40]))
    except ArticulatedError as problem:
        table.add("TOML011", str(problem), key)
        return None
    if getattr(found, "is_Matrix", False):
        table.add("TOML003", f"a number is expected, not {text[:40]!r}", key)
        return None
    own = found.free_symbols & {*variables.values()}
    if own and (key != table.cell or own & (found - next(iter(own))).free_symbols):
        rule = f"it is added to {table.cell}, as in '{table.variables[0]} + pi/2', and stands nowhere else"
        table.add("TOML008", f"{text[:40]!r} holds the joint variable; {rule}", key)
        return None
    table.report.expressions = True
    return found


def _expressions(table: "Table", key: str) -> Any:
    """The reader of expressions, which needs SymPy."""
    try:
        from ...symbolic.ring import expressions
    except ModuleNotFoundError as problem:
        if problem.name != "sympy":
            raise
        table.add("TOML011", "symbols need SymPy: pip install 'articulated[symbolic]'", key)
        return None
    return expressions
