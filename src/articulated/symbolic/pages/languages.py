"""Code export, parameters by name or as one array: Python, C, Julia, MATLAB, CasADi."""

import re
from collections.abc import Callable, Sequence
from keyword import kwlist
from typing import Any, NamedTuple

from ...compiler.emit.c import C, source
from ...text import shortened
from .program import Program, operations, shortest_program

#: each operation as an expression of Python
PYTHON = {
    "neg": "-{0}", "add": "{0} + {1}", "sub": "{0} - {1}", "mul": "{0} * {1}", "div": "{0} / {1}",
    "sqrt": "sqrt({0})", "sin": "sin({0})", "cos": "cos({0})", "atan2": "atan2({0}, {1})", "sign": "sign({0})",
}  # fmt: skip

#: reserved words of Python, C, Julia and MATLAB
RESERVED = {
    *kwlist, "auto", "case", "char", "const", "default", "do", "double", "enum", "extern", "float", "goto", "inline",
    "int", "long", "main", "register", "restrict", "short", "signed", "sizeof", "static", "struct", "switch", "typedef",
    "union", "unsigned", "void", "volatile", "abstract", "baremodule", "begin", "catch", "elseif", "end", "export",
    "function", "let", "local", "macro", "mutable", "otherwise", "parfor", "persistent", "quote", "spmd", "using",
    "null", "jac", "hess",
}  # fmt: skip
#: names that no parameter can have: reserved words, and names in the functions
TAKEN = {
    *RESERVED, "q", "v", "a", "p", "M", "C", "c", "g", "T", "U", "Y", "tau", "friction", "SX", "Function", "sin", "cos",
    "sqrt", "sign", "atan2", "stack", "stacked", "asarray", "broadcast_arrays", "horzcat", "vertcat", "pi", "eps", "i",
    "j",
}  # fmt: skip


class Text(NamedTuple):
    """A function in pieces: what it takes and gives, its statements, and the names of its results' entries."""

    title: str
    remark: str
    arrays: list[tuple[str, int]]
    parameters: list[str]
    steps: list[str]
    results: list[tuple[str, Any, list[str]]]  # name, output, names of operations


def function_code(equations: Any, form: str, what: Sequence[str], named: bool) -> str:
    """One function of q, v, a as needed, and of every parameter by its name, or of all of them as p.

    Julia and MATLAB name parameters always; C with one array p loops over many states.
    """
    if form == "c" and not named:
        return c_code(equations, what)
    named = named or form in ("julia", "matlab")
    what = list(dict.fromkeys(what))
    found, how = shortest_program(equations, what)
    write, table, component = LANGUAGES[form]
    words = _identifiers([p.name for p in equations.parameters]) if named else []
    steps, names = _statements(found, table, component, words)
    arrays = [(name, size) for name, size in found.inputs if name != "p" or not named]
    used = words if len(arrays) < len(found.inputs) else []
    results = [(title, output, names) for title, output in zip(what, found.outputs, strict=True)]
    return write(Text(title_of(equations), remark_on(equations, what, found, how, words), arrays, used, steps, results))


def title_of(equations: Any) -> str:
    """The robot's name as an identifier."""
    name = identifier(equations.name[:60])
    return name if name[:1].isalpha() and name not in RESERVED else f"robot_{name}"


def identifier(name: str) -> str:
    """Letters, digits and single underscores, as CasADi needs."""
    return re.sub(r"[^A-Za-z0-9]+", "_", name)


def remark_on(equations: Any, what: Sequence[str], found: Program, how: str, named: Sequence[str] = ()) -> str:
    """The comment at the head of a function: its results, its parameters as it names them, its coefficients."""
    own = [p.name for p in equations.parameters]
    listed = [f"{word} ({name})" if word != name else word for word, name in zip(named or own, own, strict=True)]
    words = f"{', '.join(what)} of {shortened(equations.name)} {how}, {operations(found)} operations."
    words += f" The parameters{'' if named else ' p'}: {', '.join(listed)}." if listed else ""
    if "Y" in what:
        words += f" tau is Y times {', '.join(c.name for c in equations.coefficients())} of eq.coefficients()."
    return re.sub(r"[^\w .,:;()+-]", "_", words)  # names must not end the comment


def c_code(equations: Any, what: Sequence[str]) -> str:
    """A C99 file with one function over n states; see the comment in it for the sizes."""
    found, how = shortest_program(equations, what)
    return f"/* {remark_on(equations, what, found, how)} */\n{source(found, title_of(equations))}"


def _identifiers(names: Sequence[str]) -> list[str]:
    """Names as every language takes them, no two alike."""
    out: list[str] = []
    for name in names:
        word = identifier(name)
        word = word if word[:1].isalpha() else f"p{word}"
        while word in TAKEN or word in out or re.fullmatch(r"t[0-9]+", word):
            word = f"{word}p" if "_p" in word else f"{word}_p"
        out.append(word)
    return out


def _statements(found: Program, table: Any, component: str, words: list[str]) -> tuple[list[str], list[str]]:
    """`t3 = t1 * t2` for every operation, and the name each of them has."""
    steps, names = [], []
    for i, (op, args) in enumerate(zip(found.ops, found.args, strict=True)):
        if op == "input":
            name, k = args
            names.append(words[k] if name == "p" and words else component.format(name, k, k + 1))
        elif op == "const":
            number = repr(float(args[0]))
            names.append(f"({number})" if args[0] < 0 else number)
        else:
            names.append(f"t{i}")
            steps.append(f"t{i} = {table[op].format(*(names[k] for k in args))}")
    return steps, names


