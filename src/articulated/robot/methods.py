"""Methods of a class from the rows of its table, and requests for them by name."""

from collections.abc import Mapping, Sequence
from inspect import Parameter
from types import MethodType
from typing import Any

from ..compiler.runtime import call
from ..errors import WrongKind, unknown
from .quantities import Quantity
from .request import Request


class Method:
    """A row as a method.

    On the class it is a plain function.  On an instance, which has `kernels`, it is kept in the instance and calls
    machine code directly as soon as there is some, whoever held it before.
    """

    def __init__(self, row: Quantity):
        self.row = row

        def method(self: Any, *values: Any, **options: Any) -> Any:
            if row.quick and not options and (found := row.quick(self, values)) is not None:
                return found
            asked = row.call(self.kernels, values, options)
            found = row.body(self, asked) if row.body else self.kernels.evaluate(*asked)
            return row.check(self, asked, found) if row.check else found

        method.__name__, method.__doc__ = row.name, row.doc
        method.__signature__ = row.signature  # type: ignore[attr-defined]
        if row.body:
            method.__annotations__["return"] = row.body.__annotations__["return"]
        self.function = method

    def __set_name__(self, owner: type, name: str) -> None:
        self.function.__qualname__, self.function.__module__ = f"{owner.__qualname__}.{name}", owner.__module__

    def __get__(self, instance: Any, kind: type | None = None) -> Any:
        if instance is None:
            return self.function
        bound, row = MethodType(self.function, instance), self.row
        if getattr(type(instance), row.name) is not self.function:  # overridden by a subclass
            return bound
        table, by_frame = instance.kernels.callees[row.name], "frame" in row.required
        # the signature as the text of a builtin has it: without `self` and types
        own = [p.replace(annotation=Parameter.empty) for p in list(row.signature.parameters.values())[1:]]
        text = f"{row.name}{row.signature.replace(parameters=own)}\n--\n\n{row.doc}"
        held = call.method(table, len(row.arrays), by_frame, bound, row.name, text)
        return vars(instance).setdefault(row.name, held)


def add_methods(kind: type, rows: Mapping[str, Quantity]) -> None:
    """Give a class a method for each row."""
    for name, row in rows.items():
        method = Method(row)
        method.__set_name__(kind, name)
        setattr(kind, name, method.function if row.check or row.body else method)


def requests(robot: Any, methods: Sequence[Any], dtype: Any = float) -> tuple[list[Request], list[str]]:
    """Requests of methods given as in `Robot.compile`, and a name for each."""
    pairs = [_requested(robot.kernels, method, dtype) for method in methods]
    return [request for request, _ in pairs], [name for _, name in pairs]


def _requested(kernels: Any, method: Any, dtype: Any) -> tuple[Request, str]:
    name, *rest = method if isinstance(method, (tuple, list)) and method else (method,)
    if not isinstance(name, str) or name not in kernels.rows:
        raise unknown("method to compile:", name, "Robot", sorted(kernels.rows))
    if isinstance(method, list) and any(isinstance(other, str) and other in kernels.rows for other in rest):
        raise WrongKind(f"methods are given one by one: {', '.join(repr(x) for x in method)}, without brackets")
    keywords = rest.pop() if rest and isinstance(rest[-1], Mapping) else {}
    row = kernels.rows[name]
    asked = row.call(kernels, [*row.arrays, *rest], {**keywords, "dtype": dtype})
    title = "_".join([name, *map(str, rest), *(x for x in keywords.values() if isinstance(x, str))])
    return kernels.asked(asked), title