def _entry(entry: Any, names: list[str]) -> str:
    """One entry of a result: a name, perhaps negated, or a number."""
    return f"{'-' if entry[1] else ''}{names[entry[0]]}" if isinstance(entry, tuple) else repr(float(entry))


def _rows(output: Any, names: list[str]) -> list[list[str]]:
    """The entries of a result, row by row; a vector has one in each, a number is one."""
    rows, columns = output.shape if len(output.shape) == 2 else (len(output.entries), 1)
    entries = [_entry(e, names) for e in output.entries]
    return [entries[i * columns : (i + 1) * columns] for i in range(rows)]


def _indented(lines: Sequence[str]) -> str:
    return "\n".join(f"    {line}" for line in lines)


def _python(text: Text) -> str:
    taken = [*(name for name, _ in text.arrays), *text.parameters]
    body = [f"{name} = asarray({name}, float)" for name, _ in text.arrays] + text.steps
    for title, output, names in text.results:
        entries = ", ".join(_entry(e, names) for e in output.entries)
        body.append(f"{title} = stacked([{entries}], {output.shape}, q)")
    return f'''"""{text.remark}"""

from numpy import asarray, broadcast_arrays, cos, sign, sin, sqrt, stack


def {text.title}({", ".join(taken)}):
{_indented(body)}
    return {", ".join(title for title, _, _ in text.results)}


def stacked(entries, shape, q):
    """Entries as the last axes of one array."""
    columns = broadcast_arrays(*entries, q[..., 0])[:-1]
    return stack(columns, axis=-1).reshape(columns[0].shape + shape)
'''


def _c(text: Text) -> str:
    taken = [f"const double *{name}" for name, _ in text.arrays] + [f"double {name}" for name in text.parameters]
    given = [f"double *{title}" for title, _, _ in text.results]
    sizes = [f"{name} ({size})" for name, size in text.arrays]
    sizes += [f"{title} ({' x '.join(map(str, output.shape)) or '1'})" for title, output, _ in text.results]
    signature = f"void {text.title}({', '.join([*taken, *given])})"
    body = [f"const double {line};" for line in text.steps]
    for title, output, names in text.results:
        body += [f"{title}[{k}] = {_entry(e, names)};" for k, e in enumerate(output.entries)]
    mentioned = set(re.findall(r"[A-Za-z_]\w*", " ".join(body)))
    unused = [name for name in [*(n for n, _ in text.arrays), *text.parameters] if name not in mentioned]
    return f"""/* {text.remark} */
/* One state; matrices row by row: {", ".join(sizes)}. */
#include <math.h>

{signature};

{signature}
{{
{_indented([*(f"(void){name};" for name in unused), *body])}
}}
"""


def _julia(text: Text) -> str:
    keywords = f"; {', '.join(text.parameters)}" if text.parameters else ""
    body = [*text.steps, *(f"{title} = {_bracketed(output, names, ', ')}" for title, output, names in text.results)]
    return f"""# {text.remark}
function {text.title}({", ".join(name for name, _ in text.arrays)}{keywords})
{_indented(body)}
    return ({", ".join(f"{title} = {title}" for title, _, _ in text.results)},)
end
"""


def _bracketed(output: Any, names: list[str], between: str) -> str:
    """A number, a vector or a matrix as Julia and MATLAB write them."""
    rows = _rows(output, names)
    if not output.shape:
        return rows[0][0]
    if len(output.shape) == 1:
        return f"[{between.join(row[0] for row in rows)}]"
    # [a -b] would be one entry a - b
    return f"[{'; '.join(' '.join(f'({x})' if x.startswith('-') else x for x in row) for row in rows)}]"


def _matlab(text: Text) -> str:
    taken = ", ".join([*(name for name, _ in text.arrays), *(["p"] if text.parameters else [])])
    remark = "\n% p is a struct with a field for each parameter." if text.parameters else ""
    body = [f"{name} = p.{name};" for name in text.parameters] + [f"{line};" for line in text.steps]
    body += [f"{title} = {_bracketed(output, names, '; ')};" for title, output, names in text.results]
    return f"""function [{", ".join(title for title, _, _ in text.results)}] = {text.title}({taken})
% {text.remark}{remark}
{_indented(body)}
end
"""


def _casadi(text: Text) -> str:
    body = [f'{name} = SX.sym("{name}", {size})' for name, size in text.arrays]
    body += [f'{name} = SX.sym("{name}")' for name in text.parameters] + text.steps
    for title, output, names in text.results:
        rows = ", ".join(f"horzcat({', '.join(row)})" for row in _rows(output, names))
        body.append(f"{title} = vertcat({rows})")
    taken = [*(name for name, _ in text.arrays), *text.parameters]
    given = [title for title, _, _ in text.results]
    return f'''"""{text.remark}"""

from casadi import SX, Function, cos, horzcat, sign, sin, sqrt, vertcat


def {text.title}():
    """The CasADi function; its inputs and outputs have names."""
{_indented(body)}
    return Function("{text.title}", [{", ".join(taken)}], [{", ".join(given)}], {taken}, {given})
'''


#: form → its writer, its operations, and a component of q
LANGUAGES: dict[str, tuple[Callable[[Text], str], Any, str]] = {
    "py": (_python, PYTHON, "{0}[..., {1}]"),
    "c": (_c, C, "{0}[{1}]"),
    "casadi": (_casadi, PYTHON, "{0}[{1}]"),
    "julia": (_julia, {**PYTHON, "atan2": "atan({0}, {1})"}, "{0}[{2}]"),
    "matlab": (_matlab, PYTHON, "{0}({2})"),
}
